/* cfi-section.c - see cfi-section.h. */
#include "object/cfi-section.h"

#include <dwarf.h>
#include <errno.h>

/* An entry's frame: its length, and which it is. */
struct entry {
	struct dwarf_reader body; /* behind the id */
	bool is_cie;
	size_t cie_offset; /* of an FDE */
};

enum { MARK_64BIT = 0xffffffff };

/* How values are encoded (the low half), and what they are relative to (the high one). */
enum { ENCODING_FORMAT = 0x0f, ENCODING_BASE = 0x70 };

static uint64_t encoded_value(struct dwarf_reader *reader, uint8_t encoding, uint8_t address_size)
{
	switch (encoding & ENCODING_FORMAT) {
	case DW_EH_PE_absptr:
		return dwarf_number(reader, address_size);
	case DW_EH_PE_uleb128:
		return dwarf_uleb(reader);
	case DW_EH_PE_udata2:
		return dwarf_number(reader, 2);
	case DW_EH_PE_udata4:
		return dwarf_number(reader, 4);
	case DW_EH_PE_udata8:
		return dwarf_number(reader, 8);
	case DW_EH_PE_sleb128:
		return (uint64_t)dwarf_sleb(reader);
	case DW_EH_PE_sdata2:
		return (uint64_t)dwarf_signed(reader, 2);
	case DW_EH_PE_sdata4:
		return (uint64_t)dwarf_signed(reader, 4);
	case DW_EH_PE_sdata8:
		return (uint64_t)dwarf_signed(reader, 8);
	default:
		reader->failed = true;
		return 0;
	}
}

uint64_t cfi_section_pointer(struct dwarf_reader *reader, uint8_t encoding, uint8_t address_size,
			     uint64_t base_vaddr, const uint8_t *base, uint64_t data_vaddr)
{
	uint64_t here = base_vaddr + (uint64_t)(reader->at - base);
	uint64_t value = encoded_value(reader, encoding, address_size);

	if (encoding & DW_EH_PE_indirect)
		reader->failed = true;
	switch (encoding & ENCODING_BASE) {
	case DW_EH_PE_absptr:
		break;
	case DW_EH_PE_pcrel:
		value += here;
		break;
	case DW_EH_PE_datarel:
		value += data_vaddr;
		break;
	default:
		reader->failed = true;
	}
	return address_size == 4 ? (uint32_t)value : value;
}

/* Its frame; false if there is none. *ret_next as in cfi_section_fde(). */
static bool read_entry(const struct cfi_section *section, size_t offset, struct entry *ret_entry,
		       size_t *ret_next)
{
	struct dwarf_reader reader = { .end = section->bytes + section->size };
	uint64_t size, id, no_fde;
	size_t id_size = 4;
	const uint8_t *id_at;

	*ret_next = section->size;
	if (offset >= section->size)
		return false;
	reader.at = section->bytes + offset;
	size = dwarf_number(&reader, 4);
	if (size == MARK_64BIT) {
		size = dwarf_number(&reader, 8);
		id_size = section->is_eh ? 4 : 8;
	}
	if (reader.failed || size > dwarf_left(&reader))
		return false;
	reader.end = reader.at + size;
	*ret_next = (size_t)(reader.end - section->bytes);
	id_at = reader.at;
	id = dwarf_number(&reader, id_size);
	no_fde = section->is_eh ? 0 : id_size == 4 ? UINT32_MAX : UINT64_MAX;
	ret_entry->is_cie = id == no_fde;
	ret_entry->body = reader;
	ret_entry->cie_offset =
		(size_t)(section->is_eh ? (uint64_t)(id_at - section->bytes) - id : id);
	return !reader.failed;
}

static void read_augmentation(const struct cfi_section *section, struct dwarf_reader *reader,
			      const char *text, struct cfi_cie *cie)
{
	for (; *text && !reader->failed; text++) {
		switch (*text) {
		case 'L':
			(void)dwarf_u8(reader);
			break;
		case 'P': {
			uint8_t encoding = dwarf_u8(reader);

			(void)encoded_value(reader, encoding, cie->address_size);
			break;
		}
		case 'R':
			cie->encoding = dwarf_u8(reader);
			break;
		case 'S':
			cie->signal_frame = true;
			break;
		case 'B': /* arm64: which of the keys signs return addresses */
		case 'G': /* arm64: frames have memory tags */
			break;
		default: /* unknown: its data are skipped as a whole */
			return;
		}
	}
}

static bool read_cie(const struct cfi_section *section, size_t offset, struct cfi_cie *ret_cie)
{
	struct entry entry;
	struct dwarf_reader *reader = &entry.body;
	const char *augmentation;
	size_t next;
	uint8_t version;
	uint64_t column;

	if (!read_entry(section, offset, &entry, &next) || !entry.is_cie)
		return false;
	*ret_cie = (struct cfi_cie){ .address_size = section->address_size };
	version = dwarf_u8(reader);
	augmentation = (const char *)reader->at;
	if ((version != 1 && version != 3 && version != 4) ||
	    !memchr(augmentation, '\0', dwarf_left(reader)))
		return false;
	dwarf_skip(reader, strlen(augmentation) + 1);
	if (version == 4 && (dwarf_u8(reader) != section->address_size || dwarf_u8(reader) != 0))
		return false; /* segments are of no machine that is known here */
	ret_cie->code_factor = dwarf_uleb(reader);
	ret_cie->data_factor = dwarf_sleb(reader);
	column = version == 1 ? dwarf_u8(reader) : dwarf_uleb(reader);
	ret_cie->return_column = column < UINT8_MAX ? (uint8_t)column : UINT8_MAX;
	if (augmentation[0] == 'z') {
		uint64_t size = dwarf_uleb(reader);
		struct dwarf_reader data = *reader;

		dwarf_skip(reader, size);
		data.end = reader->at;
		ret_cie->has_augmentation = true;
		read_augmentation(section, &data, augmentation + 1, ret_cie);
		reader->failed |= data.failed;
	} else if (augmentation[0] != '\0') {
		return false; /* as of compilers before 1999 */
	}
	ret_cie->begin = reader->at;
	ret_cie->end = reader->end;
	return !reader->failed;
}

int cfi_section_fde(const struct cfi_section *section, size_t offset, struct cfi_fde *ret_fde,
		    size_t *ret_next)
{
	struct entry entry;
	struct dwarf_reader *reader = &entry.body;
	const struct cfi_cie *cie = &ret_fde->cie;

	if (!read_entry(section, offset, &entry, ret_next) || entry.is_cie)
		return -ENOENT;
	if (!read_cie(section, entry.cie_offset, &ret_fde->cie))
		return -EBADMSG;
	ret_fde->start = cfi_section_pointer(reader, cie->encoding, cie->address_size,
					     section->vaddr, section->bytes, section->vaddr);
	ret_fde->end = ret_fde->start + encoded_value(reader, cie->encoding, cie->address_size);
	if (cie->has_augmentation)
		dwarf_skip(reader, dwarf_uleb(reader));
	ret_fde->begin = reader->at;
	ret_fde->end_bytes = reader->end;
	return reader->failed || ret_fde->end < ret_fde->start ? -EBADMSG : 0;
}
