/*
 * place-text.h - a place as script prints it: "7f0ffc01e5e8 main+0x12 (/usr/bin/x)".
 *
 * A recording has few places and prints them often: struct place_text keeps recent lines, for one
 * thread and one choice of fields.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/place-frames.h"
#include "view/place-lines.h"

struct frame;
struct lookup;
struct lookup_question;
struct place;
struct resolver;
struct source_text;
struct str;

struct place_text_fields {
	bool symbol, offset;              /* the offset in the symbol */
	bool dso, dso_offset;             /* the offset in the dso */
	bool kernel_path;                 /* modules by their paths */
	struct resolver *resolver;        /* of JSON: tells why a symbol is not known */
	const struct source_text *source; /* with the source line, below; NULL: without */
};

/* Starts as { .fields = ... }. */
struct place_text {
	struct place_text_fields fields;
	struct place_frames frames;
	struct place_lines lines;
};
void place_text_done(struct place_text *text);

/* A line of a call chain, with its end; several where functions were put into others. */
void place_text_line(struct place_text *text, struct lookup *lookup,
		     const struct lookup_question *question, struct str *out);

/* What follows the address: " symbol+0x1 (dso)", and the source line. */
void place_text_add(const struct place_text_fields *fields, const struct place *place,
		    struct str *out);
/* "symbol+0x1". */
void place_text_symbol(const struct place *place, bool with_offset, struct str *out);
/* " (dso)", or with its offset, whether or not @fields ask for the dso. */
void place_text_dso(const struct place_text_fields *fields, const struct place *place,
		    struct str *out);
