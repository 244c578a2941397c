/* test-running.c - how many threads ran at a moment. */
#include "../test.h"

#include <linux/perf_event.h>

#include "data/record.h"
#include "model/running.h"

static void add(struct running *running, uint32_t type, uint16_t misc, uint64_t moment)
{
	struct perf_event_header header = { .type = type, .misc = misc, .size = sizeof(header) };
	struct record record = { &header, moment };

	running_add(running, &record, moment);
}

static void switch_in(struct running *running, uint64_t moment)
{
	add(running, PERF_RECORD_SWITCH, 0, moment);
}

static void switch_out(struct running *running, uint64_t moment)
{
	add(running, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, moment);
}

static uint32_t at(const struct running *running, uint64_t moment)
{
	return running_at(running, instant_after(moment));
}

static void without_switches_one_thread_runs(void **state)
{
	struct running running = { 0 };

	running_settle(&running);
	assert_int_equal(at(&running, 5), 1);
}

static void switches_count_from_their_moment_on_in_any_order(void **state)
{
	struct running running = { 0 };

	switch_out(&running, 40);
	switch_in(&running, 20);
	switch_in(&running, 10);
	add(&running, PERF_RECORD_EXIT, 0, 50);
	add(&running, PERF_RECORD_COMM, 0, 30);
	running_settle(&running);
	assert_int_equal(at(&running, 9), 1);
	assert_int_equal(at(&running, 10), 2);
	assert_int_equal(at(&running, 20), 3);
	assert_int_equal(at(&running, 40), 2);
	assert_int_equal(at(&running, 50), 1);
	running_done(&running);
}

static void fewer_than_one_count_as_one_but_are_remembered(void **state)
{
	struct running running = { 0 };

	switch_out(&running, 1);
	switch_out(&running, 2);
	switch_in(&running, 3);
	switch_in(&running, 4);
	switch_in(&running, 5);
	running_settle(&running);
	assert_int_equal(at(&running, 2), 1);
	assert_int_equal(at(&running, 4), 1);
	assert_int_equal(at(&running, 5), 2);
	running_done(&running);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_switches_one_thread_runs),
		cmocka_unit_test(switches_count_from_their_moment_on_in_any_order),
		cmocka_unit_test(fewer_than_one_count_as_one_but_are_remembered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
