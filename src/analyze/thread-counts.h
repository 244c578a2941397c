/*
 * thread-counts.h - what each thread counted of each event, as its READ records tell (record -s).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct profile;

struct thread_count {
	uint32_t pid, tid;
	uint64_t *values; /* one for each event of the recording; of all its CPUs */
};

/* In the order in which they ended. Starts as { 0 }. */
struct thread_counts {
	struct thread_count *items;
	size_t count, capacity;
	size_t event_count;
};

void thread_counts_find(struct profile *profile, struct thread_counts *ret_counts);
void thread_counts_done(struct thread_counts *counts);
