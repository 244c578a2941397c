/*
 * attr-text.h - an event's attr as text: every field that is not 0, as perf evlist -v and the
 * report header have it.
 *
 *   evlist:  "type: 0 (PERF_TYPE_HARDWARE), size: 136, config: 0 (PERF_COUNT_HW_CPU_CYCLES), ..."
 *   header:  "type = 0 (PERF_TYPE_HARDWARE), size = 136, ..."
 */
#pragma once

#include <stdint.h>

struct attr;
struct str;

/*
 * Adds the fields, separated by ", ", each as its name, @equals (": " or " = ") and its value.
 * @tracepoint is the "system:name" of a tracepoint, known from elsewhere; NULL where it is not.
 */
void attr_text_add(struct str *out, const struct attr *attr, const char *equals,
		   const char *tracepoint);
