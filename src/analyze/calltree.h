/*
 * calltree.h - the call chains of an entry, merged where they begin alike.
 *
 *	main             one node: every chain that passes "main" goes on to "work"
 *	work       7
 *	|-- sort   4     hit: what ended here; below: what the children have
 *	`-- hash   3
 *
 * A node holds as many links as there is neither a fork nor an end. Its frames are borrowed from
 * the stack table or the caller, and live as long as the tree; nodes live in the arena given.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/stack.h"

struct arena;

struct calltree_node {
	const uint32_t *sites; /* @count links, see @step */
	uint32_t count;
	int32_t step;                    /* from one link to the next in @sites: 1 or -1 */
	uint64_t hit, below;             /* period that ended here, and in the children */
	uint64_t hit_count, below_count; /* the same in samples */
	struct calltree_node *parent;
	struct {
		struct calltree_node **items;
		size_t count, capacity;
	} children;   /* ordered by link; of calltree_sort, by weight */
	size_t shown; /* the first @shown children are heavy enough: calltree_sort */
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

/* Part of a stack, outermost or innermost first (step -1 or 1). */
struct calltree_chain {
	const uint32_t *sites; /* the first link */
	uint32_t count;
	int32_t step;
	uint64_t period, sample_count;
};

/* @root begins as { 0 }. */
void calltree_add(struct calltree_node *root, const struct stack_table *table, struct arena *arena,
		  const struct calltree_chain *chain);

enum calltree_mode {
	CALLTREE_GRAPH,   /* shares of the whole */
	CALLTREE_FRACTAL, /* shares of the parent */
	CALLTREE_FLAT,    /* whole chains, one by one: see calltree_flatten */
};

/*
 * Orders children by weight, and marks what has at least @least (GRAPH), or at least
 * @min_percent of its parent's children (FRACTAL).
 */
void calltree_sort(struct calltree_node *root, enum calltree_mode mode, uint64_t least,
		   double min_percent);

/*
 * For FLAT, of a tree that was not sorted: the nodes where at least @least ended, heaviest first;
 * the array is the caller's.
 */
struct calltree_node **calltree_flatten(struct calltree_node *root, uint64_t least,
					size_t *ret_count);

/* Frees the arrays of children. */
void calltree_done(struct calltree_node *root);
