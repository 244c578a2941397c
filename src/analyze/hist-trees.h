/*
 * hist-trees.h - the call trees of a histogram's entries, grown of the chains that visits gathered;
 * for hist.c.
 */
#pragma once

#include <stddef.h>

struct calltree_options;
struct sites;
struct visits;

/* Starts as { 0 }. */
struct hist_trees {
	struct hist_trees_arena *arenas; /* of nodes, one for each thread */
	size_t arena_count;
};

/* Each entry that has chains in @visits gets its tree; the chains are gone then. */
void hist_trees_grow(struct hist_trees *trees, const struct sites *sites,
		     const struct calltree_options *options, struct visits *visits,
		     size_t visit_count, size_t threads);
void hist_trees_done(struct hist_trees *trees);
