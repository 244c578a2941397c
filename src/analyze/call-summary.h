/*
 * call-summary.h - system calls added up: how many of each, how many failed and how, and how long
 * they took; by thread, or all together.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/moments.h"

struct call_summary;
struct calls_call;
struct callspec;

enum call_summary_mode {
	CALL_SUMMARY_THREAD,
	CALL_SUMMARY_TOTAL,
};

struct call_summary_error {
	int error; /* errno */
	uint64_t count;
};

/* One call, of one owner. */
struct call_summary_row {
	const struct callspec *spec;
	struct moments ns; /* how long those took whose beginning and end are known */
	uint64_t count;    /* of those that ended */
	uint64_t failed;
	uint64_t total_ns, off_ns;         /* in all; off the CPU, of these */
	struct call_summary_error *errors; /* most frequent first */
	size_t error_count, error_capacity;
};

/* A thread, or all. */
struct call_summary_owner {
	uint64_t key; /* a thread's number */
	const char *name;
	uint64_t event_count;          /* entries, exits and whatever else was of it */
	uint64_t runtime_ns;           /* that the scheduler told of, with --sched */
	struct call_summary_row *rows; /* that took longest first, once it is sorted */
	size_t row_count, row_capacity;
	uint64_t total_ns;
};

struct call_summary *call_summary_new(enum call_summary_mode mode);
void call_summary_free(struct call_summary *summary);
CLEANUP(call_summary_free, struct call_summary)

/* One event of an owner; of a thread: its number and name. */
void call_summary_event(struct call_summary *summary, uint64_t key, const char *name);
/* A call that has ended. */
void call_summary_add(struct call_summary *summary, uint64_t key, const char *name,
		      const struct calls_call *call);
void call_summary_runtime(struct call_summary *summary, uint64_t key, const char *name,
			  uint64_t runtime_ns);

/* Owners with most events last, as perf has them; rows and errors as above. */
void call_summary_sort(struct call_summary *summary);
size_t call_summary_count(const struct call_summary *summary);
const struct call_summary_owner *call_summary_at(const struct call_summary *summary, size_t i);
uint64_t call_summary_events(const struct call_summary *summary);
