/* stat-place.c - see stat-place.h. */
#include "analyze/stat-place.h"

#include <assert.h>

#include "analyze/cpu-places.h"
#include "analyze/stat.h"
#include "base/mem.h"

/* With -1 for what does not matter. */
static struct stat_place place_of(const struct stat_setup *setup, size_t cpu)
{
	const struct cpu_place at = cpu_places_of(setup->places, setup->cpus[cpu]);
	struct stat_place place = { setup->by, -1, -1, -1, -1, -1, -1, -1, -1, NULL, 0 };

	if (setup->by == STAT_BY_CPU)
		place.cpu = setup->cpus[cpu];
	if (setup->by == STAT_BY_NODE)
		place.node = at.node;
	if (setup->by == STAT_BY_SOCKET || setup->by == STAT_BY_DIE ||
	    setup->by == STAT_BY_CLUSTER || setup->by == STAT_BY_CACHE || setup->by == STAT_BY_CORE)
		place.socket = at.socket;
	if (place.socket >= 0 && setup->by != STAT_BY_SOCKET)
		place.die = at.die >= 0 ? at.die : 0;
	if (setup->by == STAT_BY_CLUSTER)
		place.cluster = at.cluster;
	if (setup->by == STAT_BY_CORE)
		place.core = at.core;
	if (setup->by == STAT_BY_CACHE) {
		place.cache_level = at.cache_level;
		place.cache = at.cache;
	}
	return place;
}

static int compare(const void *a, const void *b)
{
	const struct stat_place *x = a, *y = b;
	const int keys_x[] = { x->node, x->socket,      x->die,   x->cluster,
			       x->core, x->cache_level, x->cache, x->cpu };
	const int keys_y[] = { y->node, y->socket,      y->die,   y->cluster,
			       y->core, y->cache_level, y->cache, y->cpu };

	for (size_t i = 0; i < sizeof(keys_x) / sizeof(*keys_x); i++)
		if (keys_x[i] != keys_y[i])
			return keys_x[i] < keys_y[i] ? -1 : 1;
	return 0;
}

static void init_threads(struct stat_place_map *map, const struct stat_setup *setup)
{
	map->by_thread = 1;
	map->count = setup->thread_count;
	map->items = xcalloc(map->count + 1, sizeof(*map->items));
	map->by_cpu = xcalloc(map->count + 1, sizeof(*map->by_cpu));
	for (size_t i = 0; i < map->count; i++) {
		map->items[i] = (struct stat_place){ .by = STAT_BY_THREAD,
						     .cpu = -1,
						     .thread = &setup->threads[i],
						     .cpu_count = 1 };
		map->by_cpu[i] = i;
	}
}

static void find_all(struct stat_place_map *map, const struct stat_setup *setup)
{
	for (size_t cpu = 0; cpu < setup->cpu_count; cpu++) {
		struct stat_place place = place_of(setup, cpu);
		struct stat_place *found =
			bsearch(&place, map->items, map->count, sizeof(place), compare);

		assert(found);
		map->by_cpu[cpu] = (size_t)(found - map->items);
		found->cpu_count++;
	}
}

void stat_place_map_init(struct stat_place_map *map, const struct stat_setup *setup)
{
	size_t count = 0;

	*map = (struct stat_place_map){ 0 };
	if (setup->by == STAT_BY_THREAD) {
		init_threads(map, setup);
		return;
	}
	map->items = xcalloc(setup->cpu_count + 1, sizeof(*map->items));
	map->by_cpu = xcalloc(setup->cpu_count + 1, sizeof(*map->by_cpu));
	for (size_t cpu = 0; cpu < setup->cpu_count; cpu++)
		map->items[cpu] = place_of(setup, cpu);
	qsort(map->items, setup->cpu_count, sizeof(*map->items), compare);
	for (size_t i = 0; i < setup->cpu_count; i++)
		if (count == 0 || compare(&map->items[count - 1], &map->items[i]) != 0)
			map->items[count++] = map->items[i];
	map->count = count;
	find_all(map, setup);
}

void stat_place_map_done(struct stat_place_map *map)
{
	free(map->items);
	free(map->by_cpu);
	*map = (struct stat_place_map){ 0 };
}

size_t stat_place_map_find(const struct stat_place_map *map, size_t cpu, size_t thread)
{
	return map->by_cpu[map->by_thread ? thread : cpu];
}
