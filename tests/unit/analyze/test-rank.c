/* test-rank.c - items come out as a red-black tree has them. */
#include "../test.h"

#include <stdint.h>

#include "analyze/rank.h"

struct thing {
	struct rank_node node;
	int value;
};

static int is_less(const void *a, const void *b, void *context)
{
	const struct thing *x = a, *y = b;
	size_t *calls = context;

	++*calls;
	return x->value < y->value;
}

static void nothing_and_one_are_in_order(void **state)
{
	struct thing one = { .value = 1 };
	size_t calls = 0;
	uint32_t order = 7;

	rank_items(&one, sizeof(one), 0, is_less, &calls, &order);
	assert_int_equal(order, 7);
	rank_items(&one, sizeof(one), 1, is_less, &calls, &order);
	assert_int_equal(order, 0);
	assert_int_equal(calls, 0);
}

enum { COUNT = 1000 };

static void assert_sorted(const int *values)
{
	struct thing things[COUNT];
	uint32_t order[COUNT];
	size_t calls = 0;

	for (size_t i = 0; i < COUNT; i++)
		things[i].value = values[i];
	rank_items(things, sizeof(things[0]), COUNT, is_less, &calls, order);
	for (size_t i = 1; i < COUNT; i++) {
		int before = values[order[i - 1]], after = values[order[i]];

		assert_true(before < after || (before == after && order[i - 1] < order[i]));
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
	const struct thing *x = a, *y = b;

	return (x->value + 1) % 3 == y->value;
}

static void assert_hands(int first, int second, int third, const char *expected)
{
	struct thing hands[] = { { .value = first }, { .value = second }, { .value = third } };
	uint32_t order[3];
	char text[4] = "";

	rank_items(hands, sizeof(hands[0]), 3, beats, NULL, order);
	for (size_t i = 0; i < 3; i++)
		text[i] = (char)('0' + hands[order[i]].value);
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
