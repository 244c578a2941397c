/* fuzz-lines.c - any bytes as an ELF file, and what its DWARF tells of its code: source
 * lines and inlined functions.
 */
#include <string.h>

#include "fuzz.h"
#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "object/inlines.h"
#include "object/lines.h"

enum { ASKED = 64 }; /* addresses of each segment */

static size_t ask_line(struct debuginfo *debuginfo, uint64_t vaddr)
{
	struct source_line line;

	return lines_find(debuginfo, vaddr, &line) ? strlen(line.file) + line.line : 0;
}

static size_t ask(struct debuginfo *debuginfo, uint64_t vaddr)
{
	const struct inlined *inlined = inlines_find(debuginfo, vaddr);
	size_t sum = ask_line(debuginfo, vaddr);

	for (; inlined; inlined = inlined->outer) {
		sum += inlined->name ? strlen(inlined->name) : 0;
		sum += inlined->call.file ? strlen(inlined->call.file) + inlined->call.line : 0;
	}
	return sum;
}

static size_t ask_segment(struct debuginfo *debuginfo, const struct elf_file_segment *segment)
{
	uint64_t step = segment->file_size / ASKED + 1;
	size_t sum = 0;

	for (uint64_t i = 0; i < ASKED && i * step < segment->file_size; i++)
		sum += ask(debuginfo, segment->vaddr + i * step);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct elf_file_segment segments[4];
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(debuginfo_freep) struct debuginfo *debuginfo = NULL;
	size_t count = 0, sum = 0, id_size;
	const uint8_t *id;

	if (elf_file_from_memory(bytes, size, "fuzz", &file, NULL) < 0)
		return 0;
	for (size_t i = 0; i < elf_file_segment_count(file) && count < 4; i++) {
		if (elf_file_segment(file, i)->executable)
			segments[count++] = *elf_file_segment(file, i);
	}
	debuginfo = debuginfo_new(file);
	if (!debuginfo)
		return 0;
	if (debuginfo_alt(debuginfo, &id, &id_size))
		debuginfo_set_alt(debuginfo, file);
	for (size_t i = 0; i < count; i++)
		sum += ask_segment(debuginfo, &segments[i]);
	sum += ask(debuginfo, 0) + ask(debuginfo, UINT64_MAX);
	__asm__ volatile("" : : "r"(sum));
	return 0;
}
