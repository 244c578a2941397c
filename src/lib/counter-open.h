/* counter-open.h - from options to open events of the calling thread. */
#pragma once

struct strobe_counter;
struct strobe_counter_options;
struct strobe_err;

/* @options as large as this library knows it. Everything of @ret_counter is its owner's. */
int counter_open_events(const struct strobe_counter_options *options,
			struct strobe_counter **ret_counter, struct strobe_err *err);
void counter_open_undo(struct strobe_counter *counter);
