/* test-stackinfo.c - data/stackinfo.h */
#include "../test.h"

#include <errno.h>

#include "base/stack-sum.h"
#include "data/body.h"
#include "data/stackinfo.h"

static const struct stack_sum written = { .count = 28,
					  .complete = 1,
					  .stitched = 2,
					  .truncated = 3,
					  .no_cfi = 4,
					  .damaged = 5,
					  .cut = 6,
					  .gap = 7,
					  .stored = 8,
					  .stored_from_ns = 9,
					  .stored_until_ns = 10,
					  .size_needed = 40000,
					  .needs_more = true,
					  .objects = { { "libgmp.so.10", 3 }, { "x", 1 } } };

static void what_was_written_is_read(void **state)
{
	struct body_out out = { 0 };
	struct stack_sum sum;

	stackinfo_encode(&written, &out);
	assert_int_equal(stackinfo_decode(out.bytes, out.size, false, &sum), 0);
	assert_true(sum.count == 28 && sum.complete == 1 && sum.stitched == 2 &&
		    sum.truncated == 3);
	assert_true(sum.no_cfi == 4 && sum.damaged == 5 && sum.cut == 6 && sum.gap == 7);
	assert_true(sum.stored == 8 && sum.stored_from_ns == 9 && sum.stored_until_ns == 10);
	assert_true(sum.size_needed == 40000 && sum.needs_more);
	assert_string_equal(sum.objects[0].name, "libgmp.so.10");
	assert_true(sum.objects[0].count == 3 && sum.objects[1].count == 1);
	assert_null(sum.objects[2].name);
	body_done(&out);
}

static void what_is_cut_off_is_damaged(void **state)
{
	struct body_out out = { 0 };
	struct stack_sum sum;

	stackinfo_encode(&written, &out);
	/* What pads the last name may be missing. */
	for (size_t size = 0; size < out.size - 64; size++)
		assert_int_equal(stackinfo_decode(out.bytes, size, false, &sum), -EBADMSG);
	body_done(&out);
}

static void words_of_later_versions_are_passed_over(void **state)
{
	struct body_out out = { 0 };
	struct stack_sum sum;

	body_put_u64(&out, 14);
	for (uint64_t i = 1; i <= 14; i++)
		body_put_u64(&out, i);
	body_put_u32(&out, 1);
	body_put_u64(&out, 5);
	body_put_string(&out, "y");
	assert_int_equal(stackinfo_decode(out.bytes, out.size, false, &sum), 0);
	assert_true(sum.cut == 6 && sum.gap == 9);
	assert_string_equal(sum.objects[0].name, "y");
	body_done(&out);
}

static void earlier_versions_knew_fewer_words(void **state)
{
	struct body_out out = { 0 };
	struct stack_sum sum;

	body_put_u64(&out, 8);
	for (uint64_t i = 1; i <= 8; i++)
		body_put_u64(&out, i);
	body_put_u32(&out, 0);
	assert_int_equal(stackinfo_decode(out.bytes, out.size, false, &sum), 0);
	assert_true(sum.count == 21 && sum.size_needed == 7 && sum.needs_more && sum.gap == 0);
	body_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(what_is_cut_off_is_damaged),
		cmocka_unit_test(words_of_later_versions_are_passed_over),
		cmocka_unit_test(earlier_versions_knew_fewer_words),
	};

	return cmocka_run_group_tests_name("stackinfo", tests, NULL, NULL);
}
