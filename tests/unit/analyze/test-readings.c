#include "../test.h"

#include "analyze/readings.h"

static void a_counter_moves_from_reading_to_reading(void **state)
{
	struct readings readings = { 0 };

	assert_int_equal(readings_advance(&readings, 7, 0, 100), 100);
	assert_int_equal(readings_advance(&readings, 7, 0, 130), 30);
	assert_int_equal(readings_advance(&readings, 7, 0, 130), 0);
	readings_done(&readings);
}

static void counters_and_threads_are_apart(void **state)
{
	struct readings readings = { 0 };

	for (uint64_t id = 0; id < 100; id++) {
		assert_int_equal(readings_advance(&readings, id, 1, id), id);
		assert_int_equal(readings_advance(&readings, id, 2, 1), 1);
	}
	assert_int_equal(readings_advance(&readings, 50, 1, 51), 1);
	assert_int_equal(readings_advance(&readings, 50, 2, 4), 3);
	readings_done(&readings);
}

static void a_number_that_is_used_again_begins_at_0(void **state)
{
	struct readings readings = { 0 };

	assert_int_equal(readings_advance(&readings, 7, 1, 100), 100);
	assert_int_equal(readings_advance(&readings, 7, 1, 30), 30);
	assert_int_equal(readings_advance(&readings, 7, 1, 50), 20);
	readings_done(&readings);
}

static void threads_that_are_gone_are_forgotten(void **state)
{
	struct readings readings = { 0 };
	struct hash tids = { 0 };

	(void)hash_add(&tids, 2, NULL);
	assert_int_equal(readings_advance(&readings, 7, 0, 100), 100);
	assert_int_equal(readings_advance(&readings, 7, 1, 100), 100);
	assert_int_equal(readings_advance(&readings, 7, 2, 100), 100);
	readings_keep(&readings, &tids);
	assert_int_equal(readings_advance(&readings, 7, 0, 101), 1);
	assert_int_equal(readings_advance(&readings, 7, 1, 101), 101);
	assert_int_equal(readings_advance(&readings, 7, 2, 101), 1);
	hash_done(&tids);
	readings_done(&readings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_moves_from_reading_to_reading),
		cmocka_unit_test(counters_and_threads_are_apart),
		cmocka_unit_test(a_number_that_is_used_again_begins_at_0),
		cmocka_unit_test(threads_that_are_gone_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
