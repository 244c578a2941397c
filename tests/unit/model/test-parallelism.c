/* test-parallelism.c - how many threads ran at a moment. */
#include "../test.h"

#include <linux/perf_event.h>

#include "data/record.h"
#include "model/parallelism.h"

static void add(struct parallelism *parallelism, uint32_t type, uint16_t misc, uint64_t moment)
{
	struct perf_event_header header = { .type = type, .misc = misc, .size = sizeof(header) };
	struct record record = { &header, moment };

	parallelism_add(parallelism, &record, moment);
}

static void switch_in(struct parallelism *parallelism, uint64_t moment)
{
	add(parallelism, PERF_RECORD_SWITCH, 0, moment);
}

static void switch_out(struct parallelism *parallelism, uint64_t moment)
{
	add(parallelism, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, moment);
}

static uint32_t at(const struct parallelism *parallelism, uint64_t moment)
{
	return parallelism_at(parallelism, instant_after(moment));
}

static void without_switches_one_thread_runs(void **state)
{
	struct parallelism parallelism = { 0 };

	parallelism_settle(&parallelism);
	assert_int_equal(at(&parallelism, 5), 1);
}

static void switches_count_from_their_moment_on_in_any_order(void **state)
{
	struct parallelism parallelism = { 0 };

	switch_out(&parallelism, 40);
	switch_in(&parallelism, 20);
	switch_in(&parallelism, 10);
	add(&parallelism, PERF_RECORD_EXIT, 0, 50);
	add(&parallelism, PERF_RECORD_COMM, 0, 30);
	parallelism_settle(&parallelism);
	assert_int_equal(at(&parallelism, 9), 1);
	assert_int_equal(at(&parallelism, 10), 2);
	assert_int_equal(at(&parallelism, 20), 3);
	assert_int_equal(at(&parallelism, 40), 2);
	assert_int_equal(at(&parallelism, 50), 1);
	parallelism_done(&parallelism);
}

static void fewer_than_one_count_as_one_but_are_remembered(void **state)
{
	struct parallelism parallelism = { 0 };

	switch_out(&parallelism, 1);
	switch_out(&parallelism, 2);
	switch_in(&parallelism, 3);
	switch_in(&parallelism, 4);
	switch_in(&parallelism, 5);
	parallelism_settle(&parallelism);
	assert_int_equal(at(&parallelism, 2), 1);
	assert_int_equal(at(&parallelism, 4), 1);
	assert_int_equal(at(&parallelism, 5), 2);
	parallelism_done(&parallelism);
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
