/*
 * term-common.h - the terms that mean the same for every event: period, name, call-graph, config,
 * ...
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct event_spec;
struct strobe_err;
struct term;

/* Writes it to @event. 1: it is none of these; -EINVAL: its value makes no sense. */
int term_common_apply(const struct term *term, struct event_spec *event, struct strobe_err *err);

/* The value as a number, @max at most. */
int term_common_number(const struct term *term, uint64_t max, uint64_t *ret_value,
		       struct strobe_err *err);

/* The name at @index, NULL behind the last. */
const char *term_common_name(size_t index);
