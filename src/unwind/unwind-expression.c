/* unwind-expression.c - see unwind-expression.h. */
#include "unwind/unwind-expression.h"

#include <dwarf.h>
#include <errno.h>

#include "object/dwarf-reader.h"
#include "unwind/unwind-memory.h"
#include "unwind/unwind-registers.h"

enum { STACK_MAX = 32, STEPS_MAX = 1024 };

struct evaluation {
	struct dwarf_reader reader;
	const uint8_t *begin;
	const struct unwind_machine *machine;
	const struct unwind_registers *registers;
	struct unwind_memory *memory;
	uint64_t stack[STACK_MAX];
	size_t count;
	int error;
};

static void fail(struct evaluation *e, int error)
{
	if (e->error == 0)
		e->error = error;
}

static void push(struct evaluation *e, uint64_t value)
{
	if (e->count == STACK_MAX)
		fail(e, -EBADMSG);
	else
		e->stack[e->count++] = e->machine->address_size == 4 ? (uint32_t)value : value;
}

static uint64_t pop(struct evaluation *e)
{
	if (e->count == 0) {
		fail(e, -EBADMSG);
		return 0;
	}
	return e->stack[--e->count];
}

/* The value that lies @depth below the top. */
static void pick(struct evaluation *e, size_t depth)
{
	if (depth >= e->count)
		fail(e, -EBADMSG);
	else
		push(e, e->stack[e->count - 1 - depth]);
}

static void rotate(struct evaluation *e, size_t count)
{
	uint64_t top;

	if (count > e->count) {
		fail(e, -EBADMSG);
		return;
	}
	top = e->stack[e->count - 1];
	for (size_t i = 1; i < count; i++)
		e->stack[e->count - i] = e->stack[e->count - i - 1];
	e->stack[e->count - count] = top;
}

static void push_register(struct evaluation *e, uint64_t number, int64_t offset)
{
	/* The pc has no number of its own but on x86, where it is the return address's. */
	bool is_pc = e->machine->link < 0 && number == e->machine->count - 1U;

	if (is_pc)
		push(e, e->registers->pc + (uint64_t)offset);
	else if (number >= CFI_REGISTERS || !unwind_registers_know(e->registers, (uint8_t)number))
		fail(e, -EAGAIN);
	else
		push(e, e->registers->values[number] + (uint64_t)offset);
}

static void load(struct evaluation *e, size_t size)
{
	uint64_t value = 0, addr = pop(e);

	if (size == 0 || size > e->machine->address_size)
		fail(e, -EBADMSG);
	else if (e->error == 0 && !unwind_memory_get(e->memory, addr, size, &value))
		fail(e, -EFAULT);
	push(e, value);
}

static void jump(struct evaluation *e, int64_t offset)
{
	int64_t at = (e->reader.at - e->begin) + offset;

	if (at < 0 || at > e->reader.end - e->begin)
		fail(e, -EBADMSG);
	else
		e->reader.at = e->begin + at;
}

/* Numbers are as wide as addresses; their signs too. */
static int64_t as_signed(const struct evaluation *e, uint64_t value)
{
	return e->machine->address_size == 4 ? (int32_t)value : (int64_t)value;
}

static bool run_constant(struct evaluation *e, uint8_t op)
{
	struct dwarf_reader *reader = &e->reader;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(e, op - (unsigned)DW_OP_lit0);
		return true;
	}
	switch (op) {
	case DW_OP_addr:
		push(e, dwarf_number(reader, e->machine->address_size));
		return true;
	case DW_OP_const1u:
		push(e, dwarf_number(reader, 1));
		return true;
	case DW_OP_const1s:
		push(e, (uint64_t)dwarf_signed(reader, 1));
		return true;
	case DW_OP_const2u:
		push(e, dwarf_number(reader, 2));
		return true;
	case DW_OP_const2s:
		push(e, (uint64_t)dwarf_signed(reader, 2));
		return true;
	case DW_OP_const4u:
		push(e, dwarf_number(reader, 4));
		return true;
	case DW_OP_const4s:
		push(e, (uint64_t)dwarf_signed(reader, 4));
		return true;
	case DW_OP_const8u:
	case DW_OP_const8s:
		push(e, dwarf_number(reader, 8));
		return true;
	case DW_OP_constu:
		push(e, dwarf_uleb(reader));
		return true;
	case DW_OP_consts:
		push(e, (uint64_t)dwarf_sleb(reader));
		return true;
	default:
		return false;
	}
}

static bool run_stack(struct evaluation *e, uint8_t op)
{
	switch (op) {
	case DW_OP_dup:
		pick(e, 0);
		return true;
	case DW_OP_drop:
		(void)pop(e);
		return true;
	case DW_OP_over:
		pick(e, 1);
		return true;
	case DW_OP_pick:
		pick(e, dwarf_u8(&e->reader));
		return true;
	case DW_OP_swap:
		rotate(e, 2);
		return true;
	case DW_OP_rot:
		rotate(e, 3);
		return true;
	case DW_OP_deref:
		load(e, e->machine->address_size);
		return true;
	case DW_OP_deref_size:
		load(e, dwarf_u8(&e->reader));
		return true;
	default:
		return false;
	}
}

static bool run_unary(struct evaluation *e, uint8_t op)
{
	uint64_t value;

	switch (op) {
	case DW_OP_abs:
		value = pop(e);
		push(e, as_signed(e, value) < 0 ? 0 - value : value);
		return true;
	case DW_OP_neg:
		push(e, 0 - pop(e));
		return true;
	case DW_OP_not:
		push(e, ~pop(e));
		return true;
	case DW_OP_plus_uconst:
		value = pop(e);
		push(e, value + dwarf_uleb(&e->reader));
		return true;
	default:
		return false;
	}
}

static uint64_t divide(struct evaluation *e, uint64_t left, uint64_t right)
{
	int64_t by = as_signed(e, right);

	if (by == 0)
		fail(e, -EBADMSG);
	if (by == 0 || by == -1)
		return 0 - left;
	return (uint64_t)(as_signed(e, left) / by);
}

static uint64_t shift_right(const struct evaluation *e, uint64_t left, uint64_t by)
{
	int64_t value = as_signed(e, left);

	return (uint64_t)(value >> (by < 63 ? by : 63));
}

static bool compute(struct evaluation *e, uint8_t op, uint64_t left, uint64_t right,
		    uint64_t *ret_value)
{
	switch (op) {
	case DW_OP_and:
		*ret_value = left & right;
		return true;
	case DW_OP_or:
		*ret_value = left | right;
		return true;
	case DW_OP_xor:
		*ret_value = left ^ right;
		return true;
	case DW_OP_plus:
		*ret_value = left + right;
		return true;
	case DW_OP_minus:
		*ret_value = left - right;
		return true;
	case DW_OP_mul:
		*ret_value = left * right;
		return true;
	case DW_OP_div:
		*ret_value = divide(e, left, right);
		return true;
	case DW_OP_mod:
		if (right == 0)
			fail(e, -EBADMSG);
		*ret_value = right ? left % right : 0;
		return true;
	case DW_OP_shl:
		*ret_value = right < 64 ? left << right : 0;
		return true;
	case DW_OP_shr:
		*ret_value = right < 64 ? left >> right : 0;
		return true;
	case DW_OP_shra:
		*ret_value = shift_right(e, left, right);
		return true;
	default:
		return false;
	}
}

static bool compare(const struct evaluation *e, uint8_t op, uint64_t left_value,
		    uint64_t right_value, uint64_t *ret_value)
{
	int64_t left = as_signed(e, left_value), right = as_signed(e, right_value);

	switch (op) {
	case DW_OP_eq:
		*ret_value = left == right;
		return true;
	case DW_OP_ne:
		*ret_value = left != right;
		return true;
	case DW_OP_lt:
		*ret_value = left < right;
		return true;
	case DW_OP_le:
		*ret_value = left <= right;
		return true;
	case DW_OP_gt:
		*ret_value = left > right;
		return true;
	case DW_OP_ge:
		*ret_value = left >= right;
		return true;
	default:
		return false;
	}
}

static bool run_binary(struct evaluation *e, uint8_t op)
{
	uint64_t left, right, value = 0;

	if (e->count < 2)
		return false;
	right = e->stack[e->count - 1];
	left = e->stack[e->count - 2];
	if (!compute(e, op, left, right, &value) && !compare(e, op, left, right, &value))
		return false;
	e->count -= 2;
	push(e, value);
	return true;
}

static void run_other(struct evaluation *e, uint8_t op)
{
	int64_t offset;

	if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(e, op - (unsigned)DW_OP_breg0, dwarf_sleb(&e->reader));
		return;
	}
	switch (op) {
	case DW_OP_bregx: {
		uint64_t number = dwarf_uleb(&e->reader);

		push_register(e, number, dwarf_sleb(&e->reader));
		return;
	}
	case DW_OP_skip:
		offset = dwarf_signed(&e->reader, 2);
		jump(e, offset);
		return;
	case DW_OP_bra:
		offset = dwarf_signed(&e->reader, 2);
		if (pop(e) != 0)
			jump(e, offset);
		return;
	case DW_OP_nop:
		return;
	default:
		fail(e, -EBADMSG);
	}
}

int unwind_expression(const uint8_t *bytes, size_t size, const uint64_t *initial,
		      const struct unwind_machine *machine,
		      const struct unwind_registers *registers, struct unwind_memory *memory,
		      uint64_t *ret_value)
{
	struct evaluation e;
	size_t steps = 0;

	e.reader = (struct dwarf_reader){ .at = bytes, .end = bytes + size };
	e.begin = bytes;
	e.machine = machine;
	e.registers = registers;
	e.memory = memory;
	e.count = 0;
	e.error = 0;
	if (initial)
		push(&e, *initial);
	while (e.error == 0 && e.reader.at < e.reader.end) {
		uint8_t op = dwarf_u8(&e.reader);

		if (!run_constant(&e, op) && !run_stack(&e, op) && !run_unary(&e, op) &&
		    !run_binary(&e, op))
			run_other(&e, op);
		if (e.reader.failed || ++steps == STEPS_MAX)
			fail(&e, -EBADMSG);
	}
	if (e.error == 0)
		*ret_value = pop(&e);
	return e.error;
}
