/*
 * cfi-section.h - the entries of one section of call frame information: CIEs, which hold what many
 * functions have in common, and FDEs, one for each function.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/dwarf-reader.h"

struct cfi_section {
	const uint8_t *bytes; /* NULL: there is none */
	size_t size;
	uint64_t vaddr;
	bool is_eh;           /* .eh_frame, else .debug_frame */
	uint8_t address_size; /* 4 or 8 */
};

struct cfi_cie {
	uint64_t code_factor;
	int64_t data_factor;
	uint8_t address_size;
	uint8_t return_column;
	uint8_t encoding; /* DW_EH_PE_*: of an FDE's addresses */
	bool has_augmentation, signal_frame;
	const uint8_t *begin, *end; /* instructions */
};

struct cfi_fde {
	struct cfi_cie cie;
	uint64_t start, end;              /* vaddrs, [start, end) */
	const uint8_t *begin, *end_bytes; /* instructions */
};

/*
 * The FDE at an offset. 0; -ENOENT if a CIE, or nothing, is there; -EBADMSG if it is damaged.
 * *ret_next, also of what is no FDE: where the next entry is; the section's size behind the last.
 */
int cfi_section_fde(const struct cfi_section *section, size_t offset, struct cfi_fde *ret_fde,
		    size_t *ret_next);

/*
 * A pointer as DW_EH_PE_* encodes it. @base_vaddr and @base tell where in memory the bytes are;
 * @data_vaddr is what data-relative pointers are relative to. Sets failed where it cannot be
 * known from the file.
 */
uint64_t cfi_section_pointer(struct dwarf_reader *reader, uint8_t encoding, uint8_t address_size,
			     uint64_t base_vaddr, const uint8_t *base, uint64_t data_vaddr);
