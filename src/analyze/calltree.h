/*
 * calltree.h - the call chains of an entry, merged where they begin alike.
 *
 *	main             one node: every chain that passes "main" goes on to "work"
 *	work       7
 *	|-- sort   4     hit: what ended here; below: what the children have
 *	`-- hash   3
 *
 * A node holds as many links as there is neither a fork nor an end. A tree is built from all its
 * chains at once, from the root down, and only where it will be shown: a branch that is too light
 * counts in what is above it, and has no nodes. So most chains are looked at no further than to
 * where they leave the heavy ones.
 *
 * Frames are borrowed from the stacks, and live as long as the tree; nodes live in the arena given.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/branch-counts.h"
#include "analyze/sites.h"

struct arena;

struct calltree_node {
	const uint32_t *sites;                /* @count links, see @step */
	const struct branch_counts *branches; /* of each link; NULL: chains have no marks */
	uint32_t count;
	int32_t step;                    /* from one link to the next in @sites: 1 or -1 */
	uint64_t hit, below;             /* period that ended here, and in the children */
	uint64_t hit_count, below_count; /* the same in samples */
	struct calltree_node *parent;
	struct calltree_node **children; /* those that are heavy enough, in their order */
	size_t child_count;
};

static inline uint64_t calltree_total(const struct calltree_node *node)
{
	return node->hit + node->below;
}

static inline uint64_t calltree_total_count(const struct calltree_node *node)
{
	return node->hit_count + node->below_count;
}

/* The @i-th site of a node. */
static inline uint32_t calltree_site(const struct calltree_node *node, uint32_t i)
{
	return node->sites[(int64_t)i * node->step];
}

/* Part of a stack. */
struct calltree_chain {
	const uint32_t *sites;    /* the first link */
	const branch_mark *marks; /* the same; NULL where stacks have none */
	uint32_t count;
	uint32_t sample_count;
	uint64_t period;
};

enum calltree_mode {
	CALLTREE_GRAPH,   /* shares of the whole */
	CALLTREE_FRACTAL, /* shares of the parent */
	CALLTREE_FLAT,    /* whole chains, one by one: see calltree_flatten */
};

struct calltree_options {
	enum calltree_mode mode;
	int32_t step;       /* of the chains: outermost or innermost first, -1 or 1 */
	uint64_t least;     /* GRAPH: the weight of what is kept */
	double min_percent; /* FRACTAL: the share of its parent's children that a node needs */
};

/* What builds trees one after another; a worker has its own. */
struct calltree_builder;
struct calltree_builder *calltree_builder_new(const struct sites *sites);
void calltree_builder_free(struct calltree_builder *builder);

/*
 * The tree of all @chains, whose order is changed. Children are in the order of their weight; of
 * FLAT, where all are kept, of their links.
 */
struct calltree_node *calltree_build(struct calltree_builder *builder,
				     const struct calltree_options *options,
				     struct calltree_chain *chains, size_t count,
				     struct arena *arena);

/* For FLAT: the nodes where at least @least ended, heaviest first; the array is the caller's. */
struct calltree_node **calltree_flatten(struct calltree_node *root, uint64_t least,
					size_t *ret_count);

/* The nodes that have links on the way from the root down to @node; the array is the caller's. */
const struct calltree_node **calltree_path(const struct calltree_node *node, size_t *ret_count);
