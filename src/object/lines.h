/*
 * lines.h - which line of which source file an address comes from, as DWARF's line tables have it.
 *
 * Tables are read when they are first asked for, so it serves one thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct debuginfo;

struct source_line {
	const char *file; /* its path, as the compiler was told it; as long as the debuginfo */
	uint32_t line;    /* from 1 on */
};

/* The line of the code at @vaddr (see elf-file.h), false if none is known. */
bool lines_find(struct debuginfo *debuginfo, uint64_t vaddr, struct source_line *ret_line);
