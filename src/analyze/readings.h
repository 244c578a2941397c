/*
 * readings.h - counters that are read with each sample: by how much they moved since the last.
 *
 * With PERF_SAMPLE_READ a sample carries the values of its group (perf_event_open(2),
 * "read_format"), which only grow. What belongs to the sample is the difference to the reading
 * before: of the same counter and, where threads inherit counters, of the same thread.
 */
#pragma once

#include <stdint.h>

#include "base/hash.h"

/* Starts as { 0 }. Readings come in order of time. */
struct readings {
	struct hash by_id; /* index in items */
	struct readings_counter *items;
	size_t count, capacity;
};

/* Takes a reading of counter @id and returns the difference; the first is from 0, as is one below
 * the last: another thread has got the number. @tid: 0 where the counter is one for all threads. */
uint64_t readings_advance(struct readings *readings, uint64_t id, uint32_t tid, uint64_t value);

/* Forgets those of threads that are not in @tids. */
void readings_keep(struct readings *readings, const struct hash *tids);

void readings_done(struct readings *readings);
