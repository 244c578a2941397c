/* test-stitch.c - stage/stitch.h */
#include "../test.h"

#include "stage/stitch.h"
#include "unwind/unwinder.h"

enum { TID = 7, MOST = 100 };

/* Frames numbered from the outermost on: number 1 is the thread's first function. */
static struct unwind_frame frame(unsigned number)
{
	return (struct unwind_frame){ .pc = 0x1000 + number, .cfa = 0x9000 - 16 * number };
}

static struct unwind_frame frames[32];

/* A stack of the frames from @inner out to @outer. */
static struct unwind_result stack(unsigned inner, unsigned outer)
{
	struct unwind_result result = { .verdict = outer == 1 ? UNWIND_COMPLETE : UNWIND_TRUNCATED,
					.needed = outer == 1 ? 0 : 4096,
					.frames = frames };

	for (unsigned i = inner; i >= outer; i--)
		frames[result.count++] = frame(i);
	return result;
}

static void take_stack(struct stitch *stitch, uint32_t tid, struct unwind_result *result)
{
	stitch_take(stitch, tid, MOST, result);
}

static void outer_frames_come_from_earlier_stacks(void **state)
{
	struct stitch stitch = { 0 };
	struct unwind_result first = stack(8, 1), second, third;

	take_stack(&stitch, TID, &first);
	assert_int_equal(first.verdict, UNWIND_COMPLETE);
	assert_int_equal(first.count, 8);
	second = stack(13, 4);
	take_stack(&stitch, TID, &second);
	assert_int_equal(second.verdict, UNWIND_STITCHED);
	assert_int_equal(second.count, 13);
	/* By way of the second, whose own outer frames came from the first. */
	third = stack(14, 9);
	take_stack(&stitch, TID, &third);
	assert_int_equal(third.verdict, UNWIND_STITCHED);
	assert_int_equal(third.count, 14);
	for (unsigned i = 0; i < 14; i++)
		assert_true(third.frames[i].pc == frame(14 - i).pc);
	stitch_forget(&stitch);
}

static void what_was_never_seen_is_not_made_up(void **state)
{
	struct stitch stitch = { 0 };
	struct unwind_result result = stack(8, 1);

	take_stack(&stitch, TID, &result);
	result = stack(14, 9);
	take_stack(&stitch, TID, &result);
	assert_int_equal(result.verdict, UNWIND_TRUNCATED);
	assert_int_equal(result.count, 6);
	result = stack(10, 4);
	take_stack(&stitch, TID + 1, &result); /* another thread's stack is not ours */
	assert_int_equal(result.verdict, UNWIND_TRUNCATED);
	assert_int_equal(result.count, 7);
	stitch_forget(&stitch);
}

static void a_frame_that_returned_elsewhere_is_another(void **state)
{
	struct stitch stitch = { 0 };
	struct unwind_result result = stack(8, 1);

	take_stack(&stitch, TID, &result);
	result = stack(10, 4);
	frames[result.count - 1].pc++;
	take_stack(&stitch, TID, &result);
	assert_int_equal(result.verdict, UNWIND_TRUNCATED);
	stitch_forget(&stitch);
}

static void frames_that_called_others_are_others(void **state)
{
	struct stitch stitch = { 0 };
	struct unwind_result result = stack(8, 1);

	take_stack(&stitch, TID, &result);
	result = stack(10, 4);
	frames[result.count - 2].pc++;
	take_stack(&stitch, TID, &result);
	assert_int_equal(result.verdict, UNWIND_TRUNCATED);
	stitch_forget(&stitch);
}

static void stitched_stacks_are_cut_where_there_is_no_more_room(void **state)
{
	struct stitch stitch = { 0 };
	struct unwind_result result = stack(8, 1);

	take_stack(&stitch, TID, &result);
	result = stack(10, 4);
	stitch_take(&stitch, TID, 8, &result);
	assert_int_equal(result.verdict, UNWIND_CUT);
	assert_int_equal(result.count, 8);
	stitch_forget(&stitch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outer_frames_come_from_earlier_stacks),
		cmocka_unit_test(what_was_never_seen_is_not_made_up),
		cmocka_unit_test(a_frame_that_returned_elsewhere_is_another),
		cmocka_unit_test(frames_that_called_others_are_others),
		cmocka_unit_test(stitched_stacks_are_cut_where_there_is_no_more_room),
	};

	return cmocka_run_group_tests_name("stitch", tests, NULL, NULL);
}
