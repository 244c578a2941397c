#include "../test.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/settings-edit.h"
#include "base/settings.h"
#include "base/str.h"

static int parse(struct settings *settings, const char *text, struct strobe_err *err)
{
	return settings_parse(settings, text, strlen(text), "file", err);
}

static const char *value_of(const struct settings *settings, const char *name)
{
	const struct setting *setting = settings_find(settings, name);

	return setting ? setting->value : NULL;
}

static void a_value_is_the_text_between_the_sign_and_the_comment(void **state)
{
	_cleanup_(settings_done) struct settings s = { 0 };

	assert_int_equal(parse(&s,
			       "# first\n"
			       "; second\n"
			       "[report]\n"
			       "\tsort_order =  sym ,  dso   ; the rest\n"
			       "\tnone=\n"
			       "\tquoted = \" a ; b \" # c\n"
			       "\tescaped = a\\tb\\n\\\"c\\\\\n"
			       "\tlong = one \\\n"
			       "\t\ttwo\r\n"
			       "[other] at-once = 1",
			       NULL),
			 0);
	assert_int_equal(s.count, 6);
	assert_string_equal(value_of(&s, "report.sort_order"), "sym , dso");
	assert_string_equal(value_of(&s, "report.none"), "");
	assert_string_equal(value_of(&s, "report.quoted"), " a ; b ");
	assert_string_equal(value_of(&s, "report.escaped"), "a\tb\n\"c\\");
	assert_string_equal(value_of(&s, "report.long"), "one  two");
	assert_string_equal(value_of(&s, "other.at-once"), "1");
	assert_int_equal(settings_find(&s, "other.at-once")->line, 10);
}

static void names_differ_neither_by_case_nor_by_dashes(void **state)
{
	_cleanup_(settings_done) struct settings s = { 0 };

	assert_int_equal(parse(&s, "[Report]\nSort_Order = a\n[report \"Part\"]\nx = b\n", NULL),
			 0);
	assert_string_equal(value_of(&s, "report.sort-order"), "a");
	assert_string_equal(value_of(&s, "report.Part.x"), "b");
	assert_null(value_of(&s, "report.sort"));
	assert_null(value_of(&s, "report.sort-orders"));
}

static void a_later_value_takes_the_place_of_an_earlier_one(void **state)
{
	_cleanup_(settings_done) struct settings s = { 0 };

	assert_int_equal(parse(&s, "[a]\nx = 1\ny = 2\n[b]\nx = 3\n", NULL), 0);
	assert_int_equal(parse(&s, "[a]\nz = 4\nX = 5\n", NULL), 0);
	assert_int_equal(s.count, 4);
	assert_string_equal(s.items[0].name, "a.x");
	assert_string_equal(s.items[0].value, "5");
	assert_int_equal(s.items[0].line, 3);
	assert_string_equal(s.items[1].name, "a.y");
	assert_string_equal(s.items[2].name, "a.z");
	assert_string_equal(s.items[3].name, "b.x");
}

static void damage_is_said_once_and_passed_over(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "[a]\nword\nx = 1\n", "'file', line 2: this is no setting" },
		{ "[a]\n1x = 2\nx y = 3\nx = 1\n",
		  "'file', line 2: this is no setting (nor are 1 more)" },
		{ "[bad\ny = 2\n[a]\nx = 1\n", "'file', line 1: this is no setting" },
		{ "y = 2\n[a]\nx = 1\n", "'file', line 1: this is no setting" },
		{ "[a]\ny = \"open\nx = 1\n", "'file', line 2: this is no setting" },
		{ "[a]\ny = \\q\nx = 1\n", "'file', line 2: this is no setting" },
		{ "[a b]\n[]\n[a]\nx = 1", "'file', line 1: this is no setting (nor are 1 more)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_(settings_done) struct settings s = { 0 };
		struct strobe_err err = { 0 };

		assert_int_equal(parse(&s, cases[i].text, &err), -EINVAL);
		assert_string_equal(err.text, cases[i].message);
		assert_int_equal(s.count, 1);
		assert_string_equal(value_of(&s, "a.x"), "1");
	}
}

static void a_zero_byte_is_damage(void **state)
{
	_cleanup_(settings_done) struct settings s = { 0 };
	static const char text[] = "[a]\nx = 1\0"
				   "2\ny = 3\n";

	assert_int_equal(settings_parse(&s, text, sizeof(text) - 1, "file", NULL), -EINVAL);
	assert_null(value_of(&s, "a.x"));
	assert_string_equal(value_of(&s, "a.y"), "3");
}

static void a_change_leaves_the_rest_as_it_is(void **state)
{
	static const struct {
		const char *before, *name, *value, *after;
	} cases[] = {
		{ "", "a.x", "1", "[a]\n\tx = 1\n" },
		{ "# mine", "a.x", "1", "# mine\n[a]\n\tx = 1\n" },
		{ "[a]\n  x =  old   # why\n[b]\ny = 2\n", "a.x", "new",
		  "[a]\n  x = new   # why\n[b]\ny = 2\n" },
		{ "[a]\nx = 1 # one\n\n[b]\ny = 2\n", "a.z", "3",
		  "[a]\nx = 1 # one\n\tz = 3\n\n[b]\ny = 2\n" },
		{ "[a]\nx = 1\n[a]\nx = 2\n", "a.x", "3", "[a]\nx = 1\n[a]\nx = 3\n" },
		{ "[a]\nx = 1", "A.y", "2", "[a]\nx = 1\n\ty = 2" },
		{ "[b]\nx = 1 \\\n", "a.x", "2", "[b]\nx = 1 \\\n\n[a]\n\tx = 2\n" },
		{ "[b]\nx = 1 \\", "a.x", "2", "[b]\nx = 1 \\\n\n[a]\n\tx = 2\n" },
		{ "[a] x = one \\\n two\n", "a.x", " ; ", "[a] x = \" ; \"\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_(str_done) struct str text = { 0 };

		settings_edit(cases[i].before, strlen(cases[i].before), cases[i].name,
			      cases[i].value, &text);
		assert_string_equal(text.text, cases[i].after);
	}
}

static void what_is_taken_out_leaves_the_rest_as_it_is(void **state)
{
	static const struct {
		const char *before, *after;
	} cases[] = {
		{ "", "" },
		{ "[a]\n\tx = 1\n\ty = 2\n", "[a]\n\ty = 2\n" },
		{ "[a]\n\tx = 1", "[a]\n" },
		{ "[a] x = 1\n", "[a] \n" },
		{ "[a]\nX = 1 # why\n", "[a]\n # why\n" },
		{ "[a]\nx = 1\n[b]\nx = 2\n[A]\n x = \"3 \\\n 4\" \ny = 5\n",
		  "[a]\n[b]\nx = 2\n[A]\ny = 5\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_(str_done) struct str text = { 0 };

		settings_edit_unset(cases[i].before, strlen(cases[i].before), "a.x", &text);
		assert_string_equal(str_text(&text), cases[i].after);
	}
}

static void what_was_written_is_read_again(void **state)
{
	static const char *const values[] = { "1",        "a b",     "a  b",  " a",   "a ",
					      "a;b",      "a#b",     "\"a\"", "a\\b", "a\tb",
					      "one\ntwo", "sym,dso", "a\\",   "\b" };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		_cleanup_(settings_done) struct settings s = { 0 };
		_cleanup_(str_done) struct str text = { 0 };

		settings_edit("", 0, "a.x", values[i], &text);
		assert_int_equal(parse(&s, text.text, NULL), 0);
		assert_string_equal(value_of(&s, "a.x"), values[i]);
	}
}

static void a_name_has_a_section_and_a_key(void **state)
{
	static const char *const bad[] = { "a", ".a", "a.", "a.1", "a b.c", "a.b c", "", "]a.b" };

	assert_int_equal(settings_check_name("report.percent-limit", NULL), 0);
	assert_int_equal(settings_check_name("a.b.c", NULL), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(settings_check_name(bad[i], NULL), -EINVAL);
}

static void files_that_are_none_are_told_apart(void **state)
{
	_cleanup_(settings_done) struct settings s = { 0 };
	struct strobe_err err = { 0 };

	assert_int_equal(settings_load(&s, "/nosuch/file", &err), -ENOENT);
	assert_int_equal(settings_load(&s, "/dev/null", &err), -ENOENT);
	assert_int_equal(settings_load(&s, "/", &err), -ENOENT);
	assert_int_equal(s.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_the_text_between_the_sign_and_the_comment),
		cmocka_unit_test(names_differ_neither_by_case_nor_by_dashes),
		cmocka_unit_test(a_later_value_takes_the_place_of_an_earlier_one),
		cmocka_unit_test(damage_is_said_once_and_passed_over),
		cmocka_unit_test(a_zero_byte_is_damage),
		cmocka_unit_test(a_change_leaves_the_rest_as_it_is),
		cmocka_unit_test(what_is_taken_out_leaves_the_rest_as_it_is),
		cmocka_unit_test(what_was_written_is_read_again),
		cmocka_unit_test(a_name_has_a_section_and_a_key),
		cmocka_unit_test(files_that_are_none_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
