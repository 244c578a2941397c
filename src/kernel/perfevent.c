/* perfevent.c - see perfevent.h. */
#include "kernel/perfevent.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/cpus.h"
#include "kernel/privileges.h"
#include "kernel/proc.h"
#include "kernel/sysctl.h"

int perfevent_open(const void *attr, pid_t pid, int cpu, int group, bool in_cgroup)
{
	unsigned long flags = PERF_FLAG_FD_CLOEXEC | (in_cgroup ? PERF_FLAG_PID_CGROUP : 0);
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);

	return fd < 0 ? -errno : (int)fd;
}

int perfevent_try(const void *attr, const char *cpus)
{
	_cleanup_(cpus_done) struct cpus list = { 0 };
	int fd = perfevent_open(attr, 0, -1, -1, false);

	if (fd == -EINVAL) {
		if (cpus)
			(void)cpus_parse(&list, cpus, NULL);
		fd = perfevent_open(attr, -1, list.count ? list.items[0] : 0, -1, false);
	}
	if (fd < 0)
		return fd;
	(void)close(fd);
	return 0;
}

static int control(int fd, unsigned long what, unsigned long arg)
{
	return ioctl(fd, what, arg) < 0 ? -errno : 0;
}

int perfevent_enable(int fd)
{
	return control(fd, PERF_EVENT_IOC_ENABLE, 0);
}

int perfevent_disable(int fd)
{
	return control(fd, PERF_EVENT_IOC_DISABLE, 0);
}

int perfevent_set_filter(int fd, const char *filter)
{
	return control(fd, PERF_EVENT_IOC_SET_FILTER, (unsigned long)filter);
}

int perfevent_set_output(int fd, int ring_fd)
{
	return control(fd, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)ring_fd);
}

int perfevent_id(int fd, uint64_t *ret_id)
{
	uint64_t id = 0;
	int r = control(fd, PERF_EVENT_IOC_ID, (unsigned long)&id);

	if (r == 0)
		*ret_id = id;
	return r;
}

int perfevent_values(int fd, uint64_t *ret_values, size_t count)
{
	ssize_t size = read(fd, ret_values, count * sizeof(*ret_values));

	if (size < 0)
		return -errno;
	return size == 0 ? -EBUSY : (int)((size_t)size / sizeof(*ret_values));
}

/*
 * perf_event_open(2), "Reading results": value, enabled, running, id, lost, where of a group
 * the count comes first, the times once, and the leader is the first entry.
 */
uint64_t perfevent_lost(int fd, uint64_t read_format)
{
	enum { GROUP_MAX = 512 };
	uint64_t values[3 + 3 * GROUP_MAX];
	uint64_t before =
		read_format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_ID | PERF_FORMAT_GROUP);
	size_t at = 1 + (size_t)__builtin_popcountll(before);
	ssize_t size;

	if (!(read_format & PERF_FORMAT_LOST))
		return 0;
	size = read(fd, values, sizeof(values));
	return size >= (ssize_t)((at + 1) * sizeof(values[0])) ? values[at] : 0;
}

int perfevent_read(int fd, struct perfevent_count *ret_count)
{
	uint64_t values[5]; /* and the id, and what was lost */
	ssize_t size = read(fd, values, sizeof(values));

	if (size < 0)
		return -errno;
	if (size < (ssize_t)(3 * sizeof(values[0])))
		return -EIO;
	*ret_count = (struct perfevent_count){ values[0], values[1], values[2] };
	return 0;
}

/* Whatever the level allows: who may not trace a process may not watch it either. */
static bool is_another_users(const struct perfevent_request *request)
{
	struct proc_task task = { 0 };

	return request->pid > 0 && !request->in_cgroup && geteuid() != 0 &&
	       proc_task(NULL, request->pid, &task) == 0 && task.uid != geteuid();
}

static const char *binary_of(const struct perfevent_request *request)
{
	return request->binary ? request->binary : "the strobe binary";
}

static int refuse_another_users(int code, const struct perfevent_request *request,
				struct strobe_err *err)
{
	err_set(err, code, "no permission to watch process %d: it belongs to somebody else",
		(int)request->pid);
	return err_hint(err, code,
			"as root, or: setcap cap_perfmon,cap_sys_ptrace,cap_syslog+ep on %s",
			binary_of(request));
}

static int refuse_probe(int code, const struct perfevent_request *request, struct strobe_err *err)
{
	err_set(err, code, "no permission for '%s'", request->name);
	return err_hint(err, code, "run as root, or with CAP_SYS_ADMIN: CAP_PERFMON is not enough");
}

/* Tracepoints that the kernel marks as of use to everybody (TRACE_EVENT_FL_CAP_ANY). */
static bool is_for_all(const char *name)
{
	return str_after(name, "raw_syscalls:") || str_after(name, "syscalls:");
}

/*
 * What kernel.perf_event_paranoid forbids whom: perf_event_open(2), and the levels 3 and 4 that
 * only distributions' kernels have.
 */
static int explain_permission(int code, const struct perfevent_request *request,
			      struct strobe_err *err)
{
	const char *name = request->name;
	int64_t level = 2;
	int64_t enough = request->pid < 0 || request->in_cgroup ? 0 : 1;

	if (is_another_users(request))
		return refuse_another_users(code, request, err);
	if (request->is_probe && !privileges_has_cap(CAP_SYS_ADMIN))
		return refuse_probe(code, request, err);
	(void)sysctl_read(NULL, SYSCTL_PARANOID, &level);
	if (request->is_tracepoint && enough > 0 && !is_for_all(name))
		enough = -1;
	if (level <= enough || privileges_has_cap(CAP_PERFMON) ||
	    privileges_has_cap(CAP_SYS_ADMIN)) {
		err_set(err, code, "the kernel does not let you use '%s' here: %s", name,
			strerror(-code));
		if (request->pid > 0 && !request->in_cgroup && !privileges_has_cap(CAP_SYS_PTRACE))
			return err_hint(
				err, code,
				"another user's process needs CAP_SYS_PTRACE; a container's "
				"seccomp profile may also forbid perf_event_open");
		return err_hint(err, code,
				"a container's seccomp profile or a security module may forbid "
				"perf_event_open");
	}
	if (request->pid < 0 || request->in_cgroup)
		err_set(err, code,
			"no permission to watch all processes with '%s': "
			"kernel.perf_event_paranoid is %lld",
			name, (long long)level);
	else if (request->wants_kernel && level == 2)
		err_set(err, code,
			"no permission to watch the kernel with '%s': kernel.perf_event_paranoid "
			"is %lld",
			name, (long long)level);
	else
		err_set(err, code, "no permission for '%s': kernel.perf_event_paranoid is %lld",
			name, (long long)level);
	return err_hint(err, code,
			"as root: sysctl kernel.perf_event_paranoid=%lld, or: setcap "
			"cap_perfmon,cap_sys_ptrace,cap_syslog+ep on %s",
			(long long)enough, binary_of(request));
}

static int explain_absence(int code, const struct perfevent_request *request,
			   struct strobe_err *err)
{
	const char *name = request->name;

	err_set(err, code, "'%s' is not supported here", name);
	if (request->is_hardware)
		return err_hint(
			err, code,
			"this machine gives no hardware counters (a virtual machine without "
			"a vPMU?); 'cpu-clock' and 'task-clock' work everywhere");
	if (code == -ENODEV || code == -ENXIO)
		return err_hint(err, code, "its device is not there, or not on CPU %d",
				request->cpu);
	return err_hint(err, code, "'cpu-clock' and 'task-clock' work everywhere");
}

static int explain_descriptors(int code, const struct perfevent_request *request,
			       struct strobe_err *err)
{
	err_set(err, code, "too many open files: the events need %zu descriptors",
		request->fd_count);
	return err_hint(err, code,
			"raise the limit: ulimit -Hn %zu as root, or watch fewer threads, CPUs or "
			"events",
			request->fd_count + 64);
}

static int explain_invalid(int code, const struct perfevent_request *request,
			   struct strobe_err *err)
{
	err_set(err, code, "the kernel does not take '%s' as it was asked for", request->name);
	/* Intel's kernel counts these as parts of one. */
	if (strstr(request->name, "topdown-"))
		return err_hint(err, code,
				"topdown events are for groups that slots lead: "
				"{slots,topdown-retiring}");
	if (request->is_device)
		return err_hint(err, code,
				"this PMU may count only, and for whole CPUs only: strobe stat -a");
	return err_hint(err, code, "%s",
			request->is_hardware
				? "the PMU may not have this event, modifier or field: "
				  "try fewer options"
				: "an option may not fit this event: try fewer");
}

static int explain_target(int code, const struct perfevent_request *request, struct strobe_err *err)
{
	err_set(err, code, "no process or thread %d", (int)request->pid);
	return err_hint(err, code, "it has ended: ps -eL lists those that run");
}

/* What the rest means, whatever was asked for. */
static const struct explanation {
	int code;
	const char *before, *after; /* the event's name stands between; after NULL: it does not */
	const char *hint;
} explanations[] = {
	{ -ENFILE, "the system has no more open files to give", NULL,
	  "as root: raise sysctl fs.file-max" },
	{ -ENOSYS, "this kernel has no perf_event_open", NULL,
	  "it was built without CONFIG_PERF_EVENTS, or a sandbox hides it" },
	{ -EBUSY, "", " is in use by someone else",
	  "another profiler, or the NMI watchdog, holds the counters: sysctl "
	  "kernel.nmi_watchdog=0" },
	{ -E2BIG, "", " asks for more than this kernel knows", "an option needs a newer kernel" },
	{ -EOVERFLOW, "", " asks for too deep call chains",
	  "as root: raise sysctl kernel.perf_event_max_stack, or use a smaller --max-stack" },
	{ -ENOSPC, "no hardware slot is left for ", "", "breakpoints are few: use fewer of them" },
};

static int explain_other(int code, const char *name, struct strobe_err *err)
{
	for (size_t i = 0; i < sizeof(explanations) / sizeof(*explanations); i++) {
		const struct explanation *known = &explanations[i];

		if (known->code != code)
			continue;
		if (known->after)
			err_set(err, code, "%s'%s'%s", known->before, name, known->after);
		else
			err_set(err, code, "%s", known->before);
		return err_hint(err, code, "%s", known->hint);
	}
	return err_set(err, code, "cannot open '%s': %s", name, strerror(-code));
}

/* Of a probe what was named may be wrong, and not the machine. */
static int explain_probe(int code, const struct perfevent_request *request, struct strobe_err *err)
{
	if (code == -ENOENT) {
		err_set(err, code, "'%s': no such file or function", request->name);
		return err_hint(err, code,
				"path= is a file, func= a function of the kernel as /proc/kallsyms "
				"has it");
	}
	err_set(err, code, "'%s' cannot be probed there", request->name);
	return err_hint(err, code,
			"offset= is where an instruction begins: in the file, not its address; of "
			"a function of the kernel from its begin on");
}

int perfevent_explain(int code, const struct perfevent_request *request, struct strobe_err *err)
{
	if (request->is_probe && (code == -ENOENT || code == -EINVAL || code == -EILSEQ))
		return explain_probe(code, request, err);
	switch (code) {
	case -EACCES:
	case -EPERM:
		return explain_permission(code, request, err);
	case -ENOENT:
	case -EOPNOTSUPP:
	case -ENODEV:
	case -ENXIO:
		return explain_absence(code, request, err);
	case -EMFILE:
		return explain_descriptors(code, request, err);
	case -EINVAL:
		return explain_invalid(code, request, err);
	case -ESRCH:
		return explain_target(code, request, err);
	default:
		return explain_other(code, request->name, err);
	}
}
