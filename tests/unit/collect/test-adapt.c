#include "../test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "collect/adapt.h"
#include "collect/notes.h"
#include "event/eventlist.h"

static struct event_spec cycles(const char *name)
{
	return (struct event_spec){ .name = xstrdup(name),
				    .attr = { .type = PERF_TYPE_HARDWARE },
				    .is_hardware = true };
}

static void cycles_become_a_clock_where_there_is_no_pmu(void **state)
{
	static const int codes[] = { -ENOENT, -ENODEV, -ENXIO, -EOPNOTSUPP };

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct event_spec spec = cycles("cycles:ppp");
		struct adapt adapt = { 0 };
		struct notes notes = { 0 };

		spec.attr.precise_ip = 3;
		assert_true(adapt_event(&adapt, &spec, codes[i], false, &notes));
		assert_int_equal(spec.attr.type, PERF_TYPE_SOFTWARE);
		assert_int_equal(spec.attr.config, PERF_COUNT_SW_TASK_CLOCK);
		assert_int_equal(spec.attr.precise_ip, 3);
		assert_string_equal(spec.name, "task-clock:ppp");
		assert_int_equal(notes.count, 1);
		assert_string_equal(notes.items[0],
				    "no hardware cycles here: using 'task-clock' instead");
		assert_false(adapt_event(&adapt, &spec, codes[i], false, &notes));
		free(spec.name);
		notes_done(&notes);
	}
}

static void what_never_fires_without_the_kernel_is_told_and_a_dummy_loses_nothing(void **state)
{
	static const int configs[] = { PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_CPU_MIGRATIONS,
				       PERF_COUNT_SW_CGROUP_SWITCHES, PERF_COUNT_SW_DUMMY };

	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
		struct event_spec spec = { .name = xstrdup("x"),
					   .attr = { .type = PERF_TYPE_SOFTWARE } };
		struct adapt adapt = { 0 };
		struct notes notes = { 0 };

		spec.attr.config = (uint64_t)configs[i];
		assert_true(adapt_event(&adapt, &spec, -EACCES, false, &notes));
		assert_int_equal(notes.count, 0);
		adapt_accepted(&adapt, &spec, &notes);
		assert_int_equal(notes.count, configs[i] == PERF_COUNT_SW_DUMMY ? 0 : 1);
		if (notes.count)
			assert_non_null(strstr(notes.items[0], "'x:u' never fires"));
		free(spec.name);
		notes_done(&notes);
	}
}

static void on_cpus_the_clock_is_the_cpus(void **state)
{
	struct event_spec spec = cycles("cycles");
	struct adapt adapt = { 0 };
	struct notes notes = { 0 };

	assert_true(adapt_event(&adapt, &spec, -ENOENT, true, &notes));
	assert_int_equal(spec.attr.config, PERF_COUNT_SW_CPU_CLOCK);
	assert_string_equal(spec.name, "cpu-clock");
	free(spec.name);
	notes_done(&notes);
}

static void no_clock_stands_in_for_other_events_or_for_branches(void **state)
{
	struct event_spec spec = cycles("instructions"), branches = cycles("cycles");
	struct adapt adapt = { 0 };
	struct notes notes = { 0 };

	spec.attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	assert_false(adapt_event(&adapt, &spec, -ENOENT, false, &notes));
	branches.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	assert_false(adapt_event(&adapt, &branches, -EOPNOTSUPP, false, &notes));
	assert_int_equal(notes.count, 0);
	free(spec.name);
	free(branches.name);
}

static void precision_goes_down_before_the_clock_comes(void **state)
{
	struct event_spec spec = cycles("cycles:P");
	struct adapt adapt = { 0 };
	struct notes notes = { 0 };

	spec.max_precise = true;
	spec.attr.precise_ip = 2;
	assert_true(adapt_event(&adapt, &spec, -EOPNOTSUPP, false, &notes));
	assert_int_equal(spec.attr.precise_ip, 1);
	assert_true(adapt_event(&adapt, &spec, -EOPNOTSUPP, false, &notes));
	assert_int_equal(spec.attr.precise_ip, 0);
	assert_int_equal(spec.attr.type, PERF_TYPE_HARDWARE);
	assert_true(adapt_event(&adapt, &spec, -EOPNOTSUPP, false, &notes));
	assert_int_equal(spec.attr.type, PERF_TYPE_SOFTWARE);
	free(spec.name);
	notes_done(&notes);
}

static void without_permission_only_user_space_is_left(void **state)
{
	struct event_spec spec = cycles("cycles:P");
	struct adapt adapt = { 0 };
	struct notes notes = { 0 };

	assert_true(adapt_event(&adapt, &spec, -EACCES, false, &notes));
	assert_true(spec.attr.exclude_kernel);
	assert_true(spec.attr.exclude_hv);
	assert_string_equal(spec.name, "cycles:uP");
	assert_int_equal(notes.count, 1);
	assert_false(adapt_event(&adapt, &spec, -EACCES, false, &notes));
	free(spec.name);
	notes_done(&notes);
}

static void it_does_not_help_on_cpus_or_for_tracepoints_or_the_kernel_alone(void **state)
{
	struct event_spec spec = cycles("x");
	struct adapt adapt = { 0 };
	struct notes notes = { 0 };

	assert_false(adapt_event(&adapt, &spec, -EACCES, true, &notes));
	spec.is_tracepoint = true;
	assert_false(adapt_event(&adapt, &spec, -EACCES, false, &notes));
	spec.is_tracepoint = false;
	spec.attr.exclude_user = 1;
	assert_false(adapt_event(&adapt, &spec, -EACCES, false, &notes));
	free(spec.name);
}

/* A kernel that takes an attr only if it passes. */
static bool open_on(bool (*takes)(const struct attr *attr), struct event_spec *spec,
		    struct notes *notes)
{
	struct adapt adapt = { 0 };

	while (!takes(&spec->attr))
		if (!adapt_event(&adapt, spec, -EINVAL, false, notes))
			return false;
	adapt_accepted(&adapt, spec, notes);
	return true;
}

static bool takes_no_build_id(const struct attr *attr)
{
	return !attr->build_id;
}

static bool takes_nothing_since_5_1(const struct attr *attr)
{
	return !attr->build_id && !attr->bpf_event && !(attr->read_format & PERF_FORMAT_LOST) &&
	       !(attr->sample_type & PERF_SAMPLE_CODE_PAGE_SIZE);
}

static bool takes_nothing(const struct attr *attr)
{
	return false;
}

static const struct attr rich = { .build_id = 1,
				  .bpf_event = 1,
				  .ksymbol = 1,
				  .mmap2 = 1,
				  .sample_id_all = 1,
				  .read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
				  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CODE_PAGE_SIZE };

static void only_the_field_that_is_refused_is_left_out(void **state)
{
	struct event_spec spec = { .name = NULL, .attr = rich };
	struct attr expected = rich;
	struct notes notes = { 0 };

	expected.build_id = 0;
	assert_true(open_on(takes_no_build_id, &spec, &notes));
	assert_memory_equal(&spec.attr, &expected, sizeof(expected));
	assert_int_equal(notes.count, 0);
}

static void on_an_old_kernel_all_younger_fields_go_and_what_was_asked_for_is_told(void **state)
{
	struct event_spec spec = { .name = NULL, .attr = rich };
	struct notes notes = { 0 };

	assert_true(open_on(takes_nothing_since_5_1, &spec, &notes));
	assert_int_equal(spec.attr.sample_type, PERF_SAMPLE_IP);
	assert_int_equal(spec.attr.read_format, PERF_FORMAT_ID);
	assert_true(spec.attr.mmap2);
	assert_true(spec.attr.sample_id_all);
	assert_int_equal(notes.count, 1);
	assert_string_equal(notes.items[0], "this kernel does not tell the size of code pages");
	notes_done(&notes);
}

static void an_attr_that_is_refused_for_good_is_as_it_was(void **state)
{
	char name[] = "instructions";
	struct event_spec spec = { .name = name, .attr = rich };
	struct notes notes = { 0 };

	spec.attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	assert_false(open_on(takes_nothing, &spec, &notes));
	assert_int_equal(spec.attr.config, PERF_COUNT_HW_INSTRUCTIONS);
	spec.attr.config = rich.config;
	assert_memory_equal(&spec.attr, &rich, sizeof(rich));
	assert_int_equal(notes.count, 0);
}

static bool takes_clocks(const struct attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && !attr->build_id;
}

/* Some hypervisors answer EINVAL to all of the PMU; the clock may still have to be adapted. */
static void cycles_that_are_refused_for_good_become_a_clock(void **state)
{
	struct event_spec spec = cycles("cycles");
	struct notes notes = { 0 };

	spec.attr.build_id = 1;
	assert_true(open_on(takes_clocks, &spec, &notes));
	assert_string_equal(spec.name, "task-clock");
	assert_int_equal(spec.attr.config, PERF_COUNT_SW_TASK_CLOCK);
	assert_int_equal(notes.count, 1);
	notes_done(&notes);
	free(spec.name);
	spec = cycles("cycles");
	assert_false(open_on(takes_nothing, &spec, &notes));
	notes_done(&notes);
	free(spec.name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_become_a_clock_where_there_is_no_pmu),
		cmocka_unit_test(
			what_never_fires_without_the_kernel_is_told_and_a_dummy_loses_nothing),
		cmocka_unit_test(on_cpus_the_clock_is_the_cpus),
		cmocka_unit_test(no_clock_stands_in_for_other_events_or_for_branches),
		cmocka_unit_test(precision_goes_down_before_the_clock_comes),
		cmocka_unit_test(without_permission_only_user_space_is_left),
		cmocka_unit_test(it_does_not_help_on_cpus_or_for_tracepoints_or_the_kernel_alone),
		cmocka_unit_test(only_the_field_that_is_refused_is_left_out),
		cmocka_unit_test(
			on_an_old_kernel_all_younger_fields_go_and_what_was_asked_for_is_told),
		cmocka_unit_test(an_attr_that_is_refused_for_good_is_as_it_was),
		cmocka_unit_test(cycles_that_are_refused_for_good_become_a_clock),
	};

	return cmocka_run_group_tests_name("adapt", tests, NULL, NULL);
}
