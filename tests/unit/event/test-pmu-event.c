#include "fixture.h"

#include <errno.h>

/* A machine with two kinds of CPUs, two memory controllers, and probes. */
static int make_trees(void **state)
{
	tree_new(root);
	put(PMU "cpu_core/type", "4\n");
	put(PMU "cpu_core/cpus", "0-3\n");
	put(PMU "cpu_core/format/event", "config:0-7\n");
	put(PMU "cpu_core/format/cmask", "config:24-31\n");
	put(PMU "cpu_core/events/uops", "event=0xc2\n");
	put(PMU "cpu_atom/type", "10\n");
	put(PMU "cpu_atom/cpus", "4-7\n");
	put(PMU "cpu_atom/format/event", "config:0-7\n");
	put(PMU "cpu_atom/events/uops", "event=0xc3\n");
	put(PMU "uncore_imc_0/type", "20\n");
	put(PMU "uncore_imc_0/cpumask", "0,4\n");
	put(PMU "uncore_imc_0/format/event", "config:0-7\n");
	put(PMU "uncore_imc_0/events/reads", "event=0x04\n");
	put(PMU "uncore_imc_0/events/reads.scale", "0.0625\n");
	put(PMU "uncore_imc_0/events/reads.unit", "MiB\n");
	put(PMU "uncore_imc_0/events/reads.per-pkg", "1\n");
	put(PMU "uncore_imc_1/type", "21\n");
	put(PMU "uncore_imc_1/cpumask", "0,4\n");
	put(PMU "uncore_imc_1/format/event", "config:0-7\n");
	put(PMU "uncore_imc_1/format/extra", "config1:0-3\n");
	put(PMU "kprobe/type", "6\n");
	put(PMU "kprobe/format/retprobe", "config:0\n");
	put(PMU "uprobe/type", "7\n");
	put(PMU "uprobe/format/retprobe", "config:0\n");
	put(PMU "uprobe/format/ref_ctr_offset", "config:32-63\n");
	return 0;
}

static void a_raw_event_counts_on_each_kind_of_cpu(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "r1a8:u,cpu/event=0x3c/k"), 0);
	assert_int_equal(f.list.count, 4);
	assert_int_equal(f.list.items[0].attr.type, 10);
	assert_int_equal(f.list.items[1].attr.type, 4);
	assert_int_equal(f.list.items[1].attr.config, 0x1a8);
	assert_string_equal(f.list.items[1].name, "cpu_core/r1a8/u");
	assert_int_equal(f.list.items[3].attr.config, 0x3c);
	assert_int_equal(f.list.items[3].first_alike, 2);
}

static void a_named_event_says_on_which_kind_of_cpu_it_is(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "UOPS:u"), 0);
	assert_int_equal(f.list.count, 2);
	assert_string_equal(f.list.items[0].name, "cpu_atom/UOPS/u");
	assert_int_equal(f.list.items[0].attr.config, 0xc3);
	assert_int_equal(f.list.items[1].attr.config, 0xc2);
}

static void generic_events_take_the_formats_of_their_pmu(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "r3c/event=0x1/"), 0);
	assert_int_equal(f.list.items[1].attr.config, 0x3d);
	assert_int_equal(parse(&f, "cycles/cmask=1/"), -EINVAL);
	assert_string_equal(f.err.where, "cycles/cmask=1/\n       ^");
}

static void events_of_all_instances_are_one_word(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "uncore_imc/event=4/,imc/event=5/,uncore_imc_1/event=6/"), 0);
	assert_int_equal(f.list.count, 5);
	assert_string_equal(f.list.items[0].pmu, "uncore_imc_0");
	assert_string_equal(f.list.items[0].cpus, "0,4");
	assert_int_equal(f.list.items[1].first_alike, 0);
	assert_int_equal(f.list.items[3].first_alike, 2);
	assert_false(f.list.items[3].is_core_part);
	assert_int_equal(f.list.items[4].attr.type, 21);
}

static void instances_that_lack_a_term_are_left_out(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "uncore_*/event=1,extra=2/"), 0);
	assert_int_equal(f.list.count, 1);
	assert_string_equal(f.list.items[0].pmu, "uncore_imc_1");
	assert_int_equal(f.list.items[0].attr.config1, 2);
	assert_int_equal(f.list.items[0].first_alike, 0);
	assert_int_equal(parse(&f, "uncore_*/nope=1/"), -EINVAL);
	assert_int_equal(f.list.count, 1);
}

static void what_sysfs_says_of_counts_is_kept(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "reads,reads/name=x/"), 0);
	assert_int_equal(f.list.count, 2);
	assert_true(f.list.items[0].scale == 0.0625);
	assert_string_equal(f.list.items[0].unit, "MiB");
	assert_true(f.list.items[0].per_package);
	assert_string_equal(f.list.items[1].name, "x");
}

static void probes_are_made_by_terms(void **state)
{
	const struct event_spec *event;
	FIXTURE;

	assert_int_equal(parse(&f,
			       "uprobe/path='/bin/a,b/c',offset=0x1139,ref_ctr=0x4010,retprobe/,"
			       "kprobe/func=do_exit,offset=4/,kprobe/addr=0xffffffff81000000/"),
			 0);
	event = &f.list.items[0];
	assert_true(event->is_probe);
	assert_string_equal((const char *)(uintptr_t)event->attr.config1, "/bin/a,b/c");
	assert_int_equal(event->attr.config2, 0x1139);
	assert_true(event->attr.config == 0x401000000001);
	event = &f.list.items[1];
	assert_string_equal((const char *)(uintptr_t)event->attr.config1, "do_exit");
	assert_int_equal(event->attr.config2, 4);
	assert_true(f.list.items[2].attr.config2 == 0xffffffff81000000);
	assert_int_equal(parse(&f, "uprobe/path=/"), -EINVAL);
	assert_int_equal(parse(&f, "uprobe/func=x/"), -EINVAL);
	assert_int_equal(parse(&f, "kprobe/ref_ctr=1/"), -EINVAL);
	assert_int_equal(parse(&f, "uprobe/ref_ctr=0x100000000/"), -EINVAL);
}

static void an_error_points_at_its_place(void **state)
{
	static const char *const cases[][2] = {
		{ "cs,cpu_core/event=1,evnt=2/", "cpu_core/event=1,evnt=2/\n                 ^" },
		{ "cs/period=x/", "cs/period=x/\n   ^" },
		{ "cs/period=1", "cs/period=1\n           ^" },
		{ "cs/period=1,,time/", "cs/period=1,,time/\n            ^" },
		{ "cs:uz", "cs:uz\n    ^" },
		{ "cs/time/kz", "cs/time/kz\n         ^" },
		{ "{cs,faults}:uz", "{cs,faults}:uz\n             ^" },
		{ "{cs,faults", "{cs,faults\n          ^" },
		{ "cs,,faults", "cs,,faults\n   ^" },
		{ "nope", "nope\n^" },
		{ "nope/x/", "nope/x/\n^" },
		{ "mem:0x10:wz", "0x10:wz\n      ^" },
		{ "cs/cpu=x/", "cs/cpu=x/\n   ^" },
		{ "cs/aux-output/", "cs/aux-output/\n   ^" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		FIXTURE;

		assert_int_equal(parse(&f, cases[i][0]), -EINVAL);
		assert_string_equal(f.err.where, cases[i][1]);
	}
}

static void nobody_is_led_by_who_is_led(void **state)
{
	FIXTURE;

	assert_int_equal(parse(&f, "{cpu_atom/event=1/,cs,cpu_core/event=1/,cs,cpu_atom/event=2/}"),
			 0);
	assert_int_equal(f.list.items[1].leader, 0);
	assert_int_equal(f.list.items[2].leader, 2);
	assert_int_equal(f.list.items[3].leader, 0);
	assert_int_equal(f.list.items[4].leader, 0);
}

static void what_perf_has_and_strobe_has_no_use_for_is_refused(void **state)
{
	static const char *const terms[] = { "cs/aux-output/", "cs/aux-action=pause/",
					     "cs/max-events=5/", "cs/ratio-to-prev=2/",
					     "cs/@tmc_etr0/" };

	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		FIXTURE;

		assert_int_equal(parse(&f, terms[i]), -EINVAL);
		assert_string_equal(f.err.hint, "leave it out");
	}
}

static void a_long_text_takes_no_longer_for_each_event(void **state)
{
	enum { COUNT = 20000 };
	_cleanup_(freep) char *text = xcalloc(COUNT, 4);
	FIXTURE;

	for (size_t i = 0; i < COUNT; i++)
		memcpy(text + i * 3, "cs,", 3);
	text[COUNT * 3 - 1] = '\0';
	assert_int_equal(parse(&f, text), 0);
	assert_int_equal(f.list.count, COUNT);
	for (int i = 0; i < 3; i++)
		assert_int_equal(parse(&f, text), i < 2 ? 0 : -EINVAL);
	assert_non_null(strstr(f.err.text, "more than 65536 events"));
	assert_int_equal(f.list.count, 3 * COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_raw_event_counts_on_each_kind_of_cpu),
		cmocka_unit_test(a_named_event_says_on_which_kind_of_cpu_it_is),
		cmocka_unit_test(generic_events_take_the_formats_of_their_pmu),
		cmocka_unit_test(events_of_all_instances_are_one_word),
		cmocka_unit_test(instances_that_lack_a_term_are_left_out),
		cmocka_unit_test(what_sysfs_says_of_counts_is_kept),
		cmocka_unit_test(probes_are_made_by_terms),
		cmocka_unit_test(an_error_points_at_its_place),
		cmocka_unit_test(nobody_is_led_by_who_is_led),
		cmocka_unit_test(what_perf_has_and_strobe_has_no_use_for_is_refused),
		cmocka_unit_test(a_long_text_takes_no_longer_for_each_event),
	};

	return cmocka_run_group_tests(tests, make_trees, remove_trees);
}
