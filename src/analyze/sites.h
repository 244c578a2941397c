/*
 * sites.h - the places that occur in samples, each kept once, with a number; for any number of
 * threads at a time.
 *
 * A place is an address in a mapping. It has its number when it is first asked for, and may get
 * its name later, by sites_name(). Numbers are below sites_end(), but not all of those are taken:
 * places are kept in shards, each with a lock of its own, and a number tells shard and place.
 *
 * When all sites are there and have their names, sites_settle() says which of them are the same
 * link of a call chain: those in one function, or, without one, at the same address (or always at
 * the same address). A link goes by the number of one of its sites.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "symbol/resolve.h"

enum { SITES_SHARDS = 16 };

struct sites_shard;

struct sites {
	struct sites_shard *shards;
	struct place **places; /* of each shard; after sites_settle() */
	uint32_t *link_of;     /* by site; after sites_settle() */
	bool by_addr;          /* links are addresses, not functions */
};

struct sites *sites_new(void);
void sites_free(struct sites *sites);
CLEANUP(sites_free, struct sites)

/* The site of an address in a mapping; one that is new gets @place as it is. */
uint32_t sites_add(struct sites *sites, const struct place *place);
/* Says that sites_add() of it will follow. */
void sites_expect(struct sites *sites, const struct place *place);
/* Its place, while others may still be added. */
struct place sites_get(struct sites *sites, uint32_t site);
/* Names all sites, with so many threads. */
void sites_name(struct sites *sites, struct resolver *resolver, size_t threads);
/* Numbers links; nothing can be added after it. */
void sites_settle(struct sites *sites, bool by_addr, size_t threads);

/* One more than the highest number. */
uint32_t sites_end(const struct sites *sites);

/* After sites_settle(). */
static inline const struct place *sites_place(const struct sites *sites, uint32_t site)
{
	return &sites->places[site % SITES_SHARDS][site / SITES_SHARDS];
}

/* Order of links: < 0 if @left comes first. Objects in the order of their ids, then addresses. */
int sites_compare(const struct sites *sites, uint32_t left_link, uint32_t right_link);
