/* ranges.c - see ranges.h. */
#include "model/ranges.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/space.h"

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Where something may begin or end, sorted. */
static size_t find_edges(const struct ranges_layers *layers, uint64_t **ret_edges)
{
	struct {
		uint64_t *items;
		size_t count, capacity;
	} edges = { 0 };

	for (size_t i = 0; i < layers->count; i++) {
		const struct space *space = layers->items[i].space;

		for (size_t k = 0; k < space->count; k++) {
			grow(&edges);
			edges.items[edges.count++] = space->items[k]->map.start;
			grow(&edges);
			edges.items[edges.count++] = space->items[k]->map.end;
		}
	}
	if (edges.count > 0)
		qsort(edges.items, edges.count, sizeof(*edges.items), by_value);
	*ret_edges = edges.items;
	return edges.count;
}

static const struct map *find_in(const struct ranges_layers *layers, uint64_t addr)
{
	for (size_t i = 0; i < layers->count; i++) {
		const struct map *map =
			space_find(layers->items[i].space, addr, layers->items[i].at);

		if (map)
			return map;
	}
	return NULL;
}

size_t ranges_find(const struct ranges_layers *layers, struct timeline_range **ret_ranges)
{
	_cleanup_(freep) uint64_t *edges = NULL;
	size_t count = find_edges(layers, &edges);
	struct {
		struct timeline_range *items;
		size_t count, capacity;
	} ranges = { 0 };

	for (size_t i = 0; i + 1 < count; i++) {
		const struct map *map = find_in(layers, edges[i]);
		struct timeline_range *last = ranges.count ? &ranges.items[ranges.count - 1] : NULL;

		if (!map || edges[i] == edges[i + 1])
			continue;
		if (last && last->map == map && last->end == edges[i]) {
			last->end = edges[i + 1];
			continue;
		}
		grow(&ranges);
		ranges.items[ranges.count++] =
			(struct timeline_range){ edges[i], edges[i + 1], map };
	}
	*ret_ranges = ranges.items;
	return ranges.count;
}

/* The space_map begins with its map. */
static const struct space_map *space_map_of(const struct timeline_range *range)
{
	return (const struct space_map *)(const void *)range->map;
}

static int by_birth(const void *a, const void *b)
{
	const struct space_map *x = space_map_of(a), *y = space_map_of(b);

	if (instant_before(x->born, y->born))
		return -1;
	if (instant_before(y->born, x->born))
		return 1;
	return ((uintptr_t)x > (uintptr_t)y) - ((uintptr_t)x < (uintptr_t)y);
}

void ranges_copy(const struct ranges_layers *layers, struct space *ret_space, struct arena *arena,
		 struct hash *dsos)
{
	_cleanup_(freep) struct timeline_range *ranges = NULL;
	size_t count = ranges_find(layers, &ranges);

	if (count > 0)
		qsort(ranges, count, sizeof(*ranges), by_birth);
	for (size_t i = 0; i < count; i++) {
		struct space_map *copy;

		if (i > 0 && ranges[i].map == ranges[i - 1].map)
			continue;
		copy = space_map_copy(space_map_of(&ranges[i]), arena);
		space_add(ret_space, copy);
		hash_add(dsos, copy->map.dso->id, NULL)->number = DSO_MAPPED;
	}
}
