/* test-stack-sum.c - base/stack-sum.h */
#include "../test.h"

#include "base/stack-sum.h"

static void sums_add_up(void **state)
{
	struct stack_sum sum = { .count = 5, .complete = 3, .gap = 2, .size_needed = 100 };
	const struct stack_sum others = { .count = 6,
					  .complete = 1,
					  .stitched = 2,
					  .truncated = 3,
					  .size_needed = 50,
					  .needs_more = true,
					  .stored = 4,
					  .stored_from_ns = 10,
					  .stored_until_ns = 20 };

	stack_sum_add(&sum, &others);
	assert_true(sum.count == 11 && sum.complete == 4 && sum.gap == 2 && sum.stitched == 2 &&
		    sum.truncated == 3);
	assert_true(sum.size_needed == 100 && sum.needs_more);
	assert_true(sum.stored == 4 && sum.stored_from_ns == 10 && sum.stored_until_ns == 20);
}

static void the_heaviest_objects_stay(void **state)
{
	struct stack_sum sum = { .objects = { { "a", 5 }, { "b", 4 }, { "c", 3 } } };
	const struct stack_sum others = { .objects = { { "c", 3 }, { "d", 1 } } };

	stack_sum_add(&sum, &others);
	assert_string_equal(sum.objects[0].name, "c");
	assert_true(sum.objects[0].count == 6);
	assert_string_equal(sum.objects[1].name, "a");
	assert_string_equal(sum.objects[2].name, "b");
	stack_sum_add_object(&sum, "e", 5);
	assert_string_equal(sum.objects[1].name, "a");
	assert_string_equal(sum.objects[2].name, "e");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_add_up),
		cmocka_unit_test(the_heaviest_objects_stay),
	};

	return cmocka_run_group_tests_name("stack-sum", tests, NULL, NULL);
}
