/*
 * term.h - what stands between the slashes of "cpu/event=0x3c,umask=1,period=1000/".
 */
#pragma once

#include <stddef.h>

struct event_spec;
struct pmu;
struct strobe_err;

struct term {
	char *name;
	char *value; /* NULL: there was no '=' */
	size_t at;   /* where it begins */
};

struct term_list {
	struct term *items;
	size_t count, capacity;
};

/*
 * Terms separated by commas; those between single quotes do not separate. "" has none. Where it is
 * wrong, *ret_at says at which character.
 */
int term_parse(const char *text, struct term_list *ret_terms, size_t *ret_at,
	       struct strobe_err *err);
void term_done(struct term_list *terms);

/*
 * Writes one to @event. @pmu gives the meaning of its own formats and events; NULL: only what every
 * event has (term-common.h). -EINVAL: unknown, or a value that does not fit.
 */
int term_apply(const struct term *term, const struct pmu *pmu, struct event_spec *event,
	       struct strobe_err *err);
