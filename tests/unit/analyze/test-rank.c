/* test-rank.c - items come out as a red-black tree has them. */
#include "../test.h"

#include <stdbool.h>
#include <stdint.h>

#include "analyze/rank.h"

static void nothing_and_one_are_in_order(void **state)
{
	struct rank_item one = { .place = 1 };
	uint32_t order = 7;

	rank_items(&one, 0, &order);
	assert_int_equal(order, 7);
	rank_items(&one, 1, &order);
	assert_int_equal(order, 0);
}

enum { COUNT = 1000 };

/* The longest way from an item up to the root. */
static size_t depth_of(const struct rank_item *items)
{
	const uint32_t none = INT32_MAX; /* without the bit that tells the color */
	size_t most = 0;

	for (size_t i = 0; i < COUNT; i++) {
		size_t depth = 1;

		for (uint32_t up = items[i].parent & none; up != none; up = items[up].parent & none)
			depth++;
		most = depth > most ? depth : most;
	}
	return most;
}

/* By place where all are of groups of their own, by inner where all are of one. */
static void assert_sorted_by(const int *values, bool inner)
{
	struct rank_item items[COUNT];
	uint32_t order[COUNT];

	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t value = (uint32_t)(values[i] + COUNT);

		items[i] = inner ? (struct rank_item){ .inner = value }
				 : (struct rank_item){ .group = i, .place = value };
	}
	rank_items(items, COUNT, order);
	for (size_t i = 1; i < COUNT; i++) {
		int before = values[order[i - 1]], after = values[order[i]];

		assert_true(before < after || (before == after && order[i - 1] < order[i]));
	}
	/* Balanced: no deeper than twice the logarithm. */
	assert_true(depth_of(items) <= 20);
}

static void assert_sorted(const int *values)
{
	assert_sorted_by(values, false);
	assert_sorted_by(values, true);
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

static void within_a_group_inner_decides_and_then_place(void **state)
{
	struct rank_item items[] = {
		{ .group = 1, .inner = 2, .place = 0 },
		{ .group = 1, .inner = 1, .place = 9 },
		{ .group = 1, .inner = 1, .place = 8 },
	};
	uint32_t order[3];

	rank_items(items, 3, order);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 1);
	assert_int_equal(order[2], 0);
}

/* Rock, paper, scissors: 0 goes before 1 by what is in their group, 1 before 2 and 2 before 0 by
 * their places. */
static void assert_hands(int first, int second, int third, const char *expected)
{
	const struct rank_item kinds[] = {
		{ .group = 1, .inner = 0, .place = 2 },
		{ .group = 1, .inner = 1, .place = 0 },
		{ .group = 2, .inner = 0, .place = 1 },
	};
	const int values[] = { first, second, third };
	struct rank_item hands[] = { kinds[first], kinds[second], kinds[third] };
	uint32_t order[3];
	char text[4] = "";

	rank_items(hands, 3, order);
	for (size_t i = 0; i < 3; i++)
		text[i] = (char)('0' + values[order[i]]);
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
		cmocka_unit_test(within_a_group_inner_decides_and_then_place),
		cmocka_unit_test(where_before_is_a_circle_the_order_of_insertion_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
