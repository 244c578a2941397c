#include "../test.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/err.h"
#include "object/perfmap.h"
#include "object/symtab.h"

static void check(const struct symtab *table, uint64_t addr, const char *name)
{
	const struct symbol *symbol = symtab_find(table, addr);

	if (!name)
		assert_null(symbol);
	else if (!symbol)
		fail_msg("%lx is not found, but is %s", (unsigned long)addr, name);
	else
		assert_string_equal(symbol->name, name);
}

static struct symtab *parse(const char *text, struct perfmap_counts *ret_counts)
{
	return perfmap_parse(text, strlen(text), ret_counts);
}

static void lines_are_start_size_and_a_name_with_spaces(void **state)
{
	struct perfmap_counts counts = { 0 };
	_cleanup_(symtab_freep) struct symtab *table = parse("1000 10 Foo::bar(int, int) [tier 2]\n"
							     "0x2000 0X20 crlf\r\n"
							     "7fff00001000 a last line",
							     &counts);

	check(table, 0x1000, "Foo::bar(int, int) [tier 2]");
	check(table, 0x100f, "Foo::bar(int, int) [tier 2]");
	check(table, 0x1010, NULL);
	check(table, 0x201f, "crlf");
	check(table, 0x7fff00001009, "last line");
	check(table, 0x7fff0000100a, NULL);
	assert_int_equal(counts.lines, 3);
	assert_int_equal(counts.skipped, 0);
}

static void garbage_is_counted_and_skipped(void **state)
{
	struct perfmap_counts counts = { 0 };
	_cleanup_(symtab_freep) struct symtab *table = parse("hello\n"
							     "\n"
							     "1000\n"
							     "1000 10\n"
							     "1000 10 \n"
							     "1000 0 empty\n"
							     "10000000000000000 1 too_large\n"
							     "ffffffffffffffff 2 wraps\n"
							     "-1000 10 negative\n"
							     "0x 10 no_digits\n"
							     "3000 10 good\n"
							     "\r\n",
							     &counts);

	check(table, 0x3000, "good");
	check(table, 0x1000, NULL);
	assert_int_equal(counts.lines, 1);
	assert_int_equal(counts.skipped, 9);
}

static void a_nul_or_an_endless_line_is_garbage(void **state)
{
	static const char nul[] = "1000 10 a\0b\n2000 10 c\n";
	struct perfmap_counts counts = { 0 };
	size_t size = 1024 * 1024;
	char *line = xcalloc(size, 1);

	symtab_free(perfmap_parse(nul, sizeof(nul) - 1, &counts));
	assert_int_equal(counts.lines, 1);
	assert_int_equal(counts.skipped, 1);

	memset(line, 'x', size);
	memcpy(line, "1000 10 ", 8);
	symtab_free(perfmap_parse(line, size, &counts));
	assert_int_equal(counts.lines, 0);
	assert_int_equal(counts.skipped, 1);
	free(line);
	symtab_free(perfmap_parse(NULL, 0, &counts));
	assert_int_equal(counts.lines + counts.skipped, 0);
}

static void a_later_line_wins_and_the_rest_of_the_earlier_stays(void **state)
{
	_cleanup_(symtab_freep) struct symtab *table = parse("1000 100 old\n"
							     "1000 10 again\n"
							     "1080 10 middle\n"
							     "1080 10 middle_again\n"
							     "10f0 20 end\n",
							     NULL);

	check(table, 0x1000, "again");
	check(table, 0x1010, "old");
	check(table, 0x1080, "middle_again");
	check(table, 0x1090, "old");
	check(table, 0x10f0, "end");
	check(table, 0x110f, "end");
}

static void only_a_regular_file_is_loaded(void **state)
{
	char folder[] = "/tmp/strobe-perfmap-XXXXXX", path[64];
	struct symtab *table = NULL;
	struct strobe_err err = { 0 };
	int fd;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/perf-1.map", folder);
	fd = open(folder, O_RDONLY | O_CLOEXEC);
	assert_int_equal(perfmap_load(fd, folder, &table, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, folder));
	(void)close(fd);
	fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "1000 10 hot\n", 12), 12);
	assert_int_equal(perfmap_load(fd, path, &table, NULL, &err), 0);
	(void)close(fd);
	check(table, 0x1008, "hot");
	symtab_free(table);
	(void)unlink(path);
	(void)rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_start_size_and_a_name_with_spaces),
		cmocka_unit_test(garbage_is_counted_and_skipped),
		cmocka_unit_test(a_nul_or_an_endless_line_is_garbage),
		cmocka_unit_test(a_later_line_wins_and_the_rest_of_the_earlier_stays),
		cmocka_unit_test(only_a_regular_file_is_loaded),
	};

	return cmocka_run_group_tests_name("perfmap", tests, NULL, NULL);
}
