#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strings.h"

static void equal_texts_are_one(void **state)
{
	_cleanup_(strings_done) struct strings strings = { 0 };
	char text[] = "libc.so.6";
	uint32_t id = strings_intern(&strings, text);
	const char *first = strings_text(&strings, id);

	text[0] = 'X';
	assert_string_equal(first, "libc.so.6");
	assert_int_equal(strings_intern(&strings, "libc.so.6"), id);
	assert_ptr_equal(strings_keep(&strings, "libc.so.6"), first);
	assert_int_not_equal(strings_intern(&strings, text), id);
	assert_int_equal(strings.count, 2);
}

static void ids_and_addresses_are_stable_while_the_table_grows(void **state)
{
	enum { COUNT = 10000 };
	_cleanup_(strings_done) struct strings strings = { 0 };
	_cleanup_(freep) const char **texts = xcalloc(COUNT, sizeof(*texts));
	char name[32];

	for (uint32_t i = 0; i < COUNT; i++) {
		(void)snprintf(name, sizeof(name), "function_%u", i);
		texts[i] = strings_keep(&strings, name);
		assert_int_equal(strings.count, i + 1);
	}
	for (uint32_t i = 0; i < COUNT; i++) {
		(void)snprintf(name, sizeof(name), "function_%u", i);
		assert_int_equal(strings_intern(&strings, name), i);
		assert_ptr_equal(strings_text(&strings, i), texts[i]);
		assert_string_equal(texts[i], name);
	}
}

static void texts_may_be_empty_or_hold_any_bytes(void **state)
{
	_cleanup_(strings_done) struct strings strings = { 0 };
	uint32_t empty = strings_intern(&strings, "");
	uint32_t bytes = strings_intern_bytes(&strings, "a\0b", 3);

	assert_string_equal(strings_text(&strings, empty), "");
	assert_memory_equal(strings_text(&strings, bytes), "a\0b", 4);
	assert_int_not_equal(strings_intern(&strings, "a"), bytes);
}

static void looking_up_adds_nothing(void **state)
{
	_cleanup_(strings_done) struct strings strings = { 0 };
	uint32_t id = 7;

	assert_false(strings_find(&strings, "main", &id));
	strings_intern(&strings, "hot");
	strings_intern(&strings, "main");
	assert_false(strings_find(&strings, "mai", &id));
	assert_int_equal(id, 7);
	assert_true(strings_find(&strings, "main", &id));
	assert_int_equal(id, 1);
	assert_int_equal(strings.count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_are_one),
		cmocka_unit_test(ids_and_addresses_are_stable_while_the_table_grows),
		cmocka_unit_test(texts_may_be_empty_or_hold_any_bytes),
		cmocka_unit_test(looking_up_adds_nothing),
	};

	return cmocka_run_group_tests_name("strings", tests, NULL, NULL);
}
