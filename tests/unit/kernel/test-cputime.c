#include "../test.h"

#include "../../lib/tree.h"
#include "kernel/cputime.h"

static void percent_is_of_the_time_between_two_readings(void **state)
{
	struct cputime before = { 0 }, now = { 0 };
	char root[32];

	tree_new(root);
	tree_text(root, "proc/stat",
		  "cpu  300 0 0 500 0 0 0 0 0 0\n"
		  "cpu0 100 10 20 300 40 1 2 3 7 0\n"
		  "cpu2 200 0 0 200 0 0 0 0 0 0\n"
		  "intr 1234 0 0\n");
	cputime_read(root, &before);
	tree_text(root, "proc/stat",
		  "cpu0 130 10 40 340 50 1 2 3 7 0\n" /* 50 of 100 */
		  "cpu2 200 0 0 200 0 0 0 0 0 0\n"
		  "cpu3 1 1 1 1\n"
		  "ctxt 99\n");
	cputime_read(root, &now);
	assert_int_equal(before.count, 2);
	assert_int_equal(now.count, 3);
	assert_int_equal(cputime_percent(&before, &now, 0), 50);
	assert_int_equal(cputime_percent(&before, &now, 2), -1); /* no time went by */
	assert_int_equal(cputime_percent(&before, &now, 3), -1); /* came in between */
	assert_int_equal(cputime_percent(&now, &before, 0), -1);
	cputime_done(&before);
	cputime_done(&now);
	tree_done(root);
}

static void without_the_file_there_are_no_cpus(void **state)
{
	struct cputime cputime = { 0 };
	char root[32];

	tree_new(root);
	cputime_read(root, &cputime);
	assert_int_equal(cputime.count, 0);
	tree_text(root, "proc/stat", "cpu0");
	cputime_read(root, &cputime);
	assert_int_equal(cputime.count, 0);
	cputime_done(&cputime);
	tree_done(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percent_is_of_the_time_between_two_readings),
		cmocka_unit_test(without_the_file_there_are_no_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
