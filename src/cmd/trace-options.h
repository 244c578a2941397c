/*
 * trace-options.h - what "trace" can be asked for: its options, and where their values land.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/call-summary.h"
#include "analyze/onoff.h"
#include "base/opt.h"
#include "base/str.h"
#include "cmd/output-format.h"
#include "cmd/record-options.h"
#include "event/callchoice.h"
#include "kernel/proc.h"
#include "view/call-text.h"

enum trace_faults {
	TRACE_FAULTS_MAJOR = 1 << 0,
	TRACE_FAULTS_MINOR = 1 << 1,
};

struct trace_config {
	struct record_config record; /* first: see RECORD_OPTIONS_TARGET */
	struct callchoice choice;
	bool has_choice;   /* -e named calls or events */
	signed char calls; /* 1: also if it named events alone; -1: none */
	bool no_bpf;
	unsigned faults; /* enum trace_faults */
	bool sched;
	bool shows_stacks, kernel_stacks; /* the latter: of system calls, too */
	unsigned min_stack, max_stack;    /* frames */
	const char *input;                /* a recording, or NULL: what happens now */
	bool is_recording;                /* "trace record" */
	bool force;
	const char *output; /* a file, or NULL: standard error */
	enum output_format format;
	bool summary_only, with_summary, errno_summary;
	enum call_summary_mode summary_mode;
	unsigned max_summary;    /* rows; 0: all */
	double duration_ms;      /* only calls that took longer */
	bool failure;            /* only those that failed */
	uint64_t max_events;     /* lines; 0: all */
	struct proc_ids ignored; /* processes and threads that nothing is shown of */
	struct onoff_options onoff;
	bool sort_events; /* as it always is */
	unsigned string_limit;
	struct call_text text;
	char machine[65];
};

extern const struct opt trace_options[];
