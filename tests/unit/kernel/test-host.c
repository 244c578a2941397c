#include "../../lib/tree.h"

#include <errno.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/host-counts.h"
#include "kernel/host-pmus.h"
#include "kernel/host-topology.h"
#include "kernel/host.h"

struct tree {
	char root[64];
	struct arena arena;
};

static void put(const struct tree *tree, const char *path, const char *text)
{
	tree_text(tree->root, path, text);
}

static void put_cpu(const struct tree *tree, int cpu, const char *name, const char *text)
{
	_cleanup_(str_done) struct str path = { 0 };

	str_addf(&path, "/sys/devices/system/cpu/cpu%d/%s", cpu, name);
	put(tree, str_text(&path), text);
}

static int set_up(void **state)
{
	struct tree *tree = xnew(struct tree);

	tree_new(tree->root);
	*state = tree;
	return 0;
}

static int tear_down(void **state)
{
	struct tree *tree = *state;

	tree_done(tree->root);
	arena_done(&tree->arena);
	free(tree);
	return 0;
}

static void an_x86_cpu_is_told_by_vendor_family_model_and_stepping(void **state)
{
	struct tree *tree = *state;

	put(tree, "/proc/cpuinfo",
	    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 78\n"
	    "model name\t: Intel(R)  Core(TM)   m7\nstepping\t: 3\n\nprocessor\t: 1\nmodel\t: 1\n");
	assert_string_equal(host_cpu_name(tree->root, &tree->arena), "Intel(R) Core(TM) m7");
	assert_string_equal(host_cpu_id(tree->root, &tree->arena), "GenuineIntel,6,78,3");
}

static void an_arm64_cpu_is_told_by_its_midr(void **state)
{
	struct tree *tree = *state;

	put(tree, "/proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\n");
	put_cpu(tree, 0, "regs/identification/midr_el1", "0x00000000410fd080\n");
	assert_null(host_cpu_name(tree->root, &tree->arena));
	assert_string_equal(host_cpu_id(tree->root, &tree->arena), "0x00000000410fd080");
}

static void cpus_that_are_off_are_counted_as_available(void **state)
{
	struct tree *tree = *state;

	put(tree, "/sys/devices/system/cpu/present", "0-3,8\n");
	put(tree, "/sys/devices/system/cpu/online", "0-1,8\n");
	put(tree, "/proc/meminfo", "MemTotal:       16299868 kB\nMemFree: 1 kB\n");
	assert_int_equal(host_cpus_available(tree->root), 9);
	assert_int_equal(host_cpus_online(tree->root), 3);
	assert_int_equal(host_memory_kb(tree->root), 16299868);
}

static void shared_sets_are_listed_once_and_what_is_not_told_is_minus_one(void **state)
{
	struct tree *tree = *state;
	struct machine_topology topology;

	for (int cpu = 0; cpu < 2; cpu++) {
		put_cpu(tree, cpu, "topology/core_siblings_list", "0-1\n"); /* the older name */
		put_cpu(tree, cpu, "topology/core_cpus_list", cpu ? "1\n" : "0\n");
		put_cpu(tree, cpu, "topology/core_id", cpu ? "7\n" : "0\n");
		put_cpu(tree, cpu, "topology/physical_package_id", "132\n");
	}
	host_topology_cpus(tree->root, 3, &tree->arena, &topology);
	assert_int_equal(topology.sockets.count, 1);
	assert_string_equal(topology.sockets.items[0], "0-1");
	assert_int_equal(topology.dies.count, 0);
	assert_int_equal(topology.threads.count, 2);
	assert_int_equal(topology.cpu_count, 3);
	assert_int_equal(topology.cpus[1].core, 7);
	assert_int_equal(topology.cpus[1].socket, 132);
	assert_int_equal(topology.cpus[1].die, -1);
	assert_int_equal(topology.cpus[2].core, -1);
}

static void put_cache(const struct tree *tree, int cpu, int index, const char *level,
		      const char *type, const char *cpus)
{
	static const char *const names[] = { "level", "type", "shared_cpu_list", "size",
					     "coherency_line_size" };
	const char *const texts[] = { level, type, cpus, "32K\n", "64\n" };

	for (size_t i = 0; i < 5; i++) {
		char path[128];

		(void)snprintf(path, sizeof(path), "cache/index%d/%s", index, names[i]);
		put_cpu(tree, cpu, path, texts[i]);
	}
}

static void each_cache_is_listed_once_by_level(void **state)
{
	struct tree *tree = *state;
	struct machine_caches caches;

	for (int cpu = 0; cpu < 2; cpu++) {
		put_cache(tree, cpu, 0, "1\n", "Data\n", cpu ? "1\n" : "0\n");
		put_cache(tree, cpu, 1, "2\n", "Unified\n", "0-1\n");
	}
	host_topology_caches(tree->root, 2, &tree->arena, &caches);
	assert_int_equal(caches.count, 3);
	assert_string_equal(caches.items[0].cpus, "0");
	assert_string_equal(caches.items[1].cpus, "1");
	assert_string_equal(caches.items[2].type, "Unified");
	assert_int_equal(caches.items[2].line_size, 64);
	assert_int_equal(host_cache_line_size(tree->root), 64);
}

static void nodes_have_memory_cpus_and_blocks(void **state)
{
	struct tree *tree = *state;
	struct machine_numa numa;
	struct machine_memory memory;

	put(tree, "/sys/devices/system/node/node0/meminfo",
	    "Node 0 MemTotal:  5334816 kB\nNode 0 MemFree:   42 kB\n");
	put(tree, "/sys/devices/system/node/node0/cpulist", "0-1\n");
	put(tree, "/sys/devices/system/node/node0/memory0/state", "online\n");
	put(tree, "/sys/devices/system/node/node0/memory70/state", "online\n");
	put(tree, "/sys/devices/system/node/node2/meminfo", "Node 2 MemTotal: 1 kB\n");
	put(tree, "/sys/devices/system/node/node2/cpulist", "\n");
	put(tree, "/sys/devices/system/memory/block_size_bytes", "8000000\n");
	host_topology_numa(tree->root, &tree->arena, &numa);
	assert_int_equal(numa.count, 2);
	assert_int_equal(numa.nodes[0].total_kb, 5334816);
	assert_int_equal(numa.nodes[0].free_kb, 42);
	assert_int_equal(numa.nodes[1].id, 2);
	assert_string_equal(numa.nodes[1].cpus, "");
	host_topology_memory(tree->root, &tree->arena, &memory);
	assert_int_equal(memory.count, 1);
	assert_int_equal(memory.block_size, 0x8000000);
	assert_int_equal(memory.nodes[0].bit_count, 71);
	assert_int_equal(memory.nodes[0].words[0], 1);
	assert_int_equal(memory.nodes[0].words[1], 1 << 6);
}

static void scheduling_domains_are_read_with_and_without_names(void **state)
{
	struct tree *tree = *state;
	struct machine_domains domains;

	assert_int_equal(host_topology_domains(tree->root, 2, &tree->arena, &domains), -ENOENT);
	put(tree, "/proc/schedstat",
	    "version 17\ntimestamp 1\ncpu0 0 0 0\ndomain0 MC 00000000,0000000b 0 0\n"
	    "domain1 PKG ff 0 0\ncpu1 0 0 0\ncpu99 0\ndomain0 MC 3 0\n");
	assert_int_equal(host_topology_domains(tree->root, 2, &tree->arena, &domains), 0);
	assert_int_equal(domains.version, 17);
	assert_int_equal(domains.max_count, 2);
	assert_int_equal(domains.cpus[0].count, 2);
	assert_string_equal(domains.cpus[0].items[0].name, "MC");
	assert_string_equal(domains.cpus[0].items[0].mask, "00000000,0000000b");
	assert_string_equal(domains.cpus[0].items[0].cpus, "0-1,3");
	assert_string_equal(domains.cpus[0].items[1].cpus, "0-7");
	assert_int_equal(domains.cpus[1].count, 0);

	put(tree, "/proc/schedstat", "version 15\ntimestamp 1\ncpu0 0\ndomain0 3 0 0\n");
	assert_int_equal(host_topology_domains(tree->root, 1, &tree->arena, &domains), 0);
	assert_null(domains.cpus[0].items[0].name);
	assert_string_equal(domains.cpus[0].items[0].cpus, "0-1");
}

static void pmus_are_listed_by_name_with_what_they_can_do(void **state)
{
	struct tree *tree = *state;
	struct machine_pmus pmus;
	struct machine_caps caps;
	struct machine_all_caps all;
	struct machine_hybrid hybrid;

	put(tree, "/sys/bus/event_source/devices/software/type", "1\n");
	put(tree, "/sys/bus/event_source/devices/cpu/type", "4\n");
	put(tree, "/sys/bus/event_source/devices/cpu/caps/max_precise", "3\n");
	put(tree, "/sys/bus/event_source/devices/cpu/caps/branches", "32\n");
	put(tree, "/sys/bus/event_source/devices/intel_pt/type", "9\n");
	put(tree, "/sys/bus/event_source/devices/intel_pt/caps/mtc", "1\n");
	put(tree, "/sys/bus/event_source/devices/strange/type", "what\n");
	host_pmus_list(tree->root, &tree->arena, &pmus);
	assert_int_equal(pmus.count, 3);
	assert_string_equal(pmus.items[0].name, "cpu");
	assert_int_equal(pmus.items[1].type, 9);
	host_pmus_caps(tree->root, "cpu", &tree->arena, &caps);
	assert_int_equal(caps.count, 2);
	assert_string_equal(caps.items[0].name, "branches");
	assert_string_equal(caps.items[0].value, "32");
	host_pmus_all_caps(tree->root, &pmus, &tree->arena, &all);
	assert_int_equal(all.count, 1);
	assert_string_equal(all.pmus[0].pmu, "intel_pt");
	host_pmus_hybrid(tree->root, &pmus, &tree->arena, &hybrid);
	assert_int_equal(hybrid.count, 0);

	put(tree, "/sys/bus/event_source/devices/cpu_core/type", "4\n");
	put(tree, "/sys/bus/event_source/devices/cpu_core/cpus", "0-3\n");
	put(tree, "/sys/bus/event_source/devices/cpu_atom/type", "7\n");
	put(tree, "/sys/bus/event_source/devices/cpu_atom/cpus", "4-11\n");
	host_pmus_list(tree->root, &tree->arena, &pmus);
	host_pmus_hybrid(tree->root, &pmus, &tree->arena, &hybrid);
	assert_int_equal(hybrid.count, 2);
	assert_string_equal(hybrid.items[1].pmu, "cpu_core");
	assert_string_equal(hybrid.items[1].cpus, "0-3");
}

static void a_machine_that_tells_nothing_has_nothing(void **state)
{
	struct tree *tree = *state;
	struct machine_topology topology;
	struct machine_caches caches;
	struct machine_numa numa;
	struct machine_memory memory;
	struct machine_pmus pmus;

	assert_null(host_cpu_name(tree->root, &tree->arena));
	assert_null(host_cpu_id(tree->root, &tree->arena));
	assert_int_equal(host_cpus_available(tree->root), 0);
	assert_int_equal(host_memory_kb(tree->root), 0);
	host_topology_cpus(tree->root, 0, &tree->arena, &topology);
	host_topology_caches(tree->root, 0, &tree->arena, &caches);
	host_topology_numa(tree->root, &tree->arena, &numa);
	host_topology_memory(tree->root, &tree->arena, &memory);
	host_pmus_list(tree->root, &tree->arena, &pmus);
	assert_int_equal(
		topology.threads.count + caches.count + numa.count + memory.count + pmus.count, 0);
}

static void both_clocks_of_a_pair_go_on(void **state)
{
	uint64_t tod_ns, clock_ns, later_tod_ns, later_clock_ns;

	assert_int_equal(host_clock_pair(1, &tod_ns, &clock_ns), 0);
	assert_int_equal(host_clock_pair(1, &later_tod_ns, &later_clock_ns), 0);
	assert_true(later_clock_ns >= clock_ns);
	assert_int_equal(host_clock_pair(4711, &tod_ns, &clock_ns), -EINVAL);
	assert_int_equal(host_clock_resolution_ns(4711), 0);
}

/* Two packages with a die of two cores each, the first of which runs two threads. */
static void what_a_machine_has_is_counted(void **state)
{
	static const char *const cores[] = { "0-1", "0-1", "2", "3", "4", "5" };
	struct tree *tree = *state;
	struct host_counts counts;

	put(tree, "/sys/devices/system/cpu/present", "0-7\n");
	put(tree, "/sys/devices/system/cpu/online", "0-5\n");
	put(tree, "/proc/cpuinfo", "model name\t: Some CPU @ 2.20GHz\n");
	for (int cpu = 0; cpu < 6; cpu++) {
		const char *package = cpu < 3 ? "0-2" : "3-5";

		put_cpu(tree, cpu, "topology/core_cpus_list", cores[cpu]);
		put_cpu(tree, cpu, "topology/package_cpus_list", package);
	}
	host_counts_load(tree->root, &counts);
	assert_int_equal(counts.cpus, 8);
	assert_int_equal(counts.cpus_online, 6);
	assert_int_equal(counts.cores, 5);
	assert_int_equal(counts.packages, 2);
	assert_int_equal(counts.dies, 2);
	assert_int_equal(counts.tsc_hz, 2200000000);
	assert_int_equal(counts.slots, 0);
	assert_true(counts.has_smt);
	assert_false(counts.has_pmem);
	put(tree, "/sys/devices/system/cpu/smt/active", "0\n");
	put(tree, "/sys/firmware/acpi/tables/NFIT", "NFIT");
	put(tree, "/sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots", "0x00000008\n");
	host_counts_load(tree->root, &counts);
	assert_false(counts.has_smt);
	assert_true(counts.has_pmem);
	assert_int_equal(counts.slots, 8);
	put(tree, "/proc/cpuinfo",
	    "model name\t: Some CPU\nflags\t\t: fpu constant_tsc\nbogomips\t: 5199.99\n");
	host_counts_load(tree->root, &counts);
	assert_int_equal(counts.tsc_hz, 2599995000);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(an_x86_cpu_is_told_by_vendor_family_model_and_stepping),
		CASE(an_arm64_cpu_is_told_by_its_midr),
		CASE(cpus_that_are_off_are_counted_as_available),
		CASE(shared_sets_are_listed_once_and_what_is_not_told_is_minus_one),
		CASE(each_cache_is_listed_once_by_level),
		CASE(nodes_have_memory_cpus_and_blocks),
		CASE(scheduling_domains_are_read_with_and_without_names),
		CASE(pmus_are_listed_by_name_with_what_they_can_do),
		CASE(a_machine_that_tells_nothing_has_nothing),
		CASE(what_a_machine_has_is_counted),
		cmocka_unit_test(both_clocks_of_a_pair_go_on),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
