/* unknown-event.h - what to say of a name that no event has. */
#pragma once

struct event_request;
struct eventlist;
struct strobe_err;

/* -EINVAL. The hint: the nearest name there is, or which CPUs have the event. */
int unknown_event(struct eventlist *list, const struct event_request *request,
		  struct strobe_err *err);
