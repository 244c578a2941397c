#include "../test.h"

#include <stdbool.h>

#include "base/moments.h"

static bool is_near(double a, double b)
{
	double distance = a > b ? a - b : b - a;

	return distance <= 1e-9 * (b < 0 ? -b : b) + 1e-12;
}

static struct moments of(const double *values, size_t count)
{
	struct moments moments = { 0 };

	for (size_t i = 0; i < count; i++)
		moments_add(&moments, values[i]);
	return moments;
}

static void mean_and_deviation_are_those_of_a_sample(void **state)
{
	const struct moments moments = of((const double[]){ 2, 4, 4, 4, 5, 5, 7, 9 }, 8);

	assert_true(is_near(moments.mean, 5));
	assert_true(is_near(moments_variance(&moments), 32.0 / 7));
	assert_true(is_near(moments_mean_error(&moments), 0.7559289460184544));
	assert_true(is_near(moments_error_percent(&moments), 15.118578920369089));
	assert_true(moments.min == 2 && moments.max == 9);
}

static void one_number_has_no_deviation(void **state)
{
	const struct moments none = { 0 }, one = of((const double[]){ 7 }, 1);

	assert_true(moments_deviation(&none) == 0 && moments_error_percent(&none) == 0);
	assert_true(one.mean == 7 && moments_deviation(&one) == 0 && moments_mean_error(&one) == 0);
}

static void small_deviations_of_large_numbers_are_not_lost(void **state)
{
	const struct moments moments = of((const double[]){ 1e15 + 1, 1e15 + 2, 1e15 + 3 }, 3);

	assert_true(is_near(moments_variance(&moments), 1));
}

static void a_mean_of_nothing_has_no_percentage(void **state)
{
	const struct moments moments = of((const double[]){ -1, 1 }, 2);

	assert_true(moments_error_percent(&moments) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_and_deviation_are_those_of_a_sample),
		cmocka_unit_test(one_number_has_no_deviation),
		cmocka_unit_test(small_deviations_of_large_numbers_are_not_lost),
		cmocka_unit_test(a_mean_of_nothing_has_no_percentage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
