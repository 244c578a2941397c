#include "fixture.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "base/str.h"
#include "event/branchtype.h"
#include "event/clockname.h"
#include "event/regs.h"
#include "event/stackmode.h"

/* A machine with two kinds of CPUs, and a few tracepoints. */
static int make_trees(void **state)
{
	tree_new(root);
	put(PMU "cpu_core/type", "4\n");
	put(PMU "cpu_core/cpus", "0-3\n");
	put(PMU "cpu_core/format/event", "config:0-7\n");
	put(PMU "cpu_core/format/umask", "config:8-15\n");
	put(PMU "cpu_core/events/uops", "event=0xc2,umask=0x02\n");
	put(PMU "cpu_core/events/loop", "loop\n");
	put(PMU "cpu_atom/type", "10\n");
	put(PMU "cpu_atom/cpus", "4-7\n");
	put("sys/kernel/tracing/events/sched/sched_switch/id", "314\n");
	put("sys/kernel/tracing/events/sched/sched_wakeup/id", "315\n");
	return 0;
}

static void a_hardware_event_counts_on_each_kind_of_cpu(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "cycles:u,{instructions,branches}"), 0);
	assert_int_equal(f.list.count, 6);
	assert_string_equal(f.list.items[0].name, "cpu_atom/cycles/u");
	assert_string_equal(f.list.items[0].cpus, "4-7");
	assert_true(f.list.items[0].attr.config == UINT64_C(10) << 32);
	assert_true(f.list.items[1].attr.config == UINT64_C(4) << 32);
	/* instructions on atom, on core, branches on atom, on core: two groups. */
	assert_int_equal(f.list.items[4].leader, 2);
	assert_int_equal(f.list.items[5].leader, 3);
}

static void named_events_and_terms_of_a_pmu_fill_config(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "cpu_core/uops,period=7,name=x/k,uops"), 0);
	assert_int_equal(f.list.count, 2);
	assert_true(f.list.items[0].attr.config == 0x2c2);
	assert_true(f.list.items[1].attr.config == 0x2c2);
	assert_string_equal(f.list.items[0].name, "x");
	assert_int_equal(f.list.items[0].attr.sample_period, 7);
	assert_int_equal(f.list.items[0].attr.exclude_user, 1);
}

static void what_is_for_counting_only_is_refused(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "cs:b"), -EINVAL);
	assert_string_equal(f.err.text, "'cs:b': modifier 'b' is for counting only");
	assert_int_equal(parse(&f, "{cs,faults}:ub"), -EINVAL);
	assert_int_equal(parse(&f, "cs/percore/"), -EINVAL);
	assert_string_equal(f.err.text, "'cs/percore/': term 'percore' is for counting only");
	assert_int_equal(parse(&f, "cs/percore=0/"), 0);
	assert_int_equal(parse(&f, "tool/num_cpus/"), -EINVAL);
	assert_int_equal(parse(&f, "duration_time"), -EINVAL);
	assert_string_equal(f.err.text,
			    "'duration_time': event 'duration_time' is for counting only");
}

static void what_is_for_counting_only_is_taken_by_who_counts(void **state)
{
	FIXTURE;

	f.list.counts = true;
	assert_int_equal(parse(&f, "cs:b,cs/percore,metric-id=a/,duration_time,tool/num_cpus/"), 0);
	assert_true(f.list.items[0].bpf && f.list.items[1].percore);
	assert_string_equal(f.list.items[1].metric_id, "a");
	assert_int_equal(f.list.items[2].tool, TOOL_DURATION_TIME);
	assert_true(f.list.items[2].attr.type == TOOL_EVENT_TYPE);
	assert_int_equal(f.list.items[3].tool, TOOL_NUM_CPUS);
	assert_string_equal(f.list.items[3].name, "tool/num_cpus/");
	assert_int_equal(parse(&f, "tool/num_cpu/"), -EINVAL);
	assert_string_equal(f.err.hint, "did you mean 'num_cpus'?");
	assert_int_equal(parse(&f, "tool//"), -EINVAL);
	assert_int_equal(parse(&f, "tool/config=99/"), -EINVAL);
}

static void events_of_one_word_know_the_first_of_them(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "cs,cycles,uops"), 0);
	assert_int_equal(f.list.count, 4);
	assert_int_equal(f.list.items[0].first_alike, 0);
	assert_int_equal(f.list.items[2].first_alike, 1);
	assert_int_equal(f.list.items[3].first_alike, 3);
	assert_string_equal(f.list.items[2].pmu, "cpu_core");
	assert_true(f.list.items[2].is_core_part);
	eventlist_remove(&f.list, 1);
	assert_int_equal(f.list.items[1].first_alike, 1);
	assert_int_equal(f.list.items[2].first_alike, 2);
}

static void a_value_that_does_not_fit_is_refused(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "cpu_core/event=0x100/"), -EINVAL);
	assert_int_equal(parse(&f, "cpu_core/event/"), -EINVAL);
	assert_int_equal(parse(&f, "cpu_core/loop/"), -EINVAL);
	assert_int_equal(parse(&f, "cpu_core/evnt=1/"), -EINVAL);
	assert_string_equal(f.err.hint, "did you mean 'event'?");
	assert_int_equal(f.list.count, 0);
}

static void a_ring_that_is_overwritten_is_refused(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "page-faults/overwrite/"), -EINVAL);
	assert_string_equal(f.err.text, "rings cannot be overwritten yet");
	assert_int_equal(parse(&f, "page-faults/no-overwrite=0/"), -EINVAL);
	assert_int_equal(parse(&f, "page-faults/no-overwrite/"), 0);
	assert_int_equal(parse(&f, "page-faults/overwrite=0/"), 0);
	assert_int_equal(f.list.items[0].attr.write_backward, 0);
}

static void what_does_not_exist_is_missing_and_an_error_only_alone(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "sched:sched_stat_wait"), 0);
	assert_int_equal(eventlist_check(&f.list, &f.err), -ENOENT);
	assert_int_equal(parse(&f, "sched:sched_switch"), 0);
	assert_int_equal(eventlist_check(&f.list, &f.err), 0);
	assert_int_equal(f.list.missing_count, 1);
	assert_non_null(strstr(f.list.missing[0], "CONFIG_SCHEDSTATS"));
	assert_int_equal(parse(&f, "shed:sched_swich"), 0);
	assert_non_null(strstr(f.list.missing[1], "did you mean 'sched:sched_switch'?"));
	assert_int_equal(parse(&f, "syscalls:sys_enter_opnat"), 0);
	assert_non_null(strstr(f.list.missing[2], "CONFIG_FTRACE_SYSCALLS"));
	put("sys/kernel/tracing/events/syscalls/sys_enter_openat/id", "700\n");
	assert_int_equal(parse(&f, "syscalls:sys_enter_opnat"), 0);
	assert_non_null(strstr(f.list.missing[3], "did you mean 'syscalls:sys_enter_openat'?"));
	assert_int_equal(parse(&f, "sys_enter_openat"), -EINVAL);
	assert_string_equal(f.err.hint, "did you mean 'syscalls:sys_enter_openat'?");
}

static void a_mistyped_tracepoint_is_not_understood(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "sched:sched_swich"), 0);
	assert_int_equal(eventlist_check(&f.list, &f.err), -EINVAL);
}

static void a_filter_is_for_the_tracepoints_of_the_last_text(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "cs"), 0);
	assert_int_equal(eventlist_filter(&f.list, "a == 1", &f.err), -EINVAL);
	assert_int_equal(parse(&f, "sched:sched_*"), 0);
	assert_int_equal(f.list.count, 3);
	assert_int_equal(eventlist_filter(&f.list, "a == 1", &f.err), 0);
	assert_int_equal(eventlist_filter(&f.list, "b == 2", &f.err), 0);
	assert_null(f.list.items[0].filter);
	assert_string_equal(f.list.items[2].filter, "(a == 1) && (b == 2)");
}

static void cgroups_go_to_events_in_turn_and_may_come_first(void **state)
{
	FIXTURE;

	assert_int_equal(eventlist_cgroups(&f.list, "a,,c", &f.err), 0);
	assert_int_equal(parse(&f, "cs,faults,cpu-clock"), 0);
	assert_string_equal(f.list.items[0].cgroup, "a");
	assert_null(f.list.items[1].cgroup);
	assert_string_equal(f.list.items[2].cgroup, "c");
	assert_int_equal(eventlist_cgroups(&f.list, "d", &f.err), 0);
	assert_string_equal(f.list.items[1].cgroup, "d");
	assert_int_equal(eventlist_cgroups(&f.list, "a,b,c,d", &f.err), -EINVAL);
}

static void a_breakpoint_is_called_what_was_typed(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "mem:0x1000:w,mem:0x2000/2:rxu,mem:64"), 0);
	assert_string_equal(f.list.items[0].name, "mem:0x1000:w");
	assert_int_equal(f.list.items[0].attr.bp_type, HW_BREAKPOINT_W);
	assert_string_equal(f.list.items[1].name, "mem:0x2000/2:rxu");
	assert_int_equal(f.list.items[1].attr.bp_type, HW_BREAKPOINT_R | HW_BREAKPOINT_X);
	assert_int_equal(f.list.items[1].attr.bp_len, 2);
	assert_int_equal(f.list.items[1].attr.exclude_kernel, 1);
	assert_string_equal(f.list.items[2].name, "mem:64");
	assert_int_equal(f.list.items[2].attr.bp_type, HW_BREAKPOINT_RW);
}

static void damaged_texts_are_refused_and_leave_nothing(void **state)
{
	static const char *const texts[] = { "",
					     "cs,",
					     ",cs",
					     "{cs",
					     "{cs,{faults}}",
					     "cs:z",
					     "cs:pppp",
					     "cs/",
					     "cs/period=/",
					     "cs/name=/",
					     "cs/name=''/",
					     "{}",
					     "{cs,}",
					     "{cs}:",
					     "cs/,/",
					     "cs/=1/",
					     "mem:0x10/0",
					     "mem:0x1:q",
					     "/x/",
					     ":u",
					     "cs:0",
					     "cs,faults,nope",
					     "cs:99999999999999999999" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		FIXTURE;

		assert_int_equal(parse(&f, texts[i]), -EINVAL);
		assert_int_equal(f.list.count, 0);
		assert_true(f.err.text[0]);
	}
}

static void a_missing_event_is_shown_as_it_was_typed(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "faults,g{cs,}:u"), -EINVAL);
	assert_string_equal(f.err.text, "an event is missing in '{cs,}:u'");
	assert_string_equal(f.err.where, "{cs,}:u\n    ^");
	assert_int_equal(parse(&f, "{}"), -EINVAL);
	assert_string_equal(f.err.text, "an event is missing in '{}'");
	assert_int_equal(parse(&f, "cs,"), -EINVAL);
	assert_string_equal(f.err.where, "cs,\n   ^");
}

static void words_of_options_are_read(void **state)
{
	struct stackmode stackmode;
	uint64_t bits;
	int32_t clock;

	assert_int_equal(stackmode_parse("dwarf,10", &stackmode, NULL), 0);
	assert_int_equal(stackmode.stack_size, 16);
	assert_int_equal(stackmode_parse("dwarf,65529", &stackmode, NULL), -EINVAL);
	assert_int_equal(stackmode_parse("lbr,8", &stackmode, NULL), -EINVAL);
	assert_int_equal(branchtype_parse("u", &bits, NULL), 0);
	assert_int_equal(bits, PERF_SAMPLE_BRANCH_ANY);
	assert_int_equal(branchtype_parse("any,nope", &bits, NULL), -EINVAL);
	assert_int_equal(clockname_parse("mono", &clock, NULL), 0);
	assert_int_equal(clock, 1);
	assert_int_equal(clockname_parse("sundial", &clock, NULL), -EINVAL);
	assert_int_equal(regs_parse(REGS_ARM64, "x0,SP,pc", &bits, NULL), 0);
	assert_true(bits == 0x180000001);
	assert_true(regs_all(REGS_X86_64) == 0xff0fff);
	assert_true(regs_all(REGS_ARM64) == 0x1ffffffff);
	assert_true(regs_leaf(REGS_X86_64) == 0);
	assert_true(regs_leaf(REGS_ARM64) == 0x40000000); /* lr */
	assert_int_equal(regs_parse(REGS_X86_64, "x0", &bits, NULL), -EINVAL);
}

static void a_group_is_broken_up_or_inherited(void **state)
{
	_cleanup_(eventlist_done) struct eventlist list = { .root = root };

	assert_int_equal(eventlist_parse(&list, "dummy,{task-clock,page-faults,cs}:W", NULL), 0);
	list.items[1].attr.disabled = 1;
	eventlist_remove(&list, 0);
	assert_int_equal(list.count, 3);
	assert_int_equal(list.items[2].leader, 0);
	eventlist_remove(&list, 0);
	assert_string_equal(list.items[0].name, "page-faults");
	assert_int_equal(list.items[1].leader, 0);
	assert_true(list.items[0].attr.disabled);
	assert_false(list.items[1].attr.disabled);
	eventlist_ungroup(&list, 0);
	assert_int_equal(list.items[1].leader, 1);
	assert_true(list.items[1].attr.disabled);
	assert_false(list.items[1].weak);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hardware_event_counts_on_each_kind_of_cpu),
		cmocka_unit_test(named_events_and_terms_of_a_pmu_fill_config),
		cmocka_unit_test(what_is_for_counting_only_is_refused),
		cmocka_unit_test(what_is_for_counting_only_is_taken_by_who_counts),
		cmocka_unit_test(events_of_one_word_know_the_first_of_them),
		cmocka_unit_test(a_value_that_does_not_fit_is_refused),
		cmocka_unit_test(a_ring_that_is_overwritten_is_refused),
		cmocka_unit_test(what_does_not_exist_is_missing_and_an_error_only_alone),
		cmocka_unit_test(a_mistyped_tracepoint_is_not_understood),
		cmocka_unit_test(a_filter_is_for_the_tracepoints_of_the_last_text),
		cmocka_unit_test(cgroups_go_to_events_in_turn_and_may_come_first),
		cmocka_unit_test(a_breakpoint_is_called_what_was_typed),
		cmocka_unit_test(damaged_texts_are_refused_and_leave_nothing),
		cmocka_unit_test(a_missing_event_is_shown_as_it_was_typed),
		cmocka_unit_test(words_of_options_are_read),
		cmocka_unit_test(a_group_is_broken_up_or_inherited),
	};

	return cmocka_run_group_tests(tests, make_trees, remove_trees);
}
