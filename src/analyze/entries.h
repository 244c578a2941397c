/*
 * entries.h - a table of a histogram's entries, found by what the sort keys tell apart.
 *
 * Each worker counts in a table of its own; entries_join() makes one of those. An entry keeps no
 * item, which is large, but what tells it: context, site, thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/hist.h"
#include "base/arena.h"
#include "base/index.h"

/* What all tables of a histogram share. */
struct entries_kind {
	const struct hist_options *options;
	const struct sites *sites;
	const struct sortkey **keys;
	size_t key_count;
	struct bundles contexts;  /* of all workers */
	uint64_t *context_hashes; /* of the keys that do not look at the spot */
	/* Of those that do, for each site as the place of a sample, then for each as a caller: what
	 * entries_hash_spot() makes. */
	uint32_t *spot_hashes;
	size_t spot_count;
	struct hist_number
		*nothing; /* what entries count that no sample hit, one for each member */
};

/* Where a sample is on its way through entries. */
struct entries_visit {
	struct instant first;
	uint32_t context, site, pid, tid;
	uint16_t member;
	char level;
	bool is_caller;
};

struct entries {
	const struct entries_kind *kind;
	struct arena arena, numbers; /* of entries, which are aligned, and of what they count */
	struct hist_entry **items;
	size_t count, capacity;
	struct hist_entry **joined; /* after entries_join(): what each became; NULL before */
	struct index index;
};

static inline struct hist_entry *entries_at(const struct entries *entries, uint32_t number)
{
	return entries->joined ? entries->joined[number] : entries->items[number];
}

void entries_done(struct entries *entries);

/*
 * What sort keys make of a site, the same where they tell nothing apart, but for the lowest bit:
 * that is set where something is mapped. @in_memory: an address is shown as it is in memory, as of
 * callers.
 */
uint32_t entries_hash_spot(const struct entries_kind *kind, uint32_t site, bool in_memory);

/* The same, made before. */
static inline uint32_t entries_spot(const struct entries_kind *kind, uint32_t site, bool in_memory)
{
	return kind->spot_hashes[(in_memory ? kind->spot_count / 2 : 0) + site];
}

/* The number of the visit's entry in @entries, which it may be the first of. */
uint32_t entries_find(struct entries *entries, const struct entries_visit *visit);
/* What the entry is called is what its earliest sample says; its level, its first member's. */
void entries_name(const struct entries_kind *kind, struct hist_entry *entry,
		  const struct entries_visit *visit);
/* The numbers of a member that may be written. */
struct hist_number *entries_self(struct entries *entries, struct hist_entry *entry, size_t member);

/* Before entries_join(), of each table. */
void entries_prepare_join(struct entries *table);
/*
 * Adds to @ret all entries of the @part-th of @part_count shares, which are divided by hash. What
 * is in several tables is merged into the first. Each share may be another thread's.
 */
void entries_join(struct entries *const *tables, size_t table_count, size_t part, size_t part_count,
		  struct entries *ret);

struct item entries_item(const struct entries_kind *kind, const struct hist_entry *entry);
/* Makes @item, of another entry of the same context, one of @entry. */
void entries_set_item(const struct entries_kind *kind, const struct hist_entry *entry,
		      struct item *item);
