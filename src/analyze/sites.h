/*
 * sites.h - the places that occur in samples, each kept once, with a number; for any number of
 * threads at a time.
 *
 * A place is an address in a mapping. It has its number when it is first asked for, and may get
 * its name later, by sites_name(). Numbers are given one after another, and places stay where they
 * are: those that are there can be found without a lock.
 *
 * When all sites are there and have their names, sites_settle() says which of them are the same
 * link of a call chain: those in one function, or, without one, at the same address. Links may also
 * be told apart by address alone, or by source line, where one is known. A function that was put
 * into others is one link wherever it was put. A link goes by the number of one of its sites.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "symbol/resolve.h"

/* Places lie in segments, each twice as large as the one before. */
enum { SITES_FIRST_BITS = 10, SITES_SEGMENTS = 32 - SITES_FIRST_BITS };

struct sites_table;
struct source;
struct sources;

/* What tells links of call chains apart. */
enum sites_links {
	SITES_BY_FUNCTION,
	SITES_BY_ADDR,
	SITES_BY_LINE, /* in one function */
};

struct sites {
	_Atomic(struct place *) segments[SITES_SEGMENTS];
	_Atomic(struct sites_table *) table; /* finds places; until sites_settle() */
	/* Of who adds; away from what all read. */
	_Alignas(MEM_APART) pthread_mutex_t lock;
	uint32_t count;
	uint32_t *link_of; /* by site; after sites_settle() */
	enum sites_links links;
	struct sources *sources; /* borrowed; of SITES_BY_ADDR and SITES_BY_LINE, else NULL */
};

struct sites *sites_new(void);
void sites_free(struct sites *sites);
CLEANUP(sites_free, struct sites)

/* The site of an address in a mapping; one that is new gets @place as it is. */
uint32_t sites_add(struct sites *sites, const struct place *place);
/* The same of many, which is faster: memory is waited for once, and others are kept out once. */
struct sites_query {
	struct place place;
	uint64_t hash; /* sites_add_all() sets these */
	uint32_t site;
};
void sites_add_all(struct sites *sites, struct sites_query *queries, size_t count);
/* A site that is not to be found: several may be at one address, by frames. Not while others add.
 */
uint32_t sites_append(struct sites *sites, const struct place *place);
/* Its place, while others may still be added. */
struct place sites_get(struct sites *sites, uint32_t site);
/* Loads the names of all objects that have a site so far, and what tells of functions that were put
 * into others; others may go on. */
void sites_load_names(struct sites *sites, struct resolver *resolver, bool with_inlines);
/* Names all sites, with so many threads. */
void sites_name(struct sites *sites, struct resolver *resolver, size_t threads);
/* Names those that had no name, while others may still be added. */
void sites_name_again(struct sites *sites, struct resolver *resolver);
/* Numbers links; nothing can be added after it. */
void sites_settle(struct sites *sites, enum sites_links links, struct sources *sources,
		  size_t threads);

/* The source line of a site as its link shows it; NULL where none is known or asked for. */
const struct source *sites_source(const struct sites *sites, uint32_t site);

/* One more than the highest number. */
uint32_t sites_end(const struct sites *sites);

static inline struct place *sites_at(const struct sites *sites, uint32_t site)
{
	uint64_t at = (uint64_t)site + (1 << SITES_FIRST_BITS);
	unsigned bits = 63U - (unsigned)__builtin_clzll(at);

	return atomic_load_explicit(&sites->segments[bits - SITES_FIRST_BITS],
				    memory_order_relaxed) +
	       (at - (UINT64_C(1) << bits));
}

/* After sites_settle(). */
static inline const struct place *sites_place(const struct sites *sites, uint32_t site)
{
	return sites_at(sites, site);
}

/*
 * Order of links: < 0 if @left comes first. Inlined functions by name, then others, by objects in
 * the order of their ids and by addresses.
 */
int sites_compare(const struct sites *sites, uint32_t left_link, uint32_t right_link);
