/* sites.c - see sites.h. */
#include "analyze/sites.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/sources.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/pool.h"
#include "model/timeline.h"

enum { NAMED_AT_ONCE = 1024, FIRST_CAPACITY = 1024 };

/*
 * What finds places by their hashes: open addressing, at most three quarters full. A slot is
 * written once, when all that it leads to is there; a table that has become too small stays for
 * those who look at it.
 */
struct sites_table {
	struct sites_table *before;
	size_t capacity;
	_Atomic uint64_t *slots; /* 32 bits of the hash, and number + 1; 0: free */
};

/* What links are told apart and ordered by. */
struct link {
	uint32_t dso; /* id, 0 if none */
	uint64_t addr;
	/* Equal texts are one pointer; NULL if it does not matter. */
	const char *line;
	const char *inlined; /* of an inlined function its name: it has no address then */
	const char *frame;   /* the same of links that are addresses: which one of those there */
};

static struct sites_table *table_new(size_t capacity)
{
	struct sites_table *table = xnew(struct sites_table);

	table->capacity = capacity;
	table->slots = xzeros(capacity, sizeof(*table->slots));
	return table;
}

static void tables_free(struct sites_table *table)
{
	while (table) {
		struct sites_table *before = table->before;

		zeros_free(table->slots, table->capacity, sizeof(*table->slots));
		free(table);
		table = before;
	}
}

struct sites *sites_new(void)
{
	struct sites *sites = xaligned(_Alignof(struct sites), 1, sizeof(*sites));

	pthread_mutex_init(&sites->lock, NULL);
	sites->table = table_new(FIRST_CAPACITY);
	return sites;
}

void sites_free(struct sites *sites)
{
	if (!sites)
		return;
	zeros_free(sites->link_of, (size_t)sites->count + 1, sizeof(*sites->link_of));
	for (size_t i = 0; i < SITES_SEGMENTS; i++)
		zeros_free(sites->segments[i], (size_t)1 << (SITES_FIRST_BITS + i),
			   sizeof(struct place));
	tables_free(sites->table);
	pthread_mutex_destroy(&sites->lock);
	free(sites);
}

static uint64_t hash_place(const struct place *place)
{
	return hash_u64(place->addr ^ hash_u64((uintptr_t)place->map));
}

/* Where the place is, UINT32_MAX: not there. *ret_slot: where it would go. */
static uint32_t find(const struct sites *sites, const struct sites_table *table,
		     const struct place *place, uint64_t hash, size_t *ret_slot)
{
	size_t mask = table->capacity - 1, at = (hash >> 32) & mask;
	uint64_t slot;

	while ((slot = atomic_load_explicit(&table->slots[at], memory_order_acquire)) != 0) {
		uint32_t number = (uint32_t)slot - 1;

		if (slot >> 32 == hash >> 32) {
			const struct place *old = sites_at(sites, number);

			if (old->addr == place->addr && old->map == place->map)
				return number;
		}
		at = (at + 1) & mask;
	}
	*ret_slot = at;
	return UINT32_MAX;
}

static struct sites_table *table_of(const struct sites *sites)
{
	return atomic_load_explicit(&sites->table, memory_order_acquire);
}

/* Under the lock. */
static struct sites_table *enlarge(struct sites *sites)
{
	struct sites_table *old = sites->table, *table = table_new(old->capacity * 2);
	size_t mask = table->capacity - 1;

	for (size_t i = 0; i < old->capacity; i++) {
		uint64_t slot = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
		size_t at = (slot >> 32) & mask;

		while (slot && atomic_load_explicit(&table->slots[at], memory_order_relaxed) != 0)
			at = (at + 1) & mask;
		if (slot)
			atomic_store_explicit(&table->slots[at], slot, memory_order_relaxed);
	}
	table->before = old;
	atomic_store_explicit(&sites->table, table, memory_order_release);
	return table;
}

/* Under the lock: the place of a number that nobody knows yet. */
static struct place *new_place(struct sites *sites)
{
	uint64_t at = (uint64_t)sites->count + (1 << SITES_FIRST_BITS);
	unsigned bits = 63U - (unsigned)__builtin_clzll(at);
	size_t segment = bits - SITES_FIRST_BITS;

	if (segment >= SITES_SEGMENTS)
		mem_exhausted("numbers of places");
	if (!sites->segments[segment])
		sites->segments[segment] = xroom((size_t)1 << bits, sizeof(struct place));
	return sites_at(sites, sites->count++);
}

/* Under the lock. */
static uint32_t add(struct sites *sites, const struct place *place, uint64_t hash)
{
	struct sites_table *table = sites->table;
	uint32_t number;
	size_t slot;

	if (sites->count >= table->capacity / 4 * 3)
		table = enlarge(sites);
	number = find(sites, table, place, hash, &slot);
	if (number != UINT32_MAX)
		return number;
	number = sites->count;
	*new_place(sites) = *place;
	atomic_store_explicit(&table->slots[slot], hash >> 32 << 32 | (number + 1),
			      memory_order_release);
	return number;
}

uint32_t sites_add(struct sites *sites, const struct place *place)
{
	uint32_t number;

	pthread_mutex_lock(&sites->lock);
	number = add(sites, place, hash_place(place));
	pthread_mutex_unlock(&sites->lock);
	return number;
}

/* Asks for the place that a look-up will compare with. */
static void expect_place(const struct sites *sites, const struct sites_table *table, uint64_t hash)
{
	uint64_t slot = atomic_load_explicit(&table->slots[(hash >> 32) & (table->capacity - 1)],
					     memory_order_acquire);

	if (slot >> 32 == hash >> 32)
		__builtin_prefetch(sites_at(sites, (uint32_t)slot - 1));
}

void sites_add_all(struct sites *sites, struct sites_query *queries, size_t count)
{
	const struct sites_table *table = table_of(sites);
	size_t missing = 0, slot;

	for (size_t i = 0; i < count; i++) {
		queries[i].hash = hash_place(&queries[i].place);
		__builtin_prefetch(&table->slots[(queries[i].hash >> 32) & (table->capacity - 1)]);
	}
	for (size_t i = 0; i < count; i++)
		expect_place(sites, table, queries[i].hash);
	for (size_t i = 0; i < count; i++) {
		queries[i].site = find(sites, table, &queries[i].place, queries[i].hash, &slot);
		missing += queries[i].site == UINT32_MAX;
	}
	if (missing == 0)
		return;
	pthread_mutex_lock(&sites->lock);
	for (size_t i = 0; i < count; i++) {
		if (queries[i].site == UINT32_MAX)
			queries[i].site = add(sites, &queries[i].place, queries[i].hash);
	}
	pthread_mutex_unlock(&sites->lock);
}

uint32_t sites_append(struct sites *sites, const struct place *place)
{
	*new_place(sites) = *place;
	return sites->count - 1;
}

struct place sites_get(struct sites *sites, uint32_t site)
{
	return *sites_at(sites, site);
}

uint32_t sites_end(const struct sites *sites)
{
	return sites->count;
}

void sites_load_names(struct sites *sites, struct resolver *resolver, bool with_inlines)
{
	enum { TRIES = 16 };
	/* By a dso's id: how often a function was looked for. */
	_cleanup_(hash_done) struct hash tries = { 0 };
	struct frames frames = { 0 };
	uint32_t count;

	pthread_mutex_lock(&sites->lock);
	count = sites->count;
	pthread_mutex_unlock(&sites->lock);
	for (uint32_t i = 0; i < count; i++) {
		struct place place = *sites_at(sites, i);
		struct hash_entry *entry =
			place.map ? hash_add(&tries, place.map->dso->id, NULL) : NULL;

		if (!entry || entry->number == TRIES)
			continue;
		entry->number++;
		place = resolver_find(resolver, place.map, place.addr);
		if (!place.function)
			continue;
		entry->number = TRIES;
		if (with_inlines)
			(void)resolver_frames(resolver, &place, false, &frames);
	}
	resolver_frames_done(&frames);
}

struct naming {
	struct sites *sites;
	struct resolver *resolver;
};

static void name_some(void *context, size_t job, size_t thread)
{
	const struct naming *naming = context;
	size_t end = (job + 1) * NAMED_AT_ONCE;

	for (size_t i = job * NAMED_AT_ONCE; i < end && i < naming->sites->count; i++) {
		struct place *place = sites_at(naming->sites, (uint32_t)i);

		*place = resolver_find(naming->resolver, place->map, place->addr);
	}
}

void sites_name(struct sites *sites, struct resolver *resolver, size_t threads)
{
	struct naming naming = { sites, resolver };

	pool_run(threads, sites->count / NAMED_AT_ONCE + 1, name_some, &naming);
}

void sites_name_again(struct sites *sites, struct resolver *resolver)
{
	for (uint32_t i = 0; i < sites->count; i++) {
		struct place *place = sites_at(sites, i);

		struct place named;

		if (!place->map || place->function)
			continue;
		named = resolver_find(resolver, place->map, place->addr);
		if (named.function)
			*place = named;
	}
}

const struct source *sites_source(const struct sites *sites, uint32_t site)
{
	const struct source *source = sites->sources ? sources_at(sites->sources, site) : NULL;

	return source && source->file[0] ? source : NULL;
}

static void set_inlined(const struct sites *sites, struct link *link, const char *name)
{
	if (sites->links == SITES_BY_ADDR) {
		link->frame = name;
	} else {
		link->inlined = name;
		link->addr = 0;
	}
}

static struct link link_at(const struct sites *sites, uint32_t site)
{
	const struct place *place = sites_place(sites, site);
	struct link link = { .addr = place->addr };

	if (place->map && place->map->dso)
		link.dso = place->map->dso->id;
	if (place->function && sites->links != SITES_BY_ADDR)
		link.addr = place->function->start;
	if (place->function && place->function->inlined)
		set_inlined(sites, &link, place->function->name);
	if (sites->links == SITES_BY_LINE) {
		const struct source *source = sites_source(sites, site);

		link.line = source ? source->line : NULL;
	}
	return link;
}

/* NULL comes first. */
static int compare_texts(const char *left, const char *right)
{
	if (!left || !right)
		return (left != NULL) - (right != NULL);
	return left == right ? 0 : strcmp(left, right);
}

static int compare(struct link left, struct link right)
{
	int r = compare_texts(left.line, right.line);

	if (r == 0 && !left.inlined != !right.inlined)
		r = left.inlined ? -1 : 1;
	else if (r == 0)
		r = compare_texts(left.inlined, right.inlined);
	if (r)
		return r;
	if (left.dso != right.dso)
		return left.dso < right.dso ? -1 : 1;
	if (left.addr != right.addr)
		return left.addr < right.addr ? -1 : 1;
	return compare_texts(left.frame, right.frame);
}

int sites_compare(const struct sites *sites, uint32_t left_link, uint32_t right_link)
{
	return compare(link_at(sites, left_link), link_at(sites, right_link));
}

struct linking {
	struct sites *sites;
	uint32_t *hashes; /* of each site's link */
	size_t parts;
};

static void hash_links(void *context, size_t job, size_t thread)
{
	const struct linking *linking = context;
	size_t end = (job + 1) * NAMED_AT_ONCE;

	for (size_t i = job * NAMED_AT_ONCE; i < end && i < linking->sites->count; i++) {
		struct link link = link_at(linking->sites, (uint32_t)i);

		linking->hashes[i] =
			(uint32_t)hash_u64(link.addr ^ hash_u64(link.dso) ^ (uintptr_t)link.line ^
					   hash_u64((uintptr_t)link.inlined));
	}
}

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

/* All look at all hashes, and each deals with links of its own: by upper bits, since the index goes
 * by the lower ones. */
static void link_part(void *context, size_t job, size_t thread)
{
	const struct linking *linking = context;
	struct sites *sites = linking->sites;
	_cleanup_(index_done) struct index index = { 0 };

	for (uint32_t site = 0; site < sites->count; site++) {
		uint32_t hash = linking->hashes[site];

		if (((uint64_t)hash * linking->parts) >> 32 == job)
			sites->link_of[site] = find_link(sites, &index, site, (uint64_t)hash << 32);
	}
}

/* Looking for lines takes long: threads share it, and do not wait for one another. */
static void find_lines(void *context, size_t job, size_t thread)
{
	const struct sites *sites = context;
	size_t end = (job + 1) * NAMED_AT_ONCE;

	for (size_t i = job * NAMED_AT_ONCE; i < end && i < sites->count; i++)
		(void)sources_at(sites->sources, (uint32_t)i);
}

void sites_settle(struct sites *sites, enum sites_links links, struct sources *sources,
		  size_t threads)
{
	struct linking linking = { .sites = sites, .parts = threads };

	sites->links = links;
	sites->sources = sources;
	tables_free(sites->table);
	sites->table = NULL;
	sites->link_of = xzeros((size_t)sites->count + 1, sizeof(*sites->link_of));
	if (links == SITES_BY_LINE)
		pool_run(threads, sites->count / NAMED_AT_ONCE + 1, find_lines, sites);
	linking.hashes = xroom((size_t)sites->count + 1, sizeof(*linking.hashes));
	pool_run(threads, sites->count / NAMED_AT_ONCE + 1, hash_links, &linking);
	pool_run(threads, threads, link_part, &linking);
	zeros_free(linking.hashes, (size_t)sites->count + 1, sizeof(*linking.hashes));
}
