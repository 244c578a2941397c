/* cfi.c - see cfi.h. */
#include "object/cfi.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <string.h>

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
	uint64_t stubs, stubs_size; /* arm64's .plt, of which no table tells */
};

/* DWARF for the Arm 64-bit Architecture. */
enum { ARM64_LINK = 30, ARM64_SP = 31 };

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

/* What a file has loaded from a vaddr on, borrowed; NULL if nothing. */
static const uint8_t *loaded_bytes(const struct elf_file *file, uint64_t vaddr, size_t *ret_size)
{
	size_t size = 0;
	const char *bytes = elf_rawfile(elf_file_handle(file), &size);

	for (size_t i = 0; bytes && i < elf_file_segment_count(file); i++) {
		const struct elf_file_segment *segment = elf_file_segment(file, i);
		uint64_t inside = vaddr - segment->vaddr;

		if (vaddr < segment->vaddr || inside >= segment->file_size ||
		    segment->offset > size || segment->file_size > size - segment->offset)
			continue;
		*ret_size = (size_t)(segment->file_size - inside);
		return (const uint8_t *)bytes + segment->offset + inside;
	}
	return NULL;
}

/* PT_GNU_EH_FRAME: what programs themselves look for, so it is there without sections, too. */
static bool find_header(const struct elf_file *file, GElf_Phdr *ret_header)
{
	size_t count = 0;

	if (elf_getphdrnum(elf_file_handle(file), &count) < 0)
		return false;
	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		if (!gelf_getphdr(elf_file_handle(file), (int)i, ret_header))
			return false;
		if (ret_header->p_type == PT_GNU_EH_FRAME)
			return true;
	}
	return false;
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
	GElf_Phdr header;
	size_t size = 0;
	uint64_t vaddr;
	bool found;

	*section = (struct cfi_section){ .is_eh = true, .address_size = address_size(file) };
	found = section_bytes(file, ".eh_frame", section);
	if (find_header(file, &header) &&
	    (header_bytes = loaded_bytes(file, header.p_vaddr, &size)) &&
	    cfi_index_take(&table->index, header_bytes, size, header.p_vaddr, section->address_size,
			   &vaddr) &&
	    (!found || vaddr == section->vaddr)) {
		if (!found)
			section->bytes = loaded_bytes(file, vaddr, &section->size);
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

	if (elf_file_machine(file) != EM_AARCH64 || !section)
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

int cfi_find(const struct cfi *cfi, uint64_t vaddr, struct cfi_row *ret_row)
{
	int result = -ENOENT;

	for (size_t i = 0; i < cfi->count && result == -ENOENT; i++)
		result = find(cfi, &cfi->tables[i], vaddr, ret_row);
	if (result == -ENOENT && vaddr - cfi->stubs < cfi->stubs_size) {
		*ret_row = (struct cfi_row){ .function = cfi->stubs,
					     .cfa = { .kind = CFI_REGISTER, .reg = ARM64_SP },
					     .return_column = ARM64_LINK };
		return 0;
	}
	return result;
}
