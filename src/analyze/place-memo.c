/* place-memo.c - see place-memo.h. */
#include "analyze/place-memo.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/sites.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/timeline.h"
#include "symbol/resolve.h"

/*
 * What is found depends on these. Not on the mapping: of equal ones there are many, and they go
 * while the dso stays.
 */
struct place_memo_entry {
	const struct dso *dso; /* NULL: in no mapping */
	const struct function *function;
	uint64_t object_addr;
	const void *found;
};

void place_memo_init(struct place_memo *memo)
{
	*memo = (struct place_memo){ 0 };
	pthread_mutex_init(&memo->lock, NULL);
}

void place_memo_forget(struct place_memo *memo)
{
	free(take(memo->by_site));
	free(memo->known.items);
	memset(&memo->known, 0, sizeof(memo->known));
	index_done(&memo->index);
	strings_done(&memo->texts);
	arena_done(&memo->arena);
}

void place_memo_done(struct place_memo *memo)
{
	place_memo_forget(memo);
	pthread_mutex_destroy(&memo->lock);
}

static struct place_memo_entry key_of(const struct place *place)
{
	struct place_memo_entry key = { 0 };

	if (place->map)
		key = (struct place_memo_entry){ place->map->dso, place->function,
						 place->object_addr, NULL };
	return key;
}

static uint64_t hash_entry(const struct place_memo_entry *key)
{
	return hash_u64(key->object_addr ^ hash_u64((uintptr_t)key->dso));
}

const void *place_memo_known(struct place_memo *memo, const struct place *place)
{
	const struct place_memo_entry key = key_of(place);
	uint64_t hash = hash_entry(&key);
	uint32_t at;

	for (at = index_first(&memo->index, hash); at != INDEX_NONE;
	     at = index_next(&memo->index, hash)) {
		const struct place_memo_entry *known = &memo->known.items[at];

		if (known->object_addr == key.object_addr && known->dso == key.dso &&
		    known->function == key.function)
			return known->found;
	}
	return NULL;
}

const void *place_memo_find(struct place_memo *memo, const struct place *place)
{
	const void *found;

	place_memo_lock(memo);
	found = place_memo_known(memo, place);
	place_memo_unlock(memo);
	return found;
}

void place_memo_lock(struct place_memo *memo)
{
	pthread_mutex_lock(&memo->lock);
}

void place_memo_unlock(struct place_memo *memo)
{
	pthread_mutex_unlock(&memo->lock);
}

const void *place_memo_keep(struct place_memo *memo, const struct place *place, const void *found)
{
	struct place_memo_entry key = key_of(place);

	key.found = found;
	grow(&memo->known);
	index_add(&memo->index, hash_entry(&key), (uint32_t)memo->known.count);
	memo->known.items[memo->known.count++] = key;
	return found;
}

void place_memo_settle(struct place_memo *memo, const struct sites *sites)
{
	free(memo->by_site);
	memo->sites = sites;
	memo->by_site = xcalloc((size_t)sites_end(sites) + 1, sizeof(*memo->by_site));
}
