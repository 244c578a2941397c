/*
 * space-tree.h - numbered intervals that overlap: the highest number below a limit that holds an
 * address.
 *
 * A segment tree. All ends of intervals cut the addresses into pieces, which are the leaves; an
 * interval is listed in the few nodes that it covers wholly, so an address meets it on the way from
 * its leaf to the root. Finding takes log(n) lists with a binary search each, also where thousands
 * of intervals lie over one another.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct space_tree;

struct space_tree_interval {
	uint64_t start, end; /* start < end */
};

/* The intervals are known beforehand; space_tree_add() puts them in, number by number, upwards. */
struct space_tree *space_tree_new(const struct space_tree_interval *intervals, size_t count);
void space_tree_add(struct space_tree *tree, const struct space_tree_interval *interval,
		    size_t number);
/* The highest number so far that has an address in common with one of the intervals given to
 * space_tree_new(); SIZE_MAX if none. */
size_t space_tree_last(const struct space_tree *tree, const struct space_tree_interval *interval);
/* The highest number below @limit that holds @addr, or SIZE_MAX. */
size_t space_tree_find(const struct space_tree *tree, uint64_t addr, size_t limit);
void space_tree_free(struct space_tree *tree);
