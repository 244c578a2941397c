/* counter-state.h - what a strobe_counter is, for the files that are its functions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_mmap_page;

struct counter_times {
	uint64_t enabled_ns, running_ns;
};

/* What the quickest way looks at. */
struct counter_slot {
	const struct perf_event_mmap_page
		*page; /* never NULL: one that tells nothing if not mapped */
	uint64_t base; /* the count at the last reset */
};

struct counter_event {
	char *name;
	int fd;
	bool is_mapped;
};

/* What the kernel puts on its counters as a whole: the times of one are those of all. */
struct counter_group {
	size_t first, end; /* its events, the leader first */
	bool is_mapped;    /* all of it */
	bool is_pinned;
	struct counter_times base; /* at the last reset */
};

/*
 * What has been counted since it was opened. Where it is one of several, each has its own arrays,
 * of one for each event and each group.
 */
struct counter_reading {
	uint64_t *counts;
	struct counter_times *times;
};

/* Lies in memory that a child of fork(2) finds empty: then it has no thread, and no events. */
struct strobe_counter {
	uintptr_t thread; /* the one that is counted: pmc_thread() */
	size_t count;     /* of events */
	struct counter_event *events;
	struct counter_group *groups;
	size_t group_count;
	bool is_mapped; /* all of it */
	bool is_started;
	size_t size;     /* of this memory */
	uint64_t *words; /* room for what read(2) gives of the largest group */
	struct counter_reading reading;
	struct counter_slot slots[]; /* by event */
};

enum { COUNTER_STATE_READ_WORDS = 3 }; /* before the counts of a group: how many, and the times */

/* Room for one more reading of @counter, zeros. */
struct counter_reading counter_state_reading(const struct strobe_counter *counter);
void counter_state_reading_done(struct counter_reading *reading);
