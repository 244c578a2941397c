#include "../test.h"

#include "analyze/event-switch.h"
#include "data/events.h"

static const struct event_desc start = { .index = 0 }, stop = { .index = 1 }, work = { .index = 2 };

static void without_events_everything_counts(void **state)
{
	struct event_switch events = { 0 };

	event_switch_begin(&events);
	assert_true(event_switch_takes(&events, &work));
}

static void what_lies_between_on_and_off_counts(void **state)
{
	struct event_switch events = { .on = &start, .off = &stop };

	event_switch_begin(&events);
	assert_false(event_switch_takes(&events, &work));
	assert_false(event_switch_takes(&events, &stop));
	assert_false(event_switch_takes(&events, &start));
	assert_true(event_switch_takes(&events, &work));
	assert_true(event_switch_takes(&events, &start));
	assert_false(event_switch_takes(&events, &stop));
	assert_false(event_switch_takes(&events, &work));
	assert_false(event_switch_takes(&events, &start));
	assert_true(event_switch_takes(&events, &work));
}

static void the_switching_samples_count_where_they_are_wanted(void **state)
{
	struct event_switch events = { .on = &start, .off = &stop, .shows = true };

	event_switch_begin(&events);
	assert_false(event_switch_takes(&events, &work));
	assert_true(event_switch_takes(&events, &start));
	assert_true(event_switch_takes(&events, &stop));
	assert_false(event_switch_takes(&events, &work));
}

static void without_on_nothing_counts_after_off(void **state)
{
	struct event_switch events = { .off = &stop };

	event_switch_begin(&events);
	assert_true(event_switch_takes(&events, &work));
	assert_false(event_switch_takes(&events, &stop));
	assert_false(event_switch_takes(&events, &work));
	assert_false(event_switch_takes(&events, &stop));
}

static void one_event_may_switch_both_ways(void **state)
{
	struct event_switch events = { .on = &start, .off = &start };

	event_switch_begin(&events);
	assert_false(event_switch_takes(&events, &start));
	assert_true(event_switch_takes(&events, &work));
	assert_false(event_switch_takes(&events, &start));
	assert_false(event_switch_takes(&events, &work));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_events_everything_counts),
		cmocka_unit_test(what_lies_between_on_and_off_counts),
		cmocka_unit_test(the_switching_samples_count_where_they_are_wanted),
		cmocka_unit_test(without_on_nothing_counts_after_off),
		cmocka_unit_test(one_event_may_switch_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
