/*
 * stats.h - how many records of each type a recording has, and whose the samples are: what
 * "report --stats" shows.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "data/record.h"

struct events;

enum { STATS_TYPES = RECORD_SCHEDSTAT_DOMAIN + 1 };

struct stats_event {
	uint64_t sample_count;
	uint64_t lost_count;        /* LOST records */
	uint64_t lost_sample_count; /* LOST_SAMPLES records */
	uint64_t throttle_count;    /* THROTTLE records */
};

struct stats {
	uint64_t total; /* all records */
	uint64_t types[STATS_TYPES];
	uint64_t unknown_count;       /* of types that have no name */
	uint64_t unknown_id_count;    /* samples whose id no event has */
	const struct events *events;  /* borrowed */
	struct stats_event *by_event; /* one for each of events */
};

void stats_init(struct stats *stats, const struct events *events);
void stats_add(struct stats *stats, const struct record *record);
void stats_done(struct stats *stats);
