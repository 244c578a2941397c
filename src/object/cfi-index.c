/* cfi-index.c - see cfi-index.h. */
#include "object/cfi-index.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/mem.h"

enum { PAIR_SIZE = 8, HEADER_VERSION = 1 };

static int by_start(const void *a, const void *b)
{
	const struct cfi_index_item *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return (left->offset > right->offset) - (left->offset < right->offset);
}

static bool is_sorted(const struct cfi_index *index)
{
	for (size_t i = 1; i < index->count; i++) {
		if (by_start(&index->items[i - 1], &index->items[i]) > 0)
			return false;
	}
	return true;
}

void cfi_index_scan(struct cfi_index *index, const struct cfi_section *section)
{
	size_t offset = 0, next;
	struct cfi_fde fde;

	for (; offset < section->size; offset = next) {
		/* What is empty was discarded by the linker. */
		if (cfi_section_fde(section, offset, &fde, &next) < 0 || fde.start == fde.end)
			continue;
		grow(index);
		index->items[index->count++] = (struct cfi_index_item){ fde.start, offset };
	}
	if (index->count > 0 && !is_sorted(index))
		qsort(index->items, index->count, sizeof(*index->items), by_start);
}

bool cfi_index_take(struct cfi_index *index, const uint8_t *bytes, size_t size, uint64_t vaddr,
		    uint8_t address_size, uint64_t *ret_section_vaddr)
{
	struct dwarf_reader reader = { .at = bytes, .end = bytes + size };
	uint8_t version = dwarf_u8(&reader), frame_encoding = dwarf_u8(&reader);
	uint8_t count_encoding = dwarf_u8(&reader), table_encoding = dwarf_u8(&reader);
	uint64_t frame_vaddr, count;

	if (version != HEADER_VERSION || frame_encoding == DW_EH_PE_omit)
		return false;
	frame_vaddr =
		cfi_section_pointer(&reader, frame_encoding, address_size, vaddr, bytes, vaddr);
	if (reader.failed)
		return false;
	*ret_section_vaddr = frame_vaddr;
	if (count_encoding == DW_EH_PE_omit ||
	    table_encoding != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
		return false;
	count = cfi_section_pointer(&reader, count_encoding, address_size, vaddr, bytes, vaddr);
	if (reader.failed || count == 0 || count > dwarf_left(&reader) / PAIR_SIZE)
		return false;
	index->table = reader.at;
	index->table_count = (size_t)count;
	index->table_vaddr = vaddr;
	return true;
}

void cfi_index_done(struct cfi_index *index)
{
	free(index->items);
	*index = (struct cfi_index){ 0 };
}

static int64_t table_number(const struct cfi_index *index, size_t pair, size_t which)
{
	uint32_t value;

	memcpy(&value, index->table + pair * PAIR_SIZE + which * sizeof(value), sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap32(value);
#endif
	return (int32_t)value;
}

static bool find_in_table(const struct cfi_index *index, const struct cfi_section *section,
			  uint64_t vaddr, size_t *ret_offset)
{
	size_t low = 0, high = index->table_count;
	int64_t wanted = (int64_t)(vaddr - index->table_vaddr);
	uint64_t offset;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table_number(index, middle, 0) <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return false;
	offset = index->table_vaddr + (uint64_t)table_number(index, low - 1, 1) - section->vaddr;
	*ret_offset = (size_t)offset;
	return offset < section->size;
}

static bool find_in_items(const struct cfi_index *index, uint64_t vaddr, size_t *ret_offset)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->items[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0)
		*ret_offset = index->items[low - 1].offset;
	return low > 0;
}

bool cfi_index_find(const struct cfi_index *index, const struct cfi_section *section,
		    uint64_t vaddr, size_t *ret_offset)
{
	return index->table ? find_in_table(index, section, vaddr, ret_offset)
			    : find_in_items(index, vaddr, ret_offset);
}
