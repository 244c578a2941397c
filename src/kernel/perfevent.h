/*
 * perfevent.h - perf_event_open(2) and what can be done with the descriptor it gives.
 *
 * An attr is passed as bytes whose size stands in its second word, as in the kernel's interface;
 * struct attr of data/attr.h is one. Functions return 0 or a descriptor, or a negative errno;
 * perfevent_explain() makes a sentence of that, for whom it concerns.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct strobe_err;

/*
 * @pid, @cpu and @group are the system call's; with @in_cgroup, @pid is a descriptor of a cgroup's
 * folder. The new descriptor is closed on exec.
 */
int perfevent_open(const void *attr, pid_t pid, int cpu, int group, bool in_cgroup);

/*
 * Opens it, and closes it again: 0 or a negative errno. For this thread; what counts for whole CPUs
 * only, on the first of @cpus ("0,8"; NULL: CPU 0).
 */
int perfevent_try(const void *attr, const char *cpus);

int perfevent_enable(int fd);
int perfevent_disable(int fd);
/* A tracepoint's filter. The kernel's own complaint is in tracefs; -EINVAL is all it says here. */
int perfevent_set_filter(int fd, const char *filter);
/* Records of @fd go to the ring of @ring_fd: both of one CPU. */
int perfevent_set_output(int fd, int ring_fd);
int perfevent_id(int fd, uint64_t *ret_id);
/*
 * What read(2) gives: @ret_values has room for @count. Returns how many the kernel filled in; none
 * is -EBUSY: the event is pinned, and found no counter.
 */
int perfevent_values(int fd, uint64_t *ret_values, size_t count);
/* Records of this event that found no room, read from an event with PERF_FORMAT_LOST in its
 * @read_format; 0 without that, or where it cannot be read. */
uint64_t perfevent_lost(int fd, uint64_t read_format);

/*
 * How often it happened so far, and for how long it was to be counted and was, in ns: the event has
 * the read_format PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING, and perhaps
 * more, but not PERF_FORMAT_GROUP. -EIO if the kernel tells less.
 */
struct perfevent_count {
	uint64_t value, enabled_ns, running_ns;
};
int perfevent_read(int fd, struct perfevent_count *ret_count);

/* Who could not open what, for the sentence. */
struct perfevent_request {
	const char *name;   /* of the event, as the user knows it */
	pid_t pid;          /* -1: all */
	int cpu;            /* -1: any */
	bool in_cgroup;     /* then pid is no pid */
	bool is_probe;      /* of a function, which takes CAP_SYS_ADMIN whatever the level */
	bool is_tracepoint; /* which are rarer than clocks where permission is asked */
	bool is_hardware;   /* wants a PMU */
	bool is_device;     /* of a PMU that is none of a CPU's */
	bool wants_kernel;  /* exclude_kernel is not set */
	size_t fd_count;    /* descriptors needed in all, for -EMFILE */
	const char *binary; /* whose capabilities count; NULL: "the strobe binary" */
};

/* Sets @err to what @code (negative errno of perfevent_open) means here; returns @code. */
int perfevent_explain(int code, const struct perfevent_request *request, struct strobe_err *err);
