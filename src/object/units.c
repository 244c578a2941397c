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

static void add(struct units *units, Dwarf_Die *unit)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t next = 0;

	grow(&units->offsets);
	units->offsets.items[units->offsets.count] = dwarf_dieoffset(unit);
	while ((next = dwarf_ranges(unit, next, &base, &begin, &end)) > 0) {
		if (begin == 0 || begin >= end)
			continue;
		grow(&units->stretches);
		units->stretches.items[units->stretches.count++] =
			(struct stretch){ begin, end, end, units->offsets.count };
	}
	units->offsets.count++;
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

/* .debug_aranges would say the same, but not every compiler writes it. */
struct units *units_new(struct Dwarf *dwarf)
{
	struct units *units = xnew(struct units);
	Dwarf_Off offset = 0, next;
	size_t header_size;

	while (dwarf_nextcu(dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
		Dwarf_Die unit;

		if (dwarf_offdie(dwarf, offset + header_size, &unit))
			add(units, &unit);
		if (next <= offset)
			break;
		offset = next;
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
