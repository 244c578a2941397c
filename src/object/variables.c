/* variables.c - see variables.h. */
#include "object/variables.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "base/hash.h"
#include "object/data-types.h"
#include "object/debuginfo.h"
#include "object/dies.h"
#include "object/units.h"
#include "object/variable-places.h"

/* A function of a unit, before anybody asked for it. */
struct unit_function {
	uint64_t begin, end;
	Dwarf_Die die;
};

/* A variable at a fixed address. */
struct fixed {
	uint64_t begin, end;
	const struct data_type *type;
};

struct unit {
	bool is_read;
	struct {
		struct unit_function *items;
		size_t count, capacity;
	} functions; /* by begin */
	struct {
		struct fixed *items;
		size_t count, capacity;
	} fixed; /* by begin */
};

struct variables {
	struct debuginfo *debuginfo;
	struct data_types *types;
	struct unit *units;    /* by number */
	struct hash functions; /* struct variables_function, by begin */
};

struct variables *variables_new(struct debuginfo *debuginfo, struct data_types *types)
{
	struct variables *variables = xnew(struct variables);

	variables->debuginfo = debuginfo;
	variables->types = types;
	variables->units =
		xcalloc(units_count(debuginfo_units(debuginfo)) + 1, sizeof(*variables->units));
	return variables;
}

void variables_free(struct variables *variables)
{
	if (!variables)
		return;
	for (size_t i = 0; i < units_count(debuginfo_units(variables->debuginfo)); i++) {
		free(variables->units[i].functions.items);
		free(variables->units[i].fixed.items);
	}
	for (struct hash_entry *e = hash_next(&variables->functions, NULL); e;
	     e = hash_next(&variables->functions, e)) {
		struct variables_function *function = e->pointer;

		free((void *)function->items);
		free(function);
	}
	hash_done(&variables->functions);
	free(variables->units);
	free(variables);
}

/* What begins at 0, the linker threw away. */
static void add_function(struct unit *unit, Dwarf_Die *die)
{
	enum { RANGES_MAX = 256 };
	Dwarf_Addr base, begin, end;
	ptrdiff_t next = 0;

	for (size_t i = 0;
	     i < RANGES_MAX && (next = dwarf_ranges(die, next, &base, &begin, &end)) > 0; i++) {
		if (begin == 0 || begin >= end)
			continue;
		grow(&unit->functions);
		unit->functions.items[unit->functions.count++] =
			(struct unit_function){ begin, end, *die };
	}
}

static void add_fixed(struct variables *variables, struct unit *unit, Dwarf_Die *die)
{
	const struct data_type *type;
	uint64_t addr;

	if (!variable_places_fixed(die, &addr))
		return;
	type = data_types_of(variables->types, die);
	if (!type || type->size == 0 || addr + type->size < addr)
		return;
	grow(&unit->fixed);
	unit->fixed.items[unit->fixed.count++] = (struct fixed){ addr, addr + type->size, type };
}

static int by_begin(const void *a, const void *b)
{
	const struct unit_function *left = a, *right = b;

	return (left->begin > right->begin) - (left->begin < right->begin);
}

static int by_address(const void *a, const void *b)
{
	const struct fixed *left = a, *right = b;

	return (left->begin > right->begin) - (left->begin < right->begin);
}

/* Functions, and what is at fixed addresses: within functions, too. */
static void read_entries(struct variables *variables, struct unit *unit, struct dies *dies)
{
	struct dies_entry entry;

	while (dies_next(dies, &entry)) {
		if (entry.tag == DW_TAG_subprogram)
			add_function(unit, &entry.die);
		else if (entry.tag == DW_TAG_variable)
			add_fixed(variables, unit, &entry.die);
	}
	if (unit->functions.count > 0)
		qsort(unit->functions.items, unit->functions.count, sizeof(*unit->functions.items),
		      by_begin);
	if (unit->fixed.count > 0)
		qsort(unit->fixed.items, unit->fixed.count, sizeof(*unit->fixed.items), by_address);
}

static struct unit *unit_at(struct variables *variables, size_t number)
{
	const struct units *units = debuginfo_units(variables->debuginfo);
	struct unit *unit = &variables->units[number];
	struct dies *dies;
	Dwarf_Die die;

	if (unit->is_read)
		return unit;
	unit->is_read = true;
	if (!dwarf_offdie(debuginfo_dwarf(variables->debuginfo), units_offset(units, number), &die))
		return unit;
	dies = dies_new(&die);
	if (dies)
		read_entries(variables, unit, dies);
	dies_free(dies);
	return unit;
}

static struct unit_function *function_at(struct unit *unit, uint64_t vaddr)
{
	size_t low = 0, high = unit->functions.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (unit->functions.items[middle].begin <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || vaddr >= unit->functions.items[low - 1].end)
		return NULL;
	return &unit->functions.items[low - 1];
}

static struct unit_function *find_function(struct variables *variables, uint64_t vaddr)
{
	struct units_at at = units_at(debuginfo_units(variables->debuginfo), vaddr);
	size_t number;

	while (units_next(&at, &number)) {
		struct unit_function *found = function_at(unit_at(variables, number), vaddr);

		if (found)
			return found;
	}
	return NULL;
}

const struct variables_function *variables_of(struct variables *variables, uint64_t vaddr)
{
	struct unit_function *found = find_function(variables, vaddr);
	struct variables_function *function;
	struct hash_entry *known;

	if (!found)
		return NULL;
	known = hash_add(&variables->functions, found->begin, NULL);
	if (known->pointer)
		return known->pointer;
	function = xnew(struct variables_function);
	function->begin = found->begin;
	function->end = found->end;
	function->result = data_types_of(variables->types, &found->die);
	variable_places_read(variables->types, &found->die, function);
	known->pointer = function;
	return function;
}

const struct data_type *variables_result(struct variables *variables, uint64_t vaddr)
{
	struct unit_function *found = find_function(variables, vaddr);

	return found ? data_types_of(variables->types, &found->die) : NULL;
}

static const struct fixed *fixed_at(const struct unit *unit, uint64_t vaddr)
{
	size_t low = 0, high = unit->fixed.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (unit->fixed.items[middle].begin <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || vaddr >= unit->fixed.items[low - 1].end)
		return NULL;
	return &unit->fixed.items[low - 1];
}

static const struct fixed *find_fixed(struct variables *variables, uint64_t near, uint64_t vaddr)
{
	const struct units *units = debuginfo_units(variables->debuginfo);
	struct units_at at = units_at(units, near);
	const struct fixed *found = NULL;
	size_t number;

	while (!found && units_next(&at, &number))
		found = fixed_at(unit_at(variables, number), vaddr);
	for (size_t i = 0; !found && i < units_count(units); i++)
		found = fixed_at(unit_at(variables, i), vaddr);
	return found;
}

const struct data_type *variables_static(struct variables *variables, uint64_t near, uint64_t vaddr,
					 uint64_t *ret_offset)
{
	const struct fixed *found = find_fixed(variables, near, vaddr);

	if (!found)
		return NULL;
	*ret_offset = vaddr - found->begin;
	return found->type;
}
