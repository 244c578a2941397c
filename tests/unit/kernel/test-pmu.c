#include "../../lib/tree.h"

#include <errno.h>

#include "kernel/folder.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"

static char root[32];

static void put(const char *path, const char *text)
{
	tree_text(root, path, text);
}

static int make_trees(void **state)
{
	tree_new(root);
#define PMU "sys/bus/event_source/devices/"
	put(PMU "cpu_core/type", "4\n");
	put(PMU "cpu_core/cpus", "0-3\n");
	put(PMU "cpu_core/format/event", "config:0-7,32-35\n");
	put(PMU "cpu_core/format/edge", "config:18\n");
	put(PMU "cpu_core/format/ldlat", "config1:0-15\n");
	put(PMU "cpu_core/format/broken", "config9:70-\n");
	put(PMU "cpu_atom/type", "10\n");
	put(PMU "cpu_atom/cpus", "4-7\n");
	put(PMU "uncore_imc_0/type", "20\n");
	put(PMU "uncore_imc_0/cpumask", "0,8\n");
	put(PMU "uncore_imc_1/type", "21\n");
	put(PMU "power/type", "30\n");
	put(PMU "power/events/energy-pkg", "event=0x02\n");
	put(PMU "power/events/energy-pkg.scale", "2.5e-1\n");
	put(PMU "power/events/energy-pkg.unit", "Joules\n");
	put(PMU "power/events/energy-pkg.per-pkg", "1\n");
	put(PMU "power/events/energy-pkg.snapshot", "1\n");
	put("sys/kernel/tracing/events/sched/sched_switch/id", "314\n");
	put("sys/kernel/tracing/events/sched/sched_switch/format", "name: sched_switch\n");
	put("sys/kernel/tracing/events/sched/sched_wakeup/id", "315\n");
	return 0;
}

static int remove_trees(void **state)
{
	tree_done(root);
	return 0;
}

static void a_pmu_says_its_type_cpus_and_terms(void **state)
{
	_cleanup_(pmu_freep) struct pmu *pmu = NULL;
	uint64_t bits;

	assert_int_equal(pmu_load(root, "cpu_core", &pmu, NULL), 0);
	assert_int_equal(pmu->type, 4);
	assert_string_equal(pmu->cpus, "0-3");
	assert_true(pmu->is_core && pmu->is_hybrid);
	assert_int_equal(pmu->format_count, 3);
	assert_int_equal(pmu_find_format(pmu, "ldlat")->field, 1);
	assert_null(pmu_find_format(pmu, "broken"));
	assert_int_equal(pmu_format_value(pmu_find_format(pmu, "event"), 0x13c, &bits), 0);
	assert_true(bits == 0x10000003c);
	assert_int_equal(pmu_format_value(pmu_find_format(pmu, "edge"), 2, &bits), -ERANGE);
}

static void what_is_said_of_an_event_is_no_event(void **state)
{
	_cleanup_(pmu_freep) struct pmu *pmu = NULL;

	assert_int_equal(pmu_load(root, "power", &pmu, NULL), 0);
	assert_int_equal(pmu->event_count, 1);
	assert_string_equal(pmu_find_event(pmu, "Energy-PKG")->text, "event=0x02");
	assert_true(pmu->events[0].scale == 0.25);
	assert_string_equal(pmu->events[0].unit, "Joules");
	assert_true(pmu->events[0].per_package && pmu->events[0].is_snapshot);
}

static void a_pmu_that_is_not_there_is_not_found(void **state)
{
	_cleanup_(pmu_freep) struct pmu *pmu = NULL;

	assert_int_equal(pmu_load(root, "nope", &pmu, NULL), -ENOENT);
	assert_int_equal(pmu_load(root, "../devices/power", &pmu, NULL), -ENOENT);
}

static void instances_are_found_by_their_common_name(void **state)
{
	assert_true(pmu_is_meant("uncore_imc_1", "uncore_imc"));
	assert_true(pmu_is_meant("uncore_imc_1", "imc"));
	assert_true(pmu_is_meant("uncore_imc_1", "uncore_*"));
	assert_true(pmu_is_meant("uncore_imc", "imc"));
	assert_true(pmu_is_meant("arm_cmn_3a00", "arm_cmn"));
	assert_false(pmu_is_meant("arm_cmn_a0", "arm_cmn"));
	assert_false(pmu_is_meant("uncore_imc_free_running", "uncore_imc"));
	assert_false(pmu_is_meant("uncore_imc_1", "uncore_im"));
	assert_false(pmu_is_meant("_1", ""));
	assert_int_equal(pmu_stem_size("uncore_imc_12"), 10);
	assert_int_equal(pmu_stem_size("cpu_core"), 8);
}

static void core_pmus_are_those_that_name_their_cpus(void **state)
{
	_cleanup_(folder_names_done) struct folder_names names = { 0 }, events = { 0 };

	pmu_list(root, &names);
	assert_int_equal(names.count, 5);
	assert_string_equal(names.items[0], "cpu_atom");
	assert_true(pmu_is_core(root, "cpu_atom"));
	assert_false(pmu_is_core(root, "power"));
	assert_true(pmu_names_event(root, "power", "ENERGY-pkg"));
	assert_false(pmu_names_event(root, "power", "energy-pkg.unit"));
	pmu_list_events(root, "power", &events);
	assert_int_equal(events.count, 1);
	assert_string_equal(events.items[0], "energy-pkg");
}

static void tracefs_gives_ids_names_and_files(void **state)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(folder_names_done) struct folder_names names = { 0 };
	_cleanup_(freep) char *bytes = NULL;
	uint64_t id;
	size_t size;

	assert_int_equal(tracefs_open(root, &tracefs, NULL), 0);
	assert_int_equal(tracefs_event_id(tracefs, "sched", "sched_switch", &id), 0);
	assert_int_equal(id, 314);
	assert_int_equal(tracefs_event_id(tracefs, "sched", "nope", &id), -ENOENT);
	tracefs_list_events(tracefs, "sched", &names);
	assert_int_equal(names.count, 2);
	assert_int_equal(tracefs_read(tracefs, "events/sched/sched_switch/format", &bytes, &size),
			 0);
	assert_int_equal(size, 19);
	assert_int_equal(tracefs_read(tracefs, "../tracing/events", &bytes, &size), -EINVAL);
}

static void tracefs_that_is_not_there_is_an_error(void **state)
{
	struct tracefs *tracefs;

	assert_int_equal(tracefs_open("/nonexistent", &tracefs, NULL), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pmu_says_its_type_cpus_and_terms),
		cmocka_unit_test(what_is_said_of_an_event_is_no_event),
		cmocka_unit_test(a_pmu_that_is_not_there_is_not_found),
		cmocka_unit_test(instances_are_found_by_their_common_name),
		cmocka_unit_test(core_pmus_are_those_that_name_their_cpus),
		cmocka_unit_test(tracefs_gives_ids_names_and_files),
		cmocka_unit_test(tracefs_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, make_trees, remove_trees);
}
