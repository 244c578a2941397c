/* test-inlines.c - object/inlines.h on programs with functions within functions. */
#include "../test.h"

#include <stdio.h>

#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"
#include "object/inlines.h"
#include "object/symtab.h"

/* Of sample-inlines.c. */
enum { INNERMOST_CALLED = 15, MIDDLE_CALLED = 21, INNERMOST_CALLED_ELSEWHERE = 27 };

struct sample {
	struct elf_file *file;
	struct debuginfo *debuginfo;
	struct symtab *symbols;
};

static struct sample open_sample(const char *kind)
{
	struct sample sample = { 0 };
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/sample-inlines-%s", getenv("STROBE_SAMPLES"), kind);
	assert_int_equal(elf_file_open(path, &sample.file, NULL), 0);
	sample.debuginfo = debuginfo_new(sample.file);
	assert_non_null(sample.debuginfo);
	sample.symbols = elf_symbols_load(sample.file, NULL, NULL);
	return sample;
}

static void close_sample(struct sample *sample)
{
	symtab_free(sample->symbols);
	debuginfo_free(sample->debuginfo);
	elf_file_free(sample->file);
}

static size_t depth_of(const struct inlined *inlined)
{
	size_t depth = 0;

	for (; inlined; inlined = inlined->outer)
		depth++;
	return depth;
}

/* What was put into a function, where most is within each other. */
static const struct inlined *deepest(const struct sample *sample, const char *function)
{
	const struct symbol *symbol = symtab_find_name(sample->symbols, function);
	const struct inlined *deepest = NULL;

	assert_non_null(symbol);
	for (uint64_t addr = symbol->start; addr < symbol->end; addr++) {
		const struct inlined *found = inlines_find(sample->debuginfo, addr);

		if (depth_of(found) > depth_of(deepest))
			deepest = found;
	}
	return deepest;
}

static bool ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), end_size = strlen(end);

	return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

static void check_call(const struct inlined *inlined, const char *name, uint32_t line)
{
	assert_non_null(inlined);
	assert_string_equal(inlined->name, name);
	assert_non_null(inlined->call.file);
	assert_true(ends_with(inlined->call.file, "/sample-inlines.c"));
	assert_int_equal(inlined->call.line, line);
}

static void check_functions(const char *kind)
{
	struct sample sample = open_sample(kind);
	const struct inlined *inlined = deepest(&sample, "sample_outer");

	check_call(inlined, "innermost", INNERMOST_CALLED);
	check_call(inlined->outer, "middle", MIDDLE_CALLED);
	assert_null(inlined->outer->outer);
	assert_false(inlined->is_linkage);
	inlined = deepest(&sample, "sample_other");
	check_call(inlined, "innermost", INNERMOST_CALLED_ELSEWHERE);
	assert_null(inlined->outer);
	close_sample(&sample);
}

static void the_innermost_function_comes_first(void **state)
{
	check_functions("dwarf5");
}

static void older_debug_information_says_the_same(void **state)
{
	check_functions("dwarf4");
	check_functions("dwarf3");
}

static void compressed_debug_information_says_the_same(void **state)
{
	check_functions("packed");
}

static void an_address_in_no_inlined_function_has_none(void **state)
{
	struct sample sample = open_sample("dwarf5");
	const struct symbol *symbol = symtab_find_name(sample.symbols, "sample_outer");

	assert_null(inlines_find(sample.debuginfo, symbol->end - 1));
	assert_null(inlines_find(sample.debuginfo, 0));
	assert_null(inlines_find(sample.debuginfo, UINT64_MAX));
	close_sample(&sample);
}

/* All addresses with the same instances around them have one that stands for them, and no others.
 */
static void an_address_stands_for_all_with_the_same_functions(void **state)
{
	struct sample sample = open_sample("dwarf5");
	const struct symbol *symbol = symtab_find_name(sample.symbols, "sample_outer");
	size_t count = 0;
	uint64_t begin;

	for (uint64_t addr = symbol->start; addr < symbol->end; addr++) {
		const struct inlined *inlined = inlines_find(sample.debuginfo, addr);

		assert_true(inlines_begin(sample.debuginfo, addr, &begin));
		assert_true(begin >= symbol->start && begin <= addr);
		assert_ptr_equal(inlines_find(sample.debuginfo, begin), inlined);
		count += begin == addr;
		for (uint64_t other = symbol->start; other < addr; other++) {
			uint64_t other_begin;

			assert_true(inlines_begin(sample.debuginfo, other, &other_begin));
			assert_int_equal(other_begin == begin,
					 inlines_find(sample.debuginfo, other) == inlined);
		}
	}
	assert_int_equal(count, 3); /* sample_outer, middle, innermost */
	assert_false(inlines_begin(sample.debuginfo, 0, &begin));
	assert_false(inlines_begin(sample.debuginfo, UINT64_MAX, &begin));
	close_sample(&sample);
}

static void a_linkage_name_is_known_as_one(void **state)
{
	struct sample sample;
	const struct inlined *inlined;

	if (!getenv("STROBE_HAS_CXX"))
		skip();
	sample = open_sample("cxx");
	inlined = deepest(&sample, "sample_outer");
	assert_non_null(inlined);
	assert_true(inlined->is_linkage);
	assert_string_equal(inlined->name, "_ZN5inner4CellC4Ei");
	assert_non_null(inlined->outer);
	assert_string_equal(inlined->outer->name, "_ZN5inner4makeEi");
	close_sample(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_function_comes_first),
		cmocka_unit_test(older_debug_information_says_the_same),
		cmocka_unit_test(compressed_debug_information_says_the_same),
		cmocka_unit_test(an_address_in_no_inlined_function_has_none),
		cmocka_unit_test(an_address_stands_for_all_with_the_same_functions),
		cmocka_unit_test(a_linkage_name_is_known_as_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
