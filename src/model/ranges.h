/*
 * ranges.h - what is seen through spaces that lie over one another: which mapping at which
 * addresses.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "model/instant.h"
#include "model/timeline.h"

struct hash;
struct space;
struct space_map;

/* A space as of an instant; seen where those above it have nothing. */
struct ranges_layer {
	const struct space *space;
	struct instant at;
};

/* Starts as { 0 }; the uppermost layer first. */
struct ranges_layers {
	struct ranges_layer *items;
	size_t count, capacity;
};

/* By address. *ret_ranges is yours: free(). */
size_t ranges_find(const struct ranges_layers *layers, struct timeline_range **ret_ranges);

/*
 * Adds to an empty space copies, made in @arena, of all mappings that are seen anywhere: then it
 * says the same as the layers. Numbers of their dsos are added to @dsos.
 */
void ranges_copy(const struct ranges_layers *layers, struct space *ret_space, struct arena *arena,
		 struct hash *dsos);
