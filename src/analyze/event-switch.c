/* event-switch.c - see event-switch.h. */
#include "analyze/event-switch.h"

#include <stddef.h>

void event_switch_begin(struct event_switch *state)
{
	state->is_off = state->on != NULL;
}

bool event_switch_takes(struct event_switch *state, const struct event_desc *event)
{
	if (state->is_off) {
		if (event != state->on)
			return false;
		state->is_off = false;
		return state->shows;
	}
	if (event == state->off) {
		state->is_off = true;
		return state->shows;
	}
	return true;
}
