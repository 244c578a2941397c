#include "../../lib/tree.h"

#include <errno.h>

#include "base/mem.h"
#include "event/eventlist.h"
#include "event/metric.h"
#include "event/tool-event.h"
#include "event/vendor.h"
#include "format/metric-formula.h"
#include "strobe/err.h"

static char root[32];

#define PMU "sys/bus/event_source/devices/"

/* A Sapphire Rapids, an AMD server beside it, and an Arm one: each below a folder of its own. */
static int make_trees(void **state)
{
	tree_new(root);
	tree_text(root, "spr/" PMU "cpu/type", "4\n");
	tree_text(root, "spr/" PMU "cpu/format/event", "config:0-7\n");
	tree_text(root, "spr/" PMU "cpu/format/umask", "config:8-15\n");
	tree_text(root, "spr/" PMU "cpu/events/slots", "event=0x00,umask=0x4\n");
	tree_text(root, "spr/" PMU "cpu/events/topdown-retiring", "event=0x00,umask=0x80\n");
	tree_text(root, "spr/proc/cpuinfo",
		  "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nstepping\t: 8\n");
	tree_text(root, "n1/" PMU "armv8_pmuv3_0/type", "8\n");
	tree_text(root, "n1/" PMU "armv8_pmuv3_0/cpus", "0-3\n");
	tree_text(root, "n1/" PMU "armv8_pmuv3_0/format/event", "config:0-15\n");
	tree_text(root, "n1/sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
		  "0x00000000413fd0c1\n");
	tree_text(root, "adl/" PMU "cpu_core/type", "4\n");
	tree_text(root, "adl/" PMU "cpu_core/cpus", "0-3\n");
	tree_text(root, "adl/" PMU "cpu_core/format/event", "config:0-7\n");
	tree_text(root, "adl/" PMU "cpu_atom/type", "10\n");
	tree_text(root, "adl/" PMU "cpu_atom/cpus", "4-7\n");
	tree_text(root, "adl/" PMU "cpu_atom/format/event", "config:0-7\n");
	tree_text(root, "adl/proc/cpuinfo",
		  "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 154\nstepping\t: 3\n");
	tree_text(root, "none/x", "");
	return 0;
}

static int remove_trees(void **state)
{
	tree_done(root);
	return 0;
}

struct fixture {
	char root[64];
	struct eventlist list;
	struct metric_list metrics;
	struct strobe_err err;
};

static void fixture_done(struct fixture *f)
{
	eventlist_done(&f->list);
	metric_list_done(&f->metrics);
}

static void use(struct fixture *f, const char *machine)
{
	(void)snprintf(f->root, sizeof(f->root), "%s/%s", root, machine);
	f->list.root = f->root;
	f->list.counts = true;
}

#define FIXTURE _cleanup_(fixture_done) struct fixture f = { 0 }

static void cpus_are_told_apart_by_their_numbers(void **state)
{
	static const struct {
		const char *id, *name;
	} cases[] = {
		{ "GenuineIntel,6,85,4", "Intel Skylake server" },
		{ "GenuineIntel,6,94,3", "Intel Skylake" },
		{ "GenuineIntel,6,106,6", "Intel Ice Lake server" },
		{ "GenuineIntel,6,143,8", "Intel Sapphire Rapids" },
		{ "AuthenticAMD,23,49,0", "AMD Zen 2" },
		{ "AuthenticAMD,25,1,1", "AMD Zen 3" },
		{ "AuthenticAMD,25,17,1", "AMD Zen 4" },
		{ "AuthenticAMD,26,2,1", "AMD Zen 5" },
		{ "0x00000000413fd0c1", "Arm Neoverse N1" },
		{ "0x00000000410fd490", "Arm Neoverse N2" },
		{ "0x00000000411fd401", "Arm Neoverse V1" },
		{ "0x00000000410fd4f0", "Arm Neoverse V2" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(vendor_of_cpu(cases[i].id, "cpu")->name, cases[i].name);
	assert_string_equal(vendor_of_cpu("GenuineIntel,6,151,2", "cpu_core")->name,
			    "Intel Alder Lake, performance cores");
	assert_string_equal(vendor_of_cpu("GenuineIntel,6,151,2", "cpu_atom")->name,
			    "Intel Alder Lake, efficient cores");
	assert_null(vendor_of_cpu("GenuineIntel,6,151,2", "cpu"));
	assert_null(vendor_of_cpu("AuthenticAMD,23,1,2", "cpu"));
	assert_null(vendor_of_cpu("GenuineIntel,6,79,1", "cpu"));
	assert_null(vendor_of_cpu("GenuineIntel,6", "cpu"));
	assert_null(vendor_of_cpu("0x00000000410fd034", "cpu"));
	assert_null(vendor_of_cpu("", "cpu"));
}

static void events_are_found_in_any_case(void **state)
{
	const struct vendor *vendor = vendor_of_cpu("GenuineIntel,6,85,4", "cpu");

	assert_string_equal(vendor_find_event(vendor, "INST_RETIRED.ANY_P")->terms, "event=0xc0");
	assert_string_equal(vendor_find_event(vendor, "longest_lat_cache.miss")->terms,
			    "event=0x2e,umask=0x41");
	assert_null(vendor_find_event(vendor, "ex_ret_instr"));
	assert_string_equal(vendor_with_event("ex_ret_instr")->name, "AMD Zen 2");
	assert_null(vendor_with_event("nope"));
}

/* What a formula may name beside the events of its table: what sysfs has, and tool events. */
static bool is_known(const struct vendor *vendor, const char *name)
{
	return vendor_find_event(vendor, name) || tool_event_find(name) ||
	       !strncmp(name, "topdown-", 8);
}

static void every_formula_can_be_read_and_names_what_there_is(void **state)
{
	const struct vendor *vendor;

	for (size_t i = 0; (vendor = vendor_at(i)); i++)
		for (size_t k = 0; k < vendor->metric_count; k++) {
			_cleanup_(metric_formula_freep) struct metric_formula *formula = NULL;

			assert_int_equal(
				metric_formula_parse(vendor->metrics[k].formula, &formula, NULL),
				0);
			for (size_t n = 0; n < metric_formula_count(formula); n++)
				assert_true(is_known(vendor, metric_formula_name(formula, n)));
		}
}

static void tables_are_in_order(void **state)
{
	const struct vendor *vendor;

	for (size_t i = 0; (vendor = vendor_at(i)); i++)
		for (size_t k = 0; k < vendor->event_count; k++)
			assert_ptr_equal(vendor_find_event(vendor, vendor->events[k].name),
					 &vendor->events[k]);
}

static void an_event_of_the_tables_has_the_formats_of_sysfs(void **state)
{
	FIXTURE;

	use(&f, "spr");
	assert_int_equal(
		eventlist_parse(&f.list, "longest_lat_cache.miss:u,cpu/INST_RETIRED.ANY/", &f.err),
		0);
	assert_int_equal(f.list.items[0].attr.type, 4);
	assert_int_equal(f.list.items[0].attr.config, 0x412e);
	assert_int_equal(f.list.items[0].attr.exclude_kernel, 1);
	assert_string_equal(f.list.items[0].name, "longest_lat_cache.miss:u");
	assert_int_equal(f.list.items[1].attr.config, 0xc0);
	assert_int_equal(eventlist_parse(&f.list, "ex_ret_instr", &f.err), -EINVAL);
	assert_string_equal(f.err.text, "this machine's CPUs have no event 'ex_ret_instr'");
	assert_string_equal(f.err.hint, "it is one of AMD Zen 2");
	assert_int_equal(eventlist_parse(&f.list, "longest_lat_cache.mis", &f.err), -EINVAL);
	assert_string_equal(f.err.hint, "did you mean 'longest_lat_cache.miss'?");
}

static void arm_events_are_those_of_the_pmus_cpus(void **state)
{
	FIXTURE;

	use(&f, "n1");
	assert_int_equal(eventlist_parse(&f.list, "br_mis_pred_retired", &f.err), 0);
	assert_int_equal(f.list.items[0].attr.type, 8);
	assert_int_equal(f.list.items[0].attr.config, 0x22);
	assert_string_equal(f.list.items[0].name, "br_mis_pred_retired");
	assert_int_equal(eventlist_parse(&f.list, "stall_slot", &f.err), -EINVAL);
}

static void a_metric_brings_its_events_as_a_weak_group(void **state)
{
	FIXTURE;

	use(&f, "spr");
	assert_int_equal(metric_add(&f.list, "IPC,cpu_frequency", &f.metrics, &f.err), 0);
	assert_int_equal(f.metrics.count, 2);
	assert_int_equal(f.list.count, 5);
	assert_string_equal(f.list.items[0].name, "inst_retired.any");
	assert_true(f.list.items[1].weak && f.list.items[1].leader == 0);
	assert_int_equal(f.metrics.items[1].events[2], 4);
	assert_int_equal(f.list.items[4].tool, TOOL_SYSTEM_TSC_FREQ);
	assert_int_equal(f.list.items[4].leader, 4);
	assert_string_equal(f.list.items[4].metric_id, "system_tsc_freq");
}

static void slots_lead_their_parts(void **state)
{
	FIXTURE;

	use(&f, "spr");
	assert_int_equal(metric_add(&f.list, "retiring", &f.metrics, &f.err), 0);
	assert_string_equal(f.list.items[0].name, "slots");
	assert_int_equal(f.metrics.items[0].events[0], 1);
	assert_int_equal(f.metrics.items[0].events[1], 0);
}

static void metrics_without_events_are_left_out_of_groups(void **state)
{
	FIXTURE;

	use(&f, "spr");
	assert_int_equal(metric_add(&f.list, "TopdownL1", &f.metrics, &f.err), 0);
	assert_int_equal(f.metrics.count, 1);
	assert_int_equal(f.list.count, 2);
	assert_int_equal(metric_add(&f.list, "backend_bound", &f.metrics, &f.err), -EINVAL);
	assert_string_equal(f.err.text,
			    "metric 'backend_bound' needs the event 'topdown-be-bound', "
			    "which this machine does not have");
	assert_int_equal(f.metrics.count, 1);
	assert_int_equal(f.list.count, 2);
}

static void groups_of_metrics_are_names_too(void **state)
{
	FIXTURE;

	use(&f, "n1");
	assert_int_equal(metric_add(&f.list, "branches", &f.metrics, &f.err), 0);
	assert_int_equal(f.metrics.count, 2);
	assert_string_equal(f.metrics.items[0].definition->name, "branch_miss_rate");
	assert_int_equal(metric_add(&f.list, "branch_mis_rate", &f.metrics, &f.err), -EINVAL);
	assert_string_equal(f.err.hint, "did you mean 'branch_miss_rate'?");
}

static void each_kind_of_cpu_has_its_metrics(void **state)
{
	FIXTURE;

	use(&f, "adl");
	assert_int_equal(metric_add(&f.list, "ipc", &f.metrics, &f.err), 0);
	assert_int_equal(f.metrics.count, 2);
	assert_string_equal(f.metrics.items[0].pmu, "cpu_atom");
	assert_string_equal(f.metrics.items[1].pmu, "cpu_core");
	assert_int_equal(f.list.count, 4);
	assert_string_equal(f.list.items[1].name, "cpu_atom/cpu_clk_unhalted.core/");
	assert_string_equal(f.list.items[2].name, "cpu_core/inst_retired.any/");
	assert_string_equal(f.list.items[2].metric_id, "inst_retired.any");
	assert_int_equal(f.list.items[3].leader, 2);
}

static void a_machine_without_a_pmu_has_no_metrics(void **state)
{
	FIXTURE;

	use(&f, "none");
	assert_int_equal(metric_add(&f.list, "ipc", &f.metrics, &f.err), -EINVAL);
	assert_non_null(strstr(f.err.text, "shows no PMU"));
	assert_int_equal(eventlist_parse(&f.list, "inst_retired.any", &f.err), -EINVAL);
	assert_string_equal(f.err.text,
			    "event 'inst_retired.any' needs a PMU, and this machine shows none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_are_told_apart_by_their_numbers),
		cmocka_unit_test(events_are_found_in_any_case),
		cmocka_unit_test(every_formula_can_be_read_and_names_what_there_is),
		cmocka_unit_test(tables_are_in_order),
		cmocka_unit_test(an_event_of_the_tables_has_the_formats_of_sysfs),
		cmocka_unit_test(arm_events_are_those_of_the_pmus_cpus),
		cmocka_unit_test(a_metric_brings_its_events_as_a_weak_group),
		cmocka_unit_test(slots_lead_their_parts),
		cmocka_unit_test(metrics_without_events_are_left_out_of_groups),
		cmocka_unit_test(groups_of_metrics_are_names_too),
		cmocka_unit_test(each_kind_of_cpu_has_its_metrics),
		cmocka_unit_test(a_machine_without_a_pmu_has_no_metrics),
	};

	return cmocka_run_group_tests(tests, make_trees, remove_trees);
}
