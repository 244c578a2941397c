/*
 * compare.h - two commands side by side: of each measure the means, how far they may be off, and
 * whether they differ.
 */
#pragma once

#include <stddef.h>

#include "analyze/significance.h"
#include "base/moments.h"

/* Differences of which chance makes as large ones more often are not called differences. */
#define COMPARE_P 0.05

enum compare_verdict {
	COMPARE_SAME, /* no difference was shown; which is not to say that there is none */
	COMPARE_LESS, /* the second is less */
	COMPARE_MORE,
	COMPARE_UNKNOWN, /* not measured */
};

struct compare_row {
	const char *name;    /* borrowed, as the unit */
	const char *unit;    /* NULL: a number */
	int digits;          /* behind the point, as it is shown */
	struct moments a, b; /* without numbers where it was not measured: */
	const char *missing; /* "<not counted>" */
	/* Filled in by compare_row_finish(): */
	double interval_a, interval_b; /* half the 95 % confidence intervals, in the unit */
	double change;                 /* of the mean from a to b, percent of a's */
	double interval;               /* half its 95 % confidence interval, percent points */
	double p;
	enum compare_verdict verdict;
};

/* Name, unit, a and b are there. */
void compare_row_finish(struct compare_row *row);
