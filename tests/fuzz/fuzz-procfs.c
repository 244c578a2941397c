/* fuzz-procfs.c - any texts as files of /proc, and as the CPUs and nodes of /sys. */
#include <assert.h>
#include <string.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/machine.h"
#include "fuzz-tree.h"
#include "fuzz.h"
#include "kernel/cgroup.h"
#include "kernel/cpus.h"
#include "kernel/cputime.h"
#include "kernel/host-topology.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "kernel/procmaps.h"

#define CPU "sys/devices/system/cpu/"
#define NODE "sys/devices/system/node/node0/"

static const char *const files[] = {
	"proc/7/maps",
	"proc/7/status",
	"proc/7/comm",
	"proc/mounts",
	"proc/stat",
	"proc/schedstat",
	"proc/cpuinfo",
	"proc/meminfo",
	CPU "online",
	CPU "present",
	CPU "cpu0/topology/core_cpus_list",
	CPU "cpu0/topology/package_cpus_list",
	CPU "cpu0/topology/core_id",
	CPU "cpu0/cache/index0/level",
	CPU "cpu0/cache/index0/shared_cpu_list",
	NODE "meminfo",
	NODE "cpulist",
};

static void read_process(const char *root)
{
	struct procmaps maps;
	struct procmaps_entry entry;
	struct proc_task task;

	if (proc_task(root, 7, &task) == 0)
		assert(task.pid > 0 && memchr(task.comm, 0, sizeof(task.comm)));
	if (procmaps_open(&maps, root, 7) < 0)
		return;
	while (procmaps_next(&maps, &entry))
		assert(entry.start <= entry.end && entry.name);
	procmaps_done(&maps);
}

static void read_cpus(const char *root)
{
	struct cpus cpus = { 0 };
	struct cputime before = { 0 }, now = { 0 };

	if (cpus_online(&cpus, root, NULL) == 0) {
		for (size_t i = 1; i < cpus.count; i++)
			assert(cpus.items[i - 1] < cpus.items[i]);
	}
	cpus_done(&cpus);
	cputime_read(root, &before);
	cputime_read(root, &now);
	for (size_t i = 0; i < now.count; i++)
		assert(cputime_percent(&before, &now, now.items[i].cpu) <= 100);
	cputime_done(&before);
	cputime_done(&now);
}

static void read_machine(const char *root)
{
	struct arena arena = { 0 };
	struct machine_topology topology = { 0 };
	struct machine_caches caches = { 0 };
	struct machine_numa numa = { 0 };
	struct machine_memory memory = { 0 };
	struct machine_domains domains = { 0 };

	(void)host_cpu_name(root, &arena);
	(void)host_cpu_id(root, &arena);
	(void)host_memory_kb(root);
	(void)host_cpus_available(root);
	(void)host_cpus_online(root);
	host_topology_cpus(root, 2, &arena, &topology);
	host_topology_caches(root, 2, &arena, &caches);
	host_topology_numa(root, &arena, &numa);
	host_topology_memory(root, &arena, &memory);
	(void)host_topology_domains(root, 2, &arena, &domains);
	arena_done(&arena);
}

static void find_cgroup(const char *root)
{
	int fd = cgroup_open(root, "0::/a/b", NULL);

	if (fd >= 0)
		(void)close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *root = fuzz_tree();

	fuzz_tree_files(files, sizeof(files) / sizeof(files[0]), bytes, size);
	read_process(root);
	read_cpus(root);
	read_machine(root);
	find_cgroup(root);
	return 0;
}
