/* host-counts.c - see host-counts.h. */
#include "kernel/host-counts.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/cpus.h"
#include "kernel/host-topology.h"
#include "kernel/host.h"
#include "kernel/perfevent.h"
#include "kernel/sysfile.h"
#include "kernel/userpage.h"

#define NS_PER_SEC 1000000000.0
#define DEVICES "/sys/bus/event_source/devices"

/* "Intel(R) Xeon(R) CPU @ 2.20GHz": such a name tells the rate of the time stamp counter. */
static uint64_t hz_of_name(const char *root, struct arena *arena)
{
	const char *name = host_cpu_name(root, arena);
	const char *at = name ? strrchr(name, '@') : NULL;
	char *unit;
	double rate;

	if (!at)
		return 0;
	rate = strtod(at + 1, &unit);
	if (rate > 0 && !strcmp(unit, "GHz"))
		return (uint64_t)(rate * 1e9 + 0.5);
	if (rate > 0 && !strcmp(unit, "MHz"))
		return (uint64_t)(rate * 1e6 + 0.5);
	return 0;
}

/*
 * Where the time stamp counter of x86 never changes its rate, the kernel has its delay loop's speed
 * from it, and "bogomips" is twice its MHz.
 */
static uint64_t hz_of_bogomips(const char *root, struct arena *arena)
{
	const char *flags = host_cpu_field(root, "flags", arena);
	const char *bogomips = host_cpu_field(root, "bogomips", arena);
	double value;

	if (!flags || !strstr(flags, "constant_tsc") || !bogomips ||
	    !str_to_double(bogomips, &value))
		return 0;
	return (uint64_t)(value * 500000 + 0.5);
}

/*
 * What the kernel reckons with: the page of an event says what to multiply ticks with to have
 * nanoseconds (perf_event_open(2), time_mult and time_shift). 0 where it does not.
 */
static uint64_t hz_of_kernel(void)
{
	const struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	_cleanup_(closep) int fd = perfevent_open(&attr, 0, -1, -1, false);
	const struct perf_event_mmap_page *page;
	uint64_t hz = 0;

	if (fd < 0 || userpage_map(fd, &page) < 0)
		return 0;
	if (page->cap_user_time && page->time_mult && page->time_shift < 64)
		hz = (uint64_t)(NS_PER_SEC * (double)(UINT64_C(1) << page->time_shift) /
					page->time_mult +
				0.5);
	userpage_unmap(page);
	return hz;
}

static bool has_smt(const char *root, const struct machine_topology *topology)
{
	int64_t active = sysfile_number(root, 10, -1, "/sys/devices/system/cpu/smt/active");

	if (active >= 0)
		return active > 0;
	for (size_t i = 0; i < topology->threads.count; i++) {
		_cleanup_(cpus_done) struct cpus cpus = { 0 };

		if (cpus_parse(&cpus, topology->threads.items[i], NULL) == 0 && cpus.count > 1)
			return true;
	}
	return false;
}

/* The PMU of Arm's CPUs says it; it has the name of the CPU, or of the architecture. */
static int64_t slots_of_pmus(const char *root, struct arena *arena)
{
	int64_t slots = 0;

	for (const char **name = sysfile_names(root, DEVICES, arena); *name && slots <= 0; name++)
		if (str_after(*name, "armv"))
			slots = sysfile_number(root, 16, 0, DEVICES "/%s/caps/slots", *name);
	return slots;
}

void host_counts_load(const char *root, struct host_counts *ret_counts)
{
	struct arena arena = { 0 };
	struct machine_topology topology;
	int64_t slots;

	host_topology_cpus(root, host_cpus_available(root), &arena, &topology);
	slots = slots_of_pmus(root, &arena);
	*ret_counts = (struct host_counts){
		.cpus = host_cpus_available(root),
		.cpus_online = host_cpus_online(root),
		.cores = topology.threads.count,
		/* Kernels that know of no dies are of machines whose packages have one each. */
		.dies = topology.dies.count ? topology.dies.count : topology.sockets.count,
		.packages = topology.sockets.count,
		.slots = slots > 0 ? (uint64_t)slots : 0,
		.has_smt = has_smt(root, &topology),
		.has_pmem = sysfile_head(root, &arena, "/sys/firmware/acpi/tables/NFIT") != NULL,
		.tsc_hz = root && *root ? 0 : hz_of_kernel(),
	};
	if (!ret_counts->tsc_hz)
		ret_counts->tsc_hz = hz_of_bogomips(root, &arena);
	if (!ret_counts->tsc_hz)
		ret_counts->tsc_hz = hz_of_name(root, &arena);
	arena_done(&arena);
}
