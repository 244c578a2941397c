/*
 * cfi-index.h - where in a section the FDE of an address is: as the linker's .eh_frame_hdr says,
 * or, where there is none, by an index that is made of all FDEs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/cfi-section.h"

struct cfi_index_item {
	uint64_t start;
	size_t offset;
};

struct cfi_index {
	/* .eh_frame_hdr: pairs of 32-bit numbers, relative to its vaddr; NULL: none that is usable
	 */
	const uint8_t *table;
	size_t table_count;
	uint64_t table_vaddr;
	/* else by start: */
	struct cfi_index_item *items;
	size_t count, capacity;
};

/* Of the section alone: looks at each entry. */
void cfi_index_scan(struct cfi_index *index, const struct cfi_section *section);
/*
 * By the bytes of a .eh_frame_hdr; false if they have no table that can be searched.
 * *ret_section_vaddr: where they say that .eh_frame is.
 */
bool cfi_index_take(struct cfi_index *index, const uint8_t *bytes, size_t size, uint64_t vaddr,
		    uint8_t address_size, uint64_t *ret_section_vaddr);
void cfi_index_done(struct cfi_index *index);

/* The offset of the last FDE that begins at or before the vaddr; false if there is none. */
bool cfi_index_find(const struct cfi_index *index, const struct cfi_section *section,
		    uint64_t vaddr, size_t *ret_offset);
