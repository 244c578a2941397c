/*
 * visits.h - takes what one worker counted through the entries of a histogram, bundle by bundle:
 * first to count, then, when entries are whole, to gather the chains of those that show a tree.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/bundles.h"
#include "analyze/calltree.h"
#include "analyze/entries.h"
#include "base/mem.h"

struct stack_table;

/* The chains of an entry whose tree is worth building; to be free_room()ed. */
struct visits_chains {
	struct hist_entry *entry;
	struct calltree_chain *items;
	size_t count, capacity;
	uint32_t last_bundle; /* + 1: the one that was added last */
};

/*
 * Who sits at each site, while the bundles of one context are gone through: a thread's, for the
 * histograms of the same sites, one after another. Starts as { 0 }.
 */
struct visits_seats {
	struct seat *items;
	size_t count;
	uint32_t round;  /* of a context: a seat that was taken in another one is free */
	uint64_t *heavy; /* a bit for each seat: it may be one of an entry with a tree */
};

/* What one worker counted. */
struct visits_part {
	const struct bundles *bundles;    /* borrowed */
	const struct stack_table *stacks; /* borrowed */
	uint32_t *contexts; /* the number of each of its contexts among all workers' */
	/* After visits_sort(): */
	uint32_t *order; /* bundles, those of a context together */
	size_t *begins;  /* of each context of all in @order, and the end */
};

struct visits {
	_Alignas(MEM_APART) const struct visits_part *parts;
	size_t part_count;
	size_t share, share_count; /* which sites, by their spot's hash */
	struct entries entries;
	struct visits_state *state;
	struct {
		struct visits_chains *items;
		size_t count, capacity;
	} trees; /* after visits_gather() */
};

void visits_sort(struct visits_part *part, size_t context_count);
void visits_part_done(struct visits_part *part);

/*
 * Goes through all bundles of some parts, which are sorted. Of @share_count visits of the same
 * parts, each counts for the entries that are its own, which no other has. All is borrowed.
 */
void visits_init(struct visits *visits, const struct visits_part *parts, size_t part_count,
		 const struct entries_kind *kind, size_t share, size_t share_count);
void visits_done(struct visits *visits);

void visits_seats_done(struct visits_seats *seats);

void visits_count(struct visits *visits, struct visits_seats *seats);
/* @least: what an entry must weigh to have a tree. The chains are the caller's to free_room(). */
void visits_gather(struct visits *visits, struct visits_seats *seats, uint64_t least);
/* What only those two need goes. */
void visits_end(struct visits *visits);
