/*
 * countset.h - how often events happened: a number for each event, CPU and thread.
 *
 * What "stat" works on, whether a kernel was asked or a file read. CPUs and threads are places in
 * lists that the owner has; where an event was not counted there is nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct count {
	uint64_t value;
	uint64_t enabled_ns; /* for so long it was to be counted... */
	uint64_t running_ns; /* ...and so long it was: less, where counters are shared */
	bool is_there;
};

struct countset {
	size_t event_count, cpu_count, thread_count;
	struct count *items; /* [event][cpu][thread]: see countset_at() */
};

/* Nothing is there. */
void countset_init(struct countset *counts, size_t event_count, size_t cpu_count,
		   size_t thread_count);
void countset_done(struct countset *counts);
void countset_clear(struct countset *counts);

static inline struct count *countset_at(const struct countset *counts, size_t event, size_t cpu,
					size_t thread)
{
	return counts->items + (event * counts->cpu_count + cpu) * counts->thread_count + thread;
}

/* @to of the same size. */
void countset_copy(struct countset *to, const struct countset *from);
/*
 * What was counted since @before: @counts becomes the difference. A count that shrank, as only a
 * file can say, is 0. @is_value: of these events the last reading is what counts; by event, or
 * NULL.
 */
void countset_subtract(struct countset *counts, const struct countset *before,
		       const bool *is_value);
