/* dwarf-traits.c - see dwarf-traits.h. */
#include "object/dwarf-traits.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "object/debuginfo.h"
#include "object/units.h"

/* Kinds of entries are described once, before they are used; that of what is not there is not. */
static bool describes_inlines(Dwarf_Die *unit)
{
	Dwarf_Off offset = 0;
	Dwarf_Abbrev *abbrev;
	size_t size = 0;

	while ((abbrev = dwarf_getabbrev(unit, offset, &size)) && abbrev != DWARF_END_ABBREV) {
		if (dwarf_getabbrevtag(abbrev) == DW_TAG_inlined_subroutine)
			return true;
		if (size == 0)
			break;
		offset += size;
	}
	return false;
}

static void add_split(struct dwarf_traits *traits, Dwarf_Die *unit, const Dwarf_Die *split)
{
	Dwarf_Attribute name;

	traits->split_count++;
	traits->split_found += split->addr != NULL;
	if (split->addr || traits->split_name)
		return;
	if (dwarf_attr(unit, DW_AT_dwo_name, &name) || dwarf_attr(unit, DW_AT_GNU_dwo_name, &name))
		traits->split_name = dwarf_formstring(&name);
}

static void add_unit(struct dwarf_traits *traits, Dwarf_Die *unit)
{
	Dwarf_Die split = { 0 };
	uint8_t type = 0;
	Dwarf_Half version;

	if (dwarf_cu_info(unit->cu, &version, &type, NULL, &split, NULL, NULL, NULL) != 0)
		return;
	traits->unit_count++;
	if (version > traits->newest)
		traits->newest = version;
	if (traits->oldest == 0 || version < traits->oldest)
		traits->oldest = version;
	traits->has_lines = traits->has_lines || dwarf_hasattr(unit, DW_AT_stmt_list);
	if (type == DW_UT_skeleton)
		add_split(traits, unit, &split);
	if (!traits->has_inlines)
		traits->has_inlines = describes_inlines(split.addr ? &split : unit);
}

void dwarf_traits_find(struct debuginfo *debuginfo, struct dwarf_traits *ret_traits)
{
	const struct units *units = debuginfo_units(debuginfo);

	*ret_traits = (struct dwarf_traits){ 0 };
	for (size_t i = 0; i < units_count(units); i++) {
		Dwarf_Die unit;

		if (dwarf_offdie(debuginfo_dwarf(debuginfo), units_offset(units, i), &unit))
			add_unit(ret_traits, &unit);
	}
}
