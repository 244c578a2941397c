/*
 * cputime.h - how long each CPU has worked since the machine was started, from /proc/stat.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cputime_cpu {
	int cpu;
	uint64_t busy, all; /* in ticks of one and the same length */
};

/* Starts as { 0 }; used again for the next reading. */
struct cputime {
	struct cputime_cpu *items;
	size_t count, capacity;
};

/* @root as in proc.h. CPUs online, ascending; none where it cannot be read. */
void cputime_read(const char *root, struct cputime *cputime);
void cputime_done(struct cputime *cputime);

/* Percent of the time between two readings that a CPU was busy; -1 if it is not in both. */
int cputime_percent(const struct cputime *before, const struct cputime *now, int cpu);
