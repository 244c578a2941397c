/*
 * formattext.h - the text of a tracepoint's format, as kernels write it:
 *
 *   name: sched_switch
 *   ID: 314
 *   format:
 *   <tab>field:char prev_comm[16];<tab>offset:8;<tab>size:16;<tab>signed:0;
 *   ...
 *   print fmt: "..."
 *
 * Empty lines stand between. What is behind "print fmt:" is printfmt.h's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "format/tracefields.h"

struct arena;

struct formattext {
	struct str_part name; /* of the text */
	uint32_t id;
	struct tracefields fields; /* to tracefields_done(), also where it fails */
	struct str_part print;     /* what follows "print fmt: " */
};

/* False if the text is of another form. @ret_format->fields has long_size and byte order already.
 */
bool formattext_parse(const char *text, size_t size, struct arena *arena,
		      struct formattext *ret_format);
