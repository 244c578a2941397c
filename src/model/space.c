/* space.c - see space.h. */
#include "model/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "model/space-tree.h"

struct space_map *space_map_copy(const struct space_map *map, struct arena *arena)
{
	struct space_map *copy = arena_alloc(arena, sizeof(*copy));

	*copy = *map;
	if (map->map.symbol)
		copy->map.symbol = arena_strdup(arena, map->map.symbol);
	return copy;
}

void space_add(struct space *space, const struct space_map *map)
{
	grow(space);
	space->items[space->count++] = map;
}

static void drop_index(struct space *space)
{
	free(space->by_start);
	space->by_start = NULL;
	space_tree_free(space->tree);
	space->tree = NULL;
}

/* The same mapping, told once more: for another event or another thread. */
static bool is_repeated(const struct space_map *a, const struct space_map *b)
{
	return a->map.start == b->map.start && a->map.end == b->map.end &&
	       a->map.pgoff == b->map.pgoff && a->map.dso == b->map.dso &&
	       a->map.prot == b->map.prot && a->map.flags == b->map.flags;
}

struct key {
	uint64_t start;
	uint32_t number;
};

static int by_start(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static struct key *sorted_keys(const struct space *space)
{
	struct key *keys = xcalloc(space->count, sizeof(*keys));

	for (size_t i = 0; i < space->count; i++)
		keys[i] = (struct key){ space->items[i]->map.start, (uint32_t)i };
	qsort(keys, space->count, sizeof(*keys), by_start);
	return keys;
}

/* Moves the items that are not NULL together; *numbers are made to fit. */
static void squeeze(struct space *space, struct key *keys, size_t key_count)
{
	uint32_t *moved = xcalloc(space->count, sizeof(*moved));
	size_t kept = 0;

	for (size_t i = 0; i < space->count; i++) {
		if (!space->items[i])
			continue;
		moved[i] = (uint32_t)kept;
		space->items[kept++] = space->items[i];
	}
	for (size_t i = 0; i < key_count; i++)
		keys[i].number = moved[keys[i].number];
	space->count = kept;
	free(moved);
}

/* False if there are some that overlap. */
static bool settle_flat(struct space *space)
{
	_cleanup_(freep) struct key *keys = sorted_keys(space);
	size_t kept = 0;

	for (size_t i = 0; i < space->count; i++) {
		const struct space_map *map = space->items[keys[i].number];
		const struct space_map *left =
			kept > 0 ? space->items[keys[kept - 1].number] : NULL;

		if (left && map->map.start < left->map.end && !is_repeated(left, map))
			return false;
		if (!left || map->map.start >= left->map.end)
			keys[kept++] = keys[i];
	}
	if (kept < space->count) {
		const struct space_map **all = space->items;

		space->items = xcalloc(space->count, sizeof(*space->items));
		for (size_t i = 0; i < kept; i++)
			space->items[keys[i].number] = all[keys[i].number];
		free(all);
		space->capacity = space->count;
		squeeze(space, keys, kept);
	}
	space->by_start = xcalloc(kept, sizeof(*space->by_start));
	for (size_t i = 0; i < kept; i++)
		space->by_start[i] = keys[i].number;
	return true;
}

static struct space_tree_interval interval_of(const struct space_map *map)
{
	return (struct space_tree_interval){ map->map.start, map->map.end };
}

static void settle_tree(struct space *space)
{
	_cleanup_(freep) struct space_tree_interval *intervals =
		xcalloc(space->count, sizeof(*intervals));
	size_t kept = 0;

	for (size_t i = 0; i < space->count; i++)
		intervals[i] = interval_of(space->items[i]);
	space->tree = space_tree_new(intervals, space->count);
	for (size_t i = 0; i < space->count; i++) {
		const struct space_map *map = space->items[i];
		size_t last = space_tree_last(space->tree, &intervals[i]);

		if (last != SIZE_MAX && is_repeated(space->items[last], map))
			continue;
		space_tree_add(space->tree, &intervals[i], kept);
		space->items[kept++] = map;
	}
	space->count = kept;
}

void space_settle(struct space *space)
{
	drop_index(space);
	if (space->count > 0 && !settle_flat(space))
		settle_tree(space);
}

/* How many were born until then. */
static size_t born_until(const struct space *space, struct instant at)
{
	size_t low = 0, high = space->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (instant_before(at, space->items[middle]->born))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The only one that can hold the address. */
static const struct space_map *find_flat(const struct space *space, uint64_t addr)
{
	size_t low = 0, high = space->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (space->items[space->by_start[middle]]->map.start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? space->items[space->by_start[low - 1]] : NULL;
}

const struct map *space_find(const struct space *space, uint64_t addr, struct instant at)
{
	const struct space_map *found = NULL;

	if (space->by_start) {
		found = find_flat(space, addr);
		if (!found || found->map.end <= addr || instant_before(at, found->born))
			return NULL;
	} else if (space->tree) {
		size_t i = space_tree_find(space->tree, addr, born_until(space, at));

		if (i == SIZE_MAX)
			return NULL;
		found = space->items[i];
	}
	return found && found->map.dso ? &found->map : NULL;
}

void space_epoch(const struct space *space, struct instant at, struct timeline_epoch *epoch)
{
	size_t born = born_until(space, at);

	epoch->id = born;
	epoch->from = born > 0 ? space->items[born - 1]->born.moment : 0;
	epoch->until = born < space->count ? space->items[born]->born.moment : UINT64_MAX;
}

void space_done(struct space *space)
{
	drop_index(space);
	free(space->items);
	*space = (struct space){ 0 };
}
