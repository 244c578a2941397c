/*
 * stat-file.h - a recording of counts, as analyze/stat.h wants it: what was counted, and the rounds
 * in which it was read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/cpu-places.h"
#include "analyze/stat.h"
#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "data/stat-record.h"

struct countset;
struct datafile;
struct strobe_err;

struct stat_file {
	const struct datafile *file; /* borrowed */
	struct arena arena;
	struct stat_setup setup; /* by: as it was recorded; the caller's to change */
	struct stat_record_settings settings;
	struct machine_list command; /* that was counted; empty where it does not say */
	struct cpu_places places;
	uint64_t skipped_count; /* records that do not hold together, or belong to nobody */
};

/* -EINVAL: it is no recording of counts. @cache_level as in cpu_places_init(). */
int stat_file_init(struct stat_file *stat, const struct datafile *file, int cache_level,
		   struct strobe_err *err);
void stat_file_done(struct stat_file *stat);

/* What had been counted @time_ns after the beginning. Not 0 ends it. */
typedef int stat_file_round(void *context, const struct countset *counts, uint64_t time_ns,
			    bool is_final);

/* All rounds, in order; or what the visitor returned. */
int stat_file_walk(struct stat_file *stat, stat_file_round *visit, void *context);
