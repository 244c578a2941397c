/*
 * unwind-registers.h - the registers of a thread in user space, under DWARF's numbers.
 *
 * Samples number them as the kernel does (arch/ARCH/include/uapi/asm/perf_regs.h); call frame
 * information as DWARF does for the machine (the System V ABI of x86-64 and i386; "DWARF for the
 * Arm Architecture", AADWARF32 and AADWARF64).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/cfi.h"

struct unwind_machine {
	uint16_t elf_machine; /* EM_* */
	uint8_t address_size; /* bytes */
	uint8_t count;        /* of the registers that are followed */
	uint8_t sp, fp;
	/* Where a call leaves its return address: a register, or -1: on the stack. */
	int8_t link;
	/* Of an address that was read from memory, the bits that are address: on arm64 the others
	 * may be an authentication code. */
	uint64_t address_mask;
	const uint8_t *from_kernel; /* by the kernel's number: DWARF's + 1; 0: not followed */
	size_t kernel_count;
	uint8_t kernel_pc; /* the kernel's number of the pc */
};

struct unwind_registers {
	uint64_t pc;
	uint64_t values[CFI_REGISTERS];
	uint64_t known; /* bit N: register N is */
};

/*
 * The machine by its name as uname -m has it, and by what a sample says of its registers
 * (PERF_SAMPLE_REGS_ABI_32: 1, _64: 2). NULL if it is none that can be unwound. Static.
 */
const struct unwind_machine *unwind_registers_machine(const char *name, uint64_t abi);

/*
 * The registers of a sample: bit N of @mask says that the kernel's register N is there, and @values
 * are in that order. False without pc and stack pointer.
 */
bool unwind_registers_take(const struct unwind_machine *machine, uint64_t mask,
			   const uint64_t *values, size_t count,
			   struct unwind_registers *ret_registers);

static inline bool unwind_registers_know(const struct unwind_registers *registers, uint8_t number)
{
	return number < CFI_REGISTERS && registers->known >> number & 1;
}

static inline void unwind_registers_set(struct unwind_registers *registers, uint8_t number,
					uint64_t value)
{
	registers->values[number] = value;
	registers->known |= UINT64_C(1) << number;
}
