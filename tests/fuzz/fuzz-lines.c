/* fuzz-lines.c - any bytes as an ELF file, and what its DWARF tells of its code: source
 * lines and inlined functions.
 */
#include <string.h>

#include "fuzz-code.h"
#include "fuzz.h"
#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "object/inlines.h"
#include "object/lines.h"

static size_t ask_line(struct debuginfo *debuginfo, uint64_t vaddr)
{
	struct source_line line;

	return lines_find(debuginfo, vaddr, &line) ? strlen(line.file) + line.line : 0;
}

static size_t ask(void *context, uint64_t vaddr)
{
	struct debuginfo *debuginfo = context;
	const struct inlined *inlined = inlines_find(debuginfo, vaddr);
	size_t sum = ask_line(debuginfo, vaddr);

	for (; inlined; inlined = inlined->outer) {
		sum += inlined->name ? strlen(inlined->name) : 0;
		sum += inlined->call.file ? strlen(inlined->call.file) + inlined->call.line : 0;
	}
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(debuginfo_freep) struct debuginfo *debuginfo = NULL;
	size_t sum, id_size;
	const uint8_t *id;

	if (elf_file_from_memory(bytes, size, "fuzz", &file, NULL) < 0)
		return 0;
	debuginfo = debuginfo_new(file);
	if (!debuginfo)
		return 0;
	if (debuginfo_alt(debuginfo, &id, &id_size))
		debuginfo_set_alt(debuginfo, file);
	sum = fuzz_code(file, ask, debuginfo);
	__asm__ volatile("" : : "r"(sum));
	return 0;
}
