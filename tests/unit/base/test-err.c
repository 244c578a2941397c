#include "../test.h"

#include <errno.h>

#include "base/err.h"

static void a_message_keeps_its_code_and_its_hint(void **state)
{
	struct strobe_err err;

	assert_int_equal(err_set(&err, -EINVAL, "no event '%s'", "cycels"), -EINVAL);
	assert_string_equal(err.text, "no event 'cycels'");
	assert_string_equal(err.hint, "");
	assert_int_equal(err_hint(&err, -EINVAL, "did you mean 'cycles'?"), -EINVAL);
	assert_string_equal(err.hint, "did you mean 'cycles'?");
	assert_int_equal(err.code, -EINVAL);
}

static void errno_is_named_and_turned_into_a_code(void **state)
{
	struct strobe_err err;

	errno = ENOENT;
	assert_int_equal(err_errno(&err, "cannot open '%s'", "x"), -ENOENT);
	assert_string_equal(err.text, "cannot open 'x': No such file or directory");
}

static void a_place_is_marked_below_its_character(void **state)
{
	struct strobe_err err;
	char text[300];

	err_set(&err, -EINVAL, "no");
	assert_string_equal(err.where, "");
	assert_int_equal(err_where(&err, -EINVAL, "a/b=1/", 2), -EINVAL);
	assert_string_equal(err.where, "a/b=1/\n  ^");
	err_where(&err, -EINVAL, "\xc3\xa9t\xc3\xa9/x", 6);
	assert_string_equal(err.where, "\xc3\xa9t\xc3\xa9/x\n    ^");
	err_where(&err, -EINVAL, "a\tb\nc", 99);
	assert_string_equal(err.where, "a?b?c\n     ^");
	(void)memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	err_where(&err, -EINVAL, text, 250);
	assert_true(strlen(err.where) < 150);
	assert_string_equal(strchr(err.where, '^'), "^");
	err_set(&err, -EINVAL, "no");
	assert_string_equal(err.where, "");
	assert_int_equal(err_where(NULL, -EIO, "x", 0), -EIO);
}

static void a_caller_that_wants_no_message_passes_null(void **state)
{
	assert_int_equal(err_set(NULL, -EIO, "x"), -EIO);
	assert_int_equal(err_hint(NULL, -EIO, "x"), -EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_keeps_its_code_and_its_hint),
		cmocka_unit_test(errno_is_named_and_turned_into_a_code),
		cmocka_unit_test(a_place_is_marked_below_its_character),
		cmocka_unit_test(a_caller_that_wants_no_message_passes_null),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
