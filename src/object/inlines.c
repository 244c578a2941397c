/* inlines.c - see inlines.h. */
#include "object/inlines.h"

#include "object/debuginfo.h"
#include "object/inlines-unit.h"
#include "object/units.h"

struct inlines {
	struct inlines_unit **units; /* by number; NULL: not read yet */
	size_t count;
};

struct inlines *inlines_new(struct debuginfo *debuginfo)
{
	struct inlines *inlines = xnew(struct inlines);

	inlines->count = units_count(debuginfo_units(debuginfo));
	inlines->units = xcalloc(inlines->count + 1, sizeof(struct inlines_unit *));
	return inlines;
}

void inlines_free(struct inlines *inlines)
{
	if (!inlines)
		return;
	for (size_t i = 0; i < inlines->count; i++)
		inlines_unit_free(inlines->units[i]);
	free(inlines->units);
	free(inlines);
}

/* What is known of an address, in the first unit that knows it. */
static bool find(struct debuginfo *debuginfo, uint64_t vaddr, struct inlines_place *ret_place)
{
	struct inlines *inlines = debuginfo_inlines(debuginfo);
	const struct units *units = debuginfo_units(debuginfo);
	struct units_at at = units_at(units, vaddr);
	size_t number;

	while (units_next(&at, &number)) {
		struct inlines_unit **unit = &inlines->units[number];

		if (!*unit)
			*unit = inlines_unit_new(debuginfo_dwarf(debuginfo),
						 units_offset(units, number));
		if (inlines_unit_find(*unit, vaddr, ret_place))
			return true;
	}
	return false;
}

const struct inlined *inlines_find(struct debuginfo *debuginfo, uint64_t vaddr)
{
	struct inlines_place place;

	return find(debuginfo, vaddr, &place) ? place.inlined : NULL;
}

bool inlines_begin(struct debuginfo *debuginfo, uint64_t vaddr, uint64_t *ret_vaddr)
{
	struct inlines_place place;

	if (!find(debuginfo, vaddr, &place))
		return false;
	*ret_vaddr = place.begin;
	return true;
}
