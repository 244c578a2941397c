/*
 * cpu-places.h - where each CPU is: its socket, die, cluster, core, node and cache, by number.
 *
 * Made of what the machine says (base/machine.h), whether it is this one or a recording's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine_caches;
struct machine_numa;
struct machine_topology;

/* -1 where it is not known. */
struct cpu_place {
	int socket, die, cluster, core, node;
	int cache_level, cache; /* the cache is called by the first CPU that has it */
};

struct cpu_places {
	struct cpu_place *items; /* by number of the CPU */
	size_t count;
};

/* Of caches: the highest level that there is. */
enum { CPU_PLACES_LAST_LEVEL = 0 };

/*
 * @cache_level: 1, 2, ... or CPU_PLACES_LAST_LEVEL. @clusters: by number of the CPU, -1 where none
 * is known, or NULL. @numa and @caches may be empty.
 */
void cpu_places_init(struct cpu_places *places, const struct machine_topology *topology,
		     const struct machine_numa *numa, const struct machine_caches *caches,
		     int cache_level, const int *clusters);
void cpu_places_done(struct cpu_places *places);

/* All of it -1 where the CPU is not known. */
struct cpu_place cpu_places_of(const struct cpu_places *places, int cpu);

/*
 * The next range of a list of CPUs, "0-2,5"; false at the end, or where it is none. @rest begins as
 * the whole text, or NULL.
 */
bool cpu_places_next_range(const char **rest, uint64_t *ret_first, uint64_t *ret_last);
