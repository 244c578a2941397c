/* test-hist.c - samples are counted by what the sort keys tell apart. */
#include "../test.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "analyze/hist.h"
#include "analyze/sites.h"
#include "analyze/stack.h"
#include "analyze/visits.h"
#include "model/timeline.h"

static const struct function inner = { .name = "inner", .start = 0x100, .end = 0x200 };
static const struct function outer = { .name = "outer", .start = 0x300, .end = 0x400 };
static const struct dso program = {
	.id = 1, .kind = DSO_USER, .name = "/bin/x", .short_name = "x"
};
static const struct map text = { .start = 0, .end = 0x1000, .dso = &program };

struct fixture {
	struct fields fields;
	struct sites *sites;
	struct stack_table stacks;
	uint32_t by_site[16]; /* the first bundle */
	struct hist_options options;
	struct bundles bundles;
	struct hist *hist;
	struct visits_seats seats[2];
	uint64_t moment;
};

static void begin(struct fixture *fixture, bool children)
{
	*fixture = (struct fixture){ 0 };
	assert_int_equal(fields_parse(&(struct fields_options){ .children = children },
				      &fixture->fields, NULL),
			 0);
	fixture->options = (struct hist_options){ .fields = &fixture->fields,
						  .style.dso_is_a_key = true,
						  .member_count = 1,
						  .children = children,
						  .chains = true,
						  .outermost_first = children,
						  .min_percent = 0.5 };
	fixture->sites = sites_new();
	fixture->hist = hist_new(&fixture->options, fixture->sites);
	bundles_init(&fixture->bundles, &fixture->fields, &fixture->options.style, false);
}

static void finish(struct fixture *fixture, uint64_t total)
{
	sites_settle(fixture->sites, SITES_BY_FUNCTION, NULL, 2);
	hist_take(fixture->hist, &fixture->bundles, &fixture->stacks);
	hist_finish(fixture->hist, total, 2, fixture->seats);
}

static void end(struct fixture *fixture)
{
	for (size_t i = 0; i < 2; i++)
		visits_seats_done(&fixture->seats[i]);
	hist_free(fixture->hist);
	bundles_done(&fixture->bundles);
	fields_done(&fixture->fields);
	stack_table_done(&fixture->stacks);
	sites_free(fixture->sites);
}

static struct item item_in(const struct function *function, uint64_t addr)
{
	return (struct item){ .comm = "x",
			      .thread_comm = "x",
			      .process_comm = "x",
			      .pid = 1,
			      .tid = 1,
			      .spot = { .place = { .map = &text,
						   .addr = addr,
						   .object_addr = addr,
						   .function = function },
					.shown_addr = addr,
					.level = '.' } };
}

static void add(struct fixture *fixture, const struct item *item, uint32_t stack, uint64_t period)
{
	uint32_t site = sites_add(fixture->sites, &item->spot.place);
	struct instant first = { fixture->moment++, 0 };
	struct bundle bundle = { .context = bundles_find_context(&fixture->bundles, item, first),
				 .site = site,
				 .stack = stack,
				 .cpumode = PERF_RECORD_MISC_USER,
				 .first = first,
				 .pid = item->pid,
				 .tid = item->tid,
				 .level = item->spot.level,
				 .period = period,
				 .count = 1 };

	assert_true(site < sizeof(fixture->by_site) / sizeof(fixture->by_site[0]));
	bundles_add(&fixture->bundles,
		    stack == BUNDLES_NO_STACK ? &fixture->by_site[site]
					      : stack_word(&fixture->stacks, stack),
		    &bundle);
}

static uint32_t stack_of(struct fixture *fixture, const struct item *const *items, size_t count)
{
	uint32_t sites[8];

	for (size_t i = 0; i < count; i++)
		sites[i] = sites_add(fixture->sites, &items[i]->spot.place);
	return stack_intern(&fixture->stacks,
			    (struct stack){ .sites = sites, .count = (uint32_t)count });
}

static void addresses_of_one_function_are_one_entry(void **state)
{
	struct item a = item_in(&inner, 0x110), b = item_in(&inner, 0x120),
		    c = item_in(&outer, 0x310);
	struct fixture fixture;

	begin(&fixture, false);
	fixture.options.modes = true;
	add(&fixture, &a, BUNDLES_NO_STACK, 3);
	add(&fixture, &c, BUNDLES_NO_STACK, 4);
	add(&fixture, &b, BUNDLES_NO_STACK, 2);
	finish(&fixture, 9);
	assert_int_equal(fixture.hist->entry_count, 2);
	assert_ptr_equal(hist_item(fixture.hist, fixture.hist->entries[0]).spot.place.function,
			 &inner);
	assert_int_equal(fixture.hist->entries[0]->self[0].period, 5);
	assert_int_equal(hist_measure(fixture.hist->entries[0], MEASURE_US, 0), 5);
	assert_int_equal(fixture.hist->entries[0]->self[0].count, 2);
	end(&fixture);
}

static void without_names_each_address_is_an_entry_and_lower_ones_come_first(void **state)
{
	struct item a = item_in(NULL, 0x120), b = item_in(NULL, 0x110);
	struct fixture fixture;

	begin(&fixture, false);
	add(&fixture, &a, BUNDLES_NO_STACK, 1);
	add(&fixture, &b, BUNDLES_NO_STACK, 1);
	finish(&fixture, 2);
	assert_int_equal(fixture.hist->entry_count, 2);
	assert_int_equal(hist_item(fixture.hist, fixture.hist->entries[0]).spot.shown_addr, 0x110);
	end(&fixture);
}

static void a_caller_counts_what_it_called_once_a_sample(void **state)
{
	struct item leaf = item_in(&inner, 0x110), caller = item_in(&outer, 0x310);
	const struct item *const recursive[] = { &leaf, &caller, &leaf, &caller };
	struct fixture fixture;
	const struct hist_entry *caller_entry;

	begin(&fixture, true);
	add(&fixture, &leaf, stack_of(&fixture, recursive, 4), 10);
	finish(&fixture, 10);
	assert_int_equal(fixture.hist->entry_count, 2);
	/* Equally long chains: the one with time of its own stands above. */
	assert_ptr_equal(hist_item(fixture.hist, fixture.hist->entries[0]).spot.place.function,
			 &inner);
	assert_int_equal(fixture.hist->entries[0]->whole[0], 10);
	assert_int_equal(fixture.hist->entries[0]->self[0].period, 10);
	caller_entry = fixture.hist->entries[1];
	assert_int_equal(caller_entry->whole[0], 10);
	assert_int_equal(caller_entry->self[0].period, 0);
	assert_int_equal(caller_entry->tree->below, 10);
	end(&fixture);
}

static void equal_samples_share_a_chain(void **state)
{
	struct item leaf = item_in(&inner, 0x110), caller = item_in(&outer, 0x310);
	const struct item *const chain[] = { &leaf, &caller };
	struct fixture fixture;

	begin(&fixture, false);
	for (int i = 0; i < 100; i++)
		add(&fixture, &leaf, stack_of(&fixture, chain, 2), 1);
	finish(&fixture, 100);
	assert_int_equal(fixture.bundles.all.count, 1);
	assert_int_equal(fixture.hist->entry_count, 1);
	assert_int_equal(fixture.hist->entries[0]->tree->child_count, 1);
	assert_int_equal(fixture.hist->entries[0]->tree->children[0]->hit, 100);
	end(&fixture);
}

/* The level shown is that of the earliest sample, whichever was counted first. */
static void the_order_of_counting_does_not_matter(void **state)
{
	struct item early = item_in(&inner, 0x110), late = item_in(&inner, 0x120);
	struct fixture fixture;

	early.tid = 7;
	early.spot.level = 'k';
	begin(&fixture, false);
	fixture.moment = 100;
	add(&fixture, &late, BUNDLES_NO_STACK, 1);
	fixture.moment = 50;
	add(&fixture, &early, BUNDLES_NO_STACK, 1);
	finish(&fixture, 2);
	assert_int_equal(fixture.hist->entry_count, 1);
	assert_int_equal(hist_item(fixture.hist, fixture.hist->entries[0]).tid, 7);
	assert_int_equal(hist_item(fixture.hist, fixture.hist->entries[0]).spot.level, 'k');
	end(&fixture);
}

/* Two workers have stacks of their own; together they say what one would. */
static void what_two_workers_counted_becomes_one(void **state)
{
	struct item leaf = item_in(&inner, 0x110), caller = item_in(&outer, 0x310);
	const struct item *const chain[] = { &leaf, &caller };
	struct fixture one, other;

	begin(&one, true);
	begin(&other, true);
	sites_free(other.sites);
	other.sites = one.sites;
	add(&one, &caller, stack_of(&one, chain + 1, 1), 1);
	add(&other, &leaf, stack_of(&other, chain, 2), 4);
	hist_take(one.hist, &other.bundles, &other.stacks);
	finish(&one, 5);
	assert_int_equal(one.hist->entry_count, 2);
	assert_ptr_equal(hist_item(one.hist, one.hist->entries[0]).spot.place.function, &outer);
	assert_int_equal(one.hist->entries[0]->whole[0], 5);
	assert_int_equal(one.hist->entries[0]->tree->children[0]->hit, 1);
	assert_int_equal(one.hist->entries[0]->tree->children[0]->below, 4);
	end(&one);
	other.sites = NULL;
	end(&other);
}

/* Of the second, each seat was taken before; its round comes after the highest there is. */
static void seats_of_one_histogram_are_free_in_the_next(void **state)
{
	struct item leaf = item_in(&inner, 0x110), caller = item_in(&outer, 0x310);
	const struct item *const chain[] = { &leaf, &caller };
	struct fixture one, other;

	begin(&one, true);
	begin(&other, true);
	sites_free(other.sites);
	hist_free(other.hist);
	other.sites = one.sites;
	other.hist = hist_new(&other.options, one.sites);
	add(&one, &leaf, stack_of(&one, chain, 2), 1);
	add(&other, &leaf, stack_of(&other, chain, 2), 4);
	finish(&one, 1);
	other.seats[0] = one.seats[0];
	other.seats[1] = one.seats[1];
	for (size_t i = 0; i < 2; i++) {
		if (other.seats[i].count > 0)
			other.seats[i].round = UINT32_MAX;
		one.seats[i] = (struct visits_seats){ 0 };
	}
	hist_take(other.hist, &other.bundles, &other.stacks);
	hist_finish(other.hist, 4, 2, other.seats);
	assert_int_equal(other.hist->entry_count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(other.hist->entries[i]->whole[0], 4);
		assert_int_equal(other.hist->entries[i]->tree->below, 4);
	}
	other.sites = NULL;
	end(&other);
	end(&one);
}

static void the_symbol_filter_hides_entries(void **state)
{
	struct item a = item_in(&inner, 0x110), b = item_in(&outer, 0x310);
	struct fixture fixture;

	begin(&fixture, false);
	fixture.options.symbol_filter = "nne";
	add(&fixture, &a, BUNDLES_NO_STACK, 1);
	add(&fixture, &b, BUNDLES_NO_STACK, 5);
	finish(&fixture, 6);
	assert_int_equal(fixture.hist->entry_count, 1);
	assert_ptr_equal(hist_item(fixture.hist, fixture.hist->entries[0]).spot.place.function,
			 &inner);
	end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_one_function_are_one_entry),
		cmocka_unit_test(without_names_each_address_is_an_entry_and_lower_ones_come_first),
		cmocka_unit_test(a_caller_counts_what_it_called_once_a_sample),
		cmocka_unit_test(equal_samples_share_a_chain),
		cmocka_unit_test(the_order_of_counting_does_not_matter),
		cmocka_unit_test(what_two_workers_counted_becomes_one),
		cmocka_unit_test(seats_of_one_histogram_are_free_in_the_next),
		cmocka_unit_test(the_symbol_filter_hides_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
