/*
 * unnamed.h - which objects' code a report has no names of: those with the most samples of their
 * own.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct dso;
struct profile;
struct report;

enum { UNNAMED_MOST = 3, UNNAMED_LEAST_PERCENT = 5 };

struct unnamed {
	const struct dso *dso;
	uint64_t count;     /* samples */
	const char *reason; /* lives as long as the resolver */
};

/*
 * Fills @items from the front, the heaviest first, and returns how many: objects without any names
 * that have at least UNNAMED_LEAST_PERCENT of the report's samples. None where no symbols are
 * shown.
 */
size_t unnamed_find(const struct report *report, struct profile *profile,
		    struct unnamed items[UNNAMED_MOST]);
