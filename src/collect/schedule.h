/*
 * schedule.h - when events count: -D.
 *
 * Times are from the start of the recording. Spans are in order and do not overlap.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strobe_err;

struct schedule_span {
	uint64_t start_ns;
	uint64_t end_ns; /* 0: until the recording ends; else it ends with the last span */
};

/* All zero: from the start to the end. */
struct schedule {
	struct schedule_span *items;
	size_t count, capacity;
	bool never;
};

/* "MS"; "MS-MS,MS-MS..."; "-1", never; "0", from the start. */
int schedule_parse(const char *text, struct schedule *ret_schedule, struct strobe_err *err);
void schedule_done(struct schedule *schedule);

/* Where one is in it: starts as { schedule }, and counting does not go on yet. */
struct schedule_walk {
	const struct schedule *schedule;
	size_t span; /* that is to come, or goes on */
	bool counting;
};

/* When counting next begins or stops, in ns from the start; UINT64_MAX: never. */
uint64_t schedule_walk_due(const struct schedule_walk *walk);
/* It has begun or stopped. False if it was for the last time. */
bool schedule_walk_step(struct schedule_walk *walk);

/* Do events wait for something else than the start? */
bool schedule_is_delayed(const struct schedule *schedule);
