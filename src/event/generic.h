/*
 * generic.h - the events that every kernel names alike: hardware and software counters and caches.
 *
 * Numbers are PERF_COUNT_* of <linux/perf_event.h>; names and aliases are perf's, in any case.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* Type and config of a hardware, software or cache event; false if there is none of that name. */
bool generic_find(const char *name, uint32_t *ret_type, uint64_t *ret_config);

/* All names, for suggestions: the one at @index, NULL behind the last. */
const char *generic_name(size_t index);
/*
 * What the event at @index is, one line; NULL: generic_name() is another name for the one before.
 * The text may lie in @buffer.
 */
const char *generic_text(size_t index, struct str *buffer);
