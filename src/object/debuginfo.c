/* debuginfo.c - see debuginfo.h. */
#include "object/debuginfo.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <endian.h>
#include <stdlib.h>

#include "object/elf-file.h"
#include "object/inlines.h"
#include "object/units.h"

struct debuginfo {
	Dwarf *dwarf;
	Dwarf *alt;     /* of the file in common; NULL: not known, or none is needed */
	Dwarf *nothing; /* what stands for it while it is not known, and for its own */
	struct elf_file *nothing_file;
	struct units *units;     /* NULL: nobody has asked yet */
	struct inlines *inlines; /* the same */
};

/* An ELF file with debug information in which nothing can be found. */
static const struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[24];
	char lines[1];
} nothing_image = {
	.header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     BYTE_ORDER == LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shoff = sizeof(Elf64_Ehdr),
		.e_shnum = 3,
		.e_shstrndx = 1,
	},
	.sections = {
		[1] = { .sh_name = 1,
			.sh_type = SHT_STRTAB,
			.sh_offset = offsetof(__typeof__(nothing_image), names),
			.sh_size = sizeof(nothing_image.names) },
		[2] = { .sh_name = 11,
			.sh_type = SHT_PROGBITS,
			.sh_offset = offsetof(__typeof__(nothing_image), lines),
			.sh_size = sizeof(nothing_image.lines) },
	},
	.names = "\0.shstrtab\0.debug_line",
};

bool debuginfo_has(const struct elf_file *file)
{
	/* What is in a relocatable file has no place. */
	return elf_file_type(file) != ET_REL && elf_file_section_find(file, ".debug_info");
}

static void set_nothing(struct debuginfo *debuginfo)
{
	if (elf_file_from_memory(&nothing_image, sizeof(nothing_image), "nothing",
				 &debuginfo->nothing_file, NULL) < 0)
		return;
	debuginfo->nothing =
		dwarf_begin_elf(elf_file_handle(debuginfo->nothing_file), DWARF_C_READ, NULL);
	dwarf_setalt(debuginfo->dwarf, debuginfo->nothing);
}

struct debuginfo *debuginfo_new(const struct elf_file *file)
{
	_cleanup_(debuginfo_freep) struct debuginfo *debuginfo = xnew(struct debuginfo);
	const uint8_t *id;
	size_t id_size;

	if (!debuginfo_has(file))
		return NULL;
	elf_file_unpack_debug(file);
	debuginfo->dwarf = dwarf_begin_elf(elf_file_handle(file), DWARF_C_READ, NULL);
	if (!debuginfo->dwarf)
		return NULL;
	if (debuginfo_alt(debuginfo, &id, &id_size))
		set_nothing(debuginfo);
	return take(debuginfo);
}

const char *debuginfo_alt(const struct debuginfo *debuginfo, const uint8_t **ret_id,
			  size_t *ret_id_size)
{
	const void *id = NULL;
	const char *name = NULL;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(debuginfo->dwarf, &name, &id);

	if (size <= 0 || !name)
		return NULL;
	*ret_id = id;
	*ret_id_size = (size_t)size;
	return name;
}

void debuginfo_set_alt(struct debuginfo *debuginfo, const struct elf_file *alt)
{
	elf_file_unpack_debug(alt);
	debuginfo->alt = dwarf_begin_elf(elf_file_handle(alt), DWARF_C_READ, NULL);
	if (!debuginfo->alt)
		return;
	dwarf_setalt(debuginfo->alt, debuginfo->nothing);
	dwarf_setalt(debuginfo->dwarf, debuginfo->alt);
}

void debuginfo_free(struct debuginfo *debuginfo)
{
	if (!debuginfo)
		return;
	inlines_free(debuginfo->inlines);
	units_free(debuginfo->units);
	if (debuginfo->dwarf)
		(void)dwarf_end(debuginfo->dwarf);
	if (debuginfo->alt)
		(void)dwarf_end(debuginfo->alt);
	if (debuginfo->nothing)
		(void)dwarf_end(debuginfo->nothing);
	elf_file_free(debuginfo->nothing_file);
	free(debuginfo);
}

struct Dwarf *debuginfo_dwarf(const struct debuginfo *debuginfo)
{
	return debuginfo->dwarf;
}

const struct units *debuginfo_units(struct debuginfo *debuginfo)
{
	if (!debuginfo->units)
		debuginfo->units = units_new(debuginfo->dwarf);
	return debuginfo->units;
}

struct inlines *debuginfo_inlines(struct debuginfo *debuginfo)
{
	if (!debuginfo->inlines)
		debuginfo->inlines = inlines_new(debuginfo);
	return debuginfo->inlines;
}
