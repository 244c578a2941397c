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

/*
 * Of two items of one group, the one with the lower @inner goes first; where that is equal, and of
 * items of different groups, the one with the lower @place.
 */
struct rank_item {
	uint32_t group, inner, place;
	uint32_t parent, child[2]; /* of the tree */
};

/*
 * Orders @count items, inserting them from the first to the last; equal ones keep their order.
 * @ret_order is room for the numbers of the items in their order. Less than 2^31 items.
 */
void rank_items(struct rank_item *items, size_t count, uint32_t *ret_order);
