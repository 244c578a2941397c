/*
 * eventlist.h - what -e, --filter, -G and the modifiers ask for, as attrs ready to be opened.
 *
 * The language is perf's: "cycles:u,{instructions,branches}:S", "sched:sched_*", "r1a8",
 * "cpu/event=0x3c,umask=1/", "L1-dcache-load-misses", "mem:0xADDR/8:rw", "cycles:50000" (a period).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/attr.h"
#include "event/tool-event.h"

struct pmus;
struct strobe_err;

struct event_spec {
	char *name;       /* as it is shown: "cycles:u", "sched:sched_switch", "cpu/event=0x3c/" */
	struct attr attr; /* type, config*, exclude_*, precise_ip, pinned, exclusive, and period or
			     frequency where the event names its own (has_period) */
	bool has_period;  /* attr.sample_period or sample_freq was given with the event */
	bool is_tracepoint;
	char *tracepoint; /* "system:name", whatever it is called; NULL: none, or not found */
	bool is_hardware; /* wants a PMU: hardware, cache, raw, PMU terms of a core PMU */
	bool max_precise; /* P: as precise as the machine can; lower attr.precise_ip while refused
			   */
	bool sample_read; /* S: read the group at the leader's samples */
	bool weak;        /* W: break the group up where the kernel refuses it */
	size_t leader;    /* index of the group's leader; its own where there is no group */
	char *cpus;       /* cpumask of its PMU ("0,8"), or NULL: all */
	char *filter;     /* --filter: a tracepoint filter, or NULL */
	char *cgroup;     /* -G: a path as the user wrote it, or NULL */
	bool call_graph_set; /* terms such as /call-graph=fp,max-stack=4/: */
	char *call_graph;
	unsigned max_stack;  /* frames; 0: not given */
	unsigned stack_size; /* bytes of stack copy; 0: not given */
	/* More terms; 0: not given, 1: wanted, -1: not wanted. */
	signed char time, inherit;
	char *branch_type; /* names as of -j, or NULL */
	bool is_tracking;  /* set by attr_build: its records tell about tasks and mappings */
	bool is_added;     /* set by attr_build: nobody asked for it, it is there to track */
	/* Not 0: its samples have this id, and come from elsewhere (collect/feed.h). */
	uint64_t fed_id;
	bool latency;  /* R: with the retirement latency */
	bool is_probe; /* of the PMU uprobe or kprobe */
	char *probed;  /* the file or function that attr.config1 points at, or NULL */

	/* What only counting asks for; see eventlist.counts. */
	enum tool_event tool; /* what is counted without a counter; attr cannot be opened then */
	bool percore;         /* /percore/: the counts of a core's CPUs are one */
	bool bpf;             /* b: BPF counts, for several at once */
	char *metric_id;      /* /metric-id=NAME/: what a formula calls it, or NULL */

	/* Where a PMU has it from. */
	char *pmu; /* its name, "uncore_imc_0"; NULL: an event that every kernel has */
	/*
	 * One word may be an event of several PMUs ("uncore_imc/..", cycles where CPUs differ):
	 * index of the first of those; its own where it is the only one. is_core_part: they are
	 * kinds of CPUs, whose counts say more apart; else their sum is what was asked for.
	 */
	size_t first_alike;
	bool is_core_part;
	/* What the PMU says of its counts: */
	double scale;     /* multiply with it; 0: as it is */
	char *unit;       /* "Joules"; NULL: it is a number */
	bool per_package; /* all CPUs of a package see the same: count it once */
	bool is_snapshot; /* a value and no sum: the last one read counts */
};

struct eventlist {
	struct event_spec *items;
	size_t count, capacity;
	/* Events of a list that do not exist while others do: one sentence each, for the user. */
	char **missing;
	size_t missing_count, missing_capacity;
	bool is_default;   /* nobody named an event: see eventlist_default */
	bool lacks_kernel; /* one of them would be there with another kernel, or a module */

	/*
	 * Set before anything is parsed, by who counts: tool events, b, percore are
	 * taken. Without it they are refused, for a recording has no use for them.
	 */
	bool counts;

	const char *root;  /* what kernel/ looks below, for tests; NULL: this machine */
	size_t last_first; /* index of the first event of the last -e */
	char *cgroups;     /* -G that came before any -e, or NULL */
	struct pmus *pmus; /* what has been looked at below @root; NULL: nothing yet */
};

/*
 * Adds what one -e argument names. -EINVAL: not understood, err says which word, the hint the
 * nearest right one. An event that is well written but does not exist here goes to
 * missing[] if the list has others: eventlist_check() fails where none is left: -ENOENT if
 * lacks_kernel, else -EINVAL, as for what is mistyped.
 */
int eventlist_parse(struct eventlist *list, const char *text, struct strobe_err *err);
int eventlist_check(const struct eventlist *list, struct strobe_err *err);

/* --filter FILTER: to the tracepoints of the last -e, as perf. */
int eventlist_filter(struct eventlist *list, const char *filter, struct strobe_err *err);
/* -G NAME[,NAME...]: to the events so far, each in turn, as perf; before any -e: to all later. */
int eventlist_cgroups(struct eventlist *list, const char *names, struct strobe_err *err);
/* Is any event of a control group? */
bool eventlist_has_cgroups(const struct eventlist *list);

/* The default where no -e was given: "cycles:P". */
int eventlist_default(struct eventlist *list, struct strobe_err *err);

void eventlist_done(struct eventlist *list);

/* The events of @leader's group become events of their own, started as it is. */
void eventlist_ungroup(struct eventlist *list, size_t leader);
/* Takes one out; what it led is led by the first of the others, which is started as it was. */
void eventlist_remove(struct eventlist *list, size_t index);
/* Takes back the last ones, so that @count are left: none of those knows of one behind it. */
void eventlist_cut(struct eventlist *list, size_t count);

/* For the parsers of each kind of event: a new event at the end, its own leader, called @name. */
struct event_spec *eventlist_add(struct eventlist *list, const char *name);
/* The PMUs of the machine that the list is for; borrowed. */
struct pmus *eventlist_pmus(struct eventlist *list);
/* An event that does not exist here: @sentence, taken over, says which and why. */
void eventlist_miss(struct eventlist *list, char *sentence);
