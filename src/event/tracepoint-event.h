/*
 * tracepoint-event.h - "sched:sched_switch", "sched:sched_*", "*:sys_enter_*": tracepoints by name.
 */
#pragma once

#include <stdbool.h>

struct event_spec;
struct eventlist;
struct modifier;
struct strobe_err;

/* True if there is a tracepoint of exactly this name. */
bool tracepoint_event_exists(const struct eventlist *list, const char *system, const char *event);

/* "SYSTEM:EVENT", the caller's, of the first system that has it; NULL: none has. */
char *tracepoint_event_find(const struct eventlist *list, const char *event);

/* Of an event that names its tracepoint by number (attr.config): which it is. */
void tracepoint_event_identify(const struct eventlist *list, struct event_spec *event);

/*
 * Adds every tracepoint that the two shell patterns match, sorted by name; none: one missing[].
 * An error only where tracepoints cannot be had at all.
 */
int tracepoint_event_parse(struct eventlist *list, const char *system, const char *event,
			   const struct modifier *modifier, struct strobe_err *err);
