/* clock.h - what time it is, for whoever measures or waits. */
#pragma once

#include <stdint.h>
#include <time.h>

/* On the monotonic clock, which nobody sets. */
static inline uint64_t clock_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
