/*
 * unwind-expression.h - DWARF expressions as call frame information has them (DWARF 5,
 * section 2.5): of PLT stubs, frames of signals, and code that aligns its stack.
 *
 * They come from files: steps and stack are bounded.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct unwind_machine;
struct unwind_memory;
struct unwind_registers;

/*
 * What an expression leaves on top of its stack; @initial (may be NULL) lies on it at first. 0;
 * -EAGAIN if it needs a register that is not known; -EFAULT for memory; -EBADMSG if it is not
 * sound, or has operations that are of no use here.
 */
int unwind_expression(const uint8_t *bytes, size_t size, const uint64_t *initial,
		      const struct unwind_machine *machine,
		      const struct unwind_registers *registers, struct unwind_memory *memory,
		      uint64_t *ret_value);
