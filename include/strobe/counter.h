/*
 * strobe/counter.h - counts what the calling thread does, and reads the counts without system
 * calls.
 *
 *	struct strobe_counter_options options = { sizeof(options) };
 *	struct strobe_counter_value values[2];
 *	struct strobe_counter *counter;
 *	struct strobe_err err;
 *
 *	options.events = "cycles,instructions";
 *	if (strobe_counter_open(&options, &counter, &err) < 0)
 *		...err.text says what was wrong, err.hint perhaps what helps...
 *	strobe_counter_start(counter, NULL);
 *	work();
 *	strobe_counter_read(counter, values, 2, NULL);
 *	strobe_counter_close(counter);
 *
 * Hardware counters are read by the CPU's own instruction where the kernel permits it (x86, arm64,
 * riscv64), which takes some dozens of instructions; whatever else by one read(2) for each group.
 * Which of the two it was shows in the time only, and in strobe_counter_is_direct().
 *
 * Functions return 0 or a number, or a negative errno; those that take @err (NULL: not wanted) say
 * in it what failed. Nothing is printed. What is allocated is never freed by anybody else; where
 * there is no memory left, the program is aborted.
 *
 * Objects share nothing: each may be used at any time, whatever others do. An object has no lock:
 * one thread at a time uses it. That may be another than the one that opened it and is counted;
 * its readings are system calls then. A child of fork(2) has no use of its parent's objects:
 * every function returns -ECHILD there.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "strobe/err.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct perf_event_attr; /* of <linux/perf_event.h> */

/* Events that are counted together. */
struct strobe_counter;

enum {
	/* Each event is counted when there is room for it, and not only all of a group at once. */
	STROBE_COUNTER_SEPARATE = 1 << 0,
	/* All readings are system calls. */
	STROBE_COUNTER_SYSTEM_CALLS = 1 << 1,
};

/* Zeros stand for what is usual; later versions may add members at the end. */
struct strobe_counter_options {
	size_t size; /* of this struct, as the caller knows it */
	/*
	 * Events as "strobe record -e" takes them: "cycles,instructions:u,page-faults". All are one
	 * group, which the kernel counts at the same time or not at all; with braces in the text
	 * each pair of them is a group: "{cycles,instructions},{branches,branch-misses}".
	 * What is about samples (periods, precision, call graphs) changes nothing.
	 */
	const char *events;
	/*
	 * Instead of a text, or behind its events: what perf_event_open(2) takes, as one group.
	 * Which event it is and where it counts (type, config*, exclude_*, pinned, exclusive) is
	 * taken of each, the rest is passed over.
	 */
	const struct perf_event_attr *const *attrs;
	size_t attr_count;
	unsigned flags; /* STROBE_COUNTER_* */
};

/*
 * @value is exact as long as the event was counted all the time. Where the machine has fewer
 * counters than are asked for, they take turns: then @time_running is less than @time_enabled, and
 * @scaled is what it would have been all the time.
 */
struct strobe_counter_value {
	uint64_t value;
	uint64_t scaled;
	uint64_t time_enabled; /* ns in which the thread ran and the counter was started */
	uint64_t time_running; /* ns of these in which the event was counted */
};

/*
 * Opens counters for the calling thread alone (not for those it starts). They stand still until
 * they are started. Whoever may not watch the kernel gets user space, and a name that ends in ":u".
 * Events that this machine has not are an error.
 */
int strobe_counter_open(const struct strobe_counter_options *options,
			struct strobe_counter **ret_counter, struct strobe_err *err);
/* NULL is fine. Regions of it must have been freed. */
void strobe_counter_close(struct strobe_counter *counter);

/* How many events there are, in their order; one of the text may be several (a glob, several kinds
 * of CPU). The name is valid until the counter is closed; NULL behind the last. */
size_t strobe_counter_count(const struct strobe_counter *counter);
const char *strobe_counter_name(const struct strobe_counter *counter, size_t index);
/* 1 if the calling thread reads it without a system call, else 0. */
int strobe_counter_is_direct(const struct strobe_counter *counter, size_t index);

/* Both may be called again and again; counts and times go on where they stood. -EBUSY: an event
 * that is pinned found no counter. */
int strobe_counter_start(struct strobe_counter *counter, struct strobe_err *err);
int strobe_counter_stop(struct strobe_counter *counter, struct strobe_err *err);
/* Counts and times begin at 0 again. */
int strobe_counter_reset(struct strobe_counter *counter, struct strobe_err *err);

/* All of it, up to @count values. Returns how many events there are. */
int strobe_counter_read(struct strobe_counter *counter, struct strobe_counter_value *ret_values,
			size_t count, struct strobe_err *err);
/* One event's value alone: the quickest way. -ERANGE: there is no such event. */
int strobe_counter_value(struct strobe_counter *counter, size_t index, uint64_t *ret_value);

/*
 * A stretch of a program that is passed through again and again: what was counted between all its
 * beginnings and ends. The counter runs meanwhile; any number of regions of it may overlap. It is
 * the counter's: one thread at a time. What two readings cost is in it, once a pass.
 */
struct strobe_region;

int strobe_region_new(struct strobe_counter *counter, struct strobe_region **ret_region,
		      struct strobe_err *err);
void strobe_region_free(struct strobe_region *region);
/* -EALREADY: it has begun and not ended; -ENOENT: it has not begun. */
int strobe_region_begin(struct strobe_region *region);
int strobe_region_end(struct strobe_region *region);
/* As strobe_counter_read(), of the passes that have ended. */
int strobe_region_read(const struct strobe_region *region, struct strobe_counter_value *ret_values,
		       size_t count);
uint64_t strobe_region_passes(const struct strobe_region *region);
/* No passes so far; one that has begun is forgotten. */
void strobe_region_reset(struct strobe_region *region);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
