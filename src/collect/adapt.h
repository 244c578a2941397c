/*
 * adapt.h - makes an event that the kernel refused into one that it may take.
 *
 * Older kernels, machines without a PMU and users without permission get less than what was asked
 * for, and are told so where it matters. The order of the attempts: the user part only (where the
 * kernel's is forbidden), less precise, a clock in place of cycles, then without the fields
 * that older kernels do not know: each of them alone left out first, then more and more of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "data/attr.h"

struct event_spec;
struct notes;

/* The attempts for one event; starts as { 0 }, or with no_clock. */
struct adapt {
	bool no_clock;     /* another event would not be what was asked for */
	struct attr asked; /* before the fields were left out */
	size_t attempt;
};

/*
 * Changes @spec after the kernel's answer @code (negative errno). True: try again. False: nothing
 * is left to try, and the attr is as it was before fields were left out. @all_cpus: the target is
 * CPUs and not threads.
 */
bool adapt_event(struct adapt *adapt, struct event_spec *spec, int code, bool all_cpus,
		 struct notes *notes);

/* The kernel took @spec: notes what the user asked for and does not get. */
void adapt_accepted(const struct adapt *adapt, const struct event_spec *spec, struct notes *notes);
