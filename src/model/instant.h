/*
 * instant.h - a point in a recording: a moment, and among equal moments the place in the file.
 *
 * Synthesized records all say 0, and an exec and the first mapping after it may share a clock
 * tick; the order in which they were written is then the order in which they happened.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct instant {
	uint64_t moment, offset;
};

static inline bool instant_before(struct instant a, struct instant b)
{
	return a.moment != b.moment ? a.moment < b.moment : a.offset < b.offset;
}

/* Behind all that happened at @moment: what a sample of that moment sees. */
static inline struct instant instant_after(uint64_t moment)
{
	return (struct instant){ moment, UINT64_MAX };
}
