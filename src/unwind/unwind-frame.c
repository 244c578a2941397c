/* unwind-frame.c - see unwind-frame.h. */
#include "unwind/unwind-frame.h"

#include <elf.h>
#include <errno.h>

#include "object/cfi.h"
#include "unwind/unwind-expression.h"
#include "unwind/unwind-memory.h"

/* What does not change while one frame is worked out. */
struct callee {
	const struct unwind_machine *machine;
	struct unwind_registers registers;
	struct unwind_memory *memory;
	uint64_t cfa;
};

static uint64_t narrow(const struct unwind_machine *machine, uint64_t value)
{
	return machine->address_size == 4 ? (uint32_t)value : value;
}

static int get_register(const struct callee *callee, uint8_t number, uint64_t *ret_value)
{
	if (!unwind_registers_know(&callee->registers, number))
		return -EAGAIN;
	*ret_value = callee->registers.values[number];
	return 0;
}

static int get_memory(const struct callee *callee, uint64_t addr, uint64_t *ret_value)
{
	return unwind_memory_get(callee->memory, narrow(callee->machine, addr),
				 callee->machine->address_size, ret_value)
		       ? 0
		       : -EFAULT;
}

static int evaluate(const struct callee *callee, const struct cfi_rule *rule,
		    const uint64_t *initial, uint64_t *ret_value)
{
	return unwind_expression(rule->bytes, rule->size, initial, callee->machine,
				 &callee->registers, callee->memory, ret_value);
}

static int find_cfa(struct callee *callee, const struct cfi_row *row)
{
	int r;

	if (row->cfa.kind == CFI_VALUE_EXPRESSION)
		return evaluate(callee, &row->cfa, NULL, &callee->cfa);
	if (row->cfa.kind != CFI_REGISTER)
		return -EBADMSG; /* nothing ever said what it is */
	r = get_register(callee, row->cfa.reg, &callee->cfa);
	callee->cfa = narrow(callee->machine, callee->cfa + (uint64_t)row->cfa_offset);
	return r;
}

/* What a register was in the caller. */
static int find_value(const struct callee *callee, const struct cfi_rule *rule, uint8_t number,
		      uint64_t *ret_value)
{
	uint64_t addr;
	int r;

	switch ((enum cfi_kind)rule->kind) {
	case CFI_SAME:
		if (number == callee->machine->sp) {
			*ret_value = callee->cfa;
			return 0;
		}
		return get_register(callee, number, ret_value);
	case CFI_UNDEFINED:
		return -ENOENT;
	case CFI_OFFSET:
		if (unwind_frame_is_over(callee->machine, &callee->registers, callee->cfa,
					 rule->offset))
			return get_register(callee, number, ret_value);
		return get_memory(callee, callee->cfa + (uint64_t)rule->offset, ret_value);
	case CFI_VALUE_OFFSET:
		*ret_value = narrow(callee->machine, callee->cfa + (uint64_t)rule->offset);
		return 0;
	case CFI_REGISTER:
		return get_register(callee, rule->reg, ret_value);
	case CFI_EXPRESSION:
		r = evaluate(callee, rule, &callee->cfa, &addr);
		return r < 0 ? r : get_memory(callee, addr, ret_value);
	case CFI_VALUE_EXPRESSION:
		return evaluate(callee, rule, &callee->cfa, ret_value);
	}
	return -EBADMSG;
}

static void find_registers(const struct callee *callee, const struct cfi_row *row,
			   struct unwind_registers *ret_registers)
{
	const struct unwind_machine *machine = callee->machine;

	ret_registers->known = 0;
	for (uint8_t i = 0; i < machine->count; i++) {
		/* A call leaves its own return address there. */
		bool is_used_up = machine->link == (int)i && row->registers[i].kind == CFI_SAME &&
				  !row->signal_frame;
		uint64_t value;

		if (!is_used_up && find_value(callee, &row->registers[i], i, &value) == 0)
			unwind_registers_set(ret_registers, i, value);
	}
}

int unwind_frame(const struct unwind_machine *machine, const struct cfi_row *row,
		 struct unwind_registers *registers, struct unwind_memory *memory,
		 uint64_t *ret_cfa)
{
	struct callee callee = { .machine = machine, .registers = *registers, .memory = memory };
	uint8_t column = row->return_column;
	uint64_t pc;
	int r;

	if (column >= CFI_REGISTERS)
		return -EBADMSG;
	if (row->registers[column].kind == CFI_UNDEFINED)
		return 0;
	r = find_cfa(&callee, row);
	if (r < 0)
		return r;
	r = find_value(&callee, &row->registers[column], column, &pc);
	if (r < 0)
		return r;
	find_registers(&callee, row, registers);
	registers->pc = pc & machine->address_mask;
	*ret_cfa = callee.cfa;
	return 1;
}

int unwind_frame_by_pointer(const struct unwind_machine *machine,
			    struct unwind_registers *registers, struct unwind_memory *memory,
			    uint64_t *ret_cfa)
{
	const size_t size = machine->address_size;
	uint64_t fp = registers->values[machine->fp], next, pc;

	if (machine->elf_machine == EM_ARM || !unwind_registers_know(registers, machine->fp) ||
	    fp < registers->values[machine->sp] || fp % size != 0 ||
	    !unwind_memory_get(memory, fp, size, &next) ||
	    !unwind_memory_get(memory, fp + size, size, &pc))
		return -EFAULT;
	*ret_cfa = fp + 2 * size;
	registers->known = 0;
	unwind_registers_set(registers, machine->fp, next);
	unwind_registers_set(registers, machine->sp, *ret_cfa);
	registers->pc = pc & machine->address_mask;
	return 1;
}

int unwind_frame_by_link(const struct unwind_machine *machine, struct unwind_registers *registers,
			 uint64_t *ret_cfa)
{
	uint8_t link = (uint8_t)machine->link;

	if (machine->elf_machine != EM_ARM || !unwind_registers_know(registers, link))
		return -EFAULT;
	*ret_cfa = registers->values[machine->sp];
	registers->pc = registers->values[link] & machine->address_mask;
	registers->known &= ~(UINT64_C(1) << link);
	return 1;
}
