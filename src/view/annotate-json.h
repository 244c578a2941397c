/*
 * annotate-json.h - functions' code with what samples hit, as JSON, function by function.
 * docs/json.md, "annotate".
 */
#pragma once

#include <stdio.h>

#include "analyze/function-hits.h"
#include "base/json.h"
#include "base/str.h"

struct listing;
struct profile;
struct report_event;

/* Starts with annotate_json_begin(); what is made is written to @out. */
struct annotate_json {
	const struct profile *profile; /* borrowed */
	const struct function_share *share;
	FILE *out;
	struct str text;
	struct json json;
};

void annotate_json_begin(struct annotate_json *json);
void annotate_json_begin_event(struct annotate_json *json, const struct report_event *event);
/* @listing, @no_code: as in annotate_text_print(). */
void annotate_json_function(struct annotate_json *json, const struct report_event *event,
			    const struct function_hits *function, const struct listing *listing,
			    const char *no_code);
void annotate_json_end_event(struct annotate_json *json);
void annotate_json_end(struct annotate_json *json);
