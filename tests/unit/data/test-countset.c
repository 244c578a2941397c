#include "../test.h"

#include "base/mem.h"
#include "data/countset.h"

static void set(const struct countset *counts, size_t event, size_t cpu, uint64_t value)
{
	*countset_at(counts, event, cpu, 0) = (struct count){ value, value * 2, value, true };
}

static void a_difference_is_what_came_since(void **state)
{
	_cleanup_(countset_done) struct countset now = { 0 }, before = { 0 };

	countset_init(&now, 2, 2, 1);
	countset_init(&before, 2, 2, 1);
	set(&now, 0, 0, 10);
	set(&now, 0, 1, 7);
	set(&now, 1, 0, 5);
	set(&before, 0, 0, 4);
	set(&before, 1, 0, 5);
	countset_subtract(&now, &before, NULL);
	assert_int_equal(countset_at(&now, 0, 0, 0)->value, 6);
	assert_int_equal(countset_at(&now, 0, 0, 0)->enabled_ns, 12);
	assert_int_equal(countset_at(&now, 0, 1, 0)->value, 7); /* was not there before */
	assert_int_equal(countset_at(&now, 1, 0, 0)->value, 0);
	assert_false(countset_at(&now, 1, 1, 0)->is_there);
}

static void what_is_a_value_and_no_sum_stays(void **state)
{
	_cleanup_(countset_done) struct countset now = { 0 }, before = { 0 };
	const bool is_value[] = { false, true };

	countset_init(&now, 2, 1, 1);
	countset_init(&before, 2, 1, 1);
	for (size_t event = 0; event < 2; event++) {
		set(&now, event, 0, 10);
		set(&before, event, 0, 8);
	}
	countset_subtract(&now, &before, is_value);
	assert_int_equal(countset_at(&now, 0, 0, 0)->value, 2);
	assert_int_equal(countset_at(&now, 1, 0, 0)->value, 10);
	assert_int_equal(countset_at(&now, 1, 0, 0)->running_ns, 2);
}

static void a_count_that_shrinks_is_0(void **state)
{
	_cleanup_(countset_done) struct countset now = { 0 }, before = { 0 };

	countset_init(&now, 1, 1, 1);
	countset_init(&before, 1, 1, 1);
	set(&now, 0, 0, 3);
	set(&before, 0, 0, 4);
	countset_subtract(&now, &before, NULL);
	assert_int_equal(countset_at(&now, 0, 0, 0)->value, 0);
	assert_int_equal(countset_at(&now, 0, 0, 0)->enabled_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_difference_is_what_came_since),
		cmocka_unit_test(what_is_a_value_and_no_sum_stays),
		cmocka_unit_test(a_count_that_shrinks_is_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
