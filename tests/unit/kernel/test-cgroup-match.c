/* Control groups by patterns, in a folder that has a hierarchy. */
#include "../../lib/tree.h"

#include <errno.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/cgroup-match.h"

static char root[64];

static int set_up(void **state)
{
	tree_new(root);
	tree_text(root, "proc/mounts", "none /cg cgroup2 rw 0 0\n");
	tree_text(root, "cg/app/b/cgroup.procs", "");
	tree_text(root, "cg/app/a/cgroup.procs", "");
	tree_text(root, "cg/user.slice/x\\x2dy/cgroup.procs", "");
	return 0;
}

static int tear_down(void **state)
{
	tree_done(root);
	return 0;
}

static void expect(const char *words, const char *expected)
{
	_cleanup_(arena_done) struct arena arena = { 0 };
	_cleanup_(str_done) struct str all = { 0 };
	struct strobe_err err = { 0 };
	const char **names;

	assert_int_equal(cgroup_match(root, words, &arena, &names, &err), 0);
	for (; *names; names++)
		str_addf(&all, "%s ", *names);
	assert_string_equal(str_text(&all), expected);
}

static void expect_error(const char *words, int code, const char *text)
{
	_cleanup_(arena_done) struct arena arena = { 0 };
	struct strobe_err err = { 0 };
	const char **names;

	assert_int_equal(cgroup_match(root, words, &arena, &names, &err), code);
	assert_non_null(strstr(err.text, text));
}

static void names_are_taken_as_they_are(void **state)
{
	expect("nope,/user.slice,user.slice/x\\x2dy,/", "nope /user.slice user.slice/x\\x2dy / ");
	expect("app,/app,app", "app ");
}

static void patterns_are_searched_for(void **state)
{
	expect("app.*", "app app/a app/b ");
	expect("app/(b|a)", "app/a app/b ");
	expect("^/app$", "app ");
	expect("^app$", "app ");
	expect("^$", "/ ");
	expect("x.x2dy$", "user.slice/x\\x2dy ");
}

static void each_is_named_once(void **state)
{
	expect("/app/b,app.*", "/app/b app app/a ");
	expect("app.*,app/[ab]", "app app/a app/b ");
}

static void what_is_wrong_is_said(void **state)
{
	expect_error("app/[", -EINVAL, "'app/[' is no pattern of cgroups: ");
	expect_error("app,z+", -ENOENT, "no cgroup matches 'z+'");
	tree_text(root, "proc/mounts", "");
	expect_error("app.*", -ENOENT, "no cgroup hierarchy is mounted here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_are_taken_as_they_are, set_up, tear_down),
		cmocka_unit_test_setup_teardown(patterns_are_searched_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(each_is_named_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_wrong_is_said, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
