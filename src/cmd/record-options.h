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
	bool max_frequency, strict_frequency;
	bool exclude_self, has_exclude_self;
	unsigned duration_s;
	bool dry_run;
	bool timestamp_filename;
	struct str new_name;     /* by that */
	bool timestamp_boundary; /* how it always is */
	unsigned realtime;
	bool no_buildid;
	bool no_buildid_cache, buildid_all; /* how it always is: see docs/differences.md */
	bool quiet;
	unsigned verbose;

	struct record_header header;
};

/* They fill in a struct record_config. */
extern const struct opt record_options[];
