/*
 * loss-text.h - what a recording lost, and what helps against it.
 *
 * Each cause has its own advice: rings too small for what comes between two visits of the reader,
 * records larger than a ring, a slow disk, a rate that the kernel throttles. A larger period (-c)
 * is advice only against a rate, never against a full ring.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

struct loss_text {
	uint64_t sample_count;   /* that were written */
	uint64_t lost_count;     /* records that found no room */
	uint64_t throttle_count; /* times that the kernel stopped an event */
	size_t ring_size;        /* of each, bytes */
	uint64_t slowest_ns;     /* the longest that it took to empty the rings once */
	uint64_t written_ns;     /* of that, spent in writing */
	bool by_rate;            /* -F and not -c */
	bool has_stack_copies;   /* --call-graph dwarf; */
	size_t stack_size;       /* bytes of each */
	bool is_system_wide;     /* -a, -C or -G */
};

/* Lines to @out, none where nothing was lost; each is indented if it is advice. */
void loss_text(const struct loss_text *loss, struct str *out);
