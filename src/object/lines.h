/*
 * lines.h - which line of which source file an address comes from, as DWARF's line tables have it.
 *
 * Made of an ELF file that has them, or of the separate debug file of one. Tables are read when
 * they are first asked for, so a struct lines serves one thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct elf_file;
struct lines;

struct source_line {
	const char *file; /* its path, as the compiler was told it; lives as long as the lines */
	uint32_t line;    /* from 1 on */
};

/* NULL if the file has no line tables; takes the file in any case. */
struct lines *lines_new(struct elf_file *file);
void lines_free(struct lines *lines);
CLEANUP(lines_free, struct lines)

/* Whether there is something to read for lines_new(). */
bool lines_has(const struct elf_file *file);

/* The line of the code at @vaddr (see elf-file.h), false if none is known. */
bool lines_find(struct lines *lines, uint64_t vaddr, struct source_line *ret_line);
