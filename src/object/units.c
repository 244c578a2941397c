/* units.c - see units.h. */
#include "object/units.h"

#include <elfutils/libdw.h>
#include <stdlib.h>

/* A stretch of code and the compilation unit it comes from. */
struct stretch {
	uint64_t begin, end; /* [begin, end) */
	uint64_t highest;    /* end of it and of all before it */
	size_t unit;
};

struct units {
	struct {
		Dwarf_Off *items;
		size_t count, capacity;
	} offsets; /* by the unit's number */
	struct {
		struct stretch *items;
		size_t count, capacity;
	} stretches; /* by begin */
};

void units_free(struct units *units)
{
	if (!units)
		return;
	free(units->offsets.items);
	free(units->stretches.items);
	free(units);
}

/* What begins at 0, the linker threw away. False of that. */
static bool add_stretch(struct units *units, uint64_t begin, uint64_t end, size_t unit)
{
	if (begin == 0 || begin >= end)
		return false;
	grow(&units->stretches);
	units->stretches.items[units->stretches.count++] =
		(struct stretch){ begin, end, end, unit };
	return true;
}

static void list(struct units *units, Dwarf *dwarf)
{
	Dwarf_Off offset = 0, next;
	size_t header_size;

	while (dwarf_nextcu(dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
		grow(&units->offsets);
		units->offsets.items[units->offsets.count++] = offset + header_size;
		if (next <= offset)
			break;
		offset = next;
	}
}

static int by_offset(const void *a, const void *b)
{
	const Dwarf_Off *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* By the table in .debug_aranges. It need not have all units: not every compiler writes it. */
static void add_from_table(struct units *units, Dwarf *dwarf, bool *has_stretches)
{
	Dwarf_Aranges *table;
	size_t count;

	if (dwarf_getaranges(dwarf, &table, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Addr begin;
		Dwarf_Word size;
		Dwarf_Off offset;
		const Dwarf_Off *unit;

		if (dwarf_getarangeinfo(dwarf_onearange(table, i), &begin, &size, &offset) != 0)
			continue;
		unit = bsearch(&offset, units->offsets.items, units->offsets.count, sizeof(offset),
			       by_offset);
		if (unit && size <= UINT64_MAX - begin &&
		    add_stretch(units, begin, begin + size, (size_t)(unit - units->offsets.items)))
			has_stretches[unit - units->offsets.items] = true;
	}
}

/* By what the unit says itself. */
static void add_own(struct units *units, Dwarf *dwarf, size_t number)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t next = 0;
	Dwarf_Die unit;

	if (!dwarf_offdie(dwarf, units->offsets.items[number], &unit))
		return;
	while ((next = dwarf_ranges(&unit, next, &base, &begin, &end)) > 0)
		(void)add_stretch(units, begin, end, number);
}

static int by_begin(const void *a, const void *b)
{
	const struct stretch *left = a, *right = b;

	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	return (left->unit > right->unit) - (left->unit < right->unit);
}

static void order(struct units *units)
{
	uint64_t highest = 0;

	if (units->stretches.count > 0)
		qsort(units->stretches.items, units->stretches.count,
		      sizeof(*units->stretches.items), by_begin);
	for (size_t i = 0; i < units->stretches.count; i++) {
		struct stretch *stretch = &units->stretches.items[i];

		if (stretch->end > highest)
			highest = stretch->end;
		stretch->highest = highest;
	}
}

/*
 * The table first: to read a unit of its own, libdw goes through the kinds of entries
 * (abbreviations) up to that of the unit's own, which may be the last of thousands where dwz shares
 * them.
 */
struct units *units_new(struct Dwarf *dwarf)
{
	struct units *units = xnew(struct units);
	_cleanup_(freep) bool *has_stretches = NULL;

	list(units, dwarf);
	has_stretches = xcalloc(units->offsets.count + 1, sizeof(*has_stretches));
	add_from_table(units, dwarf, has_stretches);
	for (size_t i = 0; i < units->offsets.count; i++) {
		if (!has_stretches[i])
			add_own(units, dwarf, i);
	}
	order(units);
	return units;
}

size_t units_count(const struct units *units)
{
	return units->offsets.count;
}

uint64_t units_offset(const struct units *units, size_t unit)
{
	return units->offsets.items[unit];
}

struct units_at units_at(const struct units *units, uint64_t vaddr)
{
	size_t low = 0, high = units->stretches.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (units->stretches.items[middle].begin <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return (struct units_at){ units, vaddr, low };
}

bool units_next(struct units_at *at, size_t *ret_unit)
{
	while (at->before > 0) {
		const struct stretch *stretch = &at->units->stretches.items[at->before - 1];

		if (stretch->highest <= at->vaddr)
			break;
		at->before--;
		if (at->vaddr < stretch->end) {
			*ret_unit = stretch->unit;
			return true;
		}
	}
	return false;
}
