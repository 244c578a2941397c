/*
 * call-text.h - system calls as lines of text.
 *
 *	     0.598 ( 0.023 ms): dd/28954 mmap(len: 8192, prot: READ|WRITE)        = 0x7f1e310ae000
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/callvalues.h"

struct calls_call;
struct str;

struct call_text {
	bool show_time, show_duration, show_comm, show_cpu;
	bool full_time;           /* the clock's time, and not since the first line */
	bool show_names;          /* of arguments */
	bool show_details;        /* structs with all their members */
	bool show_zeros;          /* arguments that are 0, too */
	bool show_prefix;         /* names of values in full */
	unsigned alignment;       /* the column of the result, from the call's beginning */
	uint64_t first_ns;        /* time of the first line; 0: there was none */
	struct callvalues values; /* room */
};

/* What usually holds. */
void call_text_init(struct call_text *text);
void call_text_done(struct call_text *text);

/* "     0.598 ( 0.023 ms): dd/28954 ": what begins every line. @duration_ns: UINT64_MAX is none. */
void call_text_begin(struct call_text *text, uint64_t time_ns, uint64_t duration_ns, uint32_t cpu,
		     const char *comm, uint32_t tid, struct str *out);
/* A text between quotes, as C writes it. */
void call_text_quoted(const char *bytes, size_t size, struct str *out);
/* A line of what was lost from one time to another. */
void call_text_lost(struct call_text *text, uint64_t count, uint64_t first_ns, uint64_t last_ns,
		    struct str *out);
/* A line of a call, with its newline. */
void call_text_add(struct call_text *text, const struct calls_call *call, struct str *out);
