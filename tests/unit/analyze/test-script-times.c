#include "../test.h"

#include "analyze/script-times.h"

static void times_are_shown_as_they_are(void **state)
{
	struct script_times times = { .mode = SCRIPT_TIMES_ABSOLUTE };

	assert_int_equal(script_times_next(&times, 70), 70);
	assert_int_equal(script_times_next(&times, 90), 90);
}

static void times_count_from_the_first(void **state)
{
	struct script_times times = { .mode = SCRIPT_TIMES_SINCE_FIRST };

	assert_int_equal(script_times_next(&times, 70), 0);
	assert_int_equal(script_times_next(&times, 90), 20);
	assert_int_equal(script_times_next(&times, 95), 25);
}

static void times_count_from_the_one_before(void **state)
{
	struct script_times times = { .mode = SCRIPT_TIMES_SINCE_LAST };

	assert_int_equal(script_times_next(&times, 70), 0);
	assert_int_equal(script_times_next(&times, 90), 20);
	assert_int_equal(script_times_next(&times, 95), 5);
}

static void what_has_no_time_is_not_counted_from(void **state)
{
	struct script_times times = { .mode = SCRIPT_TIMES_SINCE_FIRST };

	assert_int_equal(script_times_next(&times, 0), 0);
	assert_int_equal(script_times_next(&times, 70), 0);
	assert_int_equal(script_times_next(&times, 0), 0);
	assert_int_equal(script_times_next(&times, 75), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_shown_as_they_are),
		cmocka_unit_test(times_count_from_the_first),
		cmocka_unit_test(times_count_from_the_one_before),
		cmocka_unit_test(what_has_no_time_is_not_counted_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
