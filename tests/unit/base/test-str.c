#include "../test.h"

#include <inttypes.h>
#include <stdio.h>

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

static void text_grows_by_any_piece_and_stays_terminated(void **state)
{
	_cleanup_(str_done) struct str str = { 0 };

	assert_string_equal(str_text(&str), "");
	str_add(&str, "ab");
	str_add_char(&str, 'c');
	str_add_bytes(&str, "d\0e", 3);
	assert_int_equal(str.size, 6);
	assert_memory_equal(str.text, "abcd\0e", 7);
	str_cut(&str, 2);
	assert_string_equal(str.text, "ab");
	str_cut(&str, 100);
	assert_int_equal(str.size, 2);
	str_clear(&str);
	assert_string_equal(str_text(&str), "");
	str_add_repeat(&str, '-', 3);
	str_add_repeat(&str, '-', 0);
	assert_string_equal(str.text, "---");
}

static void formatted_text_of_every_length_fits(void **state)
{
	char expected[300] = { 0 };

	for (size_t size = 0; size < sizeof(expected) - 1; size++) {
		_cleanup_(str_done) struct str str = { 0 };

		str_addf(&str, "%s%d", expected, 7);
		assert_int_equal(str.size, size + 1);
		assert_memory_equal(str.text, expected, size);
		assert_string_equal(str.text + size, "7");
		str_addf(&str, "%s", "");
		assert_int_equal(str.size, size + 1);
		expected[size] = 'x';
	}
}

static void taken_text_belongs_to_the_caller(void **state)
{
	struct str str = { 0 };
	char *text;

	str_add(&str, "hot");
	text = str_take(&str);
	assert_string_equal(text, "hot");
	assert_null(str.text);
	free(text);
	text = str_take(&str);
	assert_string_equal(text, "");
	free(text);
}

static void a_list_is_split_at_each_separator(void **state)
{
	const char *const expected[] = { "comm", "", "dso" };
	const char *rest = "comm,,dso";
	struct str_part part;
	size_t count = 0;

	while (str_split(&rest, ',', &part)) {
		assert_true(count < 3);
		assert_true(str_part_is(part, expected[count++]));
	}
	assert_int_equal(count, 3);
	rest = "";
	assert_true(str_split(&rest, ',', &part));
	assert_int_equal(part.size, 0);
	assert_false(str_split(&rest, ',', &part));
	assert_false(str_part_is((struct str_part){ "ab", 2 }, "abc"));
	assert_false(str_part_is((struct str_part){ "ab", 2 }, "a"));
}

static void a_path_ends_in_its_base_name(void **state)
{
	assert_string_equal(str_base_name("/usr/lib/libc.so.6"), "libc.so.6");
	assert_string_equal(str_base_name("main.c"), "main.c");
	assert_string_equal(str_base_name("/usr/lib/"), "");
	assert_string_equal(str_base_name(""), "");
}

static void a_prefix_is_taken_off_or_refused(void **state)
{
	assert_string_equal(str_after("no-inherit", "no-"), "inherit");
	assert_string_equal(str_after("no-", "no-"), "");
	assert_null(str_after("no", "no-"));
}

static void a_decimal_is_finite_and_has_no_sign(void **state)
{
	static const char *const wrong[] = { "",    "-1", "+1",    " 1", "nan",
					     "inf", "1x", "1e999", ".",  "1,5" };
	double value = 7;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(str_to_double(wrong[i], &value));
	assert_true(value > 6 && value < 8);
	assert_true(str_to_double("0.5", &value) && value > 0.49 && value < 0.51);
	assert_true(str_to_double("1e3", &value) && value > 999 && value < 1001);
	assert_true(str_to_double(".25", &value) && value > 0.24 && value < 0.26);
}

static void only_whole_numbers_that_fit_are_numbers(void **state)
{
	static const char *const wrong[] = { "",
					     "-1",
					     "+1",
					     " 1",
					     "1 ",
					     "1x",
					     "0x",
					     "0xfg",
					     "x1",
					     "1.5",
					     "18446744073709551616",
					     "0x10000000000000000" };
	uint64_t value = 42;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(str_to_u64(wrong[i], &value));
	assert_int_equal(value, 42);
	assert_true(str_to_u64("18446744073709551615", &value) && value == UINT64_MAX);
	assert_true(str_to_u64("0xFf", &value) && value == 255);
	assert_true(str_to_u64("010", &value) && value == 10);
	assert_true(str_to_u64("0", &value) && value == 0);
}

static void sizes_have_units_of_1024(void **state)
{
	uint64_t bytes = 42;

	assert_true(str_to_size("512K", &bytes) && bytes == 512 * 1024);
	assert_true(str_to_size("3m", &bytes) && bytes == 3 << 20);
	assert_true(str_to_size("2G", &bytes) && bytes == UINT64_C(2) << 30);
	assert_true(str_to_size("7B", &bytes) && bytes == 7);
	assert_true(str_to_size("7", &bytes) && bytes == 7);
	assert_false(str_to_size("7Kb", &bytes));
	assert_false(str_to_size("K", &bytes));
	assert_false(str_to_size("7T", &bytes));
	assert_false(str_to_size("18446744073709551615K", &bytes));
	assert_int_equal(bytes, 7);
}

static void bytes_are_two_digits_each(void **state)
{
	_cleanup_(str_done) struct str text = { 0 };

	str_add(&text, "id ");
	str_add_hex(&text, "\x00\x7f\xff", 3);
	str_add_hex(&text, NULL, 0);
	assert_string_equal(text.text, "id 007fff");
}

static void numbers_are_written_as_printf_writes_them(void **state)
{
	static const uint64_t values[] = { 0, 9, 10, 4711, 0xffffffff81000000, UINT64_MAX };
	char expected[64];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		_cleanup_(str_done) struct str str = { 0 };

		str_add_decimal(&str, values[i], 7, '0');
		str_add_char(&str, ' ');
		str_add_hexadecimal(&str, values[i], 16, ' ');
		(void)snprintf(expected, sizeof(expected), "%07" PRIu64 " %16" PRIx64, values[i],
			       values[i]);
		assert_string_equal(str_text(&str), expected);
	}
}

static void hundredths_are_rounded_as_printf_rounds_them(void **state)
{
	uint64_t random = 1;
	char expected[64];

	for (size_t i = 0; i < 200000; i++) {
		_cleanup_(str_done) struct str str = { 0 };
		double value;

		/* Shares of small wholes, many of which lie just between two hundredths. */
		random = random * 6364136223846793005 + 1442695040888963407;
		value = 100.0 * (double)(random >> 40 & 4095) / (double)((random >> 52) + 1);
		str_add_hundredths(&str, i < 3 ? (double)i * 0.125 : value, 6);
		(void)snprintf(expected, sizeof(expected), "%6.2f",
			       i < 3 ? (double)i * 0.125 : value);
		assert_string_equal(str_text(&str), expected);
	}
}

static void a_line_stays_one_line(void **state)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
		{ "", "" },          { "plain", "plain" },
		{ "\n", "\\x0a" },   { "a\n\nb\tc\033", "a\\x0a\\x0ab\tc\033" },
		{ "a\n", "a\\x0a" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_(str_done) struct str str = { 0 };

		str_one_line(&str, 0);
		str_add(&str, "1\n2");
		str_add(&str, cases[i].text);
		str_one_line(&str, 3);
		assert_memory_equal(str.text, "1\n2", 3);
		assert_string_equal(str.text + 3, cases[i].line);
		assert_int_equal(str.size, strlen(str.text));
		assert_int_equal(str_line_size(cases[i].text), strlen(cases[i].line));
	}
}

static void truth_has_many_words(void **state)
{
	static const char *const yes[] = { "true", "Yes", "ON", "1", "7" };
	static const char *const no[] = { "false", "No", "OFF", "0" };
	static const char *const neither[] = { "", "maybe", "-1", "yes ", "truee" };
	bool value;

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		assert_true(str_to_bool(yes[i], &value) && value);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		assert_true(str_to_bool(no[i], &value) && !value);
	for (size_t i = 0; i < sizeof(neither) / sizeof(neither[0]); i++)
		assert_false(str_to_bool(neither[i], &value));
}

static void assert_trimmed(const char *text, const char *expected)
{
	assert_true(str_part_is(str_trim(text), expected));
}

static void blanks_at_the_ends_can_be_left_out(void **state)
{
	assert_trimmed("", "");
	assert_trimmed("   ", "");
	assert_trimmed("a b", "a b");
	assert_trimmed("  a b ", "a b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_stays_one_line),
		cmocka_unit_test(a_decimal_is_finite_and_has_no_sign),
		cmocka_unit_test(numbers_are_written_as_printf_writes_them),
		cmocka_unit_test(hundredths_are_rounded_as_printf_rounds_them),
		cmocka_unit_test(text_grows_by_any_piece_and_stays_terminated),
		cmocka_unit_test(formatted_text_of_every_length_fits),
		cmocka_unit_test(taken_text_belongs_to_the_caller),
		cmocka_unit_test(a_list_is_split_at_each_separator),
		cmocka_unit_test(a_path_ends_in_its_base_name),
		cmocka_unit_test(a_prefix_is_taken_off_or_refused),
		cmocka_unit_test(only_whole_numbers_that_fit_are_numbers),
		cmocka_unit_test(sizes_have_units_of_1024),
		cmocka_unit_test(bytes_are_two_digits_each),
		cmocka_unit_test(truth_has_many_words),
		cmocka_unit_test(blanks_at_the_ends_can_be_left_out),
	};

	return cmocka_run_group_tests_name("str", tests, NULL, NULL);
}
