/*
 * trace-event-text.h - what trace shows beside system calls: tracepoints, page faults, call chains.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct call_text;
struct place;
struct profile_sample;
struct str;
struct tracepoint;

/* A line of an event called @name, with its newline. Without a format it has no fields. */
void trace_event_text(struct call_text *text, const struct profile_sample *sample, const char *name,
		      const struct tracepoint *tracepoint, struct str *out);

/* A line of a page fault: where it happened, and of what. */
void trace_event_text_fault(struct call_text *text, const struct profile_sample *sample,
			    bool is_major, const struct place *code, const struct place *data,
			    struct str *out);

/* A line of a call chain. */
void trace_event_text_frame(const struct place *place, struct str *out);
