/* significance.c - see significance.h. */
#include "analyze/significance.h"

#include <math.h>

#include "base/moments.h"

#define CONFIDENCE 0.05

enum { ITERATIONS = 300 };

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300, enough = 1e-15;
	double c = 1, d = 1 - (a + b) * x / (a + 1), value;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	value = d;
	for (int m = 1; m <= ITERATIONS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		value *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		value *= step;
		if (fabs(step - 1) < enough)
			break;
	}
	return value;
}

/* The regularized incomplete beta function I_x(a, b). */
static double beta_share(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x));
	/* The fraction converges fast on one side only. */
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double significance_p(double t, double freedom)
{
	if (!(freedom > 0) || isnan(t))
		return 1;
	if (isinf(t))
		return 0;
	return beta_share(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double significance_t(double p, double freedom)
{
	double low = 0, high = 1;

	while (significance_p(high, freedom) > p && high < 1e12)
		high *= 2;
	for (int i = 0; i < ITERATIONS && high - low > 1e-12 * high; i++) {
		double middle = (low + high) / 2;

		if (significance_p(middle, freedom) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double significance_interval(const struct moments *moments)
{
	if (moments->count < 2)
		return 0;
	return significance_t(CONFIDENCE, (double)moments->count - 1) * moments_mean_error(moments);
}

/* Welch's and Satterthwaite's degrees of freedom, of the squared errors of the means. */
static double freedom_of(const struct moments *a, const struct moments *b, double error_a,
			 double error_b)
{
	double sum = error_a + error_b;

	return sum * sum /
	       (error_a * error_a / ((double)a->count - 1) +
		error_b * error_b / ((double)b->count - 1));
}

void significance_compare(const struct moments *a, const struct moments *b,
			  struct significance *ret_significance)
{
	struct significance result = { .difference = b->mean - a->mean, .p = 1 };
	double error_a = moments_mean_error(a), error_b = moments_mean_error(b), error, freedom;

	*ret_significance = result;
	if (a->count < 2 || b->count < 2)
		return;
	error_a *= error_a;
	error_b *= error_b;
	error = sqrt(error_a + error_b);
	if (error == 0) {
		ret_significance->p = result.difference != 0 ? 0 : 1;
		return;
	}
	freedom = freedom_of(a, b, error_a, error_b);
	ret_significance->p = significance_p(result.difference / error, freedom);
	ret_significance->interval = significance_t(CONFIDENCE, freedom) * error;
}
