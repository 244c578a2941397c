/*
 * rate.h - how often may be sampled: sysctl kernel.perf_event_max_sample_rate.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct notes;
struct strobe_err;

#define RATE_MAX UINT64_MAX /* as often as allowed */

/* @hz, or as much of it as the kernel allows, which is noted; -EINVAL if that is less and @strict.
 */
int rate_limit(uint64_t hz, bool strict, uint64_t *ret_hz, struct notes *notes,
	       struct strobe_err *err);
