/*
 * event-switch.h - samples count only after one event was seen, or until another is: --switch-on
 * and --switch-off. Both may happen again and again.
 */
#pragma once

#include <stdbool.h>

struct event_desc;

/* An event that is NULL switches nothing. */
struct event_switch {
	const struct event_desc *on, *off;
	bool shows; /* the samples that switch count, too */
	bool is_off;
};

/* Before the first sample. */
void event_switch_begin(struct event_switch *state);
/* Takes samples in order of time: whether this one counts. */
bool event_switch_takes(struct event_switch *state, const struct event_desc *event);
