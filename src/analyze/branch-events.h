/*
 * branch-events.h - events that the processor counted for each branch of a stack, in a few bits
 * each: record -e '{cycles,cache-misses}' -j any,counter.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct datafile;
struct event_desc;
struct profile_sample;

/* An event that is counted so. */
struct branch_event {
	const struct event_desc *event;
	char letter; /* 'A' of the first in the recording; '?' past 'Z' */
};

/* Starts as { 0 }. */
struct branch_events {
	struct branch_event *items;
	size_t count, capacity;
	unsigned width; /* bits of each; 0: the recording does not tell */
};

void branch_events_find(struct branch_events *events, const struct datafile *file);
void branch_events_done(struct branch_events *events);

struct branch_event_count {
	const struct branch_event *event;
	unsigned count;
	bool saturated; /* it may have been more */
};

/*
 * What was counted of the @branch-th of a sample's branches: of each event of the sample's group,
 * one after another. *ret_next starts at 0. False: there is no more, or none is known.
 */
bool branch_events_next(const struct branch_events *events, const struct profile_sample *sample,
			size_t branch, size_t *ret_next, struct branch_event_count *ret_count);
