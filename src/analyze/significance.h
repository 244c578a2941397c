/*
 * significance.h - is a difference of two means more than chance? Welch's t-test, which wants
 * neither equal deviations nor equally many numbers, and intervals by Student's distribution.
 */
#pragma once

struct moments;

/* Share of Student's distribution with @freedom degrees that is further from 0 than @t, both sides.
 */
double significance_p(double t, double freedom);
/* How far from 0 all but @p of it lies, both sides: 0.05 gives the factor of a 95 % interval. */
double significance_t(double p, double freedom);

/* Half the 95 % confidence interval of a mean; 0 for less than two numbers. */
double significance_interval(const struct moments *moments);

struct significance {
	double difference; /* of the means, b - a */
	double interval;   /* half its 95 % confidence interval */
	double p; /* of a difference as large, if there is none; 1 where nothing is known */
};

/* 0 and 1 as p where neither deviates at all, and they differ or not. */
void significance_compare(const struct moments *a, const struct moments *b,
			  struct significance *ret_significance);
