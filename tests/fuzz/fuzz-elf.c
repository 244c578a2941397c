/* fuzz-elf.c - opens any bytes as an ELF file: its segments, sections, names, stubs, mini debug
 * info. */
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "object/debugfile.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"
#include "object/minidebug.h"
#include "object/symtab.h"

static uint64_t touch_bytes(const void *bytes, size_t size)
{
	const uint8_t *next = bytes;
	uint64_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += next[i];
	return sum;
}

static uint64_t touch_sections(const struct elf_file *file)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < elf_file_section_count(file); i++) {
		const struct elf_file_section *section = elf_file_section(file, i);
		size_t size = 0;
		const void *bytes = elf_file_section_bytes(file, section, &size);

		sum += strlen(section->name) + (bytes ? touch_bytes(bytes, size) : 0);
	}
	return sum;
}

static void check_segments(const struct elf_file *file)
{
	for (size_t i = 0; i < elf_file_segment_count(file); i++) {
		const struct elf_file_segment *segment = elf_file_segment(file, i);
		uint64_t vaddr, offset;

		(void)elf_file_offset_to_vaddr(file, segment->offset, &vaddr);
		(void)elf_file_vaddr_to_offset(file, segment->vaddr, &offset);
	}
}

/* Every name is found at its own start, or one that begins there or later has that address. */
static void check_symbols(const struct symtab *table)
{
	for (size_t i = 0; i < symtab_count(table); i++) {
		const struct symbol *symbol = symtab_at(table, i), *found;

		assert(symbol->end >= symbol->start && symbol->name && symbol->name[0]);
		found = symtab_find(table, symbol->start);
		assert(!found || (found->start <= symbol->start && symbol->start < found->end));
	}
}

static uint64_t touch_identity(const struct elf_file *file)
{
	const uint8_t *id = NULL;
	uint32_t crc = 0;
	const char *link = elf_file_debuglink(file, &crc);
	size_t size = elf_file_build_id(file, &id);

	return touch_bytes(id, size) + (link ? strlen(link) + crc : 0);
}

static void touch_debug_places(const struct elf_file *file)
{
	static const char *const roots[] = { "/nowhere" };
	struct debugfile_paths paths = { 0 };

	debugfile_candidates(file, "/nowhere/x", roots, 1, &paths);
	debugfile_paths_done(&paths);
	(void)debugfile_compare(file, file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct elf_file *file, *mini;
	struct symtab *table;
	uint64_t sum;

	if (elf_file_from_memory(bytes, size, "fuzz", &file, NULL) < 0)
		return 0;
	sum = touch_identity(file) + touch_sections(file);
	__asm__ volatile("" : : "r"(sum));
	check_segments(file);
	touch_debug_places(file);
	table = elf_symbols_load(file, NULL, NULL);
	check_symbols(table);
	symtab_free(table);
	if (minidebug_load(file, &mini, NULL) > 0) {
		(void)touch_sections(mini);
		elf_file_free(mini);
	}
	elf_file_free(file);
	return 0;
}
