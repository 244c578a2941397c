#include "../test.h"

#include <fnmatch.h>

#include "base/glob.h"

static void patterns_match_as_those_of_the_shell(void **state)
{
	static const char *const patterns[] = {
		"",      "*",      "a",    "a*",     "*a",     "a*b",  "a*b*c",   "?",       "a?c",
		"[abc]", "[a-c]x", "[!a]", "[^a-b]", "[]a]",   "[a",   "a[b",     "\\*",     "a\\?",
		"**",    "*?*",    "a**b", "[!]a]*", "*[0-9]", "[a-]", "sched_*", "sys_?*_x"
	};
	static const char *const texts[] = { "",   "a",  "b",  "ab",  "abc",          "aXbYc",
					     "ax", "]",  "]x", "*",   "a?",           "a[b",
					     "[a", "x9", "-",  "aab", "sched_switch", "sys_a_x",
					     "ac", "abb" };

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
			if (glob_match(patterns[i], texts[k]) !=
			    (fnmatch(patterns[i], texts[k], 0) == 0))
				fail_msg("'%s' and '%s'", patterns[i], texts[k]);
}

static void letters_may_be_of_any_case(void **state)
{
	assert_true(glob_match_case("CPU-*s", "cpu-cycleS"));
	assert_true(glob_match_case("[a-c]x", "BX"));
	assert_true(glob_match_case("[A-C]x", "bX"));
	assert_false(glob_match_case("[!a-c]", "B"));
	assert_false(glob_match("A", "a"));
}

static void many_stars_take_no_longer(void **state)
{
	char pattern[201], text[2001];

	for (size_t i = 0; i < 200; i++)
		pattern[i] = i % 2 ? 'a' : '*';
	pattern[199] = 'b';
	pattern[200] = '\0';
	(void)memset(text, 'a', sizeof(text) - 1);
	text[2000] = '\0';
	assert_false(glob_match(pattern, text));
}

static void a_name_is_no_pattern(void **state)
{
	assert_false(glob_is_pattern("sched_switch"));
	assert_true(glob_is_pattern("sched_*"));
	assert_true(glob_is_pattern("a?"));
	assert_true(glob_is_pattern("[a]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_match_as_those_of_the_shell),
		cmocka_unit_test(letters_may_be_of_any_case),
		cmocka_unit_test(many_stars_take_no_longer),
		cmocka_unit_test(a_name_is_no_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
