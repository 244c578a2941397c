/* test-inlining.c - links of call chains for functions that were put into others, of
 * tests/unit/object/sample-inlines.c. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/bundles.h"
#include "analyze/inlining.h"
#include "analyze/sites.h"
#include "analyze/stack.h"
#include "model/timeline.h"
#include "symbol/resolve.h"

enum { THREADS = 2, BASE = 0x10000000 };

/* A program, and an address of it where innermost() and middle() are in sample_outer(). */
struct fixture {
	char path[4096];
	struct dso dso;
	struct map map;
	struct timeline *timeline;
	struct resolver *resolver;
	struct sites *sites;
	struct place deep, plain; /* plain: in main(), and nothing else is there */
};

static bool is_deep(struct fixture *fixture, const struct place *place)
{
	struct frames frames = { 0 };
	bool deep = resolver_frames(fixture->resolver, place, false, &frames) && frames.count == 3;

	resolver_frames_done(&frames);
	return deep;
}

static struct place place_of(struct fixture *fixture, const char *name, bool deep)
{
	struct place place = { 0 };

	for (uint64_t addr = BASE + 0x1000; addr < BASE + 0x3000; addr++) {
		place = resolver_find(fixture->resolver, &fixture->map, addr);
		if (place.function && strcmp(place.function->name, name) == 0 &&
		    (!deep || is_deep(fixture, &place)))
			return place;
	}
	fail();
	return place;
}

static void begin(struct fixture *fixture, bool inlines)
{
	const struct resolver_options options = { .inlines = inlines };
	const char *samples = getenv("STROBE_SAMPLES");

	assert_non_null(samples);
	*fixture = (struct fixture){ .timeline = timeline_new(), .sites = sites_new() };
	(void)snprintf(fixture->path, sizeof(fixture->path), "%s/sample-inlines-dwarf5", samples);
	fixture->dso = (struct dso){ .id = 1, .kind = DSO_USER, .name = fixture->path };
	fixture->map = (struct map){ .start = BASE, .end = BASE + 0x100000, .dso = &fixture->dso };
	fixture->resolver = resolver_new(&options, fixture->timeline);
	fixture->plain = place_of(fixture, "main", false);
	fixture->deep = place_of(fixture, "sample_outer", inlines);
}

static void end(struct fixture *fixture)
{
	sites_free(fixture->sites);
	resolver_free(fixture->resolver);
	timeline_free(fixture->timeline);
}

/* Three bundles: two of one stack, and one of another. */
static void add_bundles(struct bundles *bundles, uint32_t first, uint32_t second)
{
	for (int i = 0; i < 3; i++) {
		grow(&bundles->all);
		bundles->all.items[bundles->all.count++] =
			(struct bundle){ .stack = i < 2 ? first : second };
	}
	grow(&bundles->all);
	bundles->all.items[bundles->all.count++] = (struct bundle){ .stack = BUNDLES_NO_STACK };
}

/* The row of a stack of @deep and @plain, which are sites. */
static void check_row(const struct fixture *fixture, struct stack row, uint32_t plain)
{
	static const char *const names[] = { "innermost", "middle", "sample_outer" };

	assert_int_equal(row.count, 4);
	for (uint32_t i = 0; i < 3; i++) {
		const struct place *place = sites_place(fixture->sites, row.sites[i]);

		assert_string_equal(place->function->name, names[i]);
		assert_int_equal(place->function->inlined, i < 2);
		assert_true(place->addr == fixture->deep.addr);
	}
	assert_int_equal(row.sites[3], plain);
	for (uint32_t i = 0; row.marks && i < 4; i++)
		assert_int_equal(row.marks[i], i == 0 ? 7 : i == 3 ? 8 : 0);
}

static void check_links(bool marked)
{
	static const uint64_t marks[] = { 7, 8 };
	struct fixture fixture;
	struct stack_table stacks = { .marked = marked };
	struct bundles bundles = { 0 };

	begin(&fixture, true);
	const uint32_t deep = sites_add(fixture.sites, &fixture.deep),
		       plain = sites_add(fixture.sites, &fixture.plain);
	const uint32_t both[] = { deep, plain };
	struct stack first = { both, marked ? marks : NULL, 2 };
	struct stack second = { both + 1, marked ? marks + 1 : NULL, 1 };
	const uint32_t short_row = stack_intern(&stacks, second);

	add_bundles(&bundles, stack_intern(&stacks, first), short_row);
	struct inlining *inlining = inlining_new(fixture.sites, fixture.resolver, false, THREADS);

	assert_non_null(inlining);
	assert_int_equal(sites_end(fixture.sites), 2 + 3);
	inlining_extend(inlining, &stacks, &bundles);
	check_row(&fixture, stack_at(&stacks, bundles.all.items[0].stack), plain);
	/* Equal ones are one; where nothing is inlined all is as it was, and so is what was hit. */
	assert_int_equal(bundles.all.items[1].stack, bundles.all.items[0].stack);
	assert_int_equal(bundles.all.items[2].stack, short_row);
	assert_true(bundles.all.items[3].stack == BUNDLES_NO_STACK);
	assert_string_equal(sites_place(fixture.sites, deep)->function->name, "sample_outer");

	inlining_free(inlining);
	free(bundles.all.items);
	stack_table_done(&stacks);
	end(&fixture);
}

static void a_link_becomes_one_for_each_function_innermost_first(void **state)
{
	check_links(false);
}

static void a_mark_is_that_of_the_innermost_function(void **state)
{
	check_links(true);
}

static void links_of_one_function_are_one_unless_addresses_are_asked_for(void **state)
{
	for (int by_addr = 0; by_addr < 2; by_addr++) {
		struct fixture fixture;

		begin(&fixture, true);
		const uint32_t deep = sites_add(fixture.sites, &fixture.deep);
		struct inlining *inlining =
			inlining_new(fixture.sites, fixture.resolver, false, THREADS);

		assert_non_null(inlining);
		sites_settle(fixture.sites, by_addr ? SITES_BY_ADDR : SITES_BY_FUNCTION, NULL, 1);
		const uint32_t *link = fixture.sites->link_of;

		assert_int_not_equal(link[deep + 1], link[deep + 2]);
		assert_int_not_equal(link[deep + 1], link[deep]);
		assert_int_equal(link[deep + 3], link[deep]);
		assert_int_equal(sites_compare(fixture.sites, deep + 3, deep), 0);
		assert_true(sites_compare(fixture.sites, deep + 1, deep + 2) < 0);
		inlining_free(inlining);
		end(&fixture);
	}
}

static void nothing_is_made_where_nothing_is_inlined(void **state)
{
	for (int inlines = 0; inlines < 2; inlines++) {
		struct fixture fixture;

		begin(&fixture, inlines);
		sites_add(fixture.sites, inlines ? &fixture.plain : &fixture.deep);
		assert_null(inlining_new(fixture.sites, fixture.resolver, false, THREADS));
		assert_int_equal(sites_end(fixture.sites), 1);
		end(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_becomes_one_for_each_function_innermost_first),
		cmocka_unit_test(a_mark_is_that_of_the_innermost_function),
		cmocka_unit_test(links_of_one_function_are_one_unless_addresses_are_asked_for),
		cmocka_unit_test(nothing_is_made_where_nothing_is_inlined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
