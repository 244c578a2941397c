/*
 * script-print.h - the samples of a recording, and what else was asked for, printed in order: in
 * several threads where that can be, to standard output or to a file for each event.
 */
#pragma once

#include <stdbool.h>

#include "analyze/event-switch.h"
#include "analyze/filter.h"
#include "analyze/script-fields.h"
#include "analyze/script-times.h"
#include "base/strings.h"

struct reading;
struct strobe_err;

struct script_options {
	struct filter filter;
	struct script_fields fields; /* fitted to the recording */
	struct event_switch events;
	struct strings last_callers; /* call chains end at these functions */
	enum script_times_mode times;
	bool hide_chains, outermost_first, nanoseconds, kernel_path, source_path, latency;
	bool dump, dump_in_file_order; /* all records with their bytes, and samples behind theirs */
	bool stitch_lbr, verbose;
	bool per_event;          /* to files, one for each event */
	bool json, whole_header; /* JSON; with all of the header */
	unsigned max_stack, max_blocks;
	bool mmaps, tasks, switches, namespaces, cgroups, bpf, lost, rounds, pokes;
};

/* -EIO and the like: a file cannot be written. */
int script_print(struct reading *reading, const struct script_options *options,
		 struct strobe_err *err);
