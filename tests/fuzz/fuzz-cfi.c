/* fuzz-cfi.c - takes any bytes as an ELF file, or as the .eh_frame of code that no file has, and
 * unwinds a stack of rubbish by its call frame information: nothing may loop or read where it
 * should not.
 */
#include <assert.h>
#include <elf.h>
#include <string.h>

#include "fuzz.h"
#include "object/cfi.h"
#include "object/elf-file.h"
#include "unwind/unwinder.h"

enum { STACK_SIZE = 2048, STEPS = 64, FRAMES = 40 };

static bool find(void *context, uint64_t addr, struct unwind_module *ret_module)
{
	*ret_module = (struct unwind_module){ .cfi = context, .owner = context };
	return true;
}

static const struct unwind_machine *machine_of(const struct elf_file *file)
{
	switch (file ? elf_file_machine(file) : EM_X86_64) {
	case EM_386:
		return unwind_registers_machine("x86_64", 1);
	case EM_AARCH64:
		return unwind_registers_machine("aarch64", 2);
	case EM_ARM:
		return unwind_registers_machine("arm", 1);
	default:
		return unwind_registers_machine("x86_64", 2);
	}
}

/* The stack is the file's own bytes, with an address in code every now and then. */
static void walk(struct unwinder *unwinder, struct cfi *cfi, uint64_t pc, const uint8_t *bytes,
		 size_t size)
{
	uint64_t stack[STACK_SIZE / 8] = { 0 };
	struct unwind_registers registers = { .pc = pc, .known = UINT64_MAX };
	struct unwind_request request = {
		.machine = machine_of(cfi_file(cfi)),
		.registers = &registers,
		.memory = { .stack_addr = 0x7000,
			    .stack = (const uint8_t *)stack,
			    .stack_size = STACK_SIZE },
		.max = FRAMES,
		.space = 1,
		.find = find,
		.context = cfi,
	};

	memcpy(stack, bytes, size < STACK_SIZE ? size : STACK_SIZE);
	for (size_t i = 0; i < STACK_SIZE / 8; i += 2)
		stack[i] = pc + i;
	for (size_t i = 0; i < CFI_REGISTERS; i++)
		registers.values[i] = 0x7000 + 8 * i;
	registers.values[request.machine->sp] = 0x7000;
	assert(unwinder_walk(unwinder, &request).count <= FRAMES);
}

static void walk_frames(struct unwinder *unwinder, const uint8_t *bytes, size_t size)
{
	const struct cfi_frames frames = { EM_X86_64, bytes, size, 0x1000 };
	_cleanup_(cfi_freep) struct cfi *cfi = cfi_new_frames(&frames);

	for (uint64_t k = 0; k < STEPS; k++)
		walk(unwinder, cfi, 0x1000 - 8 * k, bytes, size);
	unwinder_forget(unwinder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	_cleanup_(unwinder_freep) struct unwinder *unwinder = NULL;
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(cfi_freep) struct cfi *cfi = NULL;

	unwinder = unwinder_new();
	walk_frames(unwinder, bytes, size);
	if (elf_file_from_memory(bytes, size, "fuzz", &file, NULL) < 0)
		return 0;
	cfi = cfi_new(file, NULL);
	for (size_t i = 0; i < elf_file_segment_count(file) && i < 8; i++) {
		const struct elf_file_segment *segment = elf_file_segment(file, i);

		for (uint64_t k = 0; k < STEPS; k++)
			walk(unwinder, cfi, segment->vaddr + segment->mem_size / STEPS * k, bytes,
			     size);
	}
	return 0;
}
