/*
 * trace-session.h - what trace makes of a recording's samples, of a file or as they come: system
 * calls, other events, page faults, in order of time, and sums of all.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/calls.h"
#include "analyze/chain.h"
#include "analyze/event-switch.h"
#include "analyze/lookup.h"
#include "analyze/user-stack.h"
#include "cmd/trace-print.h"

struct call_summary;
struct callnames_more;
struct datafile;
struct enums;
struct event_desc;
struct hash;
struct profile;
struct profile_sample;
struct record;
struct sample;
struct strobe_err;
struct trace_config;
struct tracepoint_set;

struct trace_session {
	struct trace_config *config;
	struct trace_print print;
	struct calls *calls; /* NULL: it has not begun */
	struct callnames_more *more;
	struct enums *enums; /* NULL: nobody asked for them, or there are none */
	struct profile *profile;
	struct lookup lookup;
	struct tracepoint_set *tracepoints; /* NULL: no formats */
	struct trace_role *roles;           /* of events, by their index */
	struct call_summary *summary;       /* NULL: none is wanted */
	struct chain chain;
	struct user_stack user_stack;
	struct event_switch onoff;
	bool shows_begun; /* what goes on was shown, and nothing has come since */
	bool only_whole;  /* nothing is, before it has returned */
};

int trace_session_open(struct trace_session *session, struct trace_config *config,
		       struct strobe_err *err);
/* Events of @profile's file are told. @machine: of the recording, as uname -m has it. -ENOENT: none
 * of them is the one that switches on or off. */
int trace_session_begin(struct trace_session *session, struct profile *profile, const char *machine,
			struct strobe_err *err);

/* Handlers of replay.h and live.h, whose context is the session. */
int trace_session_each(void *session, const struct profile_sample *sample);
int trace_session_other(void *session, const struct record *record, const struct sample *trailer,
			const struct event_desc *event);
void trace_session_changed(void *session);
int trace_session_settled(void *session);
void trace_session_forget(void *session, struct hash *dsos);

/* Nothing has come for a moment: what goes on is shown. 1: that is enough. */
int trace_session_quiet(struct trace_session *session);
/* Nothing comes any more. */
void trace_session_end(struct trace_session *session);
/* The error of the first write that failed. */
int trace_session_close(struct trace_session *session, struct strobe_err *err);
