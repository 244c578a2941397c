/* lines.c - see lines.h. */
#include "object/lines.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "object/elf-file.h"

/* A stretch of code and the compilation unit it comes from. */
struct stretch {
	uint64_t begin, end; /* [begin, end) */
	uint64_t highest;    /* end of it and of all before it: stretches may overlap */
	Dwarf_Off unit;
};

struct lines {
	struct elf_file *file;
	Dwarf *dwarf;
	struct {
		struct stretch *items;
		size_t count, capacity;
	} stretches; /* by begin, once settled */
	bool settled;
};

bool lines_has(const struct elf_file *file)
{
	/* Compressed sections of old had the name; what is in a relocatable file has no place. */
	return elf_file_type(file) != ET_REL && (elf_file_section_find(file, ".debug_line") ||
						 elf_file_section_find(file, ".zdebug_line"));
}

struct lines *lines_new(struct elf_file *file)
{
	_cleanup_(lines_freep) struct lines *lines = xnew(struct lines);

	lines->file = file;
	if (!lines_has(file))
		return NULL;
	lines->dwarf = dwarf_begin_elf(elf_file_handle(file), DWARF_C_READ, NULL);
	return lines->dwarf ? take(lines) : NULL;
}

void lines_free(struct lines *lines)
{
	if (!lines)
		return;
	if (lines->dwarf)
		(void)dwarf_end(lines->dwarf);
	elf_file_free(lines->file);
	free(lines->stretches.items);
	free(lines);
}

static void add_unit(struct lines *lines, Dwarf_Die *unit)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(unit, next, &base, &begin, &end)) > 0) {
		if (begin >= end)
			continue;
		grow(&lines->stretches);
		lines->stretches.items[lines->stretches.count++] =
			(struct stretch){ begin, end, end, dwarf_dieoffset(unit) };
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct stretch *left = a, *right = b;

	return (left->begin > right->begin) - (left->begin < right->begin);
}

/* .debug_aranges would say the same, but not every compiler writes it. */
static void settle(struct lines *lines)
{
	Dwarf_Off offset = 0, next;
	size_t header_size;
	uint64_t highest = 0;

	while (dwarf_nextcu(lines->dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
		Dwarf_Die unit;

		if (dwarf_offdie(lines->dwarf, offset + header_size, &unit))
			add_unit(lines, &unit);
		if (next <= offset)
			break;
		offset = next;
	}
	if (lines->stretches.count > 0)
		qsort(lines->stretches.items, lines->stretches.count,
		      sizeof(*lines->stretches.items), by_begin);
	for (size_t i = 0; i < lines->stretches.count; i++) {
		struct stretch *stretch = &lines->stretches.items[i];

		if (stretch->end > highest)
			highest = stretch->end;
		stretch->highest = highest;
	}
	lines->settled = true;
}

/* How many stretches begin at or below the address. */
static size_t count_below(const struct lines *lines, uint64_t vaddr)
{
	size_t low = 0, high = lines->stretches.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines->stretches.items[middle].begin <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool find_in_unit(struct lines *lines, const struct stretch *stretch, uint64_t vaddr,
			 struct source_line *ret_line)
{
	Dwarf_Die unit;
	Dwarf_Line *line;
	const char *file;
	int number;

	if (!dwarf_offdie(lines->dwarf, stretch->unit, &unit))
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

bool lines_find(struct lines *lines, uint64_t vaddr, struct source_line *ret_line)
{
	if (!lines->settled)
		settle(lines);
	for (size_t i = count_below(lines, vaddr); i-- > 0;) {
		const struct stretch *stretch = &lines->stretches.items[i];

		if (stretch->highest <= vaddr)
			return false;
		if (vaddr < stretch->end && find_in_unit(lines, stretch, vaddr, ret_line))
			return true;
	}
	return false;
}
