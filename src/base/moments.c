/* moments.c - see moments.h. */
#include "base/moments.h"

#include <math.h>

void moments_add(struct moments *moments, double value)
{
	double distance = value - moments->mean;

	if (moments->count == 0 || value < moments->min)
		moments->min = value;
	if (moments->count == 0 || value > moments->max)
		moments->max = value;
	moments->count++;
	moments->mean += distance / (double)moments->count;
	moments->squares += distance * (value - moments->mean);
}

double moments_variance(const struct moments *moments)
{
	return moments->count > 1 ? moments->squares / (double)(moments->count - 1) : 0;
}

double moments_deviation(const struct moments *moments)
{
	return sqrt(moments_variance(moments));
}

double moments_mean_error(const struct moments *moments)
{
	return moments->count > 1 ? sqrt(moments_variance(moments) / (double)moments->count) : 0;
}

double moments_error_percent(const struct moments *moments)
{
	return moments->mean != 0 ? 100 * moments_mean_error(moments) / fabs(moments->mean) : 0;
}
