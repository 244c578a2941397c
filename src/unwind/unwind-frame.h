/* unwind-frame.h - from the registers of a function to those of its caller. */
#pragma once

#include <stdint.h>

struct cfi_row;
struct unwind_machine;
struct unwind_memory;
struct unwind_registers;

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
