/* probe.c - see probe.h. */
#include "kernel/probe.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/hw_breakpoint.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/kerneltext.h"
#include "kernel/pmu.h"
#include "kernel/privileges.h"
#include "kernel/probe-event.h"
#include "kernel/procmaps.h"
#include "kernel/ring.h"
#include "kernel/sysctl.h"
#include "kernel/tracefs.h"

enum {
	RING_SIZE = 512 * 1024, /* bytes: as much as a recording takes for each CPU */
	SPIN_NS = 50000000,     /* how long a sampled loop runs */
	SAMPLE_NS = 1000000,
};

static enum probe_result probe_level(struct str *details, struct strobe_err *err)
{
	int64_t level;
	int r = sysctl_read(NULL, SYSCTL_PARANOID, &level);

	if (r < 0) {
		(void)err_set(err, r, "this kernel has no " SYSCTL_PARANOID);
		(void)err_hint(err, r, "it was built without CONFIG_PERF_EVENTS, or hides it");
		return PROBE_SKIP;
	}
	str_addf(details, "kernel.perf_event_paranoid is %" PRId64 "\n", level);
	if (level <= 0 || privileges_has_cap(CAP_PERFMON) || privileges_has_cap(CAP_SYS_ADMIN))
		return PROBE_OK;
	(void)err_set(err, -EACCES, "only %s: kernel.perf_event_paranoid is %" PRId64,
		      level == 1 ? "own programs" : "own programs, outside of the kernel", level);
	(void)err_hint(err, -EACCES, "as root: sysctl kernel.perf_event_paranoid=0");
	return PROBE_SKIP;
}

static enum probe_result probe_clock(struct str *details, struct strobe_err *err)
{
	struct probe_event event = probe_event_clock("task-clock:u");

	return probe_event_try(&event, err);
}

static enum probe_result probe_kernel_clock(struct str *details, struct strobe_err *err)
{
	struct probe_event event = probe_event_clock("task-clock");

	event.attr.exclude_kernel = 0;
	return probe_event_try(&event, err);
}

static enum probe_result probe_all_tasks(struct str *details, struct strobe_err *err)
{
	struct probe_event event = probe_event_clock("cpu-clock");

	event.attr.config = PERF_COUNT_SW_CPU_CLOCK;
	event.attr.exclude_kernel = 0;
	event.all_tasks = true;
	return probe_event_try(&event, err);
}

static struct probe_event cycles(void)
{
	struct probe_event event = probe_event_clock("cycles:u");

	event.attr.type = PERF_TYPE_HARDWARE;
	event.attr.config = PERF_COUNT_HW_CPU_CYCLES;
	event.is_hardware = true;
	return event;
}

static enum probe_result probe_cycles(struct str *details, struct strobe_err *err)
{
	struct probe_event event = cycles();

	return probe_event_try(&event, err);
}

static enum probe_result probe_precise(struct str *details, struct strobe_err *err)
{
	struct probe_event event = cycles();

	event.name = "cycles:upp";
	event.attr.sample_period = SAMPLE_NS;
	event.attr.precise_ip = 2;
	return probe_event_try(&event, err);
}

static enum probe_result probe_branches(struct str *details, struct strobe_err *err)
{
	struct probe_event event = cycles();

	event.name = "cycles:u with branches";
	event.attr.sample_period = SAMPLE_NS;
	event.attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
	return probe_event_try(&event, err);
}

static void sleep_shortly(void *context)
{
	const struct timespec time = { .tv_nsec = 1000000 };

	(void)nanosleep(&time, NULL);
}

static enum probe_result probe_tracepoints(struct str *details, struct strobe_err *err)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	struct probe_event event = probe_event_clock("sched:sched_switch");
	int r = tracefs_open(NULL, &tracefs, err);
	uint64_t id = 0;

	if (r < 0)
		return PROBE_SKIP;
	str_addf(details, "tracefs is at %s\n", tracefs_path(tracefs));
	r = tracefs_event_id(tracefs, "sched", "sched_switch", &id);
	if (r < 0) {
		(void)err_set(err, r, "cannot read the number of 'sched:sched_switch': %s",
			      strerror(-r));
		(void)err_hint(err, r,
			       "tracepoints are read by root, or by whom tracefs is mounted for");
		return PROBE_SKIP;
	}
	event.attr.type = PERF_TYPE_TRACEPOINT;
	event.attr.config = id;
	event.attr.exclude_kernel = 0;
	event.is_tracepoint = true;
	return probe_event_count(&event, sleep_shortly, NULL, false, details, err);
}

static void write_to(void *watched)
{
	*(volatile uint64_t *)watched = 1;
}

static enum probe_result probe_breakpoints(struct str *details, struct strobe_err *err)
{
	struct probe_event event = probe_event_clock("mem:ADDRESS:w:u");
	uint64_t watched;

	event.attr.type = PERF_TYPE_BREAKPOINT;
	event.attr.config = 0;
	event.attr.bp_type = HW_BREAKPOINT_W;
	event.attr.bp_addr = (uintptr_t)&watched;
	event.attr.bp_len = HW_BREAKPOINT_LEN_8;
	return probe_event_count(&event, write_to, &watched, true, details, err);
}

/* Where in the program's file a function of it begins. */
static bool find_offset(uintptr_t address, struct str *ret_path, uint64_t *ret_offset)
{
	_cleanup_(procmaps_done) struct procmaps maps = { 0 };
	struct procmaps_entry entry;

	if (procmaps_open(&maps, NULL, getpid()) < 0)
		return false;
	while (procmaps_next(&maps, &entry)) {
		if (address < entry.start || address >= entry.end)
			continue;
		str_add(ret_path, entry.name);
		*ret_offset = address - entry.start + entry.pgoff;
		return true;
	}
	return false;
}

static enum probe_result load_probe_pmu(const char *name, struct probe_event *event,
					struct strobe_err *err)
{
	_cleanup_(pmu_freep) struct pmu *pmu = NULL;
	int r = pmu_load(NULL, name, &pmu, err);

	if (r < 0) {
		(void)err_set(err, r, "this kernel has no '%s' events", name);
		(void)err_hint(err, r, "it was built without them, or is older than 4.17");
		return PROBE_SKIP;
	}
	event->attr.type = pmu->type;
	event->attr.config = 0;
	event->attr.exclude_kernel = 0;
	event->is_probe = true;
	return PROBE_OK;
}

static enum probe_result probe_kprobes(struct str *details, struct strobe_err *err)
{
	struct probe_event event = probe_event_clock("a probe in the kernel");
	enum probe_result result = load_probe_pmu("kprobe", &event, err);

	if (result != PROBE_OK)
		return result;
	event.attr.kprobe_func = (uintptr_t) "process_vm_rw";
	return probe_event_count(&event, sleep_shortly, NULL, false, details, err);
}

/* What a probe is put on. */
static __attribute__((noinline)) void call_here(void *context)
{
	__asm__ volatile("" ::: "memory");
}

static enum probe_result probe_uprobes(struct str *details, struct strobe_err *err)
{
	_cleanup_(str_done) struct str path = { 0 };
	struct probe_event event = probe_event_clock("a probe in a program");
	enum probe_result result = load_probe_pmu("uprobe", &event, err);
	uint64_t offset;

	if (result != PROBE_OK)
		return result;
	if (!find_offset((uintptr_t)call_here, &path, &offset)) {
		(void)err_set(err, -ENOENT, "this program does not find itself in its mappings");
		return PROBE_FAILED;
	}
	event.attr.uprobe_path = (uintptr_t)path.text;
	event.attr.probe_offset = offset;
	return probe_event_count(&event, call_here, NULL, true, details, err);
}

static void spin(uint64_t ns)
{
	struct timespec begin, now;

	(void)clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		(void)clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((uint64_t)(now.tv_sec - begin.tv_sec) * 1000000000 + (uint64_t)now.tv_nsec -
			 (uint64_t)begin.tv_nsec <
		 ns);
}

static enum probe_result probe_ring(struct str *details, struct strobe_err *err)
{
	struct probe_event event = probe_event_clock("task-clock:u");
	_cleanup_(closep) int fd = -1;
	struct ring ring = { 0 };
	struct iovec spans[2];
	enum probe_result result;
	size_t size = 0;
	int r;

	event.attr.sample_period = SAMPLE_NS;
	event.attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	result = probe_event_open(&event, &fd, err);
	if (result != PROBE_OK)
		return result;
	r = ring_open(&ring, fd, RING_SIZE);
	if (r < 0) {
		(void)err_set(err, r, "a ring of %d KiB cannot be mapped: %s", RING_SIZE / 1024,
			      strerror(-r));
		(void)err_hint(err, r,
			       "as root: raise sysctl " SYSCTL_MLOCK_KB ", or ulimit -l; or record "
			       "with a smaller -m");
		return PROBE_SKIP;
	}
	spin(SPIN_NS);
	for (size_t i = 0, count = ring_spans(&ring, spans); i < count; i++)
		size += spans[i].iov_len;
	ring_close(&ring);
	str_addf(details, "%zu bytes of samples in %d ms\n", size, SPIN_NS / 1000000);
	if (size > 0)
		return PROBE_OK;
	(void)err_set(err, -EIO, "no samples of 'task-clock:u' came in %d ms", SPIN_NS / 1000000);
	return PROBE_FAILED;
}

static enum probe_result probe_chains(struct str *details, struct strobe_err *err)
{
	struct probe_event event = probe_event_clock("task-clock with call chains");
	int64_t depth = 0;

	event.attr.exclude_kernel = 0;
	event.attr.sample_period = SAMPLE_NS;
	event.attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
	if (sysctl_read(NULL, SYSCTL_MAX_STACK, &depth) == 0)
		str_addf(details, "of at most %" PRId64 " frames\n", depth);
	return probe_event_try(&event, err);
}

/* A dummy event that is only there for records beside the samples. */
static struct probe_event records(const char *name)
{
	struct probe_event event = probe_event_clock(name);

	event.attr.config = PERF_COUNT_SW_DUMMY;
	event.attr.mmap = 1;
	event.attr.mmap2 = 1;
	return event;
}

static enum probe_result older_than(enum probe_result result, const char *version,
				    struct strobe_err *err)
{
	if (result == PROBE_SKIP && err && (err->code == -EINVAL || err->code == -E2BIG)) {
		(void)err_set(err, err->code, "this kernel has none");
		(void)err_hint(err, err->code, "kernels have them from %s on", version);
	}
	return result;
}

static enum probe_result probe_build_ids(struct str *details, struct strobe_err *err)
{
	struct probe_event event = records("records of mappings with build-ids");

	event.attr.build_id = 1;
	return older_than(probe_event_try(&event, err), "5.12", err);
}

static enum probe_result probe_bpf(struct str *details, struct strobe_err *err)
{
	struct probe_event event = records("records of BPF programs");

	event.attr.exclude_kernel = 0;
	event.attr.ksymbol = 1;
	event.attr.bpf_event = 1;
	return older_than(probe_event_try(&event, err), "5.1", err);
}

static enum probe_result probe_cgroups(struct str *details, struct strobe_err *err)
{
	struct probe_event event = records("records of control groups");

	event.attr.cgroup = 1;
	event.attr.sample_type = PERF_SAMPLE_CGROUP;
	return older_than(probe_event_try(&event, err), "5.7", err);
}

static enum probe_result probe_switches(struct str *details, struct strobe_err *err)
{
	struct probe_event event = records("records of context switches");

	event.attr.context_switch = 1;
	return older_than(probe_event_try(&event, err), "4.3", err);
}

static enum probe_result probe_symbols(struct str *details, struct strobe_err *err)
{
	struct kerneltext text;
	int r = kerneltext_load(NULL, &text);

	if (r == 0) {
		str_addf(details, "%s is at %#" PRIx64 "\n", text.symbol, text.start);
		return PROBE_OK;
	}
	if (r == -EACCES) {
		(void)err_set(err, r, "the kernel hides where its code is");
		(void)err_hint(err, r, "%s", kerneltext_advice(NULL));
	} else {
		(void)err_set(err, r, "cannot read %s: %s", kerneltext_kallsyms(), strerror(-r));
		(void)err_hint(err, r, "it takes CONFIG_KALLSYMS");
	}
	return PROBE_SKIP;
}

static enum probe_result probe_kernel_build_id(struct str *details, struct strobe_err *err)
{
	uint8_t id[KERNELTEXT_BUILD_ID];
	size_t size = kerneltext_build_id(NULL, id);

	if (size == 0) {
		(void)err_set(err, -ENOENT, "this kernel does not tell its build-id");
		(void)err_hint(err, -ENOENT,
			       "recordings cannot tell it from others of its version");
		return PROBE_SKIP;
	}
	str_add_hex(details, id, size);
	str_add_char(details, '\n');
	return PROBE_OK;
}

const struct probe probe_table[] = {
	{ "What kernel.perf_event_paranoid allows", probe_level },
	{ "Clock of an own program", probe_clock },
	{ "Clock of an own program, in the kernel too", probe_kernel_clock },
	{ "Clock of all that runs", probe_all_tasks },
	{ "Hardware counter of cycles", probe_cycles },
	{ "Precise samples", probe_precise },
	{ "Branch records", probe_branches },
	{ "Tracepoints", probe_tracepoints },
	{ "Breakpoints", probe_breakpoints },
	{ "Probes in the kernel", probe_kprobes },
	{ "Probes in programs", probe_uprobes },
	{ "Samples in a ring", probe_ring },
	{ "Call chains", probe_chains },
	{ "Build-ids of mappings", probe_build_ids },
	{ "BPF programs", probe_bpf },
	{ "Control groups", probe_cgroups },
	{ "Context switches", probe_switches },
	{ "Symbols of the kernel", probe_symbols },
	{ "Build-id of the kernel", probe_kernel_build_id },
	{ .what = NULL },
};
