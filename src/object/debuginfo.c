/* debuginfo.c - see debuginfo.h. */
#include "object/debuginfo.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "object/elf-file.h"
#include "object/inlines.h"
#include "object/units.h"

struct debuginfo {
	Dwarf *dwarf;
	struct units *units;     /* NULL: nobody has asked yet */
	struct inlines *inlines; /* the same */
};

bool debuginfo_has(const struct elf_file *file)
{
	/* What is in a relocatable file has no place. */
	return elf_file_type(file) != ET_REL && elf_file_section_find(file, ".debug_info");
}

struct debuginfo *debuginfo_new(const struct elf_file *file)
{
	_cleanup_(debuginfo_freep) struct debuginfo *debuginfo = xnew(struct debuginfo);

	if (!debuginfo_has(file))
		return NULL;
	elf_file_unpack_debug(file);
	debuginfo->dwarf = dwarf_begin_elf(elf_file_handle(file), DWARF_C_READ, NULL);
	return debuginfo->dwarf ? take(debuginfo) : NULL;
}

void debuginfo_free(struct debuginfo *debuginfo)
{
	if (!debuginfo)
		return;
	inlines_free(debuginfo->inlines);
	units_free(debuginfo->units);
	if (debuginfo->dwarf)
		(void)dwarf_end(debuginfo->dwarf);
	free(debuginfo);
}

struct Dwarf *debuginfo_dwarf(const struct debuginfo *debuginfo)
{
	return debuginfo->dwarf;
}

const struct units *debuginfo_units(struct debuginfo *debuginfo)
{
	if (!debuginfo->units)
		debuginfo->units = units_new(debuginfo->dwarf);
	return debuginfo->units;
}

struct inlines *debuginfo_inlines(struct debuginfo *debuginfo)
{
	if (!debuginfo->inlines)
		debuginfo->inlines = inlines_new(debuginfo);
	return debuginfo->inlines;
}
