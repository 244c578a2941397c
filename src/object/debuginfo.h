/*
 * debuginfo.h - the DWARF of an ELF file that has it, or of the separate debug file of one: opened
 * once for all that is read of it (lines.h, inlines.h).
 *
 * Not for several threads at a time: libdw reads lazily.
 */
#pragma once

#include <stdbool.h>

#include "base/mem.h"

struct Dwarf;
struct debuginfo;
struct elf_file;
struct inlines;
struct units;

/* NULL if the file has no debug information. Borrows the file, as long as it lives. */
struct debuginfo *debuginfo_new(const struct elf_file *file);
void debuginfo_free(struct debuginfo *debuginfo);
CLEANUP(debuginfo_free, struct debuginfo)

/* Whether there is something to read for debuginfo_new(). */
bool debuginfo_has(const struct elf_file *file);

/* libdw's own handle, for the modules of this layer; borrowed. */
struct Dwarf *debuginfo_dwarf(const struct debuginfo *debuginfo);
/* Which compilation units there are; made when it is first asked for. */
const struct units *debuginfo_units(struct debuginfo *debuginfo);
/* For inlines.h, in the same way. */
struct inlines *debuginfo_inlines(struct debuginfo *debuginfo);
