#include "../test.h"

#include "base/arena.h"
#include "data/cpumap.h"

#define TEXT(...)                                                                                  \
	cpumap_text((const uint16_t[]){ __VA_ARGS__ }, sizeof((const uint16_t[]){ __VA_ARGS__ }),  \
		    &arena)

static void a_list_becomes_ranges(void **state)
{
	struct arena arena = { 0 };

	assert_string_equal(TEXT(0, 4, 8, 0, 1, 2), "0-2,8");
	assert_string_equal(TEXT(0, 2, 3, UINT16_MAX), "3");
	assert_string_equal(TEXT(0, 3, 65534, 64, 63), "63-64,65534");
	assert_string_equal(TEXT(0, 0), "");
	arena_done(&arena);
}

static void a_mask_has_words_of_four_or_eight_bytes(void **state)
{
	struct arena arena = { 0 };

	assert_string_equal(TEXT(1, 2, 4, 0x3, 0, 0x1, 0), "0-1,32");
	assert_string_equal(TEXT(1, 1, 8, 0, 0x1, 0, 0, 0x8000), "0,63");
	assert_null(TEXT(1, 1, 2, 0xff));
	arena_done(&arena);
}

static void a_mask_of_older_recorders_begins_later(void **state)
{
	struct arena arena = { 0 };

	assert_string_equal(TEXT(1, 1, 8, 0, 0, 0xfff, 0, 0, 0, 0, 0, 0), "0-11");
	arena_done(&arena);
}

static void a_range_has_two_ends(void **state)
{
	struct arena arena = { 0 };

	assert_string_equal(TEXT(2, 0, 4, 7), "4-7");
	assert_string_equal(TEXT(2, 0, 7, 4), "");
	assert_string_equal(TEXT(2, 1, 0, UINT16_MAX), "0-65534");
	arena_done(&arena);
}

static void what_ends_early_is_refused(void **state)
{
	struct arena arena = { 0 };

	assert_null(cpumap_text("", 1, &arena));
	assert_null(TEXT(0));
	assert_null(TEXT(0, 2, 1));
	assert_null(TEXT(1, 2, 4, 0x3, 0));
	assert_null(TEXT(1, 1, 8));
	assert_null(TEXT(2, 0, 4));
	assert_null(TEXT(3, 0, 4, 7));
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_becomes_ranges),
		cmocka_unit_test(a_mask_has_words_of_four_or_eight_bytes),
		cmocka_unit_test(a_mask_of_older_recorders_begins_later),
		cmocka_unit_test(a_range_has_two_ends),
		cmocka_unit_test(what_ends_early_is_refused),
	};

	return cmocka_run_group_tests_name("cpumap", tests, NULL, NULL);
}
