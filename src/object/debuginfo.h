/*
 * debuginfo.h - the DWARF of an ELF file that has it, or of the separate debug file of one: opened
 * once for all that is read of it (lines.h, inlines.h).
 *
 * Not for several threads at a time: libdw reads lazily.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/*
 * What several files have in common may be in another one (dwz -m makes such): its name, from the
 * file's own folder on unless it is absolute, and its build-id. NULL if there is none.
 */
const char *debuginfo_alt(const struct debuginfo *debuginfo, const uint8_t **ret_id,
			  size_t *ret_id_size);
/*
 * The file that this is, which has that build-id; borrowed, as long as the debug information. To be
 * said once, before anything is read. Until then, what is in it is not there: libdw must not look
 * for it, since it takes any that lies at the name.
 */
void debuginfo_set_alt(struct debuginfo *debuginfo, const struct elf_file *alt);

/* libdw's own handle, for the modules of this layer; borrowed. */
struct Dwarf *debuginfo_dwarf(const struct debuginfo *debuginfo);
/* Which compilation units there are; made when it is first asked for. */
const struct units *debuginfo_units(struct debuginfo *debuginfo);
/* For inlines.h, in the same way. */
struct inlines *debuginfo_inlines(struct debuginfo *debuginfo);
