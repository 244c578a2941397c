/*
 * top-text.h - what stands above the table of "top".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

struct top_text {
	double seconds; /* since the last frame: */
	uint64_t sample_count, kernel_count;
	uint64_t lost_count, throttle_count;
	const char *what;   /* "4000 Hz cpu-clock" */
	const char *target; /* "all CPUs", "process 4711" */
	struct top_text_cpu {
		int cpu, percent;
	} * busy; /* how busy each CPU was */
	size_t busy_count;
};

void top_text_add(const struct top_text *top, struct str *out);
