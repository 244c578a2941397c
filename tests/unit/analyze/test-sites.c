/* test-sites.c - each place has one number, whoever asks for it first. */
#include "../test.h"

#include "analyze/sites.h"
#include "base/pool.h"
#include "model/timeline.h"

enum { JOBS = 8, THREADS = 4, PLACES = 3000 };

static const struct function inner = { .name = "inner", .start = 0x100, .end = 0x200 };
static const struct dso program = { .id = 1, .kind = DSO_USER, .name = "/bin/x" };
static const struct map text = { .start = 0, .end = 0x10000, .dso = &program };
static const struct map again = { .start = 0, .end = 0x10000, .dso = &program };

static struct place place_at(const struct map *map, uint64_t addr)
{
	bool named = addr >= inner.start && addr < inner.end;

	return (struct place){ .map = map, .addr = addr, .function = named ? &inner : NULL };
}

struct adding {
	struct sites *sites;
	uint32_t numbers[JOBS][PLACES];
};

/* All jobs add the same places, half of them from the other end. */
static void add_all(void *context, size_t job, size_t thread)
{
	struct adding *adding = context;

	for (size_t i = 0; i < PLACES; i++) {
		size_t at = job % 2 ? i : PLACES - 1 - i;
		struct place place = place_at(&text, at);

		adding->numbers[job][at] = sites_add(adding->sites, &place);
		assert_true(sites_get(adding->sites, adding->numbers[job][at]).addr == at);
	}
}

/* The same, some at a time, and some of them twice. */
static void add_all_together(void *context, size_t job, size_t thread)
{
	enum { TOGETHER = 30 };
	struct adding *adding = context;

	for (size_t i = 0; i < PLACES; i += TOGETHER) {
		struct sites_query queries[2 * TOGETHER];

		for (size_t k = 0; k < 2 * TOGETHER; k++)
			queries[k].place =
				place_at(&text, job % 2 ? i + k / 2 : PLACES - 1 - i - k / 2);
		sites_add_all(adding->sites, queries, 2 * TOGETHER);
		for (size_t k = 0; k < 2 * TOGETHER; k++) {
			adding->numbers[job][queries[k].place.addr] = queries[k].site;
			assert_int_equal(queries[k].site, queries[k / 2 * 2].site);
		}
	}
}

static void assert_agreed(pool_job *add)
{
	struct adding *adding = xnew(struct adding);

	adding->sites = sites_new();
	pool_run(THREADS, JOBS, add, adding);
	sites_settle(adding->sites, SITES_BY_FUNCTION, NULL, THREADS);
	for (size_t i = 0; i < PLACES; i++) {
		assert_true(adding->numbers[0][i] < sites_end(adding->sites));
		assert_int_equal(sites_place(adding->sites, adding->numbers[0][i])->addr, i);
		for (size_t job = 1; job < JOBS; job++)
			assert_int_equal(adding->numbers[job][i], adding->numbers[0][i]);
	}
	sites_free(adding->sites);
	free(adding);
}

static void threads_agree_on_the_number_of_a_place(void **state)
{
	assert_agreed(add_all);
	assert_agreed(add_all_together);
}

static void places_of_a_function_are_one_link_unless_addresses_are_asked_for(void **state)
{
	for (int by_addr = 0; by_addr < 2; by_addr++) {
		const enum sites_links links = by_addr ? SITES_BY_ADDR : SITES_BY_FUNCTION;
		struct sites *sites = sites_new();
		struct place a = place_at(&text, 0x110), b = place_at(&again, 0x120),
			     c = place_at(&text, 0x900), d = place_at(&again, 0x900);
		uint32_t first = sites_add(sites, &a), second = sites_add(sites, &b),
			 third = sites_add(sites, &c), fourth = sites_add(sites, &d);

		sites_settle(sites, links, NULL, 2);
		assert_int_equal(sites->link_of[first] == sites->link_of[second], !by_addr);
		assert_int_equal(sites->link_of[third], sites->link_of[fourth]);
		assert_int_not_equal(third, fourth);
		assert_true(sites_compare(sites, first, third) < 0);
		assert_true(sites_compare(sites, third, first) > 0);
		assert_int_equal(sites_compare(sites, third, fourth), 0);
		sites_free(sites);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_agree_on_the_number_of_a_place),
		cmocka_unit_test(places_of_a_function_are_one_link_unless_addresses_are_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
