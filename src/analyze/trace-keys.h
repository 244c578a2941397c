/*
 * trace-keys.h - fields of a recording's tracepoints as sort keys: prev_comm,
 * sched_switch.prev_pid, trace_fields.
 *
 * Each field of each event is a key of its own (trace-key.h), made when it is asked for.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct events;
struct sortkey;
struct strobe_err;
struct suggest;
struct trace_key;
struct tracepoint_set;

/* Where fields are looked up; all NULL where a recording has no tracepoints. */
struct trace_source {
	const struct events *events;
	const struct tracepoint_set *formats;
	bool raw; /* all fields are shown as they are, not as the event's text has them */
};

/* Starts as { 0 }. Borrows what it was filled from. */
struct trace_keys {
	struct trace_key **items;
	size_t count, capacity;
};
void trace_keys_done(struct trace_keys *keys);

struct trace_found {
	const struct sortkey **items;
	size_t count, capacity;
};

/*
 * Adds the keys that @name stands for to @keys where they are not there yet, and all of them to
 * @found, whose items are the caller's to free. @name is FIELD (of all events that have it),
 * EVENT.FIELD, EVENT.* or trace_fields, maybe with "/raw"; EVENT is its name, a part of one
 * event's, or %NUMBER. Returns how many: 0 if no event has the FIELD. -EINVAL: not such an event or
 * field.
 */
int trace_keys_find(struct trace_keys *keys, const struct trace_source *source,
		    struct str_part name, struct trace_found *found, struct strobe_err *err);
/* Tries all fields' names. */
void trace_keys_suggest(const struct trace_source *source, struct suggest *suggest);
