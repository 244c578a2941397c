#include "../../lib/tree.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/header-features.h"
#include "collect/tracepoint-formats.h"
#include "data/buildids.h"
#include "data/datafile.h"
#include "data/eventdesc.h"
#include "data/feature.h"
#include "data/topology.h"
#include "data/writer.h"
#include "format/tracing-data.h"
#include "kernel/tracefs.h"
#include "strobe/err.h"

struct tree {
	char root[64], data[80];
};

static void put(const struct tree *tree, const char *path, const char *text)
{
	tree_text(tree->root, path, text);
}

static int set_up(void **state)
{
	struct tree *tree = xnew(struct tree);

	tree_new(tree->root);
	(void)snprintf(tree->data, sizeof(tree->data), "%s/perf.data", tree->root);
	*state = tree;
	return 0;
}

static int tear_down(void **state)
{
	struct tree *tree = *state;

	tree_done(tree->root);
	free(tree);
	return 0;
}

static void put_machine(const struct tree *tree)
{
	put(tree, "/proc/cpuinfo",
	    "vendor_id\t: V\ncpu family\t: 1\nmodel\t: 2\nmodel name\t: N\nstepping\t: 3\n");
	put(tree, "/proc/meminfo", "MemTotal: 4711 kB\n");
	put(tree, "/sys/devices/system/cpu/present", "0-1\n");
	put(tree, "/sys/devices/system/cpu/online", "0\n");
	put(tree, "/sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0-1\n");
	put(tree, "/sys/devices/system/cpu/cpu0/topology/core_id", "5\n");
	put(tree, "/sys/bus/event_source/devices/software/type", "1\n");
}

/* A recording with one empty round and the header of the options. */
static struct datafile *record(const struct tree *tree, struct header_features_options *options)
{
	static const uint64_t ids[] = { 11, 12 };
	static const struct writer_event event = {
		.attr = { .type = PERF_TYPE_SOFTWARE, .size = 136, .sample_period = 4000 },
		.name = "cpu-clock:u",
		.ids = ids,
		.id_count = 2,
	};
	struct perf_event_header round = { .type = RECORD_FINISHED_ROUND, .size = sizeof(round) };
	struct iovec span = { &round, sizeof(round) };
	struct datafile *file;
	struct writer *writer;

	options->events = &event;
	options->event_count = 1;
	assert_int_equal(writer_open(tree->data, &writer, NULL), 0);
	assert_int_equal(writer_events(writer, &event, 1, NULL), 0);
	assert_int_equal(writer_records(writer, &span, 1, NULL), 0);
	assert_int_equal(header_features_write(options, writer, NULL), 0);
	assert_int_equal(writer_finish(writer, NULL), 0);
	assert_int_equal(datafile_open(tree->data, &file, NULL), 0);
	return file;
}

static const void *section(const struct datafile *file, enum feature feature, size_t *ret_size)
{
	const void *bytes = datafile_feature(file, feature, ret_size);

	assert_non_null(bytes);
	return bytes;
}

static void a_recording_says_what_it_was_made_of(void **state)
{
	static const char *const argv[] = { "record", "-e", "cpu-clock:u", NULL };
	struct tree *tree = *state;
	struct header_features_options options = {
		.root = tree->root, .version = "9.9", .argv = argv, .first_ns = 5, .last_ns = 7
	};
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct arena arena = { 0 };
	struct machine_list words;
	struct machine_topology topology;
	struct eventdesc_list events;
	struct feature_nrcpus cpus;
	struct feature_sample_time time;
	const char *text;
	const void *bytes;
	size_t size;

	put_machine(tree);
	file = record(tree, &options);
	bytes = section(file, FEATURE_VERSION, &size);
	assert_int_equal(feature_string_decode(bytes, size, false, &text), 0);
	assert_string_equal(text, "9.9");
	bytes = section(file, FEATURE_CPUID, &size);
	assert_int_equal(feature_string_decode(bytes, size, false, &text), 0);
	assert_string_equal(text, "V,1,2,3");
	bytes = section(file, FEATURE_NRCPUS, &size);
	assert_int_equal(feature_nrcpus_decode(bytes, size, false, &cpus), 0);
	assert_int_equal(cpus.available, 2);
	assert_int_equal(cpus.online, 1);
	bytes = section(file, FEATURE_CMDLINE, &size);
	assert_int_equal(feature_cmdline_decode(bytes, size, false, &arena, &words), 0);
	assert_int_equal(words.count, 4);
	assert_int_equal(words.items[0][0], '/');
	assert_string_equal(words.items[3], "cpu-clock:u");
	bytes = section(file, FEATURE_CPU_TOPOLOGY, &size);
	assert_int_equal(topology_cpus_decode(bytes, size, false, 2, &arena, &topology), 0);
	assert_int_equal(topology.cpus[0].core, 5);
	assert_int_equal(topology.cpus[1].core, -1);
	bytes = section(file, FEATURE_EVENT_DESC, &size);
	assert_int_equal(eventdesc_decode(bytes, size, false, &arena, &events), 0);
	assert_string_equal(events.items[0].name, "cpu-clock:u");
	assert_int_equal(events.items[0].ids[1], 12);
	bytes = section(file, FEATURE_SAMPLE_TIME, &size);
	assert_int_equal(feature_sample_time_decode(bytes, size, false, &time), 0);
	assert_int_equal(time.last_ns, 7);
	arena_done(&arena);
}

static void what_is_not_known_or_not_so_is_left_out(void **state)
{
	struct tree *tree = *state;
	struct header_features_options options = { .root = tree->root, .version = "9.9" };
	_cleanup_(datafile_closep) struct datafile *file = record(tree, &options);
	static const enum feature missing[] = {
		FEATURE_TRACING_DATA, FEATURE_BUILD_ID,      FEATURE_NRCPUS,
		FEATURE_CPUDESC,      FEATURE_CPUID,         FEATURE_TOTAL_MEM,
		FEATURE_CPU_TOPOLOGY, FEATURE_NUMA_TOPOLOGY, FEATURE_BRANCH_STACK,
		FEATURE_GROUP_DESC,   FEATURE_CACHE,         FEATURE_MEM_TOPOLOGY,
		FEATURE_CLOCKID,      FEATURE_COMPRESSED,    FEATURE_CLOCK_DATA,
		FEATURE_CPU_PMU_CAPS, FEATURE_STAT,          FEATURE_HYBRID_TOPOLOGY,
	};
	size_t size;

	for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++)
		assert_null(datafile_feature(file, missing[i], &size));
	assert_non_null(datafile_feature(file, FEATURE_HOSTNAME, &size));
}

static void what_the_caller_knows_is_there_too(void **state)
{
	static const struct buildids_entry build_id = { .misc = PERF_RECORD_MISC_USER,
							.pid = -1,
							.id = { 0xab },
							.id_size = 20,
							.name = "/bin/x" };
	static const struct eventdesc_group group = { "mine", 0, 1 };
	struct tree *tree = *state;
	struct header_features_options options = {
		.root = tree->root,
		.version = "9.9",
		.build_ids = &build_id,
		.build_id_count = 1,
		.groups = &group,
		.group_count = 1,
		.use_clockid = true,
		.clockid = 1,
		.branch_stack = true,
	};
	_cleanup_(datafile_closep) struct datafile *file = record(tree, &options);
	struct buildids_walk walk;
	struct buildids_entry entry;
	struct feature_clock_data clock;
	const void *bytes;
	size_t size;

	bytes = section(file, FEATURE_BUILD_ID, &size);
	walk = buildids_begin(bytes, size, false);
	assert_true(buildids_next(&walk, &entry));
	assert_string_equal(entry.name, "/bin/x");
	bytes = section(file, FEATURE_CLOCK_DATA, &size);
	assert_int_equal(feature_clock_data_decode(bytes, size, false, &clock), 0);
	assert_int_equal(clock.clockid, 1);
	assert_true(clock.tod_ns > clock.clock_ns);
	(void)section(file, FEATURE_BRANCH_STACK, &size);
	assert_int_equal(size, 0);
	(void)section(file, FEATURE_GROUP_DESC, &size);
}

static void put_tracefs(const struct tree *tree)
{
	put(tree, "/sys/kernel/tracing/events/header_page", "page\n");
	put(tree, "/sys/kernel/tracing/events/header_event", "event\n");
	put(tree, "/sys/kernel/tracing/events/sched/sched_switch/format", "switch\n");
	put(tree, "/sys/kernel/tracing/events/sched/sched_switch/id", "5\n");
	put(tree, "/sys/kernel/tracing/events/sched/sched_wakeup/format", "wakeup\n");
	put(tree, "/sys/kernel/tracing/events/irq/irq_handler_entry/format", "irq\n");
	put(tree, "/sys/kernel/tracing/printk_formats", "0x1 : \"x\"\n");
}

static void formats_are_kept_by_system_each_once(void **state)
{
	static const char *const names[] = { "sched:sched_switch", "irq:irq_handler_entry",
					     "sched:sched_wakeup", "sched:sched_switch" };
	static const char *const expected[] = { "sched",    "switch\n", "sched",
						"wakeup\n", "irq",      "irq\n" };
	struct tree *tree = *state;
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(freep) void *bytes = NULL;
	struct tracing_data_part format;
	struct tracing_data_tail tail;
	struct tracing_data walk;
	const char *system;
	size_t size, count = 0;

	put_tracefs(tree);
	assert_int_equal(tracefs_open(tree->root, &tracefs, NULL), 0);
	assert_int_equal(tracepoint_formats_gather(tracefs, names, 4, &bytes, &size, NULL), 0);
	assert_int_equal(tracing_data_begin(&walk, bytes, size, NULL), 0);
	assert_int_equal(walk.head.long_size, sizeof(long));
	while (tracing_data_next(&walk, &system, &format)) {
		assert_true(count < 3);
		assert_string_equal(system, expected[2 * count]);
		assert_int_equal(format.size, strlen(expected[2 * count + 1]));
		assert_memory_equal(format.text, expected[2 * count + 1], format.size);
		count++;
	}
	assert_int_equal(count, 3);
	assert_int_equal(tracing_data_end(&walk, &tail, NULL), 0);
	assert_int_equal(tail.printk_formats.size, strlen("0x1 : \"x\"\n"));
	assert_ptr_equal(walk.at, walk.end);
}

static void a_format_that_is_not_there_is_named(void **state)
{
	static const char *const names[] = { "sched:no_such_event" };
	struct tree *tree = *state;
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	struct strobe_err err;
	void *bytes;
	size_t size;

	put_tracefs(tree);
	assert_int_equal(tracefs_open(tree->root, &tracefs, NULL), 0);
	assert_int_equal(tracepoint_formats_gather(tracefs, names, 1, &bytes, &size, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "events/sched/no_such_event/format"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_recording_says_what_it_was_made_of),
		CASE(what_is_not_known_or_not_so_is_left_out),
		CASE(what_the_caller_knows_is_there_too),
		CASE(formats_are_kept_by_system_each_once),
		CASE(a_format_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests_name("header-features", tests, NULL, NULL);
}
