#include "../test.h"

#include "base/json.h"
#include "base/str.h"

static void objects_and_lists_nest(void **state)
{
	struct str out = { 0 };
	struct json json = { .out = &out };

	json_begin(&json, NULL);
	json_begin_list(&json, "none");
	json_end_list(&json);
	json_begin_list(&json, "some");
	json_u64(&json, NULL, 1);
	json_begin(&json, NULL);
	json_end(&json);
	json_null(&json, NULL);
	json_end_list(&json);
	json_bool(&json, "yes", true);
	json_bool(&json, "no", false);
	json_end(&json);
	assert_string_equal(str_text(&out),
			    "{\"none\":[],\"some\":[1,{},null],\"yes\":true,\"no\":false}");
	str_done(&out);
}

static void numbers_are_exact(void **state)
{
	struct str out = { 0 };
	struct json json = { .out = &out };

	json_u64(&json, NULL, UINT64_MAX);
	json_i64(&json, NULL, INT64_MIN);
	json_i64(&json, NULL, -1);
	json_addr(&json, NULL, UINT64_C(0xffffffff81000000));
	json_addr(&json, NULL, 0);
	assert_string_equal(
		str_text(&out),
		"18446744073709551615,-9223372036854775808,-1,\"0xffffffff81000000\",\"0x0\"");
	str_done(&out);
}

static void doubles_have_the_digits_that_they_need(void **state)
{
	struct str out = { 0 };
	struct json json = { .out = &out };

	json_double(&json, NULL, 0.1);
	json_double(&json, NULL, 100);
	json_double(&json, NULL, 100.0 / 3);
	json_double(&json, NULL, 0);
	json_double(&json, NULL, __builtin_nan(""));
	json_double(&json, NULL, -__builtin_inf());
	assert_string_equal(str_text(&out), "0.1,100,33.333333333333336,0,null,null");
	str_done(&out);
}

static void assert_text(const char *text, const char *expected)
{
	struct str out = { 0 };
	struct json json = { .out = &out };

	json_text(&json, "x", text);
	assert_string_equal(str_text(&out), expected);
	str_done(&out);
}

static void what_json_gives_a_meaning_is_escaped(void **state)
{
	assert_text("", "\"x\":\"\"");
	assert_text(NULL, "\"x\":null");
	assert_text("a\"b\\c/", "\"x\":\"a\\\"b\\\\c/\"");
	assert_text("\b\f\n\r\t", "\"x\":\"\\b\\f\\n\\r\\t\"");
	assert_text("\x1b[31m\x01\x7f", "\"x\":\"\\u001b[31m\\u0001\\u007f\"");
}

static void utf8_stays_as_it_is(void **state)
{
	/* The first and the last characters of each size, and the neighbours of the surrogates. */
	assert_text("\xc2\x80\xdf\xbf", "\"x\":\"\xc2\x80\xdf\xbf\"");
	assert_text("\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
		    "\"x\":\"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"");
	assert_text("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
		    "\"x\":\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"");
}

#define FFFD "\xef\xbf\xbd"

static void what_is_not_utf8_follows_in_hex(void **state)
{
	assert_text("a\xff", "\"x\":\"a" FFFD "\",\"x_hex\":\"61ff\"");
	assert_text("\x80", "\"x\":\"" FFFD "\",\"x_hex\":\"80\"");
	assert_text("\xc3", "\"x\":\"" FFFD "\",\"x_hex\":\"c3\"");
	assert_text("\xc3(", "\"x\":\"" FFFD "(\",\"x_hex\":\"c328\"");
	/* Overlong, a surrogate, and above U+10FFFF: none of their bytes is a character. */
	assert_text("\xc0\x80", "\"x\":\"" FFFD FFFD "\",\"x_hex\":\"c080\"");
	assert_text("\xe0\x9f\xbf", "\"x\":\"" FFFD FFFD FFFD "\",\"x_hex\":\"e09fbf\"");
	assert_text("\xed\xa0\x80", "\"x\":\"" FFFD FFFD FFFD "\",\"x_hex\":\"eda080\"");
	assert_text("\xf4\x90\x80\x80", "\"x\":\"" FFFD FFFD FFFD FFFD "\",\"x_hex\":\"f4908080\"");
}

static void bytes_may_hold_nuls(void **state)
{
	struct str out = { 0 };
	struct json json = { .out = &out };

	json_bytes(&json, "a\n", "x\0\xff", 3);
	json_hex(&json, "id", "\x00\xab", 2);
	json_hex(&json, "none", "", 0);
	assert_string_equal(str_text(&out),
			    "\"a\\n\":\"x\\u0000" FFFD "\",\"a\\n_hex\":\"7800ff\",\"id\":\"00ab\","
			    "\"none\":null");
	str_done(&out);
}

static void a_list_of_texts_has_a_list_of_bytes(void **state)
{
	struct str out = { 0 };
	struct json json = { .out = &out };

	json_texts(&json, "a", (const char *const[]){ "x", "y" }, 2);
	json_texts(&json, "b", (const char *const[]){ "x", "\xff" }, 2);
	assert_string_equal(str_text(&out), "\"a\":[\"x\",\"y\"],\"b\":[\"x\",\"" FFFD
					    "\"],\"b_hex\":[\"78\",\"ff\"]");
	str_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_and_lists_nest),
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(doubles_have_the_digits_that_they_need),
		cmocka_unit_test(what_json_gives_a_meaning_is_escaped),
		cmocka_unit_test(utf8_stays_as_it_is),
		cmocka_unit_test(what_is_not_utf8_follows_in_hex),
		cmocka_unit_test(bytes_may_hold_nuls),
		cmocka_unit_test(a_list_of_texts_has_a_list_of_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
