#include "../test.h"

#include "base/arena.h"
#include "base/mem.h"

static void small_and_large_pieces_are_zeroed_aligned_and_apart(void **state)
{
	struct arena arena = { 0 };
	char *before = NULL;

	for (size_t size = 1; size < 1000000; size *= 3) {
		char *p = arena_alloc(&arena, size);

		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 'x', size);
		assert_ptr_not_equal(p, before);
		before = p;
	}
	arena_done(&arena);
}

static void pieces_are_aligned_as_asked(void **state)
{
	struct arena arena = { 0 };

	for (size_t i = 0; i < 3000; i++) {
		size_t alignment = (size_t)1 << i % 8;
		char *p = arena_alloc_aligned(&arena, i % 100, alignment);

		assert_int_equal((uintptr_t)p % alignment, 0);
		for (size_t k = 0; k < i % 100; k++)
			assert_int_equal(p[k], 0);
		memset(p, 'x', i % 100);
	}
	arena_done(&arena);
}

static void a_copied_string_is_its_own(void **state)
{
	struct arena arena = { 0 };
	char text[] = "hot";
	char *copy = arena_strdup(&arena, text);

	text[0] = 'n';
	assert_string_equal(copy, "hot");
	arena_done(&arena);
}

static void strings_lie_side_by_side_and_other_things_are_aligned_behind_them(void **state)
{
	struct arena arena = { 0 };
	char *first = arena_strdup(&arena, "hot"), *second = arena_strdup(&arena, "cold");
	char *piece = arena_alloc(&arena, 8);

	assert_ptr_equal(second, first + 4);
	assert_int_equal((uintptr_t)piece % 16, 0);
	memset(piece, 'x', 8);
	assert_string_equal(first, "hot");
	assert_string_equal(second, "cold");
	arena_done(&arena);
}

/* The last string of a block may leave less than what is to be aligned needs. */
static void what_does_not_fit_behind_a_string_has_a_block_of_its_own(void **state)
{
	for (size_t left = 0; left < 40; left++) {
		struct arena arena = { 0 };
		size_t size = 1024 - 16 - left;
		char *text = xcalloc(1, size), *copy, *piece;

		memset(text, 't', size - 1);
		copy = arena_strdup(&arena, text);
		piece = arena_alloc(&arena, 16);
		assert_int_equal((uintptr_t)piece % 16, 0);
		memset(piece, 'x', 16);
		assert_string_equal(copy, text);
		arena_done(&arena);
		free(text);
	}
}

static void a_part_of_a_string_ends_at_its_size_or_its_end(void **state)
{
	struct arena arena = { 0 };

	assert_string_equal(arena_strndup(&arena, "cycles:u", 6), "cycles");
	assert_string_equal(arena_strndup(&arena, "cycles", 100), "cycles");
	assert_string_equal(arena_strndup(&arena, "cycles", 0), "");
	arena_done(&arena);
}

static void an_arena_can_be_used_again(void **state)
{
	struct arena arena = { 0 };

	memset(arena_alloc(&arena, 100), 'x', 100);
	arena_done(&arena);
	assert_int_equal(*(char *)arena_alloc(&arena, 100), 0);
	arena_done(&arena);
	arena_done(&arena);
}

static void nothing_has_a_place_too(void **state)
{
	struct arena arena = { 0 };

	assert_non_null(arena_alloc(&arena, 0));
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_has_a_place_too),
		cmocka_unit_test(small_and_large_pieces_are_zeroed_aligned_and_apart),
		cmocka_unit_test(pieces_are_aligned_as_asked),
		cmocka_unit_test(a_copied_string_is_its_own),
		cmocka_unit_test(strings_lie_side_by_side_and_other_things_are_aligned_behind_them),
		cmocka_unit_test(what_does_not_fit_behind_a_string_has_a_block_of_its_own),
		cmocka_unit_test(a_part_of_a_string_ends_at_its_size_or_its_end),
		cmocka_unit_test(an_arena_can_be_used_again),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
