/* branch-json.h - a sample's branch stack as JSON, youngest branch first. docs/json.md, "Branches".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct branch_events;
struct json;
struct place_text_fields;
struct profile;
struct profile_sample;

struct branch_json {
	const struct place_text_fields *fields; /* what is said of both ends */
	bool object_offset;                     /* and where they lie in their objects */
	const struct branch_events *counters;   /* what was counted of each branch, or NULL */
	const char *const *event_names;         /* of these, by the event's index */
};
void branch_json_add(struct json *json, const char *name, struct profile *profile,
		     const struct profile_sample *sample, const struct branch_json *what);

/* "counts" of a branch; nothing where there are none. */
void branch_json_counts(struct json *json, const struct branch_events *counters,
			const char *const *event_names, const struct profile_sample *sample,
			size_t branch);
