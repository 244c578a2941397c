/*
 * jit-lines.h - DWARF of one piece of code and its source lines: .debug_line, .debug_info and
 * .debug_abbrev, of DWARF 4, which all readers know.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct jitdump_line;

struct jit_lines_code {
	const char *name;
	uint64_t addr, size; /* where the file has it */
	uint64_t moved_by;   /* what is added to the lines' addresses to get there */
	bool foreign;        /* numbers are of the other byte order */
	uint8_t addr_size;
};

struct jit_lines {
	struct str line, info, abbrev;
};
void jit_lines_done(struct jit_lines *lines);

/* Lines ascend; those outside of the code are left out. */
void jit_lines_make(const struct jit_lines_code *code, const struct jitdump_line *items,
		    size_t count, struct jit_lines *ret_lines);
