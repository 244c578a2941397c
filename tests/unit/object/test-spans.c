/* test-spans.c - object/spans.h: which stretch is the innermost one at an address. */
#include "../test.h"

#include "object/spans.h"

enum { ADDRESSES = 64, STRETCHES = 40, ROUNDS = 200 };

static void the_innermost_has_an_address(void **state)
{
	struct spans spans = { 0 };

	spans_add(&spans, 10, 50, 0);
	spans_add(&spans, 20, 40, 1);
	spans_add(&spans, 25, 30, 2);
	spans_settle(&spans);
	assert_int_equal(spans_find(&spans, 9), SPANS_NONE);
	assert_int_equal(spans_find(&spans, 10), 0);
	assert_int_equal(spans_find(&spans, 20), 1);
	assert_int_equal(spans_find(&spans, 24), 1);
	assert_int_equal(spans_find(&spans, 25), 2);
	assert_int_equal(spans_find(&spans, 29), 2);
	assert_int_equal(spans_find(&spans, 30), 1);
	assert_int_equal(spans_find(&spans, 40), 0);
	assert_int_equal(spans_find(&spans, 49), 0);
	assert_int_equal(spans_find(&spans, 50), SPANS_NONE);
	spans_done(&spans);
}

static void of_equal_ones_the_last_counts(void **state)
{
	struct spans spans = { 0 };

	spans_add(&spans, 10, 20, 7);
	spans_add(&spans, 10, 20, 8);
	spans_settle(&spans);
	assert_int_equal(spans_find(&spans, 10), 8);
	assert_int_equal(spans_find(&spans, 19), 8);
	spans_done(&spans);
}

static void nothing_is_in_none(void **state)
{
	struct spans spans = { 0 };

	spans_add(&spans, 10, 10, 1);
	spans_add(&spans, 12, 11, 2);
	spans_settle(&spans);
	assert_int_equal(spans_find(&spans, 10), SPANS_NONE);
	spans_done(&spans);
}

/* What spans.h says, looked for the long way. */
static uint32_t find_slowly(const struct span *all, size_t count, uint64_t addr)
{
	uint32_t value = SPANS_NONE;
	uint64_t size = UINT64_MAX;

	for (size_t i = 0; i < count; i++) {
		if (addr < all[i].begin || addr >= all[i].end || all[i].end - all[i].begin > size)
			continue;
		size = all[i].end - all[i].begin;
		value = all[i].value;
	}
	return value;
}

static void stretches_may_stick_out_of_one_another(void **state)
{
	unsigned random = 1;

	for (int round = 0; round < ROUNDS; round++) {
		struct span all[STRETCHES];
		struct spans spans = { 0 };

		for (uint32_t i = 0; i < STRETCHES; i++) {
			random = random * 1103515245 + 12345;
			all[i].begin = random >> 16 & (ADDRESSES / 2 - 1);
			all[i].end = all[i].begin + 1 + (random >> 24 & (ADDRESSES / 4 - 1));
			all[i].value = i;
			spans_add(&spans, all[i].begin, all[i].end, i);
		}
		spans_settle(&spans);
		for (uint64_t addr = 0; addr < ADDRESSES; addr++)
			assert_int_equal(spans_find(&spans, addr),
					 find_slowly(all, STRETCHES, addr));
		spans_done(&spans);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_has_an_address),
		cmocka_unit_test(of_equal_ones_the_last_counts),
		cmocka_unit_test(nothing_is_in_none),
		cmocka_unit_test(stretches_may_stick_out_of_one_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
