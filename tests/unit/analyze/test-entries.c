/* test-entries.c - tables of several workers become one, whichever saw what first. */
#include "../test.h"

#include "analyze/entries.h"
#include "analyze/sites.h"

struct fixture {
	struct fields fields;
	struct hist_options options;
	struct hist_number nothing[2];
	const struct sortkey *key;
	uint64_t hash;
	uint32_t spot_hashes[4];
	struct entries_kind kind;
	struct entries tables[2];
	struct sites *sites;
	uint32_t low, high; /* sites */
};

/* Rows are functions; there is one context. */
static void begin(struct fixture *fixture)
{
	const struct item item = { .comm = "x", .thread_comm = "x" };
	struct place low = { .addr = 0x10 }, high = { .addr = 0x20 };

	*fixture = (struct fixture){ .sites = sites_new() };
	assert_int_equal(
		fields_parse(&(struct fields_options){ .sort = "sym" }, &fixture->fields, NULL), 0);
	fixture->options = (struct hist_options){ .fields = &fixture->fields, .member_count = 2 };
	fixture->low = sites_add(fixture->sites, &low);
	fixture->high = sites_add(fixture->sites, &high);
	sites_settle(fixture->sites, SITES_BY_FUNCTION, NULL, 1);
	fixture->key = sortkey_find("symbol", strlen("symbol"));
	fixture->kind = (struct entries_kind){
		.options = &fixture->options,
		.sites = fixture->sites,
		.keys = &fixture->key,
		.key_count = 1,
		.context_hashes = &fixture->hash,
		.spot_hashes = fixture->spot_hashes,
		.spot_count = 4,
		.nothing = fixture->nothing,
	};
	bundles_init(&fixture->kind.contexts, &fixture->fields, &fixture->options.style, false);
	(void)bundles_find_context(&fixture->kind.contexts, &item, (struct instant){ 0, 0 });
	for (uint32_t i = 0; i < 2; i++) {
		fixture->tables[i].kind = &fixture->kind;
		fixture->spot_hashes[i] = entries_hash_spot(&fixture->kind, i, false);
		fixture->spot_hashes[2 + i] = entries_hash_spot(&fixture->kind, i, true);
	}
}

static void end(struct fixture *fixture)
{
	entries_done(&fixture->tables[0]);
	entries_done(&fixture->tables[1]);
	bundles_done(&fixture->kind.contexts);
	fields_done(&fixture->fields);
	sites_free(fixture->sites);
}

static struct hist_entry *visit(struct fixture *fixture, size_t table, uint32_t site,
				uint64_t moment, uint16_t member, char level)
{
	const struct entries_visit visit = { .first = { moment, 0 },
					     .site = site,
					     .tid = (uint32_t)moment,
					     .member = member,
					     .level = level };
	struct entries *entries = &fixture->tables[table];
	uint32_t number = entries_find(entries, &visit);
	struct hist_entry *entry = entries->items[number];

	entries_name(entries->kind, entry, &visit);
	entries_self(entries, entry, member)->period += moment;
	return entry;
}

static void an_entry_is_found_again_and_named_after_its_earliest_sample(void **state)
{
	struct fixture fixture;
	struct hist_entry *entry;

	begin(&fixture);
	entry = visit(&fixture, 0, fixture.low, 7, 1, 'k');
	assert_ptr_equal(visit(&fixture, 0, fixture.low, 9, 0, '.'), entry);
	assert_ptr_not_equal(visit(&fixture, 0, fixture.high, 8, 0, '.'), entry);
	assert_int_equal(fixture.tables[0].count, 2);
	assert_int_equal(entry->tid, 7);
	/* The level is the first member's, though that came later. */
	assert_int_equal(entry->level, '.');
	end(&fixture);
}

/* In two shares, each of which takes what is its own from both tables. */
static void tables_are_joined_in_shares(void **state)
{
	struct fixture fixture;
	struct entries *tables[] = { &fixture.tables[0], &fixture.tables[1] };
	struct entries shares[2];
	struct hist_entry *low;

	begin(&fixture);
	(void)visit(&fixture, 0, fixture.low, 9, 0, '.');
	(void)visit(&fixture, 0, fixture.high, 3, 0, '.');
	(void)visit(&fixture, 1, fixture.low, 4, 0, 'k');
	for (size_t i = 0; i < 2; i++)
		entries_prepare_join(tables[i]);
	for (size_t i = 0; i < 2; i++) {
		shares[i] = (struct entries){ .kind = &fixture.kind };
		entries_join(tables, 2, i, 2, &shares[i]);
	}
	assert_int_equal(shares[0].count + shares[1].count, 2);
	low = entries_at(&fixture.tables[1], 0);
	assert_ptr_equal(entries_at(&fixture.tables[0], 0), low);
	assert_int_equal(low->self[0].period, 13);
	assert_int_equal(low->tid, 4);
	assert_int_equal(low->level, 'k');
	entries_done(&shares[0]);
	entries_done(&shares[1]);
	end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_is_found_again_and_named_after_its_earliest_sample),
		cmocka_unit_test(tables_are_joined_in_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
