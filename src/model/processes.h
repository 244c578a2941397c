/*
 * processes.h - the address spaces of processes over time.
 *
 * Filled in the order of time (see timeline.c). What a number (pid) runs is a list of images: a
 * FORK begins one that also sees what its parent had at that instant, an exec begins an empty
 * one. So nothing is copied, and a number that is used again does not see the maps of before.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "model/instant.h"
#include "model/space.h"

struct threads;

/* Starts as { 0 }. */
struct processes {
	struct arena arena;
	struct hash by_pid; /* struct processes_number */
	uint64_t epoch_count;
};

/* @synthesized: told for a process that was there before, and whose maps are told too. */
void processes_fork(struct processes *processes, uint32_t pid, uint32_t ppid, struct instant at,
		    bool synthesized);
void processes_exec(struct processes *processes, uint32_t pid, struct instant at);
void processes_exit(struct processes *processes, uint32_t pid);
void processes_map(struct processes *processes, uint32_t pid, const struct space_map *map);
/* See timeline_add_code(). */
void processes_code(struct processes *processes, uint32_t pid, const struct space_map *map);
void processes_settle(struct processes *processes);

const struct map *processes_find(const struct processes *processes, uint32_t pid, uint64_t addr,
				 uint64_t moment);
/* See timeline_epoch(); false of a number that never was. Ids count from 0. */
bool processes_epoch(const struct processes *processes, uint32_t pid, uint64_t moment,
		     struct timeline_epoch *ret_epoch);
/* That of the last image; NULL if it was never told. */
const struct dso *processes_executable(const struct processes *processes, uint32_t pid);
/* The @i-th map that a number ever had, in the order of time; NULL past the end. */
const struct map *processes_map_at(const struct processes *processes, uint32_t pid, size_t i);
/* See timeline_ranges(). */
size_t processes_ranges(const struct processes *processes, uint32_t pid, uint64_t moment,
			struct timeline_range **ret_ranges);

/*
 * Forgets what no longer was at @now, the last moment that was told: numbers that are none of
 * @threads, and what others were before, or had mapped before. Maps move; then processes_settle().
 * Adds the numbers of the dsos that are left to @dsos.
 */
void processes_forget(struct processes *processes, const struct threads *threads, uint64_t now,
		      struct hash *dsos);

void processes_done(struct processes *processes);
