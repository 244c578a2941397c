#include "../test.h"

#include <errno.h>

#include "base/mem.h"
#include "collect/schedule.h"

static void a_number_is_one_span_without_an_end(void **state)
{
	_cleanup_(schedule_done) struct schedule schedule = { 0 };

	assert_int_equal(schedule_parse("20", &schedule, NULL), 0);
	assert_int_equal(schedule.count, 1);
	assert_int_equal(schedule.items[0].start_ns, 20000000);
	assert_int_equal(schedule.items[0].end_ns, 0);
	assert_true(schedule_is_delayed(&schedule));
	/* The last that is typed counts. */
	assert_int_equal(schedule_parse("0", &schedule, NULL), 0);
	assert_false(schedule_is_delayed(&schedule));
}

static void never_is_a_delay_too(void **state)
{
	_cleanup_(schedule_done) struct schedule schedule = { 0 };

	assert_int_equal(schedule_parse("-1", &schedule, NULL), 0);
	assert_true(schedule.never);
	assert_true(schedule_is_delayed(&schedule));
}

static void ranges_follow_one_another(void **state)
{
	_cleanup_(schedule_done) struct schedule schedule = { 0 };

	assert_int_equal(schedule_parse("0-10,10-20,30-40", &schedule, NULL), 0);
	assert_int_equal(schedule.count, 3);
	assert_int_equal(schedule.items[2].start_ns, 30000000);
	assert_int_equal(schedule.items[2].end_ns, 40000000);
}

static void what_is_no_schedule_is_refused(void **state)
{
	static const char *const texts[] = { "",     "x",     "-2",          "10-",  "-10",
					     "10-5", "5-5",   "10-20,15-30", "1-2,", "1-2,3",
					     "1--2", "1-2-3", "99999999999", "1 -2" };
	struct schedule schedule = { 0 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(schedule_parse(texts[i], &schedule, NULL), -EINVAL);
	assert_null(schedule.items);
}

static void a_walk_starts_and_stops_in_turns(void **state)
{
	_cleanup_(schedule_done) struct schedule schedule = { 0 };
	struct schedule_walk walk = { .schedule = &schedule };

	assert_true(schedule_walk_due(&walk) == UINT64_MAX);
	assert_int_equal(schedule_parse("10-20,30-40", &schedule, NULL), 0);
	for (uint64_t ms = 10; ms <= 40; ms += 10) {
		assert_int_equal(schedule_walk_due(&walk), ms * 1000000);
		assert_int_equal(schedule_walk_step(&walk), ms < 40);
		assert_int_equal(walk.counting, ms % 20 != 0);
	}
	assert_true(schedule_walk_due(&walk) == UINT64_MAX);
}

/* Once it has begun, a delay has no end. */
static void a_walk_through_a_delay_starts_once(void **state)
{
	_cleanup_(schedule_done) struct schedule schedule = { 0 };
	struct schedule_walk walk = { .schedule = &schedule };

	assert_int_equal(schedule_parse("20", &schedule, NULL), 0);
	assert_int_equal(schedule_walk_due(&walk), 20000000);
	assert_true(schedule_walk_step(&walk));
	assert_true(walk.counting && schedule_walk_due(&walk) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_one_span_without_an_end),
		cmocka_unit_test(never_is_a_delay_too),
		cmocka_unit_test(ranges_follow_one_another),
		cmocka_unit_test(what_is_no_schedule_is_refused),
		cmocka_unit_test(a_walk_starts_and_stops_in_turns),
		cmocka_unit_test(a_walk_through_a_delay_starts_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
