#include "../test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbol/buildid-cache.h"

static const uint8_t ID[] = { 0xab, 0x01, 0xff };

static void the_name_is_the_hex_of_the_build_id(void **state)
{
	_cleanup_(str_done) struct str name = { 0 };

	buildid_cache_name(ID, 3, &name);
	assert_string_equal(str_text(&name), "ab/01ff");
	buildid_cache_name(ID, 1, &name);
	assert_string_equal(str_text(&name), "");
}

static void the_folder_is_what_the_environment_says_or_at_home(void **state)
{
	_cleanup_(str_done) struct str folder = { 0 };

	assert_int_equal(setenv("HOME", "/home/me", 1), 0);
	assert_int_equal(unsetenv("PERF_BUILDID_DIR"), 0);
	buildid_cache_folder(&folder);
	assert_string_equal(str_text(&folder), "/home/me/.debug");
	assert_int_equal(setenv("PERF_BUILDID_DIR", "/cache", 1), 0);
	buildid_cache_folder(&folder);
	assert_string_equal(str_text(&folder), "/cache");
}

static void entries_are_folders_or_files_of_old(void **state)
{
	char folder[] = "/tmp/test-buildid-cache-XXXXXX", path[128];
	_cleanup_(str_done) struct str found = { 0 };

	assert_non_null(mkdtemp(folder));
	assert_int_equal(buildid_cache_open(folder, ID, 3, "elf", &found), -ENOENT);
	(void)snprintf(path, sizeof(path), "%s/.build-id", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)strcat(path, "/ab");
	assert_int_equal(mkdir(path, 0700), 0);
	(void)strcat(path, "/01ff");
	(void)close(creat(path, 0600)); /* an old one */
	int fd = buildid_cache_open(folder, ID, 3, "elf", &found);

	assert_true(fd >= 0);
	(void)close(fd);
	assert_string_equal(str_text(&found), path);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(buildid_cache_open(folder, ID, 3, "elf", &found), -ENOENT);
	(void)strcat(path, "/elf");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(buildid_cache_open(folder, ID, 3, "elf", &found), -ENOENT);
	assert_int_equal(unlink(path), 0);
	(void)close(creat(path, 0600));
	fd = buildid_cache_open(folder, ID, 3, "elf", &found);
	assert_true(fd >= 0);
	(void)close(fd);
	assert_string_equal(str_text(&found), path);
	(void)unlink(path);
	for (int i = 0; i < 4; i++) { /* 01ff, ab, .build-id, the folder */
		*strrchr(path, '/') = '\0';
		assert_int_equal(rmdir(path), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_name_is_the_hex_of_the_build_id),
		cmocka_unit_test(the_folder_is_what_the_environment_says_or_at_home),
		cmocka_unit_test(entries_are_folders_or_files_of_old),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
