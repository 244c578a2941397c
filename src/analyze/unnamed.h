/*
 * unnamed.h - which objects' code a report has no names of, and why: those with the most samples of
 * their own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/reason.h"

struct dso;
struct profile;
struct report;

enum { UNNAMED_MOST = 3, UNNAMED_LEAST_PERCENT = 5 };

struct unnamed {
	const struct dso *dso;
	uint64_t count;     /* samples at places without a name */
	double percent;     /* of the report's */
	enum reason reason; /* not REASON_NONE */
	bool is_gap;        /* other places have names */
	/* What helps, sentences: for who knows; borrowed. */
	const char *const *advice;
	size_t advice_count;
};

/*
 * Fills @items from the front, the heaviest first, and returns how many: objects without names, or
 * without some that they should have, that have at least UNNAMED_LEAST_PERCENT of the report's
 * samples. None where no symbols are shown.
 */
size_t unnamed_find(const struct report *report, struct profile *profile,
		    struct unnamed items[UNNAMED_MOST]);
