/* jit-image.c - see jit-image.h. */
#include "object/jit-image.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "object/jit-lines.h"

/* A note: sizes of name and content, type; "GNU"; the build-id. */
struct id_note {
	uint32_t name_size, size, type;
	char name[4];
	uint8_t id[JIT_IMAGE_BUILD_ID];
};

struct making {
	const struct jit_image *image;
	Elf *elf;
	struct str section_names, names;
	struct jit_lines lines;
	struct id_note note;
	void *symbols;
	size_t code_at; /* index of .text */
	uint64_t offset;
	bool failed;
};

static void making_done(struct making *making)
{
	if (making->elf)
		(void)elf_end(making->elf);
	str_done(&making->section_names);
	str_done(&making->names);
	jit_lines_done(&making->lines);
	free(making->symbols);
}

static bool is_64bit(const struct jit_image *image)
{
	return image->machine != EM_386 && image->machine != EM_ARM && image->machine != EM_PPC &&
	       image->machine != EM_MIPS;
}

static bool is_big(const struct jit_image *image)
{
	return (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != image->foreign;
}

static size_t add_text(struct str *table, const char *text)
{
	size_t at = table->size;

	str_add_bytes(table, text, strlen(text) + 1);
	return at;
}

struct section {
	const char *name;
	uint32_t type;
	uint64_t flags, align, entry_size;
	const void *bytes;
	size_t size;
	Elf_Type kind; /* what libelf turns into the file's byte order */
};

/* Its bytes are borrowed until the file is written. Its index. */
static size_t add_section(struct making *making, struct section section)
{
	Elf_Scn *scn = elf_newscn(making->elf);
	Elf_Data *bytes = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr header;

	if (!bytes || !gelf_getshdr(scn, &header)) {
		making->failed = true;
		return 0;
	}
	bytes->d_buf = (void *)(uintptr_t)section.bytes;
	bytes->d_size = section.size;
	bytes->d_type = section.kind;
	bytes->d_align = section.align;
	bytes->d_version = EV_CURRENT;
	header.sh_name = (GElf_Word)add_text(&making->section_names, section.name);
	header.sh_type = section.type;
	header.sh_flags = section.flags;
	header.sh_addralign = section.align;
	header.sh_entsize = section.entry_size;
	making->failed |= !gelf_update_shdr(scn, &header);
	return elf_ndxscn(scn);
}

static void add_plain(struct making *making, const char *name, uint64_t flags, uint64_t align,
		      const void *bytes, size_t size)
{
	(void)add_section(making, (struct section){ .name = name,
						    .type = SHT_PROGBITS,
						    .flags = flags,
						    .align = align,
						    .bytes = bytes,
						    .size = size,
						    .kind = ELF_T_BYTE });
}

static void add_unwinding(struct making *making)
{
	const struct jit_image *image = making->image;
	size_t frames = image->unwind_size - image->unwind_header_size;

	if (!image->unwind)
		return;
	add_plain(making, ".eh_frame", SHF_ALLOC, 8, image->unwind, frames);
	add_plain(making, ".eh_frame_hdr", SHF_ALLOC, 1, image->unwind + frames,
		  image->unwind_header_size);
}

static void add_code(struct making *making)
{
	const struct jit_image *image = making->image;

	making->code_at = add_section(making, (struct section){ .name = ".text",
								.type = SHT_PROGBITS,
								.flags = SHF_ALLOC | SHF_EXECINSTR,
								.align = 16,
								.bytes = image->code,
								.size = image->code_size,
								.kind = ELF_T_BYTE });
	add_unwinding(making);
}

/* One symbol, behind the one that stands for none. */
static void add_symbols(struct making *making)
{
	const uint64_t entry = gelf_fsize(making->elf, ELF_T_SYM, 1, EV_CURRENT);
	size_t at, names;
	GElf_Shdr header;
	Elf_Scn *scn;

	making->symbols = xcalloc(2, entry);
	(void)add_text(&making->names, "");
	(void)add_text(&making->names, making->image->name);
	at = add_section(making, (struct section){ .name = ".symtab",
						   .type = SHT_SYMTAB,
						   .align = 8,
						   .entry_size = entry,
						   .bytes = making->symbols,
						   .size = 2 * entry,
						   .kind = ELF_T_SYM });
	names = add_section(making, (struct section){ .name = ".strtab",
						      .type = SHT_STRTAB,
						      .align = 1,
						      .bytes = making->names.text,
						      .size = making->names.size,
						      .kind = ELF_T_BYTE });
	scn = elf_getscn(making->elf, at);
	if (!scn || !gelf_getshdr(scn, &header)) {
		making->failed = true;
		return;
	}
	header.sh_link = (GElf_Word)names;
	header.sh_info = 1; /* the first that is global */
	making->failed |= !gelf_update_shdr(scn, &header);
}

static void make_build_id(struct making *making)
{
	const struct jit_image *image = making->image;
	uint64_t words[3] = {
		hash_bytes(image->name, strlen(image->name)),
		hash_bytes(image->code, image->code_size),
		image->line_count ? hash_bytes(making->lines.line.text, making->lines.line.size)
				  : image->addr,
	};

	for (size_t i = 0; i < 6; i++)
		words[i % 3] ^= hash_u64(words[(i + 1) % 3] + i);
	making->note = (struct id_note){ 4, JIT_IMAGE_BUILD_ID, NT_GNU_BUILD_ID, "GNU", { 0 } };
	memcpy(making->note.id, words, JIT_IMAGE_BUILD_ID);
}

/* Numbers of a note are the machine's; libelf turns them. */
static void add_note(struct making *making)
{
	make_build_id(making);
	(void)add_section(making, (struct section){ .name = ".note.gnu.build-id",
						    .type = SHT_NOTE,
						    .flags = SHF_ALLOC,
						    .align = 4,
						    .bytes = &making->note,
						    .size = sizeof(making->note),
						    .kind = ELF_T_NHDR });
}

static void add_section_names(struct making *making)
{
	size_t at, names = making->section_names.size;
	GElf_Ehdr header;
	Elf_Data *bytes;

	at = add_section(making, (struct section){ .name = ".shstrtab",
						   .type = SHT_STRTAB,
						   .align = 1,
						   .bytes = "",
						   .size = names,
						   .kind = ELF_T_BYTE });
	if (making->failed || !gelf_getehdr(making->elf, &header)) {
		making->failed = true;
		return;
	}
	bytes = elf_getdata(elf_getscn(making->elf, at), NULL);
	bytes->d_buf = making->section_names.text; /* with its own name */
	bytes->d_size = making->section_names.size;
	header.e_shstrndx = (GElf_Half)at;
	making->failed |= !gelf_update_ehdr(making->elf, &header);
}

static void begin(struct making *making, int fd)
{
	const struct jit_image *image = making->image;
	GElf_Ehdr header;

	(void)elf_version(EV_CURRENT);
	making->elf = elf_begin(fd, ELF_C_WRITE, NULL);
	if (!making->elf || !gelf_newehdr(making->elf, is_64bit(image) ? ELFCLASS64 : ELFCLASS32) ||
	    !gelf_newphdr(making->elf, 1) || !gelf_getehdr(making->elf, &header)) {
		making->failed = true;
		return;
	}
	header.e_ident[EI_DATA] = is_big(image) ? ELFDATA2MSB : ELFDATA2LSB;
	header.e_type = ET_DYN;
	header.e_machine = (GElf_Half)image->machine;
	header.e_version = EV_CURRENT;
	making->failed |= !gelf_update_ehdr(making->elf, &header);
	(void)add_text(&making->section_names, "");
}

/* All lie at addresses that are their offsets, which libelf decides. */
static void place_sections(struct making *making)
{
	uint64_t end = 0;
	Elf_Scn *scn = NULL;

	if (elf_update(making->elf, ELF_C_NULL) < 0) {
		making->failed = true;
		return;
	}
	while ((scn = elf_nextscn(making->elf, scn))) {
		GElf_Shdr header;

		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_ALLOC))
			continue;
		header.sh_addr = header.sh_offset;
		if (elf_ndxscn(scn) == making->code_at)
			making->offset = header.sh_offset;
		end = header.sh_offset + header.sh_size;
		making->failed |= !gelf_update_shdr(scn, &header);
	}
	GElf_Phdr segment = {
		.p_type = PT_LOAD,
		.p_offset = making->offset,
		.p_vaddr = making->offset,
		.p_paddr = making->offset,
		.p_filesz = end - making->offset,
		.p_memsz = end - making->offset,
		.p_flags = PF_R | PF_X,
		.p_align = 8,
	};

	making->failed |= !gelf_update_phdr(making->elf, 0, &segment);
}

static void place_symbol(struct making *making)
{
	Elf_Scn *scn = NULL;
	GElf_Sym symbol = {
		.st_name = 1,
		.st_info = GELF_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = (GElf_Section)making->code_at,
		.st_value = making->offset,
		.st_size = making->image->code_size,
	};
	GElf_Shdr header;

	while ((scn = elf_nextscn(making->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_type == SHT_SYMTAB)
			making->failed |= !gelf_update_sym(elf_getdata(scn, NULL), 1, &symbol);
}

/* Where the code will be: behind the headers, which are all that lies before it. */
static uint64_t code_address(const struct making *making)
{
	uint64_t headers = gelf_fsize(making->elf, ELF_T_EHDR, 1, EV_CURRENT) +
			   gelf_fsize(making->elf, ELF_T_PHDR, 1, EV_CURRENT);

	return (headers + 15) & ~UINT64_C(15);
}

static void add_lines(struct making *making)
{
	const struct jit_image *image = making->image;
	const struct jit_lines_code code = {
		.name = image->name,
		.addr = code_address(making),
		.size = image->code_size,
		.moved_by = code_address(making) - image->addr,
		.foreign = image->foreign,
		.addr_size = is_64bit(image) ? 8 : 4,
	};

	if (image->line_count == 0)
		return;
	jit_lines_make(&code, image->lines, image->line_count, &making->lines);
	add_plain(making, ".debug_line", 0, 1, making->lines.line.text, making->lines.line.size);
	add_plain(making, ".debug_info", 0, 1, making->lines.info.text, making->lines.info.size);
	add_plain(making, ".debug_abbrev", 0, 1, making->lines.abbrev.text,
		  making->lines.abbrev.size);
}

int jit_image_write(const struct jit_image *image, int fd, uint64_t *ret_offset,
		    uint8_t ret_build_id[JIT_IMAGE_BUILD_ID])
{
	_cleanup_(making_done) struct making making = { .image = image };

	begin(&making, fd);
	if (making.failed)
		return -EIO;
	add_code(&making);
	add_lines(&making);
	add_symbols(&making);
	add_note(&making);
	add_section_names(&making);
	if (!making.failed)
		place_sections(&making);
	if (!making.failed)
		place_symbol(&making);
	errno = 0;
	if (making.failed || making.offset != code_address(&making) ||
	    elf_update(making.elf, ELF_C_WRITE) < 0)
		return errno ? -errno : -EIO;
	*ret_offset = making.offset;
	memcpy(ret_build_id, making.note.id, JIT_IMAGE_BUILD_ID);
	return 0;
}
