/*
 * stat-place.h - which place a count belongs to: its CPU, core, socket, thread, or the only one.
 */
#pragma once

#include <stddef.h>

struct stat_place;
struct stat_setup;

struct stat_place_map {
	struct stat_place *items; /* in order */
	size_t count;
	size_t *by_cpu; /* index of the place of each of the setup's CPUs; with threads: of each
			   thread */
	int by_thread;
};

void stat_place_map_init(struct stat_place_map *map, const struct stat_setup *setup);
void stat_place_map_done(struct stat_place_map *map);

/* @cpu and @thread are places in the lists of the setup. */
size_t stat_place_map_find(const struct stat_place_map *map, size_t cpu, size_t thread);
