/* test-bundles.c - equal samples are one bundle, which says what the earliest said. */
#include "../test.h"

#include "analyze/bundles.h"
#include "analyze/fields.h"
#include "analyze/sortkey.h"

struct fixture {
	struct fields fields;
	struct sortkey_style style;
	struct bundles bundles;
};

static void begin(struct fixture *fixture, const struct fields_options *options)
{
	*fixture = (struct fixture){ 0 };
	assert_int_equal(fields_parse(options, &fixture->fields, NULL), 0);
	bundles_init(&fixture->bundles, &fixture->fields, &fixture->style, false);
}

static void end(struct fixture *fixture)
{
	bundles_done(&fixture->bundles);
	fields_done(&fixture->fields);
}

static void a_context_is_what_its_earliest_sample_says(void **state)
{
	const struct item late = { .comm = "sh", .thread_comm = "late" },
			  early = { .comm = "sh", .thread_comm = "early" },
			  other = { .comm = "ls", .thread_comm = "ls" };
	struct fixture fixture;
	uint32_t at;

	begin(&fixture, &(struct fields_options){ .sort = "comm" });
	at = bundles_find_context(&fixture.bundles, &late, (struct instant){ 7, 0 });
	assert_int_not_equal(
		bundles_find_context(&fixture.bundles, &other, (struct instant){ 1, 0 }), at);
	assert_int_equal(bundles_find_context(&fixture.bundles, &early, (struct instant){ 5, 9 }),
			 at);
	assert_int_equal(bundles_find_context(&fixture.bundles, &late, (struct instant){ 6, 0 }),
			 at);
	assert_string_equal(fixture.bundles.contexts.items[at].item.thread_comm, "early");
	assert_int_equal(fixture.bundles.contexts.items[at].first.moment, 5);
	end(&fixture);
}

/* The other end of a branch is of no interest to this key, but it is shown with -v. */
static void a_context_has_copies_of_what_its_earliest_sample_points_to(void **state)
{
	static const struct function function = { .name = "f" };
	struct branch_item branch = { .from.place = { .function = &function, .addr = 1 },
				      .to.place.function = &function };
	const struct item item = { .comm = "x", .branch = &branch };
	struct fixture fixture;
	uint32_t at;

	begin(&fixture, &(struct fields_options){ .sort = "symbol_from", .branches = true });
	at = bundles_find_context(&fixture.bundles, &item, (struct instant){ 7, 0 });
	branch.from.place.addr = 2;
	assert_int_equal(bundles_find_context(&fixture.bundles, &item, (struct instant){ 6, 0 }),
			 at);
	branch.from.place.addr = 3;
	assert_int_equal(bundles_find_context(&fixture.bundles, &item, (struct instant){ 8, 0 }),
			 at);
	assert_int_equal(fixture.bundles.contexts.items[at].item.branch->from.place.addr, 2);
	end(&fixture);
}

static void a_bundle_adds_up_what_is_equal_and_has_the_earliest_thread(void **state)
{
	struct bundle sample = {
		.stack = BUNDLES_NO_STACK, .first = { 7, 0 }, .tid = 7, .period = 2, .count = 1
	};
	struct fixture fixture;
	uint32_t first = 0;

	begin(&fixture, &(struct fields_options){ .sort = "comm" });
	bundles_add(&fixture.bundles, &first, &sample);
	sample.first.moment = 5;
	sample.tid = 5;
	bundles_add(&fixture.bundles, &first, &sample);
	sample.member = 1;
	bundles_add(&fixture.bundles, &first, &sample);
	assert_int_equal(fixture.bundles.all.count, 2);
	assert_int_equal(fixture.bundles.all.items[0].period, 4);
	assert_int_equal(fixture.bundles.all.items[0].count, 2);
	assert_int_equal(fixture.bundles.all.items[0].tid, 5);
	end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_context_is_what_its_earliest_sample_says),
		cmocka_unit_test(a_context_has_copies_of_what_its_earliest_sample_points_to),
		cmocka_unit_test(a_bundle_adds_up_what_is_equal_and_has_the_earliest_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
