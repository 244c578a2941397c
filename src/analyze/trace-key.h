/*
 * trace-key.h - a field of an event of the recording as a sort key.
 *
 * What such keys look at is taken out of a sample once, as a block of bytes (item.traced): memory
 * follows the values that differ, and no format is needed afterwards.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/sortkey.h"

struct str;
struct strings;
struct tracepoint;
struct tracepoint_field;

struct trace_key {
	struct sortkey key; /* .traced is this */
	size_t event;       /* its index */
	size_t slot;        /* among the keys of the event, in the order of taking */
	const struct tracepoint *tracepoint;
	const struct tracepoint_field *field;
	bool raw; /* a number is shown as it is, not as the event's text has it */
};

/*
 * What the keys look at in a sample of the event with this index: a block that lives as long as
 * @kept; NULL if no key is of this event.
 */
const char *trace_key_take(struct trace_key *const *keys, size_t key_count, size_t event,
			   const void *raw, size_t raw_size, struct strings *kept);
/* The same block, in @kept. NULL of NULL. */
const char *trace_key_keep(const char *traced, struct strings *kept);

/* False of a sample of another event, or one that was cut off. */
bool trace_key_is_there(const struct trace_key *key, const struct item *item);

/* For sortkey.h. */
int trace_key_compare(const struct trace_key *key, const struct item *left,
		      const struct item *right);
uint64_t trace_key_hash(const struct trace_key *key, const struct item *item);
void trace_key_print(const struct trace_key *key, const struct item *item, struct str *out);
size_t trace_key_width(const struct trace_key *key, const struct item *item);
