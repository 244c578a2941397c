/*
 * listing.h - a function's code, instruction by instruction, between the source lines it was made
 * of, with what samples hit.
 *
 * A source line stands before the first instruction of each stretch that was made of it. Between
 * two stretches of one file that follow each other in it, a few lines without code are shown, too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/strings.h"
#include "object/insn.h"
#include "symbol/source-files.h"

struct code;
struct function_hits;
struct function_share;
struct hist_entry;
struct report_event;

struct listing_row {
	const char *file; /* a path; NULL: no line is known */
	uint32_t line;    /* from 1 on */
	bool is_source;   /* a line of the file; else an instruction: */

	uint8_t size; /* bytes */
	uint8_t bytes[INSN_SIZE_MAX];
	bool has_target;                /* a jump to somewhere in the function */
	uint64_t addr, target;          /* of the object */
	const struct hist_entry *entry; /* NULL: no sample hit it */
	/* The line's; or the instruction as assemblers take it, with names: "jle    1290
	 * <sum+0x60>"; "(bad)" of bytes that are none. */
	struct str_part text;
};

struct listing {
	struct listing_row *items;
	size_t count, capacity;
	struct strings texts;
};

/* What the instructions of a source line cost together: shares of each member. */
struct listing_line {
	const char *file;
	uint32_t line;
	double *percents;
};

struct listing_lines {
	struct listing_line *items; /* the first member's largest first */
	size_t count, capacity;
};

struct listing_options {
	bool lines;         /* instructions have their source lines */
	bool source;        /* and these stand between them */
	const char *prefix; /* put before paths of source files, without the first components; or
			       NULL */
	unsigned prefix_strip;
};

/*
 * Reads a function's code. False, with *ret_listing empty, where no file has it, or nothing here
 * reads such code. @files are read as needed, and must outlive the listing, as must the function.
 */
bool listing_make(struct code *code, const struct function_hits *function,
		  const struct listing_options *options, struct source_files *files,
		  struct listing *ret_listing);
void listing_done(struct listing *listing);

/* Adds up lines that have a share. */
void listing_sum_lines(const struct listing *listing, const struct function_share *share,
		       const struct report_event *event, const struct function_hits *function,
		       struct listing_lines *ret_lines);
void listing_lines_done(struct listing_lines *lines);
