/* data-places.c - see data-places.h. */
#include "analyze/data-places.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/profile.h"
#include "analyze/sites.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/strings.h"
#include "model/timeline.h"
#include "symbol/resolve.h"

/* What an instruction is known by: equal mappings are many, and go while the dso stays. */
struct known {
	const struct dso *dso;
	uint64_t object_addr;
	const struct data_place *data;
};

struct data_places {
	struct profile *profile;
	const struct sites *sites;                   /* after data_places_settle() */
	_Atomic(const struct data_place *) *by_site; /* NULL: nobody asked */
	pthread_mutex_t lock;                        /* of what is below */
	struct {
		struct known *items;
		size_t count, capacity;
	} known;
	struct index index;
	struct strings texts;
	struct arena arena;
};

static const struct data_place unknown = { .type = "(unknown)", .field = "" };

struct data_places *data_places_new(struct profile *profile)
{
	struct data_places *places = xnew(struct data_places);

	places->profile = profile;
	pthread_mutex_init(&places->lock, NULL);
	return places;
}

void data_places_forget(struct data_places *places)
{
	free(take(places->by_site));
	free(places->known.items);
	memset(&places->known, 0, sizeof(places->known));
	index_done(&places->index);
	strings_done(&places->texts);
	arena_done(&places->arena);
}

void data_places_free(struct data_places *places)
{
	if (!places)
		return;
	data_places_forget(places);
	pthread_mutex_destroy(&places->lock);
	free(places);
}

const struct data_place *data_places_none(void)
{
	return &unknown;
}

static const struct data_place *keep(struct data_places *places, const struct resolver_data *found)
{
	struct data_place *data;
	const char *type = str_text(&found->type);

	if (found->kind == DATA_ACCESS_UNKNOWN)
		return &unknown;
	if (found->kind == DATA_ACCESS_STACK)
		type = "(stack operation)";
	else if (found->kind == DATA_ACCESS_CANARY)
		type = "(stack canary)";
	data = arena_alloc(&places->arena, sizeof(*data));
	*data = (struct data_place){
		.type = strings_keep(&places->texts, type),
		.field = strings_keep(&places->texts, str_text(&found->field)),
		.offset = found->offset,
		.is_type = found->kind == DATA_ACCESS_TYPE,
	};
	return data;
}

static uint64_t hash_known(const struct known *key)
{
	return hash_u64(key->object_addr ^ hash_u64((uintptr_t)key->dso));
}

static const struct data_place *find(struct data_places *places, const struct known *key)
{
	uint64_t hash = hash_known(key);

	for (uint32_t at = index_first(&places->index, hash); at != INDEX_NONE;
	     at = index_next(&places->index, hash)) {
		const struct known *known = &places->known.items[at];

		if (known->object_addr == key->object_addr && known->dso == key->dso)
			return known->data;
	}
	return NULL;
}

/* Unless another thread was faster. */
static const struct data_place *add(struct data_places *places, struct known key,
				    const struct resolver_data *found)
{
	const struct data_place *data = find(places, &key);

	if (data)
		return data;
	key.data = keep(places, found);
	grow(&places->known);
	index_add(&places->index, hash_known(&key), (uint32_t)places->known.count);
	places->known.items[places->known.count++] = key;
	return key.data;
}

const struct data_place *data_places_find(struct data_places *places, const struct place *place)
{
	struct known key = { 0 };
	const struct data_place *data;
	struct resolver_data found;

	if (!place->map)
		return &unknown;
	key = (struct known){ place->map->dso, place->object_addr, NULL };
	pthread_mutex_lock(&places->lock);
	data = find(places, &key);
	pthread_mutex_unlock(&places->lock);
	if (data)
		return data;
	resolver_data(profile_resolver(places->profile), place, &found);
	pthread_mutex_lock(&places->lock);
	data = add(places, key, &found);
	pthread_mutex_unlock(&places->lock);
	resolver_data_done(&found);
	return data;
}

void data_places_settle(struct data_places *places, const struct sites *sites)
{
	free(places->by_site);
	places->sites = sites;
	places->by_site = xcalloc((size_t)sites_end(sites) + 1, sizeof(*places->by_site));
}

const struct data_place *data_places_at(struct data_places *places, uint32_t site)
{
	_Atomic(const struct data_place *) *slot = &places->by_site[site];
	const struct data_place *data = atomic_load_explicit(slot, memory_order_acquire);

	if (data)
		return data;
	data = data_places_find(places, sites_place(places->sites, site));
	atomic_store_explicit(slot, data, memory_order_release);
	return data;
}
