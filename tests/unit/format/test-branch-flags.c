#include "../test.h"

#include "format/branch-flags.h"

static void a_branch_is_predicted_right_or_wrong_or_neither(void **state)
{
	assert_false(branch_flags_decode(0).predicted || branch_flags_decode(0).mispredicted);
	assert_true(branch_flags_decode(1).mispredicted);
	assert_true(branch_flags_decode(2).predicted);
	/* Both bits: as perf has it, it was right. */
	assert_true(branch_flags_decode(3).predicted);
	assert_false(branch_flags_decode(3).mispredicted);
}

static void bits_have_their_places(void **state)
{
	const struct branch_flags none = branch_flags_decode(0);
	struct branch_flags flags = branch_flags_decode(1 << 2 | 1 << 3 | 0xffff << 4);

	assert_true(flags.in_tx && flags.abort);
	assert_int_equal(flags.cycles, 0xffff);
	assert_true(branch_flags_decode(UINT64_C(1) << 33).not_taken);
	assert_false(none.in_tx || none.abort || none.not_taken);
	assert_int_equal(none.cycles, 0);
}

static void types_have_names(void **state)
{
	assert_string_equal(branch_flags_decode(0).type, "");
	assert_string_equal(branch_flags_decode(1 << 20).type, "COND");
	assert_string_equal(branch_flags_decode(14 << 20).type, "NO_TX");
	assert_string_equal(branch_flags_decode(15 << 20).type, "FAULT_ALGN");
	assert_string_equal(branch_flags_decode(15 << 20 | 7 << 26).type, "ARCH_5");
	assert_string_equal(branch_flags_decode(0).speculation, "-");
	assert_string_equal(branch_flags_decode(1 << 24).speculation, "SPEC_WRONG_PATH");
	assert_string_equal(branch_flags_decode(3 << 24).speculation, "SPEC_CORRECT_PATH");
	/* Whatever the bits are, there is a name. */
	assert_non_null(branch_flags_decode(UINT64_MAX).type);
	assert_non_null(branch_flags_decode(UINT64_MAX).speculation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_branch_is_predicted_right_or_wrong_or_neither),
		cmocka_unit_test(bits_have_their_places),
		cmocka_unit_test(types_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
