/* test-lines.c - object/lines.h on samples with and without debug information. */
#include "../test.h"

#include <libelf.h>
#include <stdio.h>

#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"
#include "object/lines.h"
#include "object/symtab.h"

enum { FIRST_LINE = 14, LAST_LINE = 18 }; /* of sample_static() in sample.c */

/* NULL if the tools here could not make it. */
static struct elf_file *open_sample(const char *layout)
{
	struct elf_file *file = NULL;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/sample-%s", getenv("STROBE_SAMPLES"), layout);
	return elf_file_open(path, &file, NULL) == 0 ? file : NULL;
}

static struct elf_file *sample(const char *layout)
{
	struct elf_file *file = open_sample(layout);

	assert_non_null(file);
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

/* Takes the file. */
static void check_lines_of_its_code(struct elf_file *opened)
{
	_cleanup_(elf_file_freep) struct elf_file *file = opened;
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

static void an_address_has_the_line_of_its_code(void **state)
{
	check_lines_of_its_code(sample("lines"));
}

static void so_it_has_where_tables_are_packed(void **state)
{
	static const char *const layouts[] = { "lines-zlib-gabi", "lines-zlib-gnu", "lines-zstd" };
	size_t tried = 0;

	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		struct elf_file *file = open_sample(layouts[i]);

		if (!file)
			continue;
		check_lines_of_its_code(file);
		tried++;
	}
	if (tried == 0)
		skip();
}

/* The table names the other unit alone. */
static void so_it_has_where_the_table_of_units_does_not_have_its_unit(void **state)
{
	struct elf_file *file = open_sample("lines-untold");

	if (!file)
		skip();
	assert_non_null(elf_file_section_find(file, ".debug_aranges"));
	check_lines_of_its_code(file);
}

/* Damage to what is packed, and to the header that says how. */
static void tables_that_cannot_be_unpacked_are_as_if_not_there(void **state)
{
	static const uint64_t places[] = { 0, 8, 60 };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		_cleanup_(elf_file_freep) struct elf_file *whole = open_sample("lines-zlib-gabi");
		_cleanup_(elf_file_freep) struct elf_file *damaged = NULL;
		_cleanup_(debuginfo_freep) struct debuginfo *debuginfo = NULL;
		const struct elf_file_section *section;
		struct source_line line;
		struct symbol symbol;
		size_t size = 0;
		char *bytes;

		if (!whole)
			skip();
		symbol = find(whole, "sample_static");
		section = elf_file_section_find(whole, ".debug_info");
		bytes = elf_rawfile(elf_file_handle(whole), &size);
		assert_true(section->packing == UNPACK_ZLIB && section->size > places[i]);
		bytes[section->offset + places[i]] ^= 0x55;
		assert_int_equal(elf_file_from_memory(bytes, size, "x", &damaged, NULL), 0);
		debuginfo = debuginfo_new(damaged);
		assert_true(!debuginfo || !lines_find(debuginfo, symbol.start, &line));
	}
}

static void an_address_outside_of_all_units_has_none(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = sample("lines");
	_cleanup_(debuginfo_freep) struct debuginfo *debuginfo = debuginfo_new(file);
	struct source_line line;

	assert_non_null(debuginfo);
	assert_false(lines_find(debuginfo, 0, &line));
	assert_false(lines_find(debuginfo, UINT64_MAX, &line));
}

static void a_file_without_debug_information_has_no_lines(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = sample("pie");

	assert_false(debuginfo_has(file));
	assert_null(debuginfo_new(file));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_has_the_line_of_its_code),
		cmocka_unit_test(so_it_has_where_tables_are_packed),
		cmocka_unit_test(so_it_has_where_the_table_of_units_does_not_have_its_unit),
		cmocka_unit_test(tables_that_cannot_be_unpacked_are_as_if_not_there),
		cmocka_unit_test(an_address_outside_of_all_units_has_none),
		cmocka_unit_test(a_file_without_debug_information_has_no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
