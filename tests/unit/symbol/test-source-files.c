#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbol/source-files.h"

static char path[64];

static int write_source(const char *text)
{
	FILE *file;

	(void)snprintf(path, sizeof(path), "/tmp/test-source-%d.c", (int)getpid());
	file = fopen(path, "we");
	assert_non_null(file);
	(void)fputs(text, file);
	return fclose(file);
}

static void lines_are_found_by_number(void **state)
{
	struct source_files files = { 0 };
	struct str_part line;

	assert_int_equal(write_source("first\n\n\tthird\nlast"), 0);
	assert_true(source_files_line(&files, path, 1, &line));
	assert_true(str_part_is(line, "first"));
	assert_true(source_files_line(&files, path, 2, &line));
	assert_int_equal(line.size, 0);
	assert_true(source_files_line(&files, path, 3, &line));
	assert_true(str_part_is(line, "\tthird"));
	assert_true(source_files_line(&files, path, 4, &line));
	assert_true(str_part_is(line, "last"));
	assert_false(source_files_line(&files, path, 5, &line));
	assert_false(source_files_line(&files, path, 0, &line));
	source_files_done(&files);
	(void)unlink(path);
}

static void a_file_is_read_once(void **state)
{
	struct source_files files = { 0 };
	struct str_part line;

	assert_int_equal(write_source("old\n"), 0);
	assert_true(source_files_line(&files, path, 1, &line));
	assert_int_equal(write_source("new\n"), 0);
	assert_true(source_files_line(&files, path, 1, &line));
	assert_true(str_part_is(line, "old"));
	source_files_done(&files);
	(void)unlink(path);
}

static void what_is_no_regular_file_has_no_lines(void **state)
{
	static const char *const paths[] = { "/dev/zero", "/tmp", "/proc/self/status",
					     "/no/such/file.c", "" };
	struct source_files files = { 0 };
	struct str_part line;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_false(source_files_line(&files, paths[i], 1, &line));
	source_files_done(&files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_found_by_number),
		cmocka_unit_test(a_file_is_read_once),
		cmocka_unit_test(what_is_no_regular_file_has_no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
