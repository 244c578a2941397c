/* branch-json.h - a sample's branch stack as JSON, youngest branch first. docs/json.md, "Branches".
 */
#pragma once

#include <stdbool.h>

struct json;
struct place_text_fields;
struct profile;
struct profile_sample;

/* @fields: what is said of both ends; @object_offset: and where they lie in their objects. */
void branch_json_add(struct json *json, const char *name, struct profile *profile,
		     const struct profile_sample *sample, const struct place_text_fields *fields,
		     bool object_offset);
