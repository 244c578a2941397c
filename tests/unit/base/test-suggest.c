#include "../test.h"

#include "base/suggest.h"

static const char *nearest(const char *typed, const char *const *names)
{
	struct suggest suggest = { .typed = typed };

	for (; *names; names++)
		suggest_try(&suggest, *names);
	return suggest.name;
}

static const char *const commands[] = { "report", "record", "script", "stat", "top", NULL };

static void the_nearest_name_is_found(void **state)
{
	assert_string_equal(nearest("recrod", commands), "record");
	assert_string_equal(nearest("rcord", commands), "record");
	assert_string_equal(nearest("reeport", commands), "report");
	assert_string_equal(nearest("scrypt", commands), "script");
	assert_string_equal(nearest("tpo", commands), "top");
	assert_string_equal(nearest("STAT", commands), "stat");
	assert_string_equal(nearest("record", commands), "record");
}

static void what_is_far_from_all_has_no_suggestion(void **state)
{
	assert_null(nearest("annotate", commands));
	assert_null(nearest("", commands));
	assert_null(nearest("x", commands));
	assert_null(nearest("tap-tap", commands));
	assert_null(nearest("xy", (const char *const[]){ "ab", NULL }));
}

static void the_first_of_equals_stays(void **state)
{
	assert_string_equal(nearest("reort", (const char *const[]){ "resort", "report", NULL }),
			    "resort");
}

static void very_long_words_are_no_typing_mistakes(void **state)
{
	char word[5000];

	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_null(nearest(word, commands));
	assert_null(nearest("a", (const char *const[]){ word, NULL }));
	word[64] = '\0';
	assert_string_equal(nearest(word, (const char *const[]){ word, NULL }), word);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_name_is_found),
		cmocka_unit_test(what_is_far_from_all_has_no_suggestion),
		cmocka_unit_test(the_first_of_equals_stays),
		cmocka_unit_test(very_long_words_are_no_typing_mistakes),
	};

	return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
