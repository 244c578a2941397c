/*
 * tracepoint-id.h - whether this machine's kernel knows a tracepoint under the name that a
 * recording gives it.
 *
 * Ids of tracepoints differ from kernel to kernel. perf shows the name that this machine has for an
 * id, which for a recording from elsewhere may be another's; here a name is shown only if both
 * agree.
 */
#pragma once

#include <stdint.h>

struct attr;

/* @name, or NULL if @attr is no tracepoint or this machine has another id for it. */
const char *tracepoint_id_name(const struct attr *attr, const char *name);

/* The same, as header_text_options.tracepoint wants it. */
const char *tracepoint_id_check(void *context, uint64_t id, const char *name);
