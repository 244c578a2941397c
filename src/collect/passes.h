/*
 * passes.h - more events than counters: which of them can be counted at once, so that a command is
 * run once for each set of them (--passes).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct eventlist;

#define PASSES_ALL ((size_t)-1) /* in the place of a pass: counted in each */

/* Can these @count events of the list, by index, be counted at one time? */
typedef bool passes_fit(void *context, const struct eventlist *list, const size_t *events,
			size_t count);

/*
 * Fills in the pass of each event; returns how many passes there are, at least 1. Groups stay
 * together, what needs no counter is in all passes, and the order of the list decides who comes
 * first.
 */
size_t passes_plan(const struct eventlist *list, passes_fit *fit, void *context,
		   size_t *ret_passes);

/*
 * Asks the kernel, which takes no group that it could not count at once. @context is a bool *:
 * another user, such as the NMI watchdog, holds a counter, which the kernel does not think of then.
 */
passes_fit passes_fit_here;
