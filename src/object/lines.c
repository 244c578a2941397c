/* lines.c - see lines.h. */
#include "object/lines.h"

#include <elfutils/libdw.h>

#include "object/debuginfo.h"
#include "object/units.h"

static bool find_in_unit(struct debuginfo *debuginfo, uint64_t offset, uint64_t vaddr,
			 struct source_line *ret_line)
{
	Dwarf_Die unit;
	Dwarf_Line *line;
	const char *file;
	int number;

	if (!dwarf_offdie(debuginfo_dwarf(debuginfo), offset, &unit))
		return false;
	line = dwarf_getsrc_die(&unit, vaddr);
	if (!line || dwarf_lineno(line, &number) != 0 || number <= 0)
		return false;
	file = dwarf_linesrc(line, NULL, NULL);
	if (!file)
		return false;
	*ret_line = (struct source_line){ file, (uint32_t)number };
	return true;
}

bool lines_find(struct debuginfo *debuginfo, uint64_t vaddr, struct source_line *ret_line)
{
	const struct units *units = debuginfo_units(debuginfo);
	struct units_at at = units_at(units, vaddr);
	size_t unit;

	while (units_next(&at, &unit)) {
		if (find_in_unit(debuginfo, units_offset(units, unit), vaddr, ret_line))
			return true;
	}
	return false;
}
