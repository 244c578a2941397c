/* test-branch-links.c - branches in front of a call chain: loops once, and nothing told twice. */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/branch-counts.h"
#include "analyze/branch-links.h"
#include "analyze/chain.h"
#include "analyze/profile.h"
#include "data/events.h"
#include "data/sample.h"

enum { MOST = 200 };

struct fixture {
	struct event_desc event;
	struct sample_branch branches[MOST];
	struct profile_sample sample;
	struct chain chain;
};

static struct chain_link links[MOST];

/* A branch for each pair of letters, newest first: "CD" came from C * 16, and went to D * 16. */
static void add_branches(struct fixture *fixture, const char *pairs)
{
	size_t *count = &fixture->sample.sample.branch_count;

	for (; pairs[0]; pairs += 2)
		fixture->branches[(*count)++] = (struct sample_branch){
			.from = (uint64_t)pairs[0] * 16,
			.to = (uint64_t)pairs[1] * 16,
			.flags = 3 << 4, /* cycles */
		};
}

static void begin(struct fixture *fixture, const char *pairs, const char *callers)
{
	*fixture = (struct fixture){ .event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY };
	fixture->sample.event = &fixture->event;
	fixture->sample.cpumode = PERF_RECORD_MISC_USER;
	fixture->sample.sample.branches = fixture->branches;
	add_branches(fixture, pairs);
	fixture->chain = (struct chain){ links, strlen(callers), MOST };
	for (size_t i = 0; callers[i]; i++)
		links[i] = (struct chain_link){ .addr = (uint64_t)callers[i] * 16 + 5,
						.cpumode = PERF_RECORD_MISC_USER };
}

/* The letters of the chain's links. */
static const char *letters(const struct chain *chain)
{
	static char text[MOST + 1];

	for (size_t i = 0; i < chain->count; i++)
		text[i] = (char)(chain->items[i].addr / 16);
	text[chain->count] = '\0';
	return text;
}

static void both_ends_of_branches_stand_in_front_of_callers(void **state)
{
	struct fixture fixture;

	begin(&fixture, "CDAB", "Dxy");
	assert_true(branch_links_add(&fixture.sample, 127, &fixture.chain));
	assert_string_equal(letters(&fixture.chain), "DCBAxy");
	assert_int_not_equal(fixture.chain.items[3].branch, 0);
	assert_int_equal(fixture.chain.items[4].branch, 0);
}

static void callers_whose_calls_are_among_the_branches_are_left_out(void **state)
{
	struct fixture fixture;

	begin(&fixture, "CDxAyB", "Dxyz");
	assert_true(branch_links_add(&fixture.sample, 127, &fixture.chain));
	assert_string_equal(letters(&fixture.chain), "DCAxByz");
}

static void without_branches_a_chain_is_what_it_is(void **state)
{
	struct fixture fixture;

	begin(&fixture, "", "Dxy");
	assert_false(branch_links_add(&fixture.sample, 127, &fixture.chain));
	assert_string_equal(letters(&fixture.chain), "Dxy");
	begin(&fixture, "AB", "Dxy");
	fixture.event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK;
	assert_false(branch_links_add(&fixture.sample, 127, &fixture.chain));
}

static struct branch_counts counts_of(const struct chain *chain, size_t link)
{
	struct branch_counts counts = { 0 };

	branch_counts_add(&counts, chain->items[link].branch, 2);
	return counts;
}

static void a_loop_is_there_once_and_says_how_often(void **state)
{
	struct fixture fixture;
	struct branch_counts counts;

	begin(&fixture, "ABABABABCD", "A");
	assert_true(branch_links_add(&fixture.sample, 127, &fixture.chain));
	assert_string_equal(letters(&fixture.chain), "BADC");
	counts = counts_of(&fixture.chain, 1);
	assert_int_equal(branch_counts_repeats(&counts), 3);
	assert_int_equal(branch_counts_repeat_cycles(&counts), 3);
	assert_int_equal(counts.loops, 2);
	counts = counts_of(&fixture.chain, 3);
	assert_int_equal(counts.loops, 0);
	assert_int_equal(branch_counts_cycles(&counts), 3);
}

static void a_loop_in_a_loop_is_in_its_body(void **state)
{
	struct fixture fixture;
	struct branch_counts counts;

	begin(&fixture, "ABABCDABABCDABABCD", "A");
	assert_true(branch_links_add(&fixture.sample, 127, &fixture.chain));
	assert_string_equal(letters(&fixture.chain), "BADC");
	counts = counts_of(&fixture.chain, 1);
	assert_int_equal(branch_counts_repeats(&counts), 1);
	counts = counts_of(&fixture.chain, 3);
	assert_int_equal(branch_counts_repeats(&counts), 2);
	assert_int_equal(branch_counts_repeat_cycles(&counts), 9);
}

static void only_the_newest_branches_are_looked_at(void **state)
{
	struct fixture fixture;

	begin(&fixture, "CDABEF", "D");
	assert_true(branch_links_add(&fixture.sample, 1, &fixture.chain));
	assert_string_equal(letters(&fixture.chain), "DC");
	begin(&fixture, "", "D");
	for (int i = 0; i < MOST; i++)
		fixture.branches[i] = (struct sample_branch){ .from = 16 * (uint64_t)i, .to = 8 };
	fixture.sample.sample.branch_count = MOST;
	fixture.chain.items = NULL;
	fixture.chain.count = fixture.chain.capacity = 0;
	assert_true(branch_links_add(&fixture.sample, MOST, &fixture.chain));
	assert_int_equal(fixture.chain.count, 2 * 127);
	free(fixture.chain.items);
}

static void an_end_in_the_kernel_is_looked_up_there(void **state)
{
	struct fixture fixture;

	begin(&fixture, "AB", "D");
	fixture.branches[0].from = UINT64_C(0xffffffff81000000);
	assert_true(branch_links_add(&fixture.sample, 127, &fixture.chain));
	assert_int_equal(fixture.chain.items[0].cpumode, PERF_RECORD_MISC_USER);
	assert_int_equal(fixture.chain.items[1].cpumode, PERF_RECORD_MISC_KERNEL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_of_branches_stand_in_front_of_callers),
		cmocka_unit_test(callers_whose_calls_are_among_the_branches_are_left_out),
		cmocka_unit_test(without_branches_a_chain_is_what_it_is),
		cmocka_unit_test(a_loop_is_there_once_and_says_how_often),
		cmocka_unit_test(a_loop_in_a_loop_is_in_its_body),
		cmocka_unit_test(only_the_newest_branches_are_looked_at),
		cmocka_unit_test(an_end_in_the_kernel_is_looked_up_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
