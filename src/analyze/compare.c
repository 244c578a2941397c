/* compare.c - see compare.h. */
#include "analyze/compare.h"

#include <math.h>

void compare_row_finish(struct compare_row *row)
{
	struct significance difference;

	if (row->a.count == 0 || row->b.count == 0) {
		row->verdict = COMPARE_UNKNOWN;
		row->p = 1;
		return;
	}
	significance_compare(&row->a, &row->b, &difference);
	row->interval_a = significance_interval(&row->a);
	row->interval_b = significance_interval(&row->b);
	row->p = difference.p;
	if (row->a.mean != 0) {
		row->change = 100 * difference.difference / fabs(row->a.mean);
		row->interval = 100 * difference.interval / fabs(row->a.mean);
	}
	if (difference.p < COMPARE_P && difference.difference != 0)
		row->verdict = difference.difference < 0 ? COMPARE_LESS : COMPARE_MORE;
}
