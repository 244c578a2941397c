/*
 * cfi.h - how to get from a function to its caller: call frame information, from .eh_frame,
 * .debug_frame and, of 32-bit Arm, .ARM.exidx.
 *
 * For each address it has a row: how the frame's address (CFA) is computed, and where the caller's
 * registers are. Rows are worked out when they are asked for: the linker's .eh_frame_hdr leads to
 * the function (of what has none, an index is made once), whose few instructions give the row. This
 * takes less time than to lay out all rows of a large program, nothing is written, and so any
 * number of threads may ask. Who asks often remembers what it was told, see unwind/unwinder.h.
 *
 * The formats: DWARF 5, section 6.4; Linux Standard Base Core 5.0, "Exception Frames". Registers
 * have DWARF's numbers of the machine; those of floating point and vectors are passed over, as no
 * frame is found by them. Files are little-endian; those of the other byte order have no rows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct elf_file;
struct cfi;

/* Registers of the machines that are known: x86 has 17, arm64 35. */
enum { CFI_REGISTERS = 35 };

enum cfi_kind {
	CFI_SAME,             /* as it was; what nothing is said of is this too */
	CFI_UNDEFINED,        /* lost; of the return address: there is no caller */
	CFI_OFFSET,           /* in memory at the CFA + offset */
	CFI_VALUE_OFFSET,     /* the CFA + offset itself */
	CFI_REGISTER,         /* in another register */
	CFI_EXPRESSION,       /* in memory where the expression says */
	CFI_VALUE_EXPRESSION, /* what the expression says */
};

struct cfi_rule {
	uint8_t kind;
	uint8_t reg;   /* CFI_REGISTER */
	uint32_t size; /* of the expression, in bytes */
	union {
		int64_t offset;
		const uint8_t *bytes; /* of the expression; borrowed from the cfi */
	};
};

struct cfi_row {
	uint64_t function; /* the vaddr of the first instruction that the row's description is of */
	struct cfi_rule cfa; /* CFI_REGISTER (+ cfa_offset) or CFI_VALUE_EXPRESSION */
	int64_t cfa_offset;
	uint8_t return_column; /* the register that is the return address */
	bool signal_frame;     /* called by the kernel: its caller was interrupted at its pc */
	bool return_is_signed; /* arm64: the return address has an authentication code */
	struct cfi_rule registers[CFI_REGISTERS];
};

/* Borrows the files, as long as it lives; @debug (a separate debug file) may be NULL. Never fails:
 * it may have no rows. */
struct cfi *cfi_new(const struct elf_file *file, const struct elf_file *debug);
/* Of code that no file has: bytes of an .eh_frame that lies at a vaddr, little-endian; borrowed as
 * long as it lives. */
struct cfi_frames {
	uint16_t machine; /* EM_* */
	const uint8_t *bytes;
	size_t size;
	uint64_t vaddr;
};
struct cfi *cfi_new_frames(const struct cfi_frames *frames);
void cfi_free(struct cfi *cfi);
CLEANUP(cfi_free, struct cfi)

/* The file itself: what it is, where bytes are loaded. NULL of cfi_new_frames(). */
const struct elf_file *cfi_file(const struct cfi *cfi);

/* The row at a vaddr (of Arm's PLT stubs too, which leave the caller's registers alone): 0;
 * -ENOENT if no function covers it; -EBADMSG if what covers it is damaged.
 */
int cfi_find(const struct cfi *cfi, uint64_t vaddr, struct cfi_row *ret_row);
