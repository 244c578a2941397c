/*
 * onoff.h - stretches of a recording between samples of two events: from one of the first on to the
 * next of the second (--switch-on, --switch-off).
 *
 * What event-switch.h says of samples in order of time, for those who do not read them so.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/instant.h"

struct event_switch;
struct profile;
struct strobe_err;

struct onoff_options {
	const char *on, *off; /* names of events, or NULL */
	bool show;            /* the samples that switch belong to the stretch, too */
};

struct onoff_stretch {
	struct instant from, until; /* both included */
};

/* Starts as { 0 }, where all is on. */
struct onoff {
	bool is_set;
	struct onoff_stretch *items; /* in order of time */
	size_t count, capacity;
};

/* The events that switch, for who reads samples in order of time. -ENOENT: the recording has no
 * such event. */
int onoff_switch(const struct profile *profile, const struct onoff_options *options,
		 struct event_switch *ret_switch, struct strobe_err *err);
/* Errors as there. */
int onoff_find(struct profile *profile, const struct onoff_options *options,
	       struct onoff *ret_onoff, struct strobe_err *err);
void onoff_done(struct onoff *onoff);

bool onoff_covers(const struct onoff *onoff, struct instant at);
