#include "../test.h"

#include <math.h>
#include <stdbool.h>

#include "analyze/compare.h"
#include "analyze/significance.h"

/* Expected numbers are those of a numeric integration of the density. */
static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-7 * fabs(b) + 1e-12;
}

static struct moments of(const double *values, size_t count)
{
	struct moments moments = { 0 };

	for (size_t i = 0; i < count; i++)
		moments_add(&moments, values[i]);
	return moments;
}

static void shares_are_those_of_students_distribution(void **state)
{
	assert_true(is_near(significance_p(2, 5), 0.1019394788298652));
	assert_true(is_near(significance_p(-0.5, 3.3), 0.6485350763995521));
	assert_true(is_near(significance_p(3, 2), 0.09546596626669102));
	assert_true(significance_p(0, 7) == 1);
	assert_true(significance_p((double)INFINITY, 7) == 0);
	assert_true(significance_p(1, 0) == 1 && significance_p((double)NAN, 3) == 1);
}

static void factors_of_intervals_are_found(void **state)
{
	assert_true(is_near(significance_t(0.05, 1), 12.706204736));
	assert_true(is_near(significance_t(0.05, 10), 2.228138852));
	assert_true(is_near(significance_t(0.05, 1000), 1.9623390808));
}

static void means_are_compared_by_welch(void **state)
{
	const struct moments a = of((const double[]){ 1, 2, 3, 4, 5 }, 5);
	const struct moments b = of((const double[]){ 2, 4, 6, 8, 11 }, 5);
	struct significance result;

	significance_compare(&a, &b, &result);
	assert_true(is_near(result.difference, 3.2));
	assert_true(is_near(result.p, 0.11499016052991407));
	assert_true(is_near(result.interval,
			    significance_t(0.05, 5.573280030949771) * 1.7146428199482247));
}

static void what_does_not_deviate_differs_or_not(void **state)
{
	const struct moments a = of((const double[]){ 5, 5, 5 }, 3);
	const struct moments b = of((const double[]){ 6, 6 }, 2);
	const struct moments one = of((const double[]){ 7 }, 1);
	struct significance result;

	significance_compare(&a, &a, &result);
	assert_true(result.p == 1 && result.difference == 0);
	significance_compare(&a, &b, &result);
	assert_true(result.p == 0 && result.difference == 1);
	significance_compare(&a, &one, &result);
	assert_true(result.p == 1);
}

static void a_row_says_how_much_and_whether(void **state)
{
	struct compare_row row = { .a = of((const double[]){ 100, 101, 99 }, 3),
				   .b = of((const double[]){ 110, 111, 109 }, 3) };
	struct compare_row same = { .a = row.a, .b = row.a }, none = { .a = row.a };

	compare_row_finish(&row);
	assert_true(is_near(row.change, 10));
	assert_int_equal(row.verdict, COMPARE_MORE);
	assert_true(row.interval > 0 && row.interval < 10);
	compare_row_finish(&same);
	assert_int_equal(same.verdict, COMPARE_SAME);
	compare_row_finish(&none);
	assert_int_equal(none.verdict, COMPARE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_those_of_students_distribution),
		cmocka_unit_test(factors_of_intervals_are_found),
		cmocka_unit_test(means_are_compared_by_welch),
		cmocka_unit_test(what_does_not_deviate_differs_or_not),
		cmocka_unit_test(a_row_says_how_much_and_whether),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
