/*
 * trace-print.h - the lines of trace, as text or JSON, and where they go.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/str.h"
#include "view/trace-json.h"

struct call_summary;
struct calls_call;
struct profile_sample;
struct strobe_err;
struct trace_config;
struct trace_session;
struct tracepoint;

struct trace_print {
	struct trace_config *config;
	struct trace_session *session; /* whose lines they are */
	FILE *file;
	bool owns_file;
	int failure; /* errno of the first write that failed; 0: none did */
	struct trace_json json;
	struct str out; /* lines that were not written yet */
	uint64_t line_count;
	uint64_t lost_count, lost_first_ns, lost_last_ns; /* that were not said yet */
};

int trace_print_open(struct trace_print *print, struct trace_config *config,
		     struct strobe_err *err);
/* The error of the first write that failed, whenever that was. */
int trace_print_close(struct trace_print *print, struct strobe_err *err);

/* What stands before all lines, and behind them. */
void trace_print_begin(struct trace_print *print, struct trace_session *session,
		       const char *const *event_names, size_t event_count);
void trace_print_end(struct trace_print *print);

/* Records were lost in a stretch of time: what comes next is preceded by a line that says so. */
void trace_print_lost(struct trace_print *print, uint64_t count, uint64_t first_ns,
		      uint64_t last_ns);
/* Each is a line, perhaps with others below; 1: that is enough. */
int trace_print_call(struct trace_print *print, const struct calls_call *call);
int trace_print_event(struct trace_print *print, const struct profile_sample *sample,
		      const char *name, const struct tracepoint *tracepoint);
int trace_print_fault(struct trace_print *print, const struct profile_sample *sample,
		      bool is_major);
void trace_print_summary(struct trace_print *print, const struct call_summary *summary);

/* What has come is to be read. */
void trace_print_flush(struct trace_print *print);
/* All lines that were asked for are there, or nobody reads them. */
bool trace_print_is_done(const struct trace_print *print);
