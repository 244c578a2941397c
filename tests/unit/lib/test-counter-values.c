#include "../test.h"

#include "base/mem.h"
#include "lib/counter-values.h"

static struct strobe_counter_value value_of(uint64_t count, uint64_t enabled, uint64_t running)
{
	struct counter_group group = { .end = 1 };
	struct strobe_counter counter = { .count = 1, .group_count = 1, .groups = &group };
	struct counter_times times = { enabled, running };
	struct counter_reading reading = { &count, &times };
	struct strobe_counter_value value;

	counter_values_all(&counter, &reading, &value, 1);
	return value;
}

static uint64_t scaled(uint64_t count, uint64_t enabled, uint64_t running)
{
	return value_of(count, enabled, running).scaled;
}

static void what_was_counted_all_the_time_is_exact(void **state)
{
	assert_int_equal(scaled(123456789, 1000, 1000), 123456789);
	/* The times of a page may be a little off. */
	assert_int_equal(scaled(123456789, 1000, 1001), 123456789);
}

static void what_was_counted_for_a_part_of_the_time_is_extrapolated(void **state)
{
	assert_int_equal(scaled(100, 3000, 1000), 300);
	assert_int_equal(scaled(7, 3, 2), 10);
	assert_int_equal(scaled(999, 2000, 1000), 1998);
	assert_int_equal(scaled(1, 1000000, 1), 1000000);
}

static void large_numbers_do_not_overflow(void **state)
{
	uint64_t day = UINT64_C(86400) * 1000000000;

	assert_int_equal(scaled(UINT64_C(1) << 50, day, day / 2), UINT64_C(1) << 51);
	assert_int_equal(scaled(day / 2 - 1, day, day / 2), day - 2);
}

static void what_was_never_counted_is_nothing(void **state)
{
	assert_int_equal(scaled(0, 5000, 0), 0);
	assert_int_equal(scaled(0, 0, 0), 0);
}

static void values_are_told_with_their_times(void **state)
{
	struct strobe_counter_value value = value_of(50, 600, 300);

	assert_int_equal(value.value, 50);
	assert_int_equal(value.time_enabled, 600);
	assert_int_equal(value.time_running, 300);
	assert_int_equal(value.scaled, 100);
}

static void counts_and_times_begin_at_a_reset(void **state)
{
	_cleanup_(freep) struct strobe_counter *counter =
		xcalloc(1, sizeof(*counter) + 3 * sizeof(counter->slots[0]));
	struct counter_group groups[2] = { { .first = 0, .end = 2, .base = { 300, 300 } },
					   { .first = 2, .end = 3, .base = { 500, 100 } } };
	struct counter_times times[2] = { { 900, 600 }, { 900, 500 } };
	uint64_t counts[3] = { 150, 15, 1000 };
	struct counter_reading reading = { counts, times };
	struct strobe_counter_value values[3] = { 0 };

	counter->count = 3;
	counter->group_count = 2;
	counter->groups = groups;
	counter->slots[0].base = 100;
	counter->slots[1].base = 10;
	counter->slots[2].base = 1000;
	counter_values_since_reset(counter, &reading, values, 2);
	assert_int_equal(values[0].value, 50);
	assert_int_equal(values[0].scaled, 100);
	assert_int_equal(values[1].value, 5);
	assert_int_equal(values[1].scaled, 10);
	assert_int_equal(values[1].time_enabled, 600);
	assert_int_equal(values[1].time_running, 300);
	assert_int_equal(values[2].time_enabled, 0);
	counter_values_since_reset(counter, &reading, values, 3);
	assert_int_equal(values[2].value, 0);
	assert_int_equal(values[2].time_enabled, 400);
	assert_int_equal(values[2].time_running, 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_counted_all_the_time_is_exact),
		cmocka_unit_test(what_was_counted_for_a_part_of_the_time_is_extrapolated),
		cmocka_unit_test(large_numbers_do_not_overflow),
		cmocka_unit_test(what_was_never_counted_is_nothing),
		cmocka_unit_test(values_are_told_with_their_times),
		cmocka_unit_test(counts_and_times_begin_at_a_reset),
	};

	return cmocka_run_group_tests_name("counter-values", tests, NULL, NULL);
}
