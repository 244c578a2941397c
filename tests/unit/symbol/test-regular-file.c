#include "../test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol/regular-file.h"

static char folder[64], file[96], link_path[96];

static int make_folder(void **state)
{
	FILE *out;

	(void)snprintf(folder, sizeof(folder), "/tmp/test-regular-file-XXXXXX");
	assert_non_null(mkdtemp(folder));
	(void)snprintf(file, sizeof(file), "%s/file", folder);
	(void)snprintf(link_path, sizeof(link_path), "%s/link", folder);
	out = fopen(file, "we");
	assert_non_null(out);
	(void)fputs("text", out);
	return fclose(out);
}

static int remove_folder(void **state)
{
	(void)unlink(file);
	(void)unlink(link_path);
	return rmdir(folder);
}

static int opened(const char *path, int more_flags)
{
	struct stat status;
	int fd = regular_file_open(path, &status, more_flags);

	if (fd < 0)
		return fd;
	assert_true(S_ISREG(status.st_mode));
	assert_int_equal(status.st_size, 4);
	(void)close(fd);
	return 0;
}

static void a_regular_file_is_opened_through_links_unless_refused(void **state)
{
	assert_int_equal(opened(file, 0), 0);
	assert_int_equal(symlink(file, link_path), 0);
	assert_int_equal(opened(link_path, 0), 0);
	assert_true(opened(link_path, O_NOFOLLOW) < 0);
	(void)unlink(link_path);
}

static void a_device_a_folder_and_a_pipe_are_not_opened(void **state)
{
	assert_int_equal(opened("/dev/zero", 0), -EBADF);
	assert_int_equal(opened(folder, 0), -EBADF);
	assert_int_equal(mkfifo(link_path, 0600), 0);
	assert_int_equal(opened(link_path, 0), -EBADF);
	(void)unlink(link_path);
	assert_int_equal(opened("/no/such/file", 0), -ENOENT);
}

static void no_way_leads_to_the_files_of_the_kernel(void **state)
{
	static const char *const ways[] = {
		"/proc/version",
		"//proc/version",
		"/./proc/version",
		"/tmp/../proc/version",
		"/sys/kernel/notes",
		"//sys/kernel/notes",
		"/tmp/../sys/kernel/notes",
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		assert_true(opened(ways[i], 0) < 0);
	assert_int_equal(symlink("/proc/version", link_path), 0);
	assert_int_equal(opened(link_path, 0), -EBADF);
	(void)unlink(link_path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_regular_file_is_opened_through_links_unless_refused),
		cmocka_unit_test(a_device_a_folder_and_a_pipe_are_not_opened),
		cmocka_unit_test(no_way_leads_to_the_files_of_the_kernel),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
