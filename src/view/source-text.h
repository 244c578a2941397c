/*
 * source-text.h - the source line of a place, and what stands in it.
 *
 * Starts with source_text_init(). For one thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "symbol/source-files.h"

struct frame;
struct place;
struct profile;
struct str;

struct source_text {
	struct profile *profile; /* borrowed */
	bool whole_path;         /* --full-source-path */
	struct source_files files;
	struct strings lines; /* "FILE:LINE" */
	struct hash last;     /* by thread: which of them was shown last */
};

void source_text_init(struct source_text *source, struct profile *profile, bool whole_path);
void source_text_done(struct source_text *source);

/* "main.c:12"; "main[401132]" where no line is known, and nothing where not even the object is. */
void source_text_line(const struct source_text *source, const struct place *place, struct str *out);

/* The same of a frame there, whose line was looked for. */
void source_text_frame(const struct source_text *source, const struct place *place,
		       const struct frame *frame, struct str *out);

/* "|12       return 0;", on a line of its own, unless that was what was shown of the thread last.
 */
void source_text_code(struct source_text *source, uint32_t tid, const struct place *place,
		      struct str *out);
