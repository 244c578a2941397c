/* sites.c - see sites.h. */
#include "analyze/sites.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/index.h"
#include "base/pool.h"
#include "model/timeline.h"

enum { NAMED_AT_ONCE = 1024 };

struct sites_shard {
	_Alignas(64) pthread_mutex_t lock;
	struct index index;
	struct place *items;
	size_t count, capacity;
};

/* What links are told apart and ordered by. */
struct link {
	uint32_t dso; /* id, 0 if none */
	uint64_t addr;
};

struct sites *sites_new(void)
{
	struct sites *sites = xnew(struct sites);

	sites->shards =
		xaligned(_Alignof(struct sites_shard), SITES_SHARDS, sizeof(*sites->shards));
	for (size_t i = 0; i < SITES_SHARDS; i++)
		pthread_mutex_init(&sites->shards[i].lock, NULL);
	return sites;
}

void sites_free(struct sites *sites)
{
	if (!sites)
		return;
	zeros_free(sites->link_of, (size_t)sites_end(sites) + 1, sizeof(*sites->link_of));
	for (size_t i = 0; i < SITES_SHARDS; i++) {
		index_done(&sites->shards[i].index);
		free(sites->shards[i].items);
		pthread_mutex_destroy(&sites->shards[i].lock);
	}
	free(sites->shards);
	free(sites->places);
	free(sites);
}

static uint32_t find_or_add(struct sites_shard *shard, const struct place *place, uint64_t hash)
{
	uint32_t at;

	for (at = index_first(&shard->index, hash); at != INDEX_NONE;
	     at = index_next(&shard->index, hash)) {
		const struct place *old = &shard->items[at];

		if (old->addr == place->addr && old->map == place->map)
			return at;
	}
	if (shard->count >= UINT32_MAX / SITES_SHARDS)
		mem_exhausted("numbers of places");
	grow(shard);
	at = (uint32_t)shard->count++;
	shard->items[at] = *place;
	index_add(&shard->index, hash, at);
	return at;
}

static uint64_t hash_place(const struct place *place)
{
	return hash_u64(place->addr ^ hash_u64((uintptr_t)place->map));
}

uint32_t sites_add(struct sites *sites, const struct place *place)
{
	uint64_t hash = hash_place(place);
	uint32_t number = hash % SITES_SHARDS;
	struct sites_shard *shard = &sites->shards[number];

	pthread_mutex_lock(&shard->lock);
	number += find_or_add(shard, place, hash) * SITES_SHARDS;
	pthread_mutex_unlock(&shard->lock);
	return number;
}

void sites_expect(struct sites *sites, const struct place *place)
{
	uint64_t hash = hash_place(place);
	struct sites_shard *shard = &sites->shards[hash % SITES_SHARDS];

	pthread_mutex_lock(&shard->lock);
	index_expect(&shard->index, hash);
	if (shard->count < shard->capacity)
		__builtin_prefetch(&shard->items[shard->count], 1);
	pthread_mutex_unlock(&shard->lock);
}

struct place sites_get(struct sites *sites, uint32_t site)
{
	struct sites_shard *shard = &sites->shards[site % SITES_SHARDS];
	struct place place;

	pthread_mutex_lock(&shard->lock);
	place = shard->items[site / SITES_SHARDS];
	pthread_mutex_unlock(&shard->lock);
	return place;
}

uint32_t sites_end(const struct sites *sites)
{
	size_t most = 0;

	for (size_t i = 0; i < SITES_SHARDS; i++) {
		if (sites->shards[i].count > most)
			most = sites->shards[i].count;
	}
	return (uint32_t)most * SITES_SHARDS;
}

struct naming {
	struct sites *sites;
	struct resolver *resolver;
};

static void name_some(void *context, size_t job, size_t thread)
{
	const struct naming *naming = context;
	struct sites_shard *shard = &naming->sites->shards[job % SITES_SHARDS];
	size_t begin = job / SITES_SHARDS * NAMED_AT_ONCE, end = begin + NAMED_AT_ONCE;

	for (size_t i = begin; i < end && i < shard->count; i++) {
		struct place *place = &shard->items[i];

		*place = resolver_find(naming->resolver, place->map, place->addr);
	}
}

void sites_name(struct sites *sites, struct resolver *resolver, size_t threads)
{
	struct naming naming = { sites, resolver };

	pool_run(threads, sites_end(sites) / NAMED_AT_ONCE + SITES_SHARDS, name_some, &naming);
}

static struct link link_at(const struct sites *sites, uint32_t site)
{
	const struct place *place = sites_place(sites, site);
	struct link link = { .addr = place->addr };

	if (place->map && place->map->dso)
		link.dso = place->map->dso->id;
	if (place->function && !sites->by_addr)
		link.addr = place->function->start;
	return link;
}

static int compare(struct link left, struct link right)
{
	if (left.dso != right.dso)
		return left.dso < right.dso ? -1 : 1;
	return (left.addr > right.addr) - (left.addr < right.addr);
}

int sites_compare(const struct sites *sites, uint32_t left_link, uint32_t right_link)
{
	return compare(link_at(sites, left_link), link_at(sites, right_link));
}

struct linking {
	struct sites *sites;
	size_t parts;
};

static uint32_t find_link(const struct sites *sites, struct index *index, uint32_t site,
			  uint64_t hash)
{
	struct link link = link_at(sites, site);

	for (uint32_t at = index_first(index, hash); at != INDEX_NONE;
	     at = index_next(index, hash)) {
		if (compare(link_at(sites, at), link) == 0)
			return at;
	}
	index_add(index, hash, site);
	return site;
}

/* All look at all sites, and each deals with links of its own. */
static void link_part(void *context, size_t job, size_t thread)
{
	const struct linking *linking = context;
	struct sites *sites = linking->sites;
	_cleanup_(index_done) struct index index = { 0 };

	for (uint32_t i = 0; i < SITES_SHARDS; i++) {
		for (size_t k = 0; k < sites->shards[i].count; k++) {
			uint32_t site = (uint32_t)k * SITES_SHARDS + i;
			struct link link = link_at(sites, site);
			uint64_t hash = hash_u64(link.addr ^ hash_u64(link.dso));

			if (hash % linking->parts == job)
				sites->link_of[site] = find_link(sites, &index, site, hash);
		}
	}
}

void sites_settle(struct sites *sites, bool by_addr, size_t threads)
{
	struct linking linking = { sites, threads };

	sites->by_addr = by_addr;
	sites->places = xcalloc(SITES_SHARDS, sizeof(*sites->places));
	for (size_t i = 0; i < SITES_SHARDS; i++) {
		sites->places[i] = sites->shards[i].items;
		index_done(&sites->shards[i].index);
	}
	sites->link_of = xzeros((size_t)sites_end(sites) + 1, sizeof(*sites->link_of));
	pool_run(threads, threads, link_part, &linking);
}
