/* test-lines.c - object/lines.h on samples with and without debug information. */
#include "../test.h"

#include <stdio.h>

#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"
#include "object/lines.h"
#include "object/symtab.h"

enum { FIRST_LINE = 14, LAST_LINE = 18 }; /* of sample_static() in sample.c */

static struct elf_file *sample(const char *layout)
{
	struct elf_file *file = NULL;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/sample-%s", getenv("STROBE_SAMPLES"), layout);
	assert_int_equal(elf_file_open(path, &file, NULL), 0);
	return file;
}

static struct symbol find(const struct elf_file *file, const char *name)
{
	_cleanup_(symtab_freep) struct symtab *table = elf_symbols_load(file, NULL, NULL);
	const struct symbol *symbol = symtab_find_name(table, name);

	assert_non_null(symbol);
	return *symbol;
}

static bool ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), end_size = strlen(end);

	return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

static void an_address_has_the_line_of_its_code(void **state)
{
	struct elf_file *file = sample("lines");
	struct symbol symbol = find(file, "sample_static");
	_cleanup_(debuginfo_freep) struct debuginfo *debuginfo = debuginfo_new(file);
	struct source_line line;

	assert_non_null(debuginfo);
	assert_true(lines_find(debuginfo, symbol.start, &line));
	assert_true(ends_with(line.file, "/sample.c"));
	assert_in_range(line.line, FIRST_LINE, LAST_LINE);
	assert_true(lines_find(debuginfo, symbol.end - 1, &line));
	assert_in_range(line.line, FIRST_LINE, LAST_LINE);
}

static void an_address_outside_of_all_units_has_none(void **state)
{
	_cleanup_(debuginfo_freep) struct debuginfo *debuginfo = debuginfo_new(sample("lines"));
	struct source_line line;

	assert_non_null(debuginfo);
	assert_false(lines_find(debuginfo, 0, &line));
	assert_false(lines_find(debuginfo, UINT64_MAX, &line));
}

static void a_file_without_debug_information_has_no_lines(void **state)
{
	struct elf_file *file = sample("pie");

	assert_false(debuginfo_has(file));
	assert_null(debuginfo_new(file));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_has_the_line_of_its_code),
		cmocka_unit_test(an_address_outside_of_all_units_has_none),
		cmocka_unit_test(a_file_without_debug_information_has_no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
