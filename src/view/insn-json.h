/* insn-json.h - instructions as JSON: docs/json.md, "Instructions". */
#pragma once

#include <stddef.h>

struct code;
struct insn_text_fields;
struct json;
struct place;
struct profile;
struct profile_sample;

/* The sample's own; null where its code cannot be read. */
void insn_json_add(struct json *json, const char *name, struct code *code,
		   const struct place *place, const struct insn_text_fields *fields);

/* Those that led to it, in the order in which they ran. */
void insn_json_branches(struct json *json, const char *name, struct profile *profile,
			struct code *code, const struct profile_sample *sample, size_t max_blocks,
			const struct insn_text_fields *fields);
