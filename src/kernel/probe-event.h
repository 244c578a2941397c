/* probe-event.h - events that are opened to see whether they can be, and what they do. */
#pragma once

#include <linux/perf_event.h>

#include "kernel/probe.h"

/* An event, and what stands where an event is named. */
struct probe_event {
	const char *name;
	struct perf_event_attr attr;
	bool all_tasks; /* on CPU 0, instead of on this thread */
	bool is_tracepoint, is_probe, is_hardware;
};

/* Opens it: *ret_fd is to be closed where that was PROBE_OK. */
enum probe_result probe_event_open(const struct probe_event *event, int *ret_fd,
				   struct strobe_err *err);
/* Opens it, and that is all. */
enum probe_result probe_event_try(const struct probe_event *event, struct strobe_err *err);
/* Opens it, calls @act some times, and sees whether the event counted as often, or at least once.
 */
enum probe_result probe_event_count(const struct probe_event *event, void (*act)(void *),
				    void *context, bool exactly, struct str *details,
				    struct strobe_err *err);

/* A clock of this thread in user space, without samples. */
struct probe_event probe_event_clock(const char *name);
