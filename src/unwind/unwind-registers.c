/* unwind-registers.c - see unwind-registers.h. */
#include "unwind/unwind-registers.h"

#include <elf.h>
#include <string.h>

enum { ABI_32 = 1, ABI_64 = 2 };

/* Names are the kernel's; the flags and segments between IP and R8 are not followed. */
static const uint8_t x86_64_numbers[] = {
	/* AX */ 0 + 1,
	/* BX */ 3 + 1,
	/* CX */ 2 + 1,
	/* DX */ 1 + 1,
	/* SI */ 4 + 1,
	/* DI */ 5 + 1,
	/* BP */ 6 + 1,
	/* SP */ 7 + 1,
	/* IP */ 0,     0,     0,      0,      0,      0,      0,      0,
	/* R8 */ 8 + 1, 9 + 1, 10 + 1, 11 + 1, 12 + 1, 13 + 1, 14 + 1, 15 + 1,
};

static const uint8_t i386_numbers[] = {
	/* AX */ 0 + 1, /* BX */ 3 + 1, /* CX */ 1 + 1, /* DX */ 2 + 1,
	/* SI */ 6 + 1, /* DI */ 7 + 1, /* BP */ 5 + 1, /* SP */ 4 + 1,
};

/* x0 to x29, lr, sp: as DWARF has them; then the pc. Of 32-bit Arm: r0 to r14, then the pc. */
static const uint8_t plain_numbers[] = {
	1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
	17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
};

static const struct unwind_machine x86_64 = {
	.elf_machine = EM_X86_64,
	.address_size = 8,
	.count = 17,
	.sp = 7,
	.fp = 6,
	.link = -1,
	.address_mask = UINT64_MAX,
	.from_kernel = x86_64_numbers,
	.kernel_count = sizeof(x86_64_numbers),
	.kernel_pc = 8,
};

static const struct unwind_machine i386 = {
	.elf_machine = EM_386,
	.address_size = 4,
	.count = 9,
	.sp = 4,
	.fp = 5,
	.link = -1,
	.address_mask = UINT32_MAX,
	.from_kernel = i386_numbers,
	.kernel_count = sizeof(i386_numbers),
	.kernel_pc = 8,
};

static const struct unwind_machine arm64 = {
	.elf_machine = EM_AARCH64,
	.address_size = 8,
	.count = CFI_REGISTERS,
	.sp = 31,
	.fp = 29,
	.link = 30,
	.address_mask = (UINT64_C(1) << 48) - 1,
	.from_kernel = plain_numbers,
	.kernel_count = 32,
	.kernel_pc = 32,
};

/* The lowest bit of an address says that it is Thumb code. */
static const struct unwind_machine arm = {
	.elf_machine = EM_ARM,
	.address_size = 4,
	.count = 16,
	.sp = 13,
	.fp = 11,
	.link = 14,
	.address_mask = UINT32_MAX - 1,
	.from_kernel = plain_numbers,
	.kernel_count = 15,
	.kernel_pc = 15,
};

static bool is_x86(const char *name)
{
	return strcmp(name, "x86_64") == 0 || strcmp(name, "x86") == 0 ||
	       (name[0] == 'i' && name[1] != '\0' && strcmp(name + 2, "86") == 0);
}

const struct unwind_machine *unwind_registers_machine(const char *name, uint64_t abi)
{
	if (abi != ABI_32 && abi != ABI_64)
		return NULL;
	if (is_x86(name))
		return abi == ABI_64 ? &x86_64 : &i386;
	if (strcmp(name, "aarch64") == 0 || strcmp(name, "arm64") == 0)
		return abi == ABI_64 ? &arm64 : &arm;
	if (strncmp(name, "arm", 3) == 0)
		return &arm;
	return NULL;
}

bool unwind_registers_take(const struct unwind_machine *machine, uint64_t mask,
			   const uint64_t *values, size_t count,
			   struct unwind_registers *ret_registers)
{
	bool has_pc = false;
	size_t at = 0;

	ret_registers->known = 0;
	for (unsigned bit = 0; bit < 64 && at < count; bit++) {
		uint8_t number;

		if (!(mask >> bit & 1))
			continue;
		number = bit < machine->kernel_count ? machine->from_kernel[bit] : 0;
		if (bit == machine->kernel_pc) {
			ret_registers->pc = values[at] & machine->address_mask;
			has_pc = true;
		} else if (number) {
			unwind_registers_set(ret_registers, number - 1,
					     machine->address_size == 4 ? (uint32_t)values[at]
									: values[at]);
		}
		at++;
	}
	return has_pc && unwind_registers_know(ret_registers, machine->sp);
}
