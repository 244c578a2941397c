#include "../test.h"

#include <stdbool.h>
#include <stdio.h>

#include "object/symtab.h"

struct given {
	uint64_t start, end;
	const char *name;
	uint8_t binding;
	uint64_t limit;
	uint16_t group;
};

static struct symtab *build(const struct given *given, size_t count, enum symtab_overlap overlap)
{
	struct symtab_builder *builder = symtab_builder_new();

	for (size_t i = 0; i < count; i++) {
		struct symbol symbol = { .start = given[i].start,
					 .end = given[i].end,
					 .name = given[i].name,
					 .binding = given[i].binding,
					 .group = given[i].group };

		symtab_builder_add(builder, &symbol,
				   given[i].limit ? given[i].limit : SYMTAB_NO_LIMIT);
	}
	return symtab_build(builder, overlap);
}

#define BUILD(given, overlap) build(given, sizeof(given) / sizeof(*(given)), overlap)

static void check(const struct symtab *table, uint64_t addr, const char *name)
{
	const struct symbol *symbol = symtab_find(table, addr);

	if (!name) {
		if (symbol)
			fail_msg("%lx is %s", (unsigned long)addr, symbol->name);
		return;
	}
	if (!symbol)
		fail_msg("%lx is not found, but is %s", (unsigned long)addr, name);
	else
		assert_string_equal(symbol->name, name);
}

static void an_address_is_found_between_start_and_end(void **state)
{
	const struct given given[] = { { 0x30, 0x40, "c" }, { 0x10, 0x20, "a" } };
	_cleanup_(symtab_freep) struct symtab *table = BUILD(given, SYMTAB_INNERMOST);

	check(table, 0, NULL);
	check(table, 0xf, NULL);
	check(table, 0x10, "a");
	check(table, 0x1f, "a");
	check(table, 0x20, NULL);
	check(table, 0x30, "c");
	check(table, 0x40, NULL);
	check(table, UINT64_MAX, NULL);
	assert_int_equal(symtab_count(table), 2);
	assert_string_equal(symtab_at(table, 0)->name, "a");
	assert_ptr_equal(symtab_find_name(table, "c"), symtab_at(table, 1));
	assert_null(symtab_find_name(table, "d"));
}

static void an_empty_table_knows_nothing(void **state)
{
	_cleanup_(symtab_freep) struct symtab *table =
		symtab_build(symtab_builder_new(), SYMTAB_INNERMOST);

	assert_int_equal(symtab_count(table), 0);
	check(table, 0, NULL);
	check(table, UINT64_MAX, NULL);
}

static void aliases_are_chosen_by_the_documented_order(void **state)
{
	static const struct {
		struct given worse, better;
	} cases[] = {
		{ { 16, 16, "sizeless_and_long" }, { 16, 20, "f", SYMBOL_WEAK } },
		{ { 16, 32, "weak_and_long", SYMBOL_WEAK }, { 16, 32, "local", SYMBOL_LOCAL } },
		{ { 16, 32, "local_and_long", SYMBOL_LOCAL }, { 16, 32, "global" } },
		{ { 16, 32, "__libc_malloc" }, { 16, 32, "malloc" } },
		{ { 16, 32, "open" }, { 16, 32, "open64" } },
		{ { 16, 32, "_ZN1aC1Ev_but_not_cxx" }, { 16, 32, "f" } },
		/* a::f(int), though shorter when mangled, is longer than _Z1gv's g() */
		{ { 16, 32, "abcdefg" }, { 16, 32, "_ZN1a1fEi" } },
		{ { 16, 32, "SyS_open" }, { 16, 32, "sys_open" } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (int turn = 0; turn < 2; turn++) {
			const struct given given[] = { turn ? cases[i].better : cases[i].worse,
						       turn ? cases[i].worse : cases[i].better };
			_cleanup_(symtab_freep) struct symtab *table =
				BUILD(given, SYMTAB_INNERMOST);

			check(table, 16, cases[i].better.name);
			assert_int_equal(symtab_count(table), 2);
			assert_string_equal(symtab_at(table, 0)->name, cases[i].better.name);
			assert_string_equal(symtab_at(table, 1)->name, cases[i].worse.name);
		}
	}
}

static void of_equal_aliases_the_first_and_of_sizeless_ones_the_last_is_chosen(void **state)
{
	const struct given given[] = { { 16, 32, "aa" },
				       { 16, 32, "bb" },
				       { 48, 48, "__do_sys_sync" },
				       { 48, 48, "__x64_sys_sync" } };
	_cleanup_(symtab_freep) struct symtab *table = BUILD(given, SYMTAB_INNERMOST);

	check(table, 16, "aa");
	check(table, 48, "__x64_sys_sync");
}

static void a_sizeless_symbol_ends_at_the_next_or_its_limit_or_after_a_page(void **state)
{
	const struct given given[] = {
		{ 0x10, 0x10, "up_to_next" },
		{ 0x20, 0x20, "limited", 0, 0x28 },
		{ 0x40, 0x50, "sized" },
		{ 0x2010, 0x2010, "last" },
	};
	_cleanup_(symtab_freep) struct symtab *table = BUILD(given, SYMTAB_INNERMOST);

	check(table, 0x1f, "up_to_next");
	check(table, 0x27, "limited");
	check(table, 0x28, NULL);
	check(table, 0x50, NULL);
	check(table, 0x3fff, "last");
	check(table, 0x4000, NULL);
	assert_true(symtab_find(table, 0x3fff)->sizeless);
	assert_false(symtab_find(table, 0x40)->sizeless);
}

static void a_sizeless_symbol_does_not_fill_the_gap_to_another_group(void **state)
{
	const struct given given[] = { { 0x1000, 0x1000, "kernel", 0, 0, 0 },
				       { 0x100000, 0x100000, "module", 0, 0, 1 },
				       { 0x100100, 0x100100, "module_too", 0, 0, 1 } };
	_cleanup_(symtab_freep) struct symtab *table = BUILD(given, SYMTAB_INNERMOST);

	check(table, 0x1fff, "kernel");
	check(table, 0x2000, NULL);
	check(table, 0xfffff, NULL);
	check(table, 0x1000ff, "module");
}

static void what_surrounds_an_inner_symbol_is_the_outer_one_again(void **state)
{
	const struct given given[] = { { 0x10, 0x50, "outer" },
				       { 0x20, 0x30, "inner" },
				       { 0x28, 0x2c, "innermost" },
				       { 0x48, 0x60, "crossing" } };
	_cleanup_(symtab_freep) struct symtab *table = BUILD(given, SYMTAB_INNERMOST);

	check(table, 0x1f, "outer");
	check(table, 0x20, "inner");
	check(table, 0x28, "innermost");
	check(table, 0x2c, "inner");
	check(table, 0x30, "outer");
	check(table, 0x48, "crossing");
	check(table, 0x50, "crossing");
	check(table, 0x60, NULL);
	assert_int_equal(symtab_find(table, 0x10)->end, 0x50);
}

static void a_sizeless_symbol_does_not_cut_one_that_covers_it(void **state)
{
	const struct given given[] = { { 0x10, 0x50, "function" },
				       { 0x20, 0x20, "label" },
				       { 0x30, 0x40, "inner" },
				       { 0x38, 0x38, "label_too" },
				       { 0x48, 0x48, "last_label", 0, 0x60 } };
	_cleanup_(symtab_freep) struct symtab *table = BUILD(given, SYMTAB_INNERMOST);

	check(table, 0x1f, "function");
	check(table, 0x20, "function");
	check(table, 0x2f, "function");
	check(table, 0x38, "inner");
	check(table, 0x40, "function");
	check(table, 0x4f, "function");
	check(table, 0x50, "last_label");
	check(table, 0x60, NULL);
}

static void the_latest_wins_and_parts_of_older_ones_survive(void **state)
{
	const struct given given[] = { { 0x10, 0x50, "first" },
				       { 0x20, 0x30, "second" },
				       { 0x28, 0x38, "third" },
				       { 0x08, 0x18, "fourth" },
				       { 0x28, 0x2a, "fifth" } };
	_cleanup_(symtab_freep) struct symtab *table = BUILD(given, SYMTAB_LATEST);

	check(table, 0x08, "fourth");
	check(table, 0x17, "fourth");
	check(table, 0x18, "first");
	check(table, 0x20, "second");
	check(table, 0x28, "fifth");
	check(table, 0x2a, "third");
	check(table, 0x38, "first");
	check(table, 0x50, NULL);
}

static void the_name_at_a_start_is_known_while_building(void **state)
{
	struct symtab_builder *builder = symtab_builder_new();

	assert_null(symtab_builder_name_at(builder, 16));
	symtab_builder_add(builder, &(struct symbol){ .start = 16, .end = 20, .name = "_f" }, 0);
	assert_string_equal(symtab_builder_name_at(builder, 16), "_f");
	symtab_builder_add(builder, &(struct symbol){ .start = 16, .end = 20, .name = "f" }, 0);
	assert_string_equal(symtab_builder_name_at(builder, 16), "f");
	assert_null(symtab_builder_name_at(builder, 17));
	symtab_free(symtab_build(builder, SYMTAB_INNERMOST));
}

/* What the header says, computed for one address the slow way. */
static const char *slowly(const struct given *given, size_t count, uint64_t addr, bool latest)
{
	const struct given *best = NULL;

	for (size_t i = 0; i < count; i++)
		if (addr >= given[i].start && addr < given[i].end &&
		    (!best || latest || given[i].start > best->start))
			best = &given[i];
	return best ? best->name : NULL;
}

static void overlaps_agree_with_a_search_of_all_symbols(void **state)
{
	uint32_t seed = 1;

	for (int round = 0; round < 200; round++) {
		struct given given[12] = { 0 };
		char names[12][8];
		_cleanup_(symtab_freep) struct symtab *table = NULL;
		bool latest = round % 2;

		for (unsigned i = 0; i < 12; i++) {
			seed = seed * 1103515245 + 12345;
			/* distinct starts: aliases have a test of their own */
			given[i].start = (seed >> 16 & 7) * 12 + i;
			given[i].end = given[i].start + 1 + (seed >> 20 & 31);
			(void)snprintf(names[i], sizeof(names[i]), "f%u", i);
			given[i].name = names[i];
		}
		table = BUILD(given, latest ? SYMTAB_LATEST : SYMTAB_INNERMOST);
		for (uint64_t addr = 0; addr < 160; addr++)
			check(table, addr, slowly(given, 12, addr, latest));
	}
}

static void nested_symbols_by_the_hundred_thousand_are_no_burden(void **state)
{
	enum { COUNT = 200000 };
	struct symtab_builder *builder = symtab_builder_new();
	struct symtab *table;

	for (uint64_t i = 0; i < COUNT; i++)
		symtab_builder_add(
			builder, &(struct symbol){ .start = i, .end = 2 * COUNT - i, .name = "f" },
			0);
	table = symtab_build(builder, SYMTAB_INNERMOST);
	for (uint64_t i = 0; i < COUNT; i++)
		assert_int_equal(symtab_find(table, 2 * COUNT - 1 - i)->start, i);
	symtab_free(table);
}

static void an_end_beyond_the_address_space_is_no_trouble(void **state)
{
	const struct given given[] = { { 0x10, UINT64_MAX - 1, "all" },
				       { UINT64_MAX, 0, "top" },
				       { UINT64_MAX - 1, UINT64_MAX - 1, "almost" } };
	_cleanup_(symtab_freep) struct symtab *table = BUILD(given, SYMTAB_INNERMOST);

	check(table, 0x1000, "all");
	check(table, UINT64_MAX - 1, "almost");
	check(table, UINT64_MAX, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_found_between_start_and_end),
		cmocka_unit_test(an_empty_table_knows_nothing),
		cmocka_unit_test(aliases_are_chosen_by_the_documented_order),
		cmocka_unit_test(
			of_equal_aliases_the_first_and_of_sizeless_ones_the_last_is_chosen),
		cmocka_unit_test(a_sizeless_symbol_ends_at_the_next_or_its_limit_or_after_a_page),
		cmocka_unit_test(a_sizeless_symbol_does_not_fill_the_gap_to_another_group),
		cmocka_unit_test(what_surrounds_an_inner_symbol_is_the_outer_one_again),
		cmocka_unit_test(a_sizeless_symbol_does_not_cut_one_that_covers_it),
		cmocka_unit_test(the_latest_wins_and_parts_of_older_ones_survive),
		cmocka_unit_test(the_name_at_a_start_is_known_while_building),
		cmocka_unit_test(overlaps_agree_with_a_search_of_all_symbols),
		cmocka_unit_test(nested_symbols_by_the_hundred_thousand_are_no_burden),
		cmocka_unit_test(an_end_beyond_the_address_space_is_no_trouble),
	};

	return cmocka_run_group_tests_name("symtab", tests, NULL, NULL);
}
