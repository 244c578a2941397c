#include "../test.h"

#include "format/registers.h"

static void every_architecture_has_its_own_names(void **state)
{
	assert_string_equal(registers_name("x86_64", 8), "IP");
	assert_string_equal(registers_name("i686", 0), "AX");
	assert_string_equal(registers_name("x86_64", 62), "XMM15");
	assert_string_equal(registers_name("aarch64", 30), "lr");
	assert_string_equal(registers_name("riscv64", 0), "pc");
}

static void what_is_unknown_has_no_name(void **state)
{
	assert_null(registers_name("x86_64", 24));
	assert_null(registers_name("x86_64", 64));
	assert_null(registers_name("vax", 0));
	assert_null(registers_name("i", 0));
	assert_null(registers_name("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_architecture_has_its_own_names),
		cmocka_unit_test(what_is_unknown_has_no_name),
	};

	return cmocka_run_group_tests_name("registers", tests, NULL, NULL);
}
