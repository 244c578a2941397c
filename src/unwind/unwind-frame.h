/* unwind-frame.h - from the registers of a function to those of its caller. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "unwind/unwind-registers.h"

struct cfi_row;
struct unwind_memory;

/*
 * By call frame information. 1: @registers are the caller's, and *ret_cfa is the frame's address.
 * 0: there is no caller. -EAGAIN if a register is needed that is not known; -EFAULT for memory that
 * cannot be read (memory->missing); -EBADMSG. Registers that only the caller's callers need are
 * unknown afterwards where they cannot be found.
 */
int unwind_frame(const struct unwind_machine *machine, const struct cfi_row *row,
		 struct unwind_registers *registers, struct unwind_memory *memory,
		 uint64_t *ret_cfa);

/*
 * Where nothing tells: by frame pointers, which many functions keep. 1 or -EFAULT. Only pc, stack
 * pointer and frame pointer are known afterwards.
 */
int unwind_frame_by_pointer(const struct unwind_machine *machine,
			    struct unwind_registers *registers, struct unwind_memory *memory,
			    uint64_t *ret_cfa);

/*
 * 32-bit Arm has no rule for what a frame pointer points to; there functions without a description
 * are those that call nobody, as a rule, and nearly all of them have no frame: the caller is where
 * the link register says. For the innermost function alone. 1 or -EFAULT.
 */
int unwind_frame_by_link(const struct unwind_machine *machine, struct unwind_registers *registers,
			 uint64_t *ret_cfa);

/*
 * Code that leaves its function has taken some registers from the stack already, and the row still
 * says where they were, relative to the CFA: what lies below the stack pointer is over, the
 * register holds the value.
 */
static inline bool unwind_frame_is_over(const struct unwind_machine *machine,
					const struct unwind_registers *registers, uint64_t cfa,
					int64_t offset)
{
	return offset < 0 && cfa + (uint64_t)offset < registers->values[machine->sp];
}
