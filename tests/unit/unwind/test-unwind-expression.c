/* test-unwind-expression.c - unwind/unwind-expression.h */
#include "../test.h"

#include <dwarf.h>
#include <errno.h>

#include "unwind/unwind-expression.h"
#include "unwind/unwind-memory.h"
#include "unwind/unwind-registers.h"

#define RUN(ops, ret_value) run(ops, sizeof(ops), ret_value)

static const uint64_t words[] = { 0x1122334455667788, 2 };

static int run(const uint8_t *ops, size_t size, uint64_t *ret_value)
{
	const struct unwind_machine *machine = unwind_registers_machine("x86_64", 2);
	struct unwind_registers registers = { .pc = 0x40100b };
	struct unwind_memory memory = { .stack_addr = 0x7000,
					.stack = (const uint8_t *)words,
					.stack_size = sizeof(words) };
	uint64_t initial = 0x7010;

	unwind_registers_set(&registers, machine->sp, 0x7000);
	return unwind_expression(ops, size, &initial, machine, &registers, &memory, ret_value);
}

/* As linkers write it: in the second half of a stub, one word more is on the stack. */
static void the_expression_of_a_plt_depends_on_the_pc(void **state)
{
	const uint8_t plt[] = { DW_OP_breg7, 8,         DW_OP_breg16, 0,
				DW_OP_lit15, DW_OP_and, DW_OP_lit11,  DW_OP_ge,
				DW_OP_lit3,  DW_OP_shl, DW_OP_plus };
	uint64_t value;

	assert_int_equal(RUN(plt, &value), 0);
	assert_true(value == 0x7010);
}

static void memory_is_read_through_a_register(void **state)
{
	const uint8_t load[] = { DW_OP_breg7, 8, DW_OP_deref };
	const uint8_t half[] = { DW_OP_bregx, 7, 0, DW_OP_deref_size, 4 };
	uint64_t value;

	assert_int_equal(RUN(load, &value), 0);
	assert_true(value == 2);
	assert_int_equal(RUN(half, &value), 0);
	assert_true(value == 0x55667788);
}

static void numbers_have_signs(void **state)
{
	const uint8_t divided[] = { DW_OP_const1s, 0xf8, DW_OP_lit2, DW_OP_div };
	const uint8_t shifted[] = { DW_OP_const2s, 0, 0xff, DW_OP_lit4, DW_OP_shra };
	const uint8_t smaller[] = { DW_OP_const1s, 0xff, DW_OP_lit1, DW_OP_lt };
	const uint8_t rotated[] = { DW_OP_lit1, DW_OP_lit2,  DW_OP_lit3, DW_OP_rot,
				    DW_OP_drop, DW_OP_lit10, DW_OP_mul,  DW_OP_plus };
	uint64_t value;

	assert_int_equal(RUN(divided, &value), 0);
	assert_true((int64_t)value == -4);
	assert_int_equal(RUN(shifted, &value), 0);
	assert_true((int64_t)value == -16);
	assert_int_equal(RUN(smaller, &value), 0);
	assert_true(value == 1);
	assert_int_equal(RUN(rotated, &value), 0);
	assert_true(value == 10 + 3);
}

static void jumps_choose(void **state)
{
	const uint8_t choice[] = { DW_OP_lit1, DW_OP_bra, 3, 0,         DW_OP_lit5,
				   DW_OP_skip, 1,         0, DW_OP_lit7 };
	uint64_t value;

	assert_int_equal(RUN(choice, &value), -EBADMSG); /* into the middle of an operation */
	assert_int_equal(run(choice, 5, &value), -EBADMSG);
}

static void what_is_not_known_or_not_sound_is_an_error(void **state)
{
	const uint8_t unknown[] = { DW_OP_breg3, 0 };
	const uint8_t nowhere[] = { DW_OP_lit8, DW_OP_deref };
	const uint8_t endless[] = { DW_OP_skip, 0xfd, 0xff };
	const uint8_t deep[] = { DW_OP_dup, DW_OP_skip, 0xfc, 0xff };
	const uint8_t empty[] = { DW_OP_drop, DW_OP_drop };
	const uint8_t zero[] = { DW_OP_lit1, DW_OP_lit0, DW_OP_div };
	const uint8_t cut_off[] = { DW_OP_const8u, 1 };
	uint64_t value;

	assert_int_equal(RUN(unknown, &value), -EAGAIN);
	assert_int_equal(RUN(nowhere, &value), -EFAULT);
	assert_int_equal(RUN(endless, &value), -EBADMSG);
	assert_int_equal(RUN(deep, &value), -EBADMSG);
	assert_int_equal(RUN(empty, &value), -EBADMSG);
	assert_int_equal(RUN(zero, &value), -EBADMSG);
	assert_int_equal(RUN(cut_off, &value), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_expression_of_a_plt_depends_on_the_pc),
		cmocka_unit_test(memory_is_read_through_a_register),
		cmocka_unit_test(numbers_have_signs),
		cmocka_unit_test(jumps_choose),
		cmocka_unit_test(what_is_not_known_or_not_sound_is_an_error),
	};

	return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
