/* test-unwind-registers.c - unwind/unwind-registers.h */
#include "../test.h"

#include "unwind/unwind-registers.h"

static void registers_get_dwarfs_numbers(void **state)
{
	const struct unwind_machine *machine = unwind_registers_machine("x86_64", 2);
	uint64_t values[20];
	struct unwind_registers registers;

	for (uint64_t i = 0; i < 20; i++)
		values[i] = 100 + i;
	/* What perf records on x86: all but the segments between SS and R8. */
	assert_true(unwind_registers_take(machine, 0xff0fff, values, 20, &registers));
	assert_true(registers.pc == 108);
	assert_true(registers.values[3] == 101); /* rbx */
	assert_true(registers.values[7] == 107); /* rsp */
	assert_true(registers.values[8] == 112); /* r8 */
	assert_true(registers.values[15] == 119);
	assert_false(unwind_registers_know(&registers, 16));
}

static void an_address_of_arm64_has_no_code_of_authentication(void **state)
{
	const struct unwind_machine *machine = unwind_registers_machine("aarch64", 2);
	uint64_t values[33] = { [31] = 0xfff0, [32] = 0x0023aaaabbbbcccc };
	struct unwind_registers registers;

	assert_true(
		unwind_registers_take(machine, (UINT64_C(1) << 33) - 1, values, 33, &registers));
	assert_true(registers.pc == 0xaaaabbbbcccc);
	assert_true(registers.values[31] == 0xfff0);
}

static void programs_of_32_bits_have_machines_of_their_own(void **state)
{
	assert_int_equal(unwind_registers_machine("x86_64", 1)->address_size, 4);
	assert_int_equal(unwind_registers_machine("aarch64", 1)->link, 14);
	assert_int_equal(unwind_registers_machine("armv7l", 1)->link, 14);
	assert_ptr_equal(unwind_registers_machine("i686", 1),
			 unwind_registers_machine("x86_64", 1));
	assert_null(unwind_registers_machine("s390x", 2));
	assert_null(unwind_registers_machine("x86_64", 0));
}

static void without_pc_or_stack_pointer_there_is_no_stack(void **state)
{
	const struct unwind_machine *machine = unwind_registers_machine("x86_64", 2);
	uint64_t values[2] = { 1, 2 };
	struct unwind_registers registers;

	assert_false(unwind_registers_take(machine, 1 << 8, values, 1, &registers));
	assert_false(unwind_registers_take(machine, 1 << 7, values, 1, &registers));
	assert_true(unwind_registers_take(machine, 3 << 7, values, 2, &registers));
	assert_false(unwind_registers_take(machine, 3 << 7, values, 1, &registers));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_get_dwarfs_numbers),
		cmocka_unit_test(an_address_of_arm64_has_no_code_of_authentication),
		cmocka_unit_test(programs_of_32_bits_have_machines_of_their_own),
		cmocka_unit_test(without_pc_or_stack_pointer_there_is_no_stack),
	};

	return cmocka_run_group_tests_name("unwind-registers", tests, NULL, NULL);
}
