/*
 * stat-source.h - what is counted, as analyze/stat.h wants to know it: from the events that were
 * opened and the CPUs and threads that they were opened on.
 */
#pragma once

#include "analyze/cpu-places.h"
#include "analyze/stat.h"
#include "base/arena.h"

struct meter;
struct eventlist;
struct stat_config;

struct stat_source {
	struct stat_setup setup;
	struct cpu_places places;
	struct arena arena;
	bool *is_value; /* by event: the last reading is what counts */
};

/* @list as it was opened. */
void stat_source_init(struct stat_source *source, const struct stat_config *config,
		      const struct eventlist *list, const struct meter *meter);
/* To standard error: why some events were refused, each reason once, since most often it is one for
 * all of them. */
void stat_source_explain(const struct stat_source *source);
void stat_source_done(struct stat_source *source);
