#include "../../lib/tree.h"

#include <errno.h>

#include "kernel/folder.h"

static char root[32];

static int set_up(void **state)
{
	tree_new(root);
	tree_text(root, "b/file", "");
	tree_text(root, "a/file", "");
	tree_text(root, "B", "");
	tree_text(root, ".hidden", "");
	return 0;
}

static int tear_down(void **state)
{
	tree_done(root);
	return 0;
}

static void names_are_sorted_without_hidden_ones(void **state)
{
	_cleanup_(folder_names_done) struct folder_names names = { 0 };

	assert_int_equal(folder_list(root, &names), 0);
	assert_int_equal(names.count, 3);
	assert_string_equal(names.items[0], "B");
	assert_string_equal(names.items[1], "a");
	assert_string_equal(names.items[2], "b");
}

static void folders_can_be_asked_for_alone(void **state)
{
	_cleanup_(folder_names_done) struct folder_names names = { 0 };

	assert_int_equal(folder_list_folders(root, &names), 0);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.items[0], "a");
}

static void what_is_no_folder_has_no_names(void **state)
{
	struct folder_names names = { .count = 1 };

	assert_int_equal(folder_list("/nonexistent", &names), -ENOENT);
	assert_int_equal(names.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_sorted_without_hidden_ones),
		cmocka_unit_test(folders_can_be_asked_for_alone),
		cmocka_unit_test(what_is_no_folder_has_no_names),
	};

	return cmocka_run_group_tests_name("folder", tests, set_up, tear_down);
}
