#include "../test.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/datafile.h"
#include "data/stats.h"
#include "view/header-text.h"
#include "view/stats-text.h"

/* 2020-01-01, what the recordings had as their time when perf printed their headers. */
enum { CAPTURED_ON = 1577836800 };

static const char *fixtures(void)
{
	const char *path = getenv("FIXTURES");

	if (!path || access(path, R_OK) != 0) {
		print_message("# no recordings in %s\n", path ? path : "$FIXTURES");
		skip();
	}
	return path;
}

/* The whole text of a file, or NULL. */
static char *read_text(const char *path)
{
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	struct str text = { 0 };
	char bytes[4096];
	size_t size;

	if (!file)
		return NULL;
	while ((size = fread(bytes, 1, sizeof(bytes), file)) > 0)
		str_add_bytes(&text, bytes, size);
	return str_take(&text);
}

/* perf shows the name that its own machine had for the id of a tracepoint elsewhere. */
static void drop_wrong_name(char *text)
{
	static const char wrong[] = " (syscalls:sys_exit_sched_setaffinity)";
	char *at = strstr(text, wrong);

	if (at)
		memmove(at, at + sizeof(wrong) - 1, strlen(at + sizeof(wrong) - 1) + 1);
}

static char *copy_with_time(const char *path, const char *directory)
{
	_cleanup_(fclosep) FILE *in = fopen(path, "re");
	_cleanup_(fclosep) FILE *out = NULL;
	struct timespec times[2] = { { .tv_sec = CAPTURED_ON }, { .tv_sec = CAPTURED_ON } };
	struct str copy = { 0 };
	char bytes[65536];
	size_t size;

	str_addf(&copy, "%s/data", directory);
	out = fopen(str_text(&copy), "we");
	assert_non_null(in);
	assert_non_null(out);
	while ((size = fread(bytes, 1, sizeof(bytes), in)) > 0)
		assert_int_equal(fwrite(bytes, 1, size, out), size);
	assert_int_equal(fflush(out), 0);
	assert_int_equal(futimens(fileno(out), times), 0);
	return str_take(&copy);
}

static char *print_header(const struct datafile *file)
{
	struct header_text_options options = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	header_text_print(file, &options, out);
	(void)fclose(out);
	return text;
}

static char *print_stats(const struct datafile *file)
{
	struct datafile_cursor cursor = datafile_begin(file);
	struct record record;
	struct stats stats;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	stats_init(&stats, datafile_events(file));
	while (datafile_next(&cursor, &record))
		stats_add(&stats, &record);
	stats_text_print(&stats, false, out);
	stats_done(&stats);
	(void)fclose(out);
	return text;
}

/* Compares what @print makes of a recording with golden/NAME@suffix. */
static void compare(const char *name, const char *suffix, char *(*print)(const struct datafile *))
{
	_cleanup_(str_done) struct str path = { 0 }, golden = { 0 };
	_cleanup_(freep) char *expected = NULL, *actual = NULL, *copy = NULL;
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	char directory[] = "/tmp/strobe-test-XXXXXX";

	str_addf(&path, "%s/data/%s.data", fixtures(), name);
	str_addf(&golden, "%s/golden/%s%s", fixtures(), name, suffix);
	expected = read_text(str_text(&golden));
	if (!expected || !*expected)
		return;
	assert_non_null(mkdtemp(directory));
	copy = copy_with_time(str_text(&path), directory);
	assert_int_equal(datafile_open(copy, &file, NULL), 0);
	actual = print(file);
	(void)unlink(copy);
	(void)rmdir(directory);
	drop_wrong_name(expected);
	if (strcmp(actual, expected) != 0)
		print_message("%s differs\n", name);
	assert_string_equal(actual, expected);
}

static void compare_all(const char *suffix, char *(*print)(const struct datafile *))
{
	_cleanup_(str_done) struct str path = { 0 };
	size_t count = 0;
	DIR *directory;

	str_addf(&path, "%s/data", fixtures());
	directory = opendir(str_text(&path));
	assert_non_null(directory);
	for (const struct dirent *entry; (entry = readdir(directory));) {
		char *name = xstrdup(entry->d_name);
		char *end = strstr(name, ".data");

		if (end && !end[5]) {
			*end = '\0';
			compare(name, suffix, print);
			count++;
		}
		free(name);
	}
	(void)closedir(directory);
	assert_true(count > 10);
}

static void headers_are_as_perf_prints_them(void **state)
{
	compare_all(".header.txt", print_header);
}

static void counts_of_records_are_as_perf_prints_them(void **state)
{
	compare_all(".stats.txt", print_stats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_are_as_perf_prints_them),
		cmocka_unit_test(counts_of_records_are_as_perf_prints_them),
	};

	(void)setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests_name("header-text", tests, NULL, NULL);
}
