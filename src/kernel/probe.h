/*
 * probe.h - what of a profiler's needs this machine has, tried one by one.
 *
 * A probe opens and reads what a recording would; it leaves nothing behind. A breakpoint or
 * a probe of code is there for a moment, which is what the kernel changes that code for.
 */
#pragma once

#include <stdbool.h>

struct str;
struct strobe_err;

enum probe_result {
	PROBE_OK,
	PROBE_SKIP, /* this machine, or this user, does not have it: err says why, and what helps */
	PROBE_FAILED, /* it is there and does not do what it should: err says what */
};

struct probe {
	const char *what;
	/* @details gets lines on what was seen, for whom it interests. */
	enum probe_result (*run)(struct str *details, struct strobe_err *err);
};

/* Ends with a .what of NULL. */
extern const struct probe probe_table[];
