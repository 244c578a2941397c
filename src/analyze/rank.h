/*
 * rank.h - puts things in order where "before" is not transitive, the way perf does.
 *
 * perf's rows with children of equal weight are ordered by depth if they are of the same thread,
 * and by other things if they are not; so a before b before c before a happens, and the order that
 * comes out depends on how one sorts. perf inserts row by row in a red-black tree; so does this.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What an item begins with, for the tree. */
struct rank_node {
	uint32_t parent; /* and whether the node is red */
	uint32_t child[2];
};

/* Not 0 if @a goes before @b. */
typedef int rank_before(const void *a, const void *b, void *context);

/*
 * Orders @count items, an array of things of @size bytes that begin with a node, inserting them
 * from the first to the last; equal ones keep their order. @ret_order is room for the numbers of
 * the items in their order. Less than 2^31 items.
 */
void rank_items(void *items, size_t size, size_t count, rank_before *before, void *context,
		uint32_t *ret_order);
