/* fuzz-data.c - any bytes as an ELF file, and which data its code reads and writes. */
#include <string.h>

#include "base/str.h"
#include "fuzz-code.h"
#include "fuzz.h"
#include "object/cfi.h"
#include "object/data-accesses.h"
#include "object/data-types.h"
#include "object/debuginfo.h"
#include "object/elf-file.h"

static size_t ask(void *context, uint64_t vaddr)
{
	struct data_accesses *accesses = context;
	struct data_access access = data_accesses_find(accesses, vaddr);
	_cleanup_(str_done) struct str field = { 0 };

	data_accesses_add_field(accesses, &access, &field);
	if (access.kind != DATA_ACCESS_TYPE)
		return access.kind;
	return field.size + strlen(access.type->name) + access.offset;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(debuginfo_freep) struct debuginfo *debuginfo = NULL;
	_cleanup_(cfi_freep) struct cfi *cfi = NULL;
	_cleanup_(data_accesses_freep) struct data_accesses *accesses = NULL;
	size_t sum;

	if (elf_file_from_memory(bytes, size, "fuzz", &file, NULL) < 0)
		return 0;
	debuginfo = debuginfo_new(file);
	cfi = cfi_new(file, NULL);
	accesses = data_accesses_new(file, debuginfo, cfi);
	if (!accesses)
		return 0;
	sum = fuzz_code(file, ask, accesses);
	__asm__ volatile("" : : "r"(sum));
	return 0;
}
