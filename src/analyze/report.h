/*
 * report.h - a recording, counted: for each event (or group of events) a histogram, ready to be
 * shown.
 */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/extras.h"
#include "analyze/fields.h"
#include "analyze/filter.h"
#include "analyze/hist.h"
#include "analyze/ipc.h"
#include "analyze/onoff.h"
#include "analyze/sites.h"
#include "base/mem.h"

struct event_desc;
struct profile;
struct strobe_err;
struct tracepoint_set;

enum { REPORT_MAX_STACK = 127 }; /* frames, where nothing else is said */

/* Strings are borrowed and must outlive the report. */
struct report_options {
	struct fields_options fields; /* .children, .branches, .traces are set by report_new */
	const struct filter *filter;  /* or NULL */
	const char *event;            /* -e: names of events, or NULL: all */
	const char *parent_pattern;   /* -p, or NULL: the default */
	const char *ignore_callees; /* a regex: what such functions called is forgotten; or NULL */
	const char *symbol_filter;
	bool no_children;       /* --no-children */
	bool no_chains;         /* -g none */
	bool want_chains;       /* -g was given: an error if there are none */
	bool order_set;         /* the next says what the user wants */
	bool outermost_first;   /* -g caller */
	enum sites_links links; /* -g address, -g srcline */
	enum calltree_mode mode;
	double min_percent; /* of call trees */
	unsigned max_stack; /* frames */
	bool hide_unresolved;
	bool only_with_parent;      /* -p without --no-exclude-other */
	bool no_group, force_group; /* --no-group; --group where there is none */
	bool relative;              /* percentages of what filters left over */
	bool long_names;            /* -v */
	bool nanoseconds;           /* --ns */
	bool show_empty;            /* --no-skip-empty: also members without samples */
	bool branch_history;        /* --branch-history: branches are links of call chains */
	bool branch_links;          /* -g branch: the same */
	bool stitch_lbr;            /* --stitch-lbr */
	int branches;               /* 1, 0: as the user says; -1: if the recording is about them */
	bool memory;                /* --mem-mode */
	bool whole_paths;           /* --full-source-path */
	struct filter_ids parallelism; /* only while so many threads ran; empty: always */
	struct filter_ids sockets;     /* only on these; empty: on all */
	struct onoff_options onoff;    /* --switch-on, --switch-off */
	size_t sort_member;            /* --group-sort-idx: of a group, what rows are ordered by */
	bool raw_traces;               /* the key "trace" and fields are shown as they are */
	bool hierarchy;                /* -H: rows below rows */
	uint64_t time_quantum_ns;
	const struct tracepoint_set *tracepoints; /* for keys of tracepoints; or NULL */
};

/* Numbers of a member. */
struct report_number {
	uint64_t period, count, latency;
};

struct report_event {
	const struct event_desc *event; /* the leader, or the only one */
	size_t member_count;
	size_t *shown; /* the members that stand side by side: those with samples, or all */
	size_t shown_count;
	char *name;                   /* of those: "cycles", "anon group { a, b }" */
	struct report_number *totals; /* one for each member: what percentages are of */
	uint64_t sample_count;
	uint64_t whole_period; /* the first member's, with what filters hide: of call trees */
	struct extras extras;  /* of all the first member's samples */
	struct fields fields;  /* the report's, but for keys that look at other events */
	struct ipc_table ipc;  /* where a key asks for it */
	struct hist_options hist_options;
	struct hist *hist;
	struct hierarchy *hierarchy; /* NULL where rows are flat */
};

/* Rows have numbers for each member of a group: the events of a larger one stand alone. */
enum { REPORT_MOST_MEMBERS = 1024 };

struct report {
	struct fields fields;
	struct sites *sites; /* of the histograms */
	struct report_event *events;
	size_t event_count;
	bool children, chains, branches, memory, branch_history; /* as it turned out */
	uint64_t lost_samples;
	size_t divided_count; /* groups that were too large for one table */
	uint64_t cut_count;   /* samples of a stream that lost places of their stacks: see fold.h */
	struct report_state *state;
};

/* *ret_report is the caller's, to report_free(); the profile must outlive it. */
int report_new(struct profile *profile, const struct report_options *options,
	       struct report **ret_report, struct strobe_err *err);
/* One that has counted nothing, and what is to be done behind the last sample; for
 * report-live.h. */
int report_new_empty(struct profile *profile, const struct report_options *options,
		     struct report **ret_report, struct strobe_err *err);
void report_finish(struct report *report);
/* The tables that report_finish() made go. */
void report_reopen(struct report *report);
void report_free(struct report *report);

/* No sample is of a wanted event and time. What other filters hide counts as being there. */
bool report_is_empty(const struct report *report);

/* A measure of a row as its share of all that its kind counts of the member. */
double report_percent(const struct report_event *event, const struct hist_entry *entry,
		      enum measure measure, size_t member);
/* The weights of a row's own samples, on average. */
double report_average(const struct hist_entry *entry, size_t weight, size_t member);
/* A class of accesses as its share of all that the event's first member counts. */
double report_class_percent(const struct report_event *event, const struct hist_entry *entry,
			    enum data_src_kind kind, size_t i);
/* What a row weighs: its first member's period, with what it called where those are counted. */
uint64_t report_weight(const struct report *report, const struct hist_entry *entry);
/* A row below --percent-limit, which is left out. */
bool report_is_light(const struct report *report, const struct report_event *event,
		     const struct hist_entry *entry, double percent_limit);
CLEANUP(report_free, struct report)
