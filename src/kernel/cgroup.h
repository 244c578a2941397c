/*
 * cgroup.h - control groups: which one events are to count, and which ones there are.
 *
 * perf_event is a controller of cgroup v1, or part of every v2 group. The hierarchy that counts is
 * the v1 mount with perf_event if there is one, else the v2 mount, wherever they are mounted.
 * @root as in proc.h.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

struct strobe_err;

/*
 * A descriptor of the group's folder, for perfevent_open(). @name is the path as it stands in
 * /proc/PID/cgroup ("/kubepods.slice/..."), with or without its slash, or the whole path of the
 * folder, mount point and all.
 */
int cgroup_open(const char *root, const char *name, struct strobe_err *err);

/* Calls @visit with each group's id (as PERF_RECORD_CGROUP has it) and path below the mount. */
typedef void cgroup_visit(void *context, uint64_t id, const char *path);
int cgroup_walk(const char *root, cgroup_visit *visit, void *context);
