/* test-data-state.c - what is known of registers and of the stack, where two ways meet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "object/data-joints.h"
#include "object/data-state.h"

static const struct data_here here;

static struct data_value number(int64_t offset)
{
	return (struct data_value){ DATA_VALUE_NUMBER, NULL, offset, NULL };
}

static void what_is_put_away_is_there_until_it_is_overwritten(void **state)
{
	struct data_state put = { 0 };

	data_state_put(&put, -16, number(7));
	data_state_put(&put, -24, number(8));
	assert_int_equal(data_state_slot(&put, -16).offset, 7);
	assert_int_equal(data_state_slot(&put, -8).kind, DATA_VALUE_UNKNOWN);
	data_state_clear(&put, -20, 4); /* the upper half of one */
	assert_int_equal(data_state_slot(&put, -24).kind, DATA_VALUE_UNKNOWN);
	assert_int_equal(data_state_slot(&put, -16).offset, 7);
	data_state_put(&put, -16, (struct data_value){ 0 });
	assert_int_equal(data_state_slot(&put, -16).kind, DATA_VALUE_UNKNOWN);
}

static void the_oldest_slot_gives_way(void **state)
{
	struct data_state put = { 0 };

	for (int i = 0; i <= DATA_STATE_SLOTS; i++)
		data_state_put(&put, -8 * (int64_t)i, number(i));
	assert_int_equal(data_state_slot(&put, 0).kind, DATA_VALUE_UNKNOWN);
	assert_int_equal(data_state_slot(&put, -8).offset, 1);
}

static void two_ways_leave_what_both_know(void **state)
{
	struct data_state left = { 0 }, right = { 0 };

	left.values[0] = right.values[0] = number(1);
	left.values[1] = number(1);
	right.values[1] = number(2);
	left.values[2] = number(3);
	data_state_put(&left, -8, number(5));
	data_state_put(&left, -16, number(6));
	data_state_put(&right, -16, number(6));
	assert_true(data_state_meet(&here, &left, &right));
	assert_int_equal(left.values[0].offset, 1);
	assert_int_equal(left.values[1].kind, DATA_VALUE_UNKNOWN);
	assert_int_equal(left.values[2].kind, DATA_VALUE_UNKNOWN);
	assert_int_equal(data_state_slot(&left, -8).kind, DATA_VALUE_UNKNOWN);
	assert_int_equal(data_state_slot(&left, -16).offset, 6);
	assert_false(data_state_meet(&here, &left, &right));
}

static void registers_that_are_lost_are_forgotten(void **state)
{
	struct data_state known = { 0 };

	known.values[3] = known.values[4] = number(1);
	data_state_forget(&known, UINT64_C(1) << 3);
	assert_int_equal(known.values[3].kind, DATA_VALUE_UNKNOWN);
	assert_int_equal(known.values[4].kind, DATA_VALUE_NUMBER);
}

static void jumps_within_the_code_have_one_joint_for_each_place(void **state)
{
	const struct insn_moves insns[] = {
		{ .jumps = true, .to = 0x20 }, { .jumps = true, .to = 0x10 },
		{ .jumps = true, .to = 0x20 }, { .jumps = true, .to = 0x30 }, /* beyond */
		{ .jumps = true, .to = 0 },    { .calls = true, .to = 0x18 },
	};
	const struct data_state first = { .values[0] = { DATA_VALUE_NUMBER, NULL, 1, NULL } },
				nothing = { 0 };
	struct data_joints joints;
	struct data_joint *joint;

	data_joints_find(&joints, insns, sizeof(insns) / sizeof(insns[0]), 0x10, 0x20);
	assert_int_equal(joints.count, 2);
	assert_null(data_joints_at(&joints, 0x18));
	joint = data_joints_at(&joints, 0x20);
	assert_non_null(joint);
	assert_true(data_joints_reach(&here, joint, &first));
	assert_false(data_joints_reach(&here, joint, &first));
	assert_int_equal(joint->state.values[0].offset, 1);
	assert_true(data_joints_reach(&here, joint, &nothing));
	assert_int_equal(joint->state.values[0].kind, DATA_VALUE_UNKNOWN);
	data_joints_done(&joints);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_put_away_is_there_until_it_is_overwritten),
		cmocka_unit_test(the_oldest_slot_gives_way),
		cmocka_unit_test(two_ways_leave_what_both_know),
		cmocka_unit_test(registers_that_are_lost_are_forgotten),
		cmocka_unit_test(jumps_within_the_code_have_one_joint_for_each_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
