/* insn-text.h - instructions as script prints them: bytes, lengths, and as assemblers take them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct branch_events;
struct code;
struct place;
struct profile;
struct profile_sample;
struct source_text;
struct str;

struct insn_text_fields {
	bool bytes, length, text;
	struct source_text *line; /* of branches: with source lines; NULL: without */
	struct source_text *code; /* of branches: with what stands in them; NULL: without */
	const struct branch_events *counters; /* of branches: what was counted; NULL: without */
	const char *const *event_names;       /* for these; NULL: by letters */
};

/* The sample's own instruction, behind all else on its line. */
void insn_text_add(struct code *code, const struct place *place,
		   const struct insn_text_fields *fields, struct str *out);

/* Those that led to it, on lines of their own below. */
void insn_text_branches(struct profile *profile, struct code *code,
			const struct profile_sample *sample, size_t max_blocks,
			const struct insn_text_fields *fields, struct str *out);
