/* cfi.c - see cfi.h. */
#include "object/cfi.h"

#include <elf.h>
#include <errno.h>
#include <libelf.h>
#include <string.h>

#include "object/cfi-arm.h"
#include "object/cfi-index.h"
#include "object/cfi-program.h"
#include "object/cfi-section.h"
#include "object/elf-file.h"

enum { TABLES_MAX = 3 }; /* .eh_frame, .debug_frame, and that of the debug file */

struct table {
	struct cfi_section section;
	struct cfi_index index;
};

struct cfi {
	const struct elf_file *file; /* NULL: cfi_new_frames() */
	uint16_t machine;
	struct table tables[TABLES_MAX]; /* in this order they are asked */
	size_t count;
	struct cfi_arm arm;         /* asked last: it tells of calls alone */
	uint64_t stubs, stubs_size; /* .plt of arm64 and 32-bit Arm, of which no table tells */
};

/* DWARF for the Arm Architecture: of 64 bits, and of 32. */
enum { ARM64_LINK = 30, ARM64_SP = 31, ARM_LINK = 14, ARM_SP = 13 };

static uint8_t address_size(const struct elf_file *file)
{
	return elf_file_is_64bit(file) ? 8 : 4;
}

static bool is_known_machine(uint16_t machine)
{
	switch (machine) {
	case EM_X86_64:
	case EM_386:
	case EM_AARCH64:
	case EM_ARM:
		return true;
	default:
		return false;
	}
}

static bool is_known(const struct elf_file *file)
{
	const char *identity = elf_getident(elf_file_handle(file), NULL);

	return identity && identity[EI_DATA] == ELFDATA2LSB && elf_file_type(file) != ET_REL &&
	       is_known_machine(elf_file_machine(file));
}

static bool section_bytes(const struct elf_file *file, const char *name,
			  struct cfi_section *ret_section)
{
	const struct elf_file_section *section = elf_file_section_find(file, name);

	if (!section)
		return false;
	ret_section->bytes = elf_file_section_bytes(file, section, &ret_section->size);
	ret_section->vaddr = section->vaddr;
	return ret_section->bytes;
}

static void add_eh_frame(struct cfi *cfi, const struct elf_file *file)
{
	struct table *table = &cfi->tables[cfi->count];
	struct cfi_section *section = &table->section;
	const uint8_t *header_bytes;
	uint64_t header, header_size, vaddr;
	size_t size = 0;
	bool found;

	*section = (struct cfi_section){ .is_eh = true, .address_size = address_size(file) };
	found = section_bytes(file, ".eh_frame", section);
	/* What programs themselves look for, so it is there without sections, too. */
	if (elf_file_header(file, PT_GNU_EH_FRAME, &header, &header_size) &&
	    (header_bytes = elf_file_loaded(file, header, &size)) &&
	    cfi_index_take(&table->index, header_bytes, size, header, section->address_size,
			   &vaddr) &&
	    (!found || vaddr == section->vaddr)) {
		if (!found)
			section->bytes = elf_file_loaded(file, vaddr, &section->size);
		section->vaddr = vaddr;
		found = section->bytes;
	} else {
		table->index = (struct cfi_index){ 0 };
		if (found)
			cfi_index_scan(&table->index, section);
	}
	cfi->count += found;
}

static void add_debug_frame(struct cfi *cfi, const struct elf_file *file)
{
	struct table *table = &cfi->tables[cfi->count];

	table->section = (struct cfi_section){ .address_size = address_size(file) };
	if (!section_bytes(file, ".debug_frame", &table->section))
		return;
	cfi_index_scan(&table->index, &table->section);
	cfi->count++;
}

static void find_stubs(struct cfi *cfi, const struct elf_file *file)
{
	const struct elf_file_section *section = elf_file_section_find(file, ".plt");

	if ((cfi->machine != EM_AARCH64 && cfi->machine != EM_ARM) || !section)
		return;
	cfi->stubs = section->vaddr;
	cfi->stubs_size = section->size;
}

struct cfi *cfi_new(const struct elf_file *file, const struct elf_file *debug)
{
	struct cfi *cfi = xnew(struct cfi);

	cfi->file = file;
	cfi->machine = elf_file_machine(file);
	if (!is_known(file))
		return cfi;
	find_stubs(cfi, file);
	add_eh_frame(cfi, file);
	add_debug_frame(cfi, file);
	if (debug && elf_file_machine(debug) == elf_file_machine(file) && is_known(debug))
		add_debug_frame(cfi, debug);
	cfi_arm_init(&cfi->arm, file);
	return cfi;
}

struct cfi *cfi_new_frames(const struct cfi_frames *frames)
{
	bool is_32bit = frames->machine == EM_386 || frames->machine == EM_ARM;
	struct cfi *cfi = xnew(struct cfi);
	struct table *table = &cfi->tables[0];

	cfi->machine = frames->machine;
	if (!is_known_machine(frames->machine))
		return cfi;
	table->section = (struct cfi_section){
		.bytes = frames->bytes,
		.size = frames->size,
		.vaddr = frames->vaddr,
		.is_eh = true,
		.address_size = is_32bit ? 4 : 8,
	};
	cfi_index_scan(&table->index, &table->section);
	cfi->count = 1;
	return cfi;
}

void cfi_free(struct cfi *cfi)
{
	if (!cfi)
		return;
	for (size_t i = 0; i < cfi->count; i++)
		cfi_index_done(&cfi->tables[i].index);
	free(cfi);
}

const struct elf_file *cfi_file(const struct cfi *cfi)
{
	return cfi->file;
}

static int find(const struct cfi *cfi, const struct table *table, uint64_t vaddr,
		struct cfi_row *ret_row)
{
	struct cfi_fde fde;
	size_t offset, next;
	int r;

	if (!cfi_index_find(&table->index, &table->section, vaddr, &offset))
		return -ENOENT;
	r = cfi_section_fde(&table->section, offset, &fde, &next);
	if (r < 0)
		return r;
	if (vaddr < fde.start || vaddr >= fde.end)
		return -ENOENT;
	r = cfi_program_run(&fde, cfi->machine, vaddr, ret_row);
	if (r == 0)
		ret_row->function = fde.start;
	return r;
}

static struct cfi_row stub_row(const struct cfi *cfi)
{
	bool is_arm64 = cfi->machine == EM_AARCH64;

	return (struct cfi_row){ .function = cfi->stubs,
				 .cfa = { .kind = CFI_REGISTER,
					  .reg = is_arm64 ? ARM64_SP : ARM_SP },
				 .return_column = is_arm64 ? ARM64_LINK : ARM_LINK };
}

int cfi_find(const struct cfi *cfi, uint64_t vaddr, struct cfi_row *ret_row)
{
	int result = -ENOENT;

	for (size_t i = 0; i < cfi->count && result == -ENOENT; i++)
		result = find(cfi, &cfi->tables[i], vaddr, ret_row);
	if (result == -ENOENT && vaddr - cfi->stubs < cfi->stubs_size) {
		*ret_row = stub_row(cfi);
		return 0;
	}
	return result == -ENOENT ? cfi_arm_find(&cfi->arm, vaddr, ret_row) : result;
}
