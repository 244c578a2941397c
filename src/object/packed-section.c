/* packed-section.c - see packed-section.h. */
#include "object/packed-section.h"

#include <elf.h>
#include <endian.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/str.h"

/* Since binutils 2.40; elf.h of glibc has it since 2.38. */
enum { TYPE_ZSTD = 2 };

/* The header of old: a mark, and the size as a big-endian number. */
static const char old_mark[] = { 'Z', 'L', 'I', 'B' };
enum { OLD_HEADER = sizeof(old_mark) + sizeof(uint64_t) };

enum { OWN_ORDER = BYTE_ORDER == LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB };

struct packed {
	const uint8_t *bytes; /* behind the header */
	size_t size;
	uint64_t whole; /* the size unpacked, as the header says */
	enum unpack_kind kind;
};

static bool has_old_mark(const void *bytes, size_t size)
{
	return size >= OLD_HEADER && memcmp(bytes, old_mark, sizeof(old_mark)) == 0;
}

static bool read_old_header(const Elf_Data *data, struct packed *ret_packed)
{
	uint64_t whole;

	if (!has_old_mark(data->d_buf, data->d_size))
		return false;
	memcpy(&whole, (const char *)data->d_buf + sizeof(old_mark), sizeof(whole));
	*ret_packed = (struct packed){
		.bytes = (const uint8_t *)data->d_buf + OLD_HEADER,
		.size = data->d_size - OLD_HEADER,
		.whole = be64toh(whole),
		.kind = UNPACK_ZLIB,
	};
	return true;
}

static enum unpack_kind kind_of(uint32_t type)
{
	switch (type) {
	case ELFCOMPRESS_ZLIB:
		return UNPACK_ZLIB;
	case TYPE_ZSTD:
		return UNPACK_ZSTD;
	default:
		return UNPACK_UNKNOWN;
	}
}

/* Not by gelf_getchdr(), which copies a section that lies at an odd place as a whole. */
static bool read_header(Elf *elf, const Elf_Data *data, struct packed *ret_packed)
{
	const char *identity = elf_getident(elf, NULL);
	bool foreign = identity && identity[EI_DATA] != OWN_ORDER;
	const uint8_t *bytes = data->d_buf;
	Elf64_Chdr header = { 0 };
	size_t header_size = sizeof(header);

	if (gelf_getclass(elf) == ELFCLASS32) {
		Elf32_Chdr half = { 0 };

		header_size = sizeof(half);
		if (data->d_size < header_size)
			return false;
		memcpy(&half, bytes, header_size);
		header.ch_type = half.ch_type;
		header.ch_size = bytes_u32(half.ch_size, foreign);
	} else {
		if (data->d_size < header_size)
			return false;
		memcpy(&header, bytes, header_size);
		header.ch_size = bytes_u64(header.ch_size, foreign);
	}
	*ret_packed = (struct packed){
		.bytes = bytes + header_size,
		.size = data->d_size - header_size,
		.whole = header.ch_size,
		.kind = kind_of(bytes_u32(header.ch_type, foreign)),
	};
	return true;
}

/* False if the section is not packed. */
static bool find_packed(Elf *elf, Elf_Scn *section, const char *name, struct packed *ret_packed)
{
	bool is_old = str_after(name, ".zdebug_");
	Elf_Data *data;
	GElf_Shdr shdr;

	if (!section || !gelf_getshdr(section, &shdr) || shdr.sh_type == SHT_NOBITS ||
	    (!is_old && !(shdr.sh_flags & SHF_COMPRESSED)))
		return false;
	data = elf_rawdata(section, NULL);
	*ret_packed = (struct packed){ .kind = UNPACK_UNKNOWN };
	if (data && data->d_buf)
		(void)(is_old ? read_old_header(data, ret_packed)
			      : read_header(elf, data, ret_packed));
	return true;
}

enum unpack_kind packed_section_kind(Elf *elf, size_t index, const char *name)
{
	struct packed packed;

	return find_packed(elf, elf_getscn(elf, index), name, &packed) ? packed.kind : UNPACK_NONE;
}

/* libelf has a view of the bytes as they are and one of them as what they mean, of which libdw
 * takes the second. */
static void replace(Elf_Scn *section, void *bytes, size_t size)
{
	Elf_Data *views[] = { elf_rawdata(section, NULL), elf_getdata(section, NULL) };
	GElf_Shdr shdr;

	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		if (!views[i])
			continue;
		views[i]->d_buf = bytes;
		views[i]->d_size = size;
		views[i]->d_type = ELF_T_BYTE;
	}
	if (!gelf_getshdr(section, &shdr))
		return;
	shdr.sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	shdr.sh_size = size;
	(void)gelf_update_shdr(section, &shdr);
}

void *packed_section_unpack(Elf *elf, size_t index, const char *name)
{
	Elf_Scn *section = elf_getscn(elf, index);
	struct packed packed;
	void *bytes = NULL;
	size_t size = 0;

	if (!find_packed(elf, section, name, &packed))
		return NULL;
	if (unpack(packed.kind, packed.bytes, packed.size, packed.whole, &bytes, &size) < 0)
		size = 0;
	/* libdw would unpack what looks so again, and believe the size. */
	if (bytes && has_old_mark(bytes, size)) {
		free(take(bytes));
		size = 0;
	}
	replace(section, bytes, size);
	return bytes;
}
