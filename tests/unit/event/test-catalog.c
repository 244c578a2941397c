#include "../../lib/tree.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "base/mem.h"
#include "data/attr.h"
#include "event/catalog.h"

static char root[32];

#define PMU "sys/bus/event_source/devices/"

static void put(const char *path, const char *text)
{
	tree_text(root, path, text);
}

static int make_trees(void **state)
{
	tree_new(root);
	put(PMU "cpu/type", "4\n");
	put(PMU "cpu/format/event", "config:0-7\n");
	put(PMU "cpu/format/umask", "config:8-15\n");
	put(PMU "cpu/events/cpu-cycles", "event=0x3c\n");
	put(PMU "uncore_imc_0/type", "20\n");
	put(PMU "uncore_imc_0/cpumask", "0\n");
	put(PMU "uncore_imc_0/format/event", "config:0-7\n");
	put(PMU "uncore_imc_0/events/reads", "event=0x04\n");
	put(PMU "uncore_imc_0/events/reads.unit", "MiB\n");
	put(PMU "uncore_imc_1/type", "21\n");
	put(PMU "uncore_imc_1/format/event", "config:0-7\n");
	put(PMU "uncore_imc_1/events/reads", "event=0x04\n");
	put("proc/cpuinfo",
	    "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nstepping\t: 1\n");
	put("sys/kernel/tracing/events/sched/sched_switch/id", "314\n");
	put("sys/kernel/tracing/events/sched/sched_wakeup/id", "315\n");
	return 0;
}

static int remove_trees(void **state)
{
	tree_done(root);
	return 0;
}

static const struct event_row *find(const struct catalog *catalog, const char *name)
{
	static const struct event_row none = { .name = "" };

	for (size_t i = 0; i < catalog->rows.count; i++)
		if (!strcmp(catalog->rows.items[i].name, name))
			return &catalog->rows.items[i];
	fail_msg("no event '%s'", name);
	return &none;
}

static void each_kind_has_its_events(void **state)
{
	const struct catalog_options all = { .root = root, .kinds = ~0U, .metrics = true };
	_cleanup_(catalog_done) struct catalog catalog = { 0 };
	const struct event_row *row;

	catalog_load(&catalog, &all);
	row = find(&catalog, "cycles");
	assert_int_equal(row->kind, EVENT_ROW_HARDWARE);
	assert_string_equal(row->alias, "cpu-cycles");
	assert_int_equal(row->state, EVENT_ROW_OPENS);
	row = find(&catalog, "dTLB-store-misses");
	assert_int_equal(row->kind, EVENT_ROW_CACHE);
	assert_string_equal(row->text, "Stores that missed the TLB for data");
	assert_string_equal(row->encoding, "hw-cache/config=0x10103/");
	assert_string_equal(find(&catalog, "num_cpus")->encoding, "tool/config=0x6/");
	row = find(&catalog, "cpu/cpu-cycles/");
	assert_string_equal(row->alias, "cpu-cycles");
	row = find(&catalog, "ex_ret_instr");
	assert_int_equal(row->kind, EVENT_ROW_VENDOR);
	assert_string_equal(row->vendor, "AMD Zen 4");
	assert_string_equal(row->encoding, "cpu/event=0xc0/");
	row = find(&catalog, "cpu/event=0..0xff,umask=0..0xff/modifier");
	assert_int_equal(row->kind, EVENT_ROW_RAW);
	assert_int_equal(find(&catalog, "sched:sched_switch")->kind, EVENT_ROW_TRACEPOINT);
	assert_true(catalog.rows.metric_count > 5);
	assert_true(catalog.rows.group_count > 2);
	assert_true(strcmp(catalog.rows.groups[0], catalog.rows.groups[1]) < 0);
}

static void pmus_that_are_alike_are_one_unless_asked_for(void **state)
{
	struct catalog_options options = { .root = root, .kinds = 1U << EVENT_ROW_PMU };
	_cleanup_(catalog_done) struct catalog one = { 0 }, each = { 0 };

	catalog_load(&one, &options);
	assert_int_equal(one.rows.count, 2);
	assert_string_equal(one.rows.items[1].name, "uncore_imc/reads/");
	assert_string_equal(one.rows.items[1].unit, "MiB");
	options.all_instances = true;
	catalog_load(&each, &options);
	assert_int_equal(each.rows.count, 3);
	assert_string_equal(each.rows.items[2].name, "uncore_imc_1/reads/");
}

/* A machine without hardware counters, whose uncore is not for this user. */
static int opens(const struct attr *attr, const char *cpus)
{
	if (attr->type == 20)
		return cpus && !strcmp(cpus, "0") ? -EACCES : -EINVAL;
	return attr->type == PERF_TYPE_SOFTWARE || attr->type == PERF_TYPE_TRACEPOINT ? 0 : -ENOENT;
}

static void what_does_not_open_is_marked(void **state)
{
	const struct catalog_options all = { .root = root, .kinds = ~0U, .try_open = opens };
	_cleanup_(catalog_done) struct catalog catalog = { 0 };

	catalog_load(&catalog, &all);
	assert_int_equal(find(&catalog, "cycles")->state, EVENT_ROW_MISSING);
	assert_int_equal(find(&catalog, "ex_ret_instr")->state, EVENT_ROW_MISSING);
	assert_int_equal(find(&catalog, "page-faults")->state, EVENT_ROW_OPENS);
	assert_int_equal(find(&catalog, "sched:sched_wakeup")->state, EVENT_ROW_OPENS);
	assert_int_equal(find(&catalog, "uncore_imc/reads/")->state, EVENT_ROW_FORBIDDEN);
	assert_int_equal(catalog.rows.metric_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_has_its_events),
		cmocka_unit_test(pmus_that_are_alike_are_one_unless_asked_for),
		cmocka_unit_test(what_does_not_open_is_marked),
	};

	return cmocka_run_group_tests(tests, make_trees, remove_trees);
}
