/*
 * rank.h - puts things in order where "before" is not transitive, the way perf does.
 *
 * perf's rows with children of equal weight are ordered by depth if they are of the same thread,
 * and by other things if they are not; so a before b before c before a happens, and the order that
 * comes out depends on how one sorts. perf inserts row by row in a red-black tree; so does this.
 */
#pragma once

#include <stddef.h>

/* Not 0 if @a goes before @b. */
typedef int rank_before(const void *a, const void *b, void *context);

/* Orders @items, inserting them from the first to the last; equal ones keep their order. */
void rank_items(void **items, size_t count, rank_before *before, void *context);
