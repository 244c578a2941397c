/*
 * cfi-arm.h - call frame information of 32-bit Arm's own kind: .ARM.exidx has the beginning of each
 * function, and a few instructions that take its frame from the stack, or where in .ARM.extab those
 * are. ("Exception Handling ABI for the Arm Architecture", EHABI32, sections 6, 7 and 10.)
 *
 * It is made for exceptions, so it is true where a function calls another. At a function's first
 * instruction, of which it is known that nothing was done yet, the row is that of the beginning; of
 * the rest of what makes and takes frames it is not.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cfi_row;
struct elf_file;

struct cfi_arm {
	const struct elf_file *file; /* NULL: there is none */
	uint64_t vaddr;              /* of .ARM.exidx */
	const uint8_t *bytes;        /* borrowed from the file */
	size_t count;
};

void cfi_arm_init(struct cfi_arm *arm, const struct elf_file *file);

/* As cfi_find(). What is said to be of no use for unwinding is not covered. */
int cfi_arm_find(const struct cfi_arm *arm, uint64_t vaddr, struct cfi_row *ret_row);
