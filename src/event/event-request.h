/*
 * event-request.h - one event of an -e text, taken apart: what is named, its terms, its modifiers.
 *
 *	sched : sched_switch / max-stack=4 / u          cpu / event=0x3c / u : 5000
 *	head    tracepoint     terms         modifiers  head  terms        modifiers
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "event/modifier.h"
#include "event/term.h"

struct event_spec;
struct eventlist;
struct pmu;
struct strobe_err;

struct event_request {
	const char *text; /* as it was typed; borrowed */
	char *head;       /* event, PMU, or the system of a tracepoint */
	char *term_text;  /* NULL: no slashes */
	size_t terms_at;  /* where in @text its terms begin */
	struct term_list terms;
	struct str suffix; /* modifier letters as typed, without the period */
	struct modifier modifier;
};

void event_request_done(struct event_request *request);

/* What stands at @at of the text: "/terms/MODIFIERS", ":MODIFIERS", or nothing. */
int event_request_parse(struct event_request *request, size_t at, struct strobe_err *err);

/*
 * A new event at the end of @list, called as it was typed, with @head in the place of the event or
 * the PMU.
 */
struct event_spec *event_request_add(struct eventlist *list, const struct event_request *request,
				     const char *head, uint32_t type, uint64_t config);

/*
 * Writes terms and modifiers to @event; @pmu as for term_apply(). In this order, so that a period
 * among the modifiers wins.
 */
int event_request_apply(const struct event_request *request, const struct pmu *pmu,
			struct event_spec *event, struct strobe_err *err);
