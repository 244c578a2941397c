/* variable-places.c - see variable-places.h. */
#include "object/variable-places.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/mem.h"
#include "object/data-types.h"
#include "object/variables.h"

enum {
	DEPTH_MAX = 64,        /* of blocks within each other */
	ENTRIES_MAX = 1 << 16, /* of one function */
	PLACES_MAX = 1 << 16,
	RANGES_MAX = 256, /* of one block */
};

struct places_reading {
	struct data_types *types;
	struct variables_function *function;
	bool frame_is_cfa; /* what the function says its frame's address is */
	int frame_reg;     /* else: the register that has it */
	size_t entry_count;
	struct {
		struct variable *items;
		size_t count, capacity;
	} places;
};

bool variable_places_fixed(Dwarf_Die *die, uint64_t *ret_addr)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;

	if (!dwarf_attr(die, DW_AT_location, &attribute) ||
	    dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1)
		return false;
	if (ops[0].atom == DW_OP_addr) {
		*ret_addr = ops[0].number;
		return *ret_addr != 0;
	}
	if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) {
		Dwarf_Attribute place;
		Dwarf_Addr addr;

		if (dwarf_getlocation_attr(&attribute, &ops[0], &place) != 0 ||
		    dwarf_formaddr(&place, &addr) != 0)
			return false;
		*ret_addr = addr;
		return addr != 0;
	}
	return false;
}

static void find_frame(struct places_reading *reading, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;

	reading->frame_is_cfa = false;
	reading->frame_reg = -1;
	if (!dwarf_attr_integrate(die, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1)
		return;
	if (ops[0].atom == DW_OP_call_frame_cfa)
		reading->frame_is_cfa = true;
	else if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		reading->frame_reg = ops[0].atom - DW_OP_reg0;
}

/* What an expression says, as far as it is one of those that are of use. */
static bool place_of(const struct places_reading *reading, const Dwarf_Op *ops, size_t count,
		     struct variable *ret_place)
{
	bool is_value = count == 2 && ops[1].atom == DW_OP_stack_value;

	if (count == 0 || count > 2 || (count == 2 && !is_value))
		return false;
	if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) {
		ret_place->kind = VARIABLE_IN_REGISTER;
		ret_place->reg = ops[0].atom - DW_OP_reg0;
		return count == 1;
	}
	if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
		ret_place->kind = is_value ? VARIABLE_OF_REGISTER : VARIABLE_AT_REGISTER;
		ret_place->reg = ops[0].atom - DW_OP_breg0;
		ret_place->offset = (int64_t)ops[0].number;
		return true;
	}
	if (ops[0].atom != DW_OP_fbreg || is_value)
		return false;
	ret_place->kind = reading->frame_is_cfa ? VARIABLE_IN_FRAME : VARIABLE_AT_REGISTER;
	ret_place->reg = reading->frame_reg;
	ret_place->offset = (int64_t)ops[0].number;
	return reading->frame_is_cfa || reading->frame_reg >= 0;
}

static void add_place(struct places_reading *reading, const struct data_type *type,
		      Dwarf_Addr begin, Dwarf_Addr end, const Dwarf_Op *ops, size_t count)
{
	struct variable place = { .type = type, .reg = -1 };

	place.begin = begin < reading->function->begin ? reading->function->begin : begin;
	place.end = end > reading->function->end ? reading->function->end : end;
	if (place.begin >= place.end || reading->places.count >= PLACES_MAX ||
	    !place_of(reading, ops, count, &place))
		return;
	grow(&reading->places);
	reading->places.items[reading->places.count++] = place;
}

/* What is said of a variable for all of @scope, holds where that has code. */
static void add_everywhere(struct places_reading *reading, const struct data_type *type,
			   Dwarf_Die *scope, const Dwarf_Op *ops, size_t count)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t next = 0;

	for (size_t i = 0;
	     i < RANGES_MAX && (next = dwarf_ranges(scope, next, &base, &begin, &end)) > 0; i++)
		add_place(reading, type, begin, end, ops, count);
}

static void add_variable(struct places_reading *reading, Dwarf_Die *die, Dwarf_Die *scope)
{
	const struct data_type *type = data_types_of(reading->types, die);
	Dwarf_Addr base, begin, end;
	Dwarf_Attribute attribute;
	ptrdiff_t next = 0;
	Dwarf_Op *ops;
	size_t count;

	if (!type || !dwarf_attr(die, DW_AT_location, &attribute))
		return;
	for (size_t i = 0;
	     i < PLACES_MAX &&
	     (next = dwarf_getlocations(&attribute, next, &base, &begin, &end, &ops, &count)) > 0;
	     i++) {
		if (begin == 0 && end == (Dwarf_Addr)-1)
			add_everywhere(reading, type, scope, ops, count);
		else
			add_place(reading, type, begin, end, ops, count);
	}
}

static bool has_variables(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* As deep as DEPTH_MAX. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void read_below(struct places_reading *reading, Dwarf_Die *parent, size_t depth)
{
	Dwarf_Die die;
	int r = dwarf_child(parent, &die);

	for (; r == 0 && reading->entry_count < ENTRIES_MAX; r = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		reading->entry_count++;
		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			add_variable(reading, &die, parent);
		else if (depth < DEPTH_MAX && has_variables(tag))
			read_below(reading, &die, depth + 1);
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct variable *left = a, *right = b;

	return (left->begin > right->begin) - (left->begin < right->begin);
}

void variable_places_read(struct data_types *types, Dwarf_Die *die,
			  struct variables_function *function)
{
	struct places_reading reading = { .types = types, .function = function };

	find_frame(&reading, die);
	read_below(&reading, die, 0);
	if (reading.places.count > 0)
		qsort(reading.places.items, reading.places.count, sizeof(*reading.places.items),
		      by_begin);
	function->items = reading.places.items;
	function->count = reading.places.count;
}
