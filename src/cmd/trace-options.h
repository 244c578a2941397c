/*
 * trace-options.h - what "trace" can be asked for: its options, and where their values land.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/opt.h"
#include "base/str.h"
#include "cmd/record-options.h"
#include "event/callchoice.h"
#include "view/call-text.h"

struct trace_config {
	struct record_config record; /* first: see RECORD_OPTIONS_TARGET */
	struct callchoice choice;
	bool has_choice;     /* -e named calls or events */
	const char *output;  /* a file, or NULL: standard error */
	double duration_ms;  /* only calls that took longer */
	bool failure;        /* only those that failed */
	uint64_t max_events; /* lines; 0: all */
	unsigned string_limit;
	struct call_text text;
	char machine[65];
};

extern const struct opt trace_options[];
