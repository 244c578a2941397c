/* events-json.h - the events of a recording as JSON: "strobe.evlist/1". */
#pragma once

#include <stdio.h>

struct events;
struct tracepoint_set;

/* @tracepoints: of which the fields are listed; NULL if the recording has no formats. */
void events_json_print(const struct events *events, const struct tracepoint_set *tracepoints,
		       FILE *out);
