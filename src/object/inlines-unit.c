/* inlines-unit.c - see inlines-unit.h. */
#include "object/inlines-unit.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/mem.h"
#include "object/dies.h"
#include "object/inlines.h"
#include "object/spans.h"

/* Within each other. What lies deeper counts as what is around it. */
enum { DEPTH_MAX = 256 };

/* A function, or one that was put into another. */
struct node {
	struct inlined inlined;
	Dwarf_Die die;
	uint32_t outer; /* SPANS_NONE: it is a function of its own */
	uint32_t depth; /* 0 of such */
	uint64_t begin; /* the first address where it is the innermost one */
	bool is_read;   /* name and call are known */
};

struct inlines_unit {
	Dwarf_Die die;
	struct {
		struct node *items;
		size_t count, capacity;
	} nodes;
	struct spans spans; /* values are numbers of nodes */
};

/* The unit on its way to a table. */
struct unit_reading {
	struct inlines_unit *unit;
	struct dies *dies;
	size_t range_count; /* read so far */
	struct {
		uint32_t *items; /* what an entry at that depth lies in, or SPANS_NONE */
		size_t count, capacity;
	} around;
};

/*
 * Entries have lists of ranges of their own, as a rule. Where many share a long one, the file is
 * made to keep us busy: an entry has so many bytes, and that is how many ranges it may have.
 */
static bool may_read_more(const struct unit_reading *reading)
{
	enum { ALWAYS = 1 << 12 };

	return reading->range_count < ALWAYS + dies_size(reading->dies);
}

/* Whether there is code of it; then it is @node's. What begins at 0, the linker threw away. */
static bool add_ranges(struct unit_reading *reading, Dwarf_Die *die, uint32_t node)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t next = 0;
	bool has_code = false;

	while (may_read_more(reading) &&
	       (next = dwarf_ranges(die, next, &base, &begin, &end)) > 0) {
		reading->range_count++;
		if (begin == 0 || begin >= end)
			continue;
		spans_add(&reading->unit->spans, begin, end, node);
		has_code = true;
	}
	return has_code;
}

static bool has_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
}

/* The new node of an entry, or what is around it where it has no code. */
static uint32_t add_node(struct unit_reading *reading, const struct dies_entry *entry,
			 uint32_t outer)
{
	struct inlines_unit *unit = reading->unit;
	uint32_t depth = outer == SPANS_NONE ? 0 : unit->nodes.items[outer].depth + 1;
	Dwarf_Die die = entry->die;
	uint32_t number = (uint32_t)unit->nodes.count;

	if (depth > DEPTH_MAX || number >= SPANS_NONE - 1 || !has_code(&die) ||
	    !add_ranges(reading, &die, number))
		return outer;
	grow(&unit->nodes);
	unit->nodes.items[unit->nodes.count++] =
		(struct node){ .die = entry->die, .outer = outer, .depth = depth };
	return number;
}

/* What the entries below this one lie in. */
static uint32_t take_entry(struct unit_reading *reading, const struct dies_entry *entry,
			   uint32_t around)
{
	switch (entry->tag) {
	case DW_TAG_subprogram:
		return add_node(reading, entry, SPANS_NONE);
	case DW_TAG_inlined_subroutine:
		return around == SPANS_NONE ? around : add_node(reading, entry, around);
	default:
		return around;
	}
}

static void set_around(struct unit_reading *reading, size_t depth, uint32_t around)
{
	while (reading->around.count <= depth) {
		grow(&reading->around);
		reading->around.items[reading->around.count++] = SPANS_NONE;
	}
	reading->around.items[depth] = around;
}

/* All of them: functions have types in them, and types functions. */
static void read_entries(struct unit_reading *reading)
{
	struct dies_entry entry;

	set_around(reading, 1, SPANS_NONE);
	while (dies_next(reading->dies, &entry))
		set_around(reading, entry.depth + 1,
			   take_entry(reading, &entry, reading->around.items[entry.depth]));
}

/* Of all, when none is added any more. */
static void settle_nodes(struct inlines_unit *unit)
{
	for (size_t i = 0; i < unit->nodes.count; i++) {
		struct node *node = &unit->nodes.items[i];
		const struct node *outer = node->depth > 1 ? &unit->nodes.items[node->outer] : NULL;

		node->inlined.outer = outer ? &outer->inlined : NULL;
	}
	for (size_t i = unit->spans.pieces.count; i-- > 0;) {
		const struct spans_piece *piece = &unit->spans.pieces.items[i];

		if (piece->value != SPANS_NONE)
			unit->nodes.items[piece->value].begin = piece->begin;
	}
}

struct inlines_unit *inlines_unit_new(struct Dwarf *dwarf, uint64_t offset)
{
	struct inlines_unit *unit = xnew(struct inlines_unit);
	struct unit_reading reading = { .unit = unit };

	if (!dwarf_offdie(dwarf, offset, &unit->die))
		return unit;
	reading.dies = dies_new(&unit->die);
	if (reading.dies)
		read_entries(&reading);
	dies_free(reading.dies);
	free(reading.around.items);
	spans_settle(&unit->spans);
	settle_nodes(unit);
	return unit;
}

void inlines_unit_free(struct inlines_unit *unit)
{
	if (!unit)
		return;
	free(unit->nodes.items);
	spans_done(&unit->spans);
	free(unit);
}

/* Of the entry, or of what it says it is an instance or the definition of. */
static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, name, &attribute))
		return NULL;
	return dwarf_formstring(&attribute);
}

static void read_name(struct node *node)
{
	const char *name = text_of(&node->die, DW_AT_linkage_name);

	if (!name)
		name = text_of(&node->die, DW_AT_MIPS_linkage_name);
	node->inlined.is_linkage = name;
	node->inlined.name = name ? name : text_of(&node->die, DW_AT_name);
}

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *ret_number)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, ret_number) == 0;
}

static struct source_line call_of(struct inlines_unit *unit, Dwarf_Die *die)
{
	struct source_line call = { 0 };
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t count;

	if (!number_of(die, DW_AT_call_file, &file) || !number_of(die, DW_AT_call_line, &line) ||
	    line == 0 || line > UINT32_MAX || dwarf_getsrcfiles(&unit->die, &files, &count) != 0 ||
	    file >= count)
		return call;
	call.file = dwarf_filesrc(files, file, NULL, NULL);
	call.line = call.file ? (uint32_t)line : 0;
	return call;
}

/* It and all around it. */
static void read_nodes(struct inlines_unit *unit, uint32_t number)
{
	while (number != SPANS_NONE) {
		struct node *node = &unit->nodes.items[number];

		if (node->depth == 0 || node->is_read)
			return;
		read_name(node);
		node->inlined.call = call_of(unit, &node->die);
		node->is_read = true;
		number = node->outer;
	}
}

bool inlines_unit_find(struct inlines_unit *unit, uint64_t vaddr, struct inlines_place *ret_place)
{
	uint32_t number = spans_find(&unit->spans, vaddr);
	const struct node *node;

	if (number == SPANS_NONE)
		return false;
	read_nodes(unit, number);
	node = &unit->nodes.items[number];
	*ret_place = (struct inlines_place){ node->depth > 0 ? &node->inlined : NULL, node->begin };
	return true;
}
