/*
 * tracing-data.h - the parts of a TRACING_DATA section: the formats of tracepoints, as the recorder
 * found them.
 *
 *   17 08 44 "tracing" | version "0.6\0" | byte order, 1 | size of long, 1 | page size, 4
 *   "header_page\0" size 8, text | "header_event\0" size 8, text
 *   count 4 of ftrace formats, each: size 8, text
 *   count 4 of systems, each: name\0, count 4 of formats, each: size 8, text
 *   size 4, kallsyms | size 4, printk formats | from version 0.6 on: size 8, saved command lines
 *
 * Numbers are in the byte order that the section names. Nothing here interprets the texts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strobe_err;

struct tracing_data_part {
	const char *text; /* borrowed; not NUL-terminated */
	size_t size;
};

struct tracing_data_head {
	bool big_endian;
	uint8_t long_size;  /* bytes */
	uint32_t page_size; /* bytes */
};

struct tracing_data_tail {
	struct tracing_data_part kallsyms, printk_formats;
};

/* A walk through the section: begin, next until it is false, end. @bytes are borrowed. */
struct tracing_data {
	struct tracing_data_head head; /* filled by begin */
	const char *at, *end;
	const char *version;
	const char *system; /* of the formats that come next */
	uint32_t formats_left, systems_left;
	bool systems_counted;
	bool bad; /* the section ended early; everything after that is empty */
};

/* -EBADMSG if it is no such section. */
int tracing_data_begin(struct tracing_data *walk, const void *bytes, size_t size,
		       struct strobe_err *err);
/* The next format and its system ("ftrace" first). False at the end or where it is damaged. */
bool tracing_data_next(struct tracing_data *walk, const char **ret_system,
		       struct tracing_data_part *ret_format);
/* What follows the formats. -EBADMSG if the section ended before; *ret_tail is then partly empty.
 */
int tracing_data_end(struct tracing_data *walk, struct tracing_data_tail *ret_tail,
		     struct strobe_err *err);
