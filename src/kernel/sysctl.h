/*
 * sysctl.h - the kernel's settings that a profiler lives under.
 *
 * @root is "" or NULL for the machine, or a folder that has proc/ and sys/ in it.
 */
#pragma once

#include <stdint.h>

#define SYSCTL_PARANOID "kernel/perf_event_paranoid"
#define SYSCTL_MLOCK_KB "kernel/perf_event_mlock_kb"
#define SYSCTL_MAX_RATE "kernel/perf_event_max_sample_rate"
#define SYSCTL_MAX_STACK "kernel/perf_event_max_stack"
#define SYSCTL_USER_ACCESS "kernel/perf_user_access"
#define SYSCTL_NMI_WATCHDOG "kernel/nmi_watchdog"
#define SYSCTL_KPTR_RESTRICT "kernel/kptr_restrict"

/* The number in /proc/sys/@name. -errno if it is not there, -EINVAL if it is no number. */
int sysctl_read(const char *root, const char *name, int64_t *ret_value);
