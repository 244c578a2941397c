/*
 * top-frame.h - one frame of "top": rates, how busy CPUs are, the table; on a terminal no more
 * than fits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cputime.h"

struct events;
struct report;
struct report_text;

/* What was counted since the last frame, and what frames have in common. */
struct top_frame {
	const char *what, *target; /* as in view/top-text.h */
	bool terminal;             /* frames stand in one place, and are cut */
	bool json;                 /* frames are lines of JSON */
	unsigned count;            /* of frames */
	uint64_t last_ns;          /* of the last frame, on the monotonic clock */
	uint64_t sample_count, kernel_count;
	uint64_t lost_count, throttle_count; /* up to the last frame */
	struct cputime cpus;                 /* at the last frame */
};

void top_frame_begin(struct top_frame *frame, uint64_t now_ns);
/* @lost_count and @throttle_count are up to now. False: nobody reads it. */
bool top_frame_print(struct top_frame *frame, const struct report *report,
		     const struct report_text *text, const struct events *events, uint64_t now_ns,
		     uint64_t lost_count, uint64_t throttle_count);
void top_frame_done(struct top_frame *frame);
