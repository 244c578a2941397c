/*
 * moments.h - mean and deviation of numbers that come one by one (Welford's way, which does not
 * lose digits where the mean is large and the deviation small).
 */
#pragma once

#include <stddef.h>

/* Starts as { 0 }. */
struct moments {
	size_t count;
	double mean, squares; /* of the distances from the mean, added up */
	double min, max;
};

void moments_add(struct moments *moments, double value);

/* Of a sample: divided by count - 1. 0 for less than two numbers. */
double moments_variance(const struct moments *moments);
double moments_deviation(const struct moments *moments);
/* How far the mean is off, as a rule: the deviation of the mean itself. */
double moments_mean_error(const struct moments *moments);
/* That, in percent of the mean; 0 where the mean is 0. */
double moments_error_percent(const struct moments *moments);
