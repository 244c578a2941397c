#include "../test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "strobe/counter.h"

/* Software events: every machine has them, and the kernel counts faults exactly. */

enum { PAGE = 4096, NS_PER_MS = 1000000 };

static struct strobe_err err;

static struct strobe_counter *open_flags(const char *events, unsigned flags)
{
	struct strobe_counter_options options = { .size = sizeof(options),
						  .events = events,
						  .flags = flags };
	struct strobe_counter *counter = NULL;
	int r = strobe_counter_open(&options, &counter, &err);

	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip();
	if (r < 0)
		fail_msg("%s", err.text);
	return counter;
}

static struct strobe_counter *open_events(const char *events)
{
	return open_flags(events, 0);
}

static int refused(const struct strobe_counter_options *options)
{
	struct strobe_counter *counter = NULL;
	int r = strobe_counter_open(options, &counter, &err);

	assert_true(r < 0);
	assert_int_equal(err.code, r);
	assert_true(err.text[0]);
	assert_null(counter);
	return r;
}

static int refused_events(const char *events)
{
	struct strobe_counter_options options = { .size = sizeof(options), .events = events };

	return refused(&options);
}

/* Faults on so many fresh pages. */
static void fault(size_t pages)
{
	char *memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	(void)madvise(memory, pages * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)memory)[i * PAGE] = 1;
	(void)munmap(memory, pages * PAGE);
}

/* And some of the test's own, and of what it was built with. */
static void assert_faults(uint64_t value, size_t pages)
{
	assert_in_range(value, pages, pages + 400);
}

static struct strobe_counter_value read_first(struct strobe_counter *counter)
{
	struct strobe_counter_value value = { 0 };

	assert_true(strobe_counter_read(counter, &value, 1, &err) > 0);
	return value;
}

static void counts_what_lies_between_start_and_stop(void **state)
{
	struct strobe_counter *counter = open_events("page-faults");

	fault(1000);
	assert_int_equal(read_first(counter).value, 0);
	assert_int_equal(read_first(counter).time_enabled, 0);
	assert_int_equal(strobe_counter_start(counter, &err), 0);
	fault(1000);
	assert_int_equal(strobe_counter_stop(counter, &err), 0);
	fault(1000);
	assert_faults(read_first(counter).value, 1000);
	assert_int_equal(read_first(counter).scaled, read_first(counter).value);
	assert_true(read_first(counter).time_enabled > 0);
	assert_int_equal(read_first(counter).time_enabled, read_first(counter).time_running);
	strobe_counter_close(counter);
}

static void goes_on_after_another_start(void **state)
{
	struct strobe_counter *counter = open_events("page-faults");

	for (int i = 0; i < 3; i++) {
		assert_int_equal(strobe_counter_start(counter, &err), 0);
		fault(1000);
		assert_int_equal(strobe_counter_stop(counter, &err), 0);
		fault(500);
	}
	assert_faults(read_first(counter).value, 3000);
	strobe_counter_close(counter);
}

static void a_reset_takes_counts_and_times_back(void **state)
{
	struct strobe_counter *counter = open_events("page-faults");
	uint64_t value;

	assert_int_equal(strobe_counter_start(counter, &err), 0);
	fault(1000);
	assert_int_equal(strobe_counter_stop(counter, &err), 0);
	assert_int_equal(strobe_counter_reset(counter, &err), 0);
	assert_int_equal(read_first(counter).value, 0);
	assert_int_equal(read_first(counter).time_enabled, 0);
	assert_int_equal(strobe_counter_value(counter, 0, &value), 0);
	assert_int_equal(value, 0);
	strobe_counter_close(counter);
}

static void several_events_keep_their_order_and_names(void **state)
{
	struct strobe_counter *counter = open_events("task-clock,page-faults:u,minor-faults");
	struct strobe_counter_value values[3];
	uint64_t value;

	assert_int_equal(strobe_counter_count(counter), 3);
	assert_string_equal(strobe_counter_name(counter, 1), "page-faults:u");
	assert_null(strobe_counter_name(counter, 3));
	assert_int_equal(strobe_counter_start(counter, &err), 0);
	fault(2000);
	assert_int_equal(strobe_counter_stop(counter, &err), 0);
	assert_int_equal(strobe_counter_read(counter, values, 3, &err), 3);
	assert_faults(values[1].value, 2000);
	assert_faults(values[2].value, 2000);
	assert_true(values[0].value > values[1].value);
	assert_int_equal(strobe_counter_value(counter, 2, &value), 0);
	assert_int_equal(value, values[2].value);
	assert_int_equal(strobe_counter_value(counter, 3, &value), -ERANGE);
	assert_false(strobe_counter_is_direct(counter, 0));
	strobe_counter_close(counter);
}

static void events_are_in_the_groups_of_the_text_or_alone(void **state)
{
	static const struct {
		const char *events;
		unsigned flags;
	} cases[] = {
		{ "{page-faults,task-clock},{minor-faults,cpu-clock}", 0 },
		{ "page-faults,task-clock,minor-faults,cpu-clock", STROBE_COUNTER_SEPARATE },
		{ "{page-faults,task-clock},{minor-faults,cpu-clock}", STROBE_COUNTER_SEPARATE },
		{ "{page-faults,task-clock},minor-faults,cpu-clock", STROBE_COUNTER_SYSTEM_CALLS },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strobe_counter *counter = open_flags(cases[i].events, cases[i].flags);
		struct strobe_counter_value values[4];

		assert_int_equal(strobe_counter_start(counter, &err), 0);
		fault(1000);
		assert_int_equal(strobe_counter_stop(counter, &err), 0);
		assert_int_equal(strobe_counter_read(counter, values, 4, &err), 4);
		assert_faults(values[0].value, 1000);
		assert_faults(values[2].value, 1000);
		assert_true(values[1].value > 1000 && values[3].value > 1000);
		strobe_counter_close(counter);
	}
}

static void attrs_are_events_too(void **state)
{
	struct perf_event_attr faults = { .type = PERF_TYPE_SOFTWARE,
					  .size = sizeof(faults),
					  .config = PERF_COUNT_SW_PAGE_FAULTS,
					  .sample_period = 1000,
					  .inherit = 1 };
	struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_TASK_CLOCK };
	const struct perf_event_attr *attrs[] = { &faults, &clock };
	struct strobe_counter_options options = {
		.size = sizeof(options), .events = "minor-faults", .attrs = attrs, .attr_count = 2
	};
	struct strobe_counter_value values[3];
	struct strobe_counter *counter;
	int r = strobe_counter_open(&options, &counter, &err);

	if (r == -EACCES || r == -EPERM || r == -ENOSYS)
		skip();
	assert_int_equal(r, 0);
	assert_string_equal(strobe_counter_name(counter, 1), "page-faults");
	assert_int_equal(strobe_counter_start(counter, &err), 0);
	fault(1000);
	assert_int_equal(strobe_counter_read(counter, values, 3, &err), 3);
	assert_faults(values[0].value, 1000);
	assert_faults(values[1].value, 1000);
	assert_true(values[2].value > 1000);
	strobe_counter_close(counter);
}

static void what_makes_no_sense_is_refused_with_a_sentence(void **state)
{
	struct {
		struct strobe_counter_options options;
		uint64_t unknown;
	} newer = { .options = { .size = sizeof(newer), .events = "page-faults" }, .unknown = 1 };
	struct strobe_counter_options options = { .size = sizeof(options) };
	struct perf_event_attr small = { .size = 8 };
	const struct perf_event_attr *attrs[] = { &small };

	assert_int_equal(refused_events("page-fault"), -EINVAL);
	assert_non_null(strstr(err.hint, "page-faults"));
	assert_int_equal(refused_events(""), -EINVAL);
	assert_int_equal(refused_events("page-faults,duration_time"), -EINVAL);
	assert_non_null(strstr(err.text, "duration_time"));
	assert_int_equal(refused_events("page-faults,,task-clock"), -EINVAL);
	assert_int_equal(refused(&options), -EINVAL);
	options.flags = 1U << 31;
	assert_int_equal(refused(&options), -E2BIG);
	assert_int_equal(refused(&newer.options), -E2BIG);
	options = (struct strobe_counter_options){ 0 };
	assert_int_equal(refused(&options), -EINVAL);
	options = (struct strobe_counter_options){ .size = sizeof(options),
						   .attrs = attrs,
						   .attr_count = 1 };
	assert_int_equal(refused(&options), -EINVAL);
}

static void an_event_that_is_not_there_is_an_error(void **state)
{
	int r = refused_events("page-faults,nosuchsystem:nosuchevent");

	assert_true(r == -ENOENT || r == -EINVAL);
	assert_non_null(strstr(err.text, "nosuch"));
}

static void errors_need_no_place(void **state)
{
	struct strobe_counter_options options = { .size = sizeof(options), .events = "nonsense" };
	struct strobe_counter *counter;

	assert_true(strobe_counter_open(&options, &counter, NULL) < 0);
	strobe_counter_close(NULL);
	strobe_region_free(NULL);
}

static void a_region_is_the_sum_of_its_passes(void **state)
{
	struct strobe_counter *counter = open_events("page-faults,task-clock");
	struct strobe_region *region = NULL, *outer = NULL;
	struct strobe_counter_value values[2];

	assert_int_equal(strobe_region_new(counter, &region, &err), 0);
	assert_int_equal(strobe_region_new(counter, &outer, &err), 0);
	assert_int_equal(strobe_counter_start(counter, &err), 0);
	assert_int_equal(strobe_region_begin(outer), 0);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(strobe_region_begin(region), 0);
		fault(500);
		assert_int_equal(strobe_region_end(region), 0);
		fault(500);
	}
	assert_int_equal(strobe_region_end(outer), 0);
	assert_int_equal(strobe_region_passes(region), 10);
	assert_int_equal(strobe_region_read(region, values, 2), 2);
	assert_faults(values[0].value, 5000);
	assert_true(values[1].value > 0 && values[1].time_enabled > 0);
	assert_int_equal(strobe_region_passes(outer), 1);
	assert_int_equal(strobe_region_read(outer, values, 2), 2);
	assert_faults(values[0].value, 10000);

	strobe_region_reset(region);
	assert_int_equal(strobe_region_passes(region), 0);
	assert_int_equal(strobe_region_read(region, values, 2), 2);
	assert_int_equal(values[0].value, 0);
	strobe_region_free(region);
	strobe_region_free(outer);
	strobe_counter_close(counter);
}

static void a_region_ends_as_often_as_it_begins(void **state)
{
	struct strobe_counter *counter = open_events("page-faults");
	struct strobe_region *region = NULL;

	assert_int_equal(strobe_region_new(counter, &region, &err), 0);
	assert_int_equal(strobe_region_end(region), -ENOENT);
	assert_int_equal(strobe_region_begin(region), 0);
	assert_int_equal(strobe_region_begin(region), -EALREADY);
	assert_int_equal(strobe_region_end(region), 0);
	assert_int_equal(strobe_region_end(region), -ENOENT);
	assert_int_equal(strobe_region_passes(region), 1);
	strobe_region_free(region);
	strobe_counter_close(counter);
}

static void *read_elsewhere(void *arg)
{
	struct strobe_counter_value value = { 0 };

	fault(2000);
	if (strobe_counter_is_direct(arg, 0) || strobe_counter_read(arg, &value, 1, NULL) != 1)
		return NULL;
	return (void *)(uintptr_t)value.value;
}

static void only_the_thread_that_opened_it_is_counted(void **state)
{
	struct strobe_counter *counter = open_events("page-faults");
	pthread_t thread;
	void *value;

	assert_int_equal(strobe_counter_start(counter, &err), 0);
	fault(2000);
	assert_int_equal(pthread_create(&thread, NULL, read_elsewhere, counter), 0);
	assert_int_equal(pthread_join(thread, &value), 0);
	assert_faults((uintptr_t)value, 2000);
	strobe_counter_close(counter);
}

static void a_child_is_told_that_it_is_one(void **state)
{
	struct strobe_counter *counter = open_events("page-faults");
	struct strobe_region *region;
	int status;
	pid_t pid;

	assert_int_equal(strobe_region_new(counter, &region, &err), 0);
	assert_int_equal(strobe_counter_start(counter, &err), 0);
	pid = fork();
	if (pid == 0) {
		struct strobe_counter_value value;
		uint64_t number;
		int bad = 0;

		bad |= strobe_counter_read(counter, &value, 1, NULL) != -ECHILD;
		bad |= strobe_counter_value(counter, 0, &number) != -ECHILD;
		bad |= strobe_counter_stop(counter, NULL) != -ECHILD;
		bad |= strobe_counter_start(counter, NULL) != -ECHILD;
		bad |= strobe_region_begin(region) != -ECHILD;
		strobe_region_free(region);
		strobe_counter_close(counter);
		_exit(bad);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(read_first(counter).time_enabled > 0);
	strobe_region_free(region);
	strobe_counter_close(counter);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * NS_PER_MS + (uint64_t)now.tv_nsec;
}

static void times_are_those_in_which_the_thread_ran(void **state)
{
	struct strobe_counter *counter = open_events("page-faults");
	uint64_t begin = now_ns();
	struct strobe_counter_value value;

	assert_int_equal(strobe_counter_start(counter, &err), 0);
	(void)usleep(20000);
	value = read_first(counter);
	assert_true(value.time_enabled > 0);
	assert_true(value.time_enabled < now_ns() - begin - 19 * (uint64_t)NS_PER_MS);
	strobe_counter_close(counter);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_what_lies_between_start_and_stop),
		cmocka_unit_test(goes_on_after_another_start),
		cmocka_unit_test(a_reset_takes_counts_and_times_back),
		cmocka_unit_test(several_events_keep_their_order_and_names),
		cmocka_unit_test(events_are_in_the_groups_of_the_text_or_alone),
		cmocka_unit_test(attrs_are_events_too),
		cmocka_unit_test(what_makes_no_sense_is_refused_with_a_sentence),
		cmocka_unit_test(an_event_that_is_not_there_is_an_error),
		cmocka_unit_test(errors_need_no_place),
		cmocka_unit_test(a_region_is_the_sum_of_its_passes),
		cmocka_unit_test(a_region_ends_as_often_as_it_begins),
		cmocka_unit_test(only_the_thread_that_opened_it_is_counted),
		cmocka_unit_test(a_child_is_told_that_it_is_one),
		cmocka_unit_test(times_are_those_in_which_the_thread_ran),
	};

	return cmocka_run_group_tests_name("counter", tests, NULL, NULL);
}
