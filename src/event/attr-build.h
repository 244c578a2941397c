/*
 * attr-build.h - from what record was asked for to the complete attr of each event.
 *
 * The attrs are those of perf 7.2's record, for a kernel that knows every field; who opens them
 * takes away what an older one refuses. Where a field differs from perf's, attr-build.c says why.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "event/stackmode.h"

struct eventlist;
struct strobe_err;

enum {
	ATTR_FREQUENCY_DEFAULT = 4000, /* Hz */
};

/* All zero is "record COMMAND" without options, but for has_workload. */
struct attr_options {
	/* The target. */
	bool is_system_wide; /* -a or -C, and neither -p nor -t */
	bool has_workload;   /* a command is started, and counting with it (not beside -p, -t) */
	bool has_threads;    /* -t: only these, not what they start */
	bool is_per_thread;  /* --per-thread */
	bool no_inherit;     /* -i, --no-inherit */
	bool has_delay;      /* -D: counting begins later than the target, or is switched on */

	/* How often. */
	bool has_period;    /* -c was given, and not 0 */
	uint64_t period;    /* -c */
	bool has_frequency; /* -F was given; -c wins over it */
	uint64_t frequency; /* -F, Hz */
	bool no_samples;    /* -n: count only */

	/* What a sample says. 0: as usual, 1: wanted, -1: not wanted. */
	signed char time;        /* -T, --no-timestamp */
	signed char sent_period; /* -P, --no-period: the period goes into the sample */
	bool cpu;                /* --sample-cpu */
	bool address;            /* -d: the address of the data, and where they came from */
	bool memory_info;        /* --sample-mem-info: where the data came from */
	bool physical_address;   /* --phys-data */
	bool data_page_size;     /* --data-page-size */
	bool code_page_size;     /* --code-page-size */
	bool weight;             /* -W */
	bool transaction;        /* --transaction */
	bool raw;                /* -R */
	bool identifier;         /* --sample-identifier */
	bool cgroup;             /* --all-cgroups: cgroup of each sample, and the cgroups' names */
	struct stackmode stackmode;
	bool no_user_chains;   /* --kernel-callchains */
	bool no_kernel_chains; /* --user-callchains */
	uint64_t branch_type;  /* -b, -j: PERF_SAMPLE_BRANCH_*; 0: none */
	uint64_t user_regs;    /* --user-regs: bits; 0: none but what the call graph needs */
	uint64_t intr_regs;    /* -I: bits; 0: none */

	/* Records beside the samples. */
	bool data_mmaps;    /* --data-mmap: mappings that are not code, too */
	bool namespaces;    /* --namespaces */
	bool switches;      /* --switch-events */
	bool no_build_ids;  /* --no-buildid-mmap */
	bool no_bpf_events; /* --no-bpf-event */
	bool thread_counts; /* -s: a count for each thread when it ends */
	bool running_time;  /* --running-time: with the times of each count read */

	/* All events. */
	bool all_user, all_kernel; /* --all-user, --all-kernel */
	bool no_buffering;         /* --no-buffering: a wake-up for each record */
	bool has_clockid;          /* -k */
	int32_t clockid;
};

/*
 * Completes the attrs of @list. One event is marked is_tracking: its records say who runs, where
 * code is mapped and so on. That is the first; where targets are CPUs or counting is delayed it is
 * a dummy event that never sleeps: the list's own, or one that is added at its end (is_added).
 * -EINVAL: terms of an event that are not understood.
 */
int attr_build(struct eventlist *list, const struct attr_options *options, struct strobe_err *err);
