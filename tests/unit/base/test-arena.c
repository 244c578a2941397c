#include "../test.h"

#include "base/arena.h"

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

static void a_copied_string_is_its_own(void **state)
{
	struct arena arena = { 0 };
	char text[] = "hot";
	char *copy = arena_strdup(&arena, text);

	text[0] = 'n';
	assert_string_equal(copy, "hot");
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_and_large_pieces_are_zeroed_aligned_and_apart),
		cmocka_unit_test(a_copied_string_is_its_own),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
