/*
 * trace-json.h - what trace shows as JSON, an object a line, of the form "strobe.trace/1":
 * docs/json.md, "trace".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/callvalues.h"

struct call_summary;
struct call_summary_text;
struct calls_call;
struct chain;
struct lookup;
struct profile;
struct profile_sample;
struct str;
struct tracepoint;

/* Starts as { 0 }, with a profile and its lookup. */
struct trace_json {
	struct profile *profile;
	struct lookup *lookup;
	struct callvalues values; /* room */
};

void trace_json_done(struct trace_json *trace);

/* The first line, and the last. @event_names: of all events. */
void trace_json_begin(const struct trace_json *trace, const char *const *event_names, size_t count,
		      struct str *out);
void trace_json_end(const struct trace_json *trace, struct str *out);

/* @chain: innermost first; NULL: none is wanted, or known. */
void trace_json_call(struct trace_json *trace, const struct calls_call *call,
		     const struct chain *chain, struct str *out);
void trace_json_event(struct trace_json *trace, const struct profile_sample *sample,
		      const char *name, const struct tracepoint *tracepoint,
		      const struct chain *chain, struct str *out);
void trace_json_fault(struct trace_json *trace, const struct profile_sample *sample, bool is_major,
		      const struct chain *chain, struct str *out);
void trace_json_lost(uint64_t count, uint64_t first_ns, uint64_t last_ns, struct str *out);
