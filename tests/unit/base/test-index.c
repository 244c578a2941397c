/* test-index.c - numbers are found by hashes. */
#include "../test.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"

static void an_empty_index_has_nothing(void **state)
{
	struct index index = { 0 };

	assert_int_equal(index_first(&index, 7), INDEX_NONE);
	index_done(&index);
}

static void all_numbers_are_found_again(void **state)
{
	_cleanup_(index_done) struct index index = { 0 };

	for (uint32_t i = 0; i < 10000; i++)
		index_add(&index, hash_u64(i), i);
	for (uint32_t i = 0; i < 10000; i++) {
		uint32_t at = index_first(&index, hash_u64(i));

		while (at != i && at != INDEX_NONE)
			at = index_next(&index, hash_u64(i));
		assert_int_equal(at, i);
	}
}

static void equal_hashes_are_handed_out_one_by_one(void **state)
{
	_cleanup_(index_done) struct index index = { 0 };
	unsigned seen = 0;

	for (uint32_t i = 0; i < 8; i++)
		index_add(&index, UINT64_MAX, i);
	for (uint32_t at = index_first(&index, UINT64_MAX); at != INDEX_NONE;
	     at = index_next(&index, UINT64_MAX))
		seen |= 1U << at;
	assert_int_equal(seen, 255);
	assert_int_equal(index_first(&index, 0), INDEX_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_index_has_nothing),
		cmocka_unit_test(all_numbers_are_found_again),
		cmocka_unit_test(equal_hashes_are_handed_out_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
