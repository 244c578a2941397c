/*
 * record-options.h - what "record" can be asked for: its options, and where their values land.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/opt.h"
#include "base/str.h"
#include "cmd/record-header.h"
#include "collect/recording.h"
#include "event/attr-build.h"
#include "event/eventlist.h"

/* In place of a mask of registers: show their names instead of recording. */
#define LIST_REGISTERS UINT64_MAX

struct record_config {
	struct eventlist events;
	struct attr_options attrs;
	struct recording_options recording;
	bool has_call_graph;        /* --call-graph was given: -g does not change it */
	const char *set_call_graph; /* settings: what -g means, and the size of stack copies */
	uint32_t set_dump_size;
	unsigned max_stack;
	bool store_stacks; /* as copies, in place of call chains */
	bool max_frequency, strict_frequency;
	bool exclude_self, has_exclude_self;
	bool is_untargeted; /* neither a command nor what to watch was named */
	bool dry_run;
	int ended_by; /* a signal, 0: none */
	bool timestamp_filename;
	struct str new_name;     /* by that */
	bool timestamp_boundary; /* how it always is */
	unsigned realtime;
	bool no_buildid;
	bool no_kept_names;
	bool no_buildid_cache, buildid_all; /* how it always is: see docs/differences.md */
	bool quiet;
	unsigned verbose;

	struct record_header header;
};

opt_call record_options_events;                            /* the events */
opt_call record_options_filter, record_options_cgroups;    /* the events */
opt_call record_options_delay;                             /* the schedule */
opt_call record_options_frequency;                         /* the config */
opt_call record_options_period;                            /* the attrs */
opt_call record_options_stacks, record_options_call_graph; /* the config */
opt_call record_options_ring_size;                         /* the size */

/* Options that other commands have too: those whose config begins with a struct record_config. */
#define RECORD_OPTIONS_TARGET                                                                      \
	{ OPT_STR,                                                                                 \
	  'p',                                                                                     \
	  "pid",                                                                                   \
	  "PID,...",                                                                               \
	  offsetof(struct record_config, recording.target.pids),                                   \
	  "These processes: their threads, and what they start" },                                 \
		{ OPT_STR,                                                                         \
		  't',                                                                             \
		  "tid",                                                                           \
		  "TID,...",                                                                       \
		  offsetof(struct record_config, recording.target.tids),                           \
		  "These threads" },                                                               \
		{ OPT_STR,                                                                         \
		  'u',                                                                             \
		  "uid",                                                                           \
		  "USER",                                                                          \
		  offsetof(struct record_config, recording.target.uid),                            \
		  "The processes of a user, by name or number" },                                  \
		{ OPT_FLAG,                                                                        \
		  'a',                                                                             \
		  "all-cpus",                                                                      \
		  NULL,                                                                            \
		  offsetof(struct record_config, recording.target.all_cpus),                       \
		  "All that runs, on all CPUs" },                                                  \
	{                                                                                          \
		OPT_STR, 'C', "cpu", "CPU,...",                                                    \
			offsetof(struct record_config, recording.target.cpus),                     \
			"These CPUs, as in 0-2,5"                                                  \
	}

#define RECORD_OPTIONS_EVENTS                                                                      \
	{ OPT_CALL,                                                                                \
	  'e',                                                                                     \
	  "event",                                                                                 \
	  "EVENT,...",                                                                             \
	  offsetof(struct record_config, events),                                                  \
	  "Record these events (default: cycles:P)",                                               \
	  record_options_events,                                                                   \
	  OPT_NO_NEGATE },                                                                         \
		{ OPT_CALL,                                                                        \
		  '\0',                                                                            \
		  "filter",                                                                        \
		  "FILTER",                                                                        \
		  offsetof(struct record_config, events),                                          \
		  "Only where the tracepoints of the last -e have fields so: 'prev_prio < 120'",   \
		  record_options_filter,                                                           \
		  OPT_NO_NEGATE },                                                                 \
		{ OPT_CALL,                                                                        \
		  'F',                                                                             \
		  "freq",                                                                          \
		  "HZ",                                                                            \
		  0,                                                                               \
		  "Sample so often in a second (default: 4000), or 'max'",                         \
		  record_options_frequency,                                                        \
		  OPT_NO_NEGATE },                                                                 \
	{                                                                                          \
		OPT_CALL, 'c', "count", "N", offsetof(struct record_config, attrs),                \
			"Sample every N events, instead of -F", record_options_period,             \
			OPT_NO_NEGATE                                                              \
	}

#define RECORD_OPTIONS_STACKS                                                                      \
	{ OPT_CALL,                                                                                \
	  'g',                                                                                     \
	  NULL,                                                                                    \
	  NULL,                                                                                    \
	  0,                                                                                       \
	  "Record call stacks, by frame pointers where no setting says otherwise",                 \
	  record_options_stacks },                                                                 \
	{                                                                                          \
		OPT_CALL, '\0', "call-graph", "HOW[,SIZE]", 0,                                     \
			"Record call stacks: fp, lbr, dwarf with SIZE bytes of stack "             \
			"(default: 8192), or auto: both fp and dwarf (4096)",                      \
			record_options_call_graph                                                  \
	}

/* They fill in a struct record_config. */
extern const struct opt record_options[];
