/* test-sortkey.c - what keys tell apart, and how they print it. */
#include "../test.h"

#include <string.h>

#include "analyze/sortkey.h"
#include "base/str.h"
#include "model/dso.h"
#include "model/timeline.h"

static const struct dso one = { .id = 1, .name = "/lib/a.so", .short_name = "a.so" };
static const struct dso two = { .id = 2, .name = "/lib/b.so", .short_name = "b.so" };
static const struct map of_one = { .start = 0x1000, .end = 0x5000, .dso = &one };
static const struct map of_two = { .start = 0x5000, .end = 0x6000, .dso = &two };
static const struct function in_one = { .name = "f", .start = 0x100, .end = 0x180, .dso = &one };
static const struct function in_two = { .name = "f", .start = 0x100, .end = 0x180, .dso = &two };

static struct item at(const struct map *map, const struct function *function, uint64_t addr)
{
	return (struct item){ .comm = "x",
			      .thread_comm = "x",
			      .process_comm = "x",
			      .spot = { .place = { .map = map, .function = function, .addr = addr },
					.shown_addr = addr,
					.level = '.' } };
}

static const struct sortkey *key_of(const char *name)
{
	const struct sortkey *key = sortkey_find(name, strlen(name));

	assert_non_null(key);
	return key;
}

static int compare(const char *key, const struct item *left, const struct item *right)
{
	struct sortkey_style style = { 0 };
	int r = key_of(key)->compare(left, right, &style);

	/* What compares equal has equal hashes, and the other way round the sign turns. */
	if (r == 0)
		assert_int_equal(key_of(key)->hash(left, &style), key_of(key)->hash(right, &style));
	assert_int_equal(key_of(key)->compare(right, left, &style) > 0, r < 0);
	return r;
}

static void assert_prints(const char *key, const struct item *item, const char *expected)
{
	struct sortkey_style style = { .nanoseconds = true };
	struct str text = { 0 };

	key_of(key)->print(item, &text, &style);
	assert_string_equal(str_text(&text), expected);
	str_done(&text);
}

static void keys_have_names_and_others(void **state)
{
	assert_ptr_equal(key_of("sym"), key_of("symbol"));
	assert_ptr_equal(key_of("function"), key_of("symbol"));
	assert_ptr_equal(key_of("shared_object"), key_of("dso"));
	assert_null(sortkey_find("symb", 4));
	assert_null(sortkey_find("", 0));
	for (size_t i = 0; sortkey_at(i); i++)
		assert_ptr_equal(key_of(sortkey_at(i)->name), sortkey_at(i));
}

static void functions_of_two_objects_are_two(void **state)
{
	struct item a = at(&of_one, &in_one, 0x1100), b = at(&of_two, &in_two, 0x5100);

	assert_true(compare("symbol", &a, &b) < 0);
	assert_true(compare("symbol", &a, &a) == 0);
}

static void places_without_a_name_are_told_apart_by_address_alone(void **state)
{
	struct item a = at(&of_one, NULL, 0x10), b = at(&of_two, NULL, 0x10);
	struct item c = at(&of_one, NULL, 0x11), kernel = at(NULL, NULL, UINT64_MAX);

	assert_true(compare("symbol", &a, &b) == 0);
	assert_true(compare("symbol", &a, &c) < 0);
	assert_true(compare("symbol", &kernel, &a) < 0);
}

static void digits_of_names_do_not_count(void **state)
{
	struct item a = { .comm = "kworker/12:3-mm" }, b = { .comm = "kworker/7:15-mm" };
	struct item c = { .comm = "kworker/7:15" }, d = { .comm = "kworker/a:15" };

	assert_true(compare("comm_nodigit", &a, &b) == 0);
	assert_true(compare("comm_nodigit", &c, &a) < 0);
	assert_true(compare("comm_nodigit", &a, &d) != 0);
	assert_prints("comm_nodigit", &a, "kworker/<N>:<N>-mm");
	assert_int_equal(key_of("comm_nodigit")->width(&a, &(struct sortkey_style){ 0 }), 18);
}

static void sizes_are_of_what_is_known(void **state)
{
	struct item a = at(&of_one, &in_one, 0x1100), none = at(NULL, NULL, 5);

	assert_prints("symbol_size", &a, "128");
	assert_prints("dso_size", &a, "16384");
	assert_prints("symbol_size", &none, "unknown");
	assert_prints("dso_size", &none, "unknown");
	assert_true(compare("symbol_size", &none, &a) < 0);
	assert_true(compare("dso_size", &none, &a) < 0);
}

static void times_are_as_fine_as_asked(void **state)
{
	struct item item = { .time_ns = UINT64_C(1000000002003) };
	struct sortkey_style style = { 0 };
	struct str text = { 0 };

	assert_prints("time", &item, "1000.000002003");
	key_of("time")->print(&item, &text, &style);
	assert_string_equal(str_text(&text), "1000.000002");
	str_done(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_have_names_and_others),
		cmocka_unit_test(functions_of_two_objects_are_two),
		cmocka_unit_test(places_without_a_name_are_told_apart_by_address_alone),
		cmocka_unit_test(digits_of_names_do_not_count),
		cmocka_unit_test(sizes_are_of_what_is_known),
		cmocka_unit_test(times_are_as_fine_as_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
