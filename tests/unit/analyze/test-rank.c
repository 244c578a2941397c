/* test-rank.c - items come out as a red-black tree has them. */
#include "../test.h"

#include <stdint.h>

#include "analyze/rank.h"

static int is_less(const void *a, const void *b, void *context)
{
	const int *x = a, *y = b;
	size_t *calls = context;

	++*calls;
	return *x < *y;
}

static void nothing_and_one_are_in_order(void **state)
{
	int one = 1;
	void *items[] = { &one };
	size_t calls = 0;

	rank_items(items, 0, is_less, &calls);
	rank_items(items, 1, is_less, &calls);
	assert_ptr_equal(items[0], &one);
	assert_int_equal(calls, 0);
}

enum { COUNT = 1000 };

static void assert_sorted(int *values)
{
	void *items[COUNT];
	size_t calls = 0;

	for (size_t i = 0; i < COUNT; i++)
		items[i] = &values[i];
	rank_items(items, COUNT, is_less, &calls);
	for (size_t i = 1; i < COUNT; i++) {
		const int *before = items[i - 1], *after = items[i];

		assert_true(*before < *after || (*before == *after && before < after));
	}
	/* Balanced: no deeper than twice the logarithm. */
	assert_true(calls < COUNT * 20);
}

static void any_order_becomes_sorted_and_equal_ones_keep_theirs(void **state)
{
	int rising[COUNT], falling[COUNT], mixed[COUNT], same[COUNT];
	uint32_t random = 1;

	for (int i = 0; i < COUNT; i++) {
		random = random * 1664525 + 1013904223;
		rising[i] = i;
		falling[i] = -i;
		mixed[i] = (int)(random >> 16) % 100;
		same[i] = 7;
	}
	assert_sorted(rising);
	assert_sorted(falling);
	assert_sorted(mixed);
	assert_sorted(same);
}

/* Rock, paper, scissors: each goes before the one that it beats. */
static int beats(const void *a, const void *b, void *context)
{
	const int *x = a, *y = b;

	return (*x + 1) % 3 == *y;
}

static void assert_hands(int first, int second, int third, const char *expected)
{
	int hands[] = { first, second, third };
	void *items[] = { &hands[0], &hands[1], &hands[2] };
	char text[4] = "";

	rank_items(items, 3, beats, NULL);
	for (size_t i = 0; i < 3; i++)
		text[i] = (char)('0' + *(int *)items[i]);
	assert_string_equal(text, expected);
}

/* Worked out by hand: the first at the root, then left or right of it, then one rotation. */
static void where_before_is_a_circle_the_order_of_insertion_decides(void **state)
{
	assert_hands(0, 1, 2, "201");
	assert_hands(1, 2, 0, "012");
	assert_hands(2, 0, 1, "120");
	assert_hands(0, 2, 1, "201");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_and_one_are_in_order),
		cmocka_unit_test(any_order_becomes_sorted_and_equal_ones_keep_theirs),
		cmocka_unit_test(where_before_is_a_circle_the_order_of_insertion_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
