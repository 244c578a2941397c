/*
 * space.h - an address space over time: of all mappings that hold an address, the youngest that
 * was there at an instant.
 *
 * Mappings go in in the order of time; space_settle() builds the index; more may follow, and then
 * another settle. Where no two overlap, the index is a list sorted by address; else it is a tree
 * (space-tree.h). Both are bounded whatever the mappings are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/instant.h"
#include "model/timeline.h"

struct arena;
struct space_tree;

struct space_map {
	struct map map; /* dso NULL: from here on there is nothing at these addresses */
	struct instant born;
};

/* In another arena: its symbol, too. */
struct space_map *space_map_copy(const struct space_map *map, struct arena *arena);

/* Starts as { 0 }. */
struct space {
	const struct space_map **items; /* in the order of time */
	size_t count, capacity;
	uint32_t *by_start; /* NULL if some overlap */
	struct space_tree *tree;
};

/* @map is borrowed and must outlive the space; start < end. */
void space_add(struct space *space, const struct space_map *map);
/* Drops mappings that were told twice. */
void space_settle(struct space *space);
/* NULL if nothing is there. */
const struct map *space_find(const struct space *space, uint64_t addr, struct instant at);
/*
 * What space_find() says changes only with a birth: @epoch becomes the stretch of moments around
 * @at without one; its id is the number of births before it, 0 to count.
 */
void space_epoch(const struct space *space, struct instant at, struct timeline_epoch *epoch);
void space_done(struct space *space);
