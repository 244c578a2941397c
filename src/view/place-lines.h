/*
 * place-lines.h - what is printed of a place, kept: a recording has few places and prints them
 * often. Recent ones, in bounded memory; for one thread and one form.
 */
#pragma once

#include <stdbool.h>

struct lookup;
struct lookup_question;
struct place;
struct str;

/* Starts as { 0 }. */
struct place_lines {
	struct place_lines_item *items;
	bool has_long; /* some of them have memory of their own */
};
void place_lines_done(struct place_lines *lines); /* it is { 0 } again */

/* Prints a place. Of the same place, it always prints the same. */
typedef void place_lines_make(const void *context, const struct place *place, struct str *out);

/* Adds what @make prints of the place that the question is about. */
void place_lines_add(struct place_lines *lines, struct lookup *lookup,
		     const struct lookup_question *question, place_lines_make *make,
		     const void *context, struct str *out);
