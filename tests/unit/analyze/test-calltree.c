/* test-calltree.c - call chains merge where they begin alike. */
#include "../test.h"

#include <stdlib.h>

#include "analyze/calltree.h"
#include "analyze/stack.h"
#include "base/arena.h"
#include "model/timeline.h"

enum { MAIN, WORK, SORT, HASH, SITES };

struct fixture {
	struct arena arena;
	struct sites *places;
	struct stack_table stacks;
	struct function functions[SITES];
	uint32_t sites[SITES];
	struct calltree_chain chains[8];
	uint32_t rows[8]; /* their stacks */
	size_t count;
	struct calltree_node *root;
};

static int setup(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .places = sites_new() };
	for (unsigned i = 0; i < SITES; i++) {
		struct place place = { .addr = 0x1000 * (i + 1) + 8 };

		fixture.functions[i].start = 0x1000 * (i + 1);
		fixture.functions[i].end = fixture.functions[i].start + 0x100;
		place.function = &fixture.functions[i];
		fixture.sites[i] = sites_add(fixture.places, &place);
	}
	sites_settle(fixture.places, SITES_BY_FUNCTION, NULL, 1);
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	stack_table_done(&fixture->stacks);
	sites_free(fixture->places);
	arena_done(&fixture->arena);
	return 0;
}

static void add(struct fixture *fixture, uint64_t period, uint32_t count, const unsigned *indices)
{
	uint32_t sites[SITES];

	for (uint32_t i = 0; i < count; i++)
		sites[i] = fixture->sites[indices[i]];
	fixture->rows[fixture->count] =
		stack_intern(&fixture->stacks, (struct stack){ .sites = sites, .count = count });
	fixture->chains[fixture->count++] = (struct calltree_chain){
		.count = count,
		.period = period,
		.sample_count = 1,
	};
}

static void build(struct fixture *fixture, struct calltree_options options)
{
	struct calltree_builder *builder = calltree_builder_new(fixture->places);

	for (size_t i = 0; i < fixture->count; i++) {
		if (!fixture->chains[i].sites) /* rows move while others are added */
			fixture->chains[i].sites =
				stack_at(&fixture->stacks, fixture->rows[i]).sites;
	}
	if (options.step == 0)
		options.step = 1;
	fixture->root =
		calltree_build(builder, &options, fixture->chains, fixture->count, &fixture->arena);
	calltree_builder_free(builder);
}

static void one_chain_is_one_node(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, 5, 3, (const unsigned[]){ MAIN, WORK, SORT });
	add(fixture, 2, 3, (const unsigned[]){ MAIN, WORK, SORT });
	build(fixture, (struct calltree_options){ 0 });
	assert_int_equal(fixture->root->child_count, 1);
	assert_int_equal(fixture->root->below, 7);
	assert_int_equal(fixture->root->children[0]->count, 3);
	assert_int_equal(fixture->root->children[0]->hit, 7);
	assert_int_equal(fixture->root->children[0]->hit_count, 2);
}

static void a_fork_splits_the_node(void **state)
{
	struct fixture *fixture = *state;
	const struct calltree_node *trunk;

	add(fixture, 5, 3, (const unsigned[]){ MAIN, WORK, SORT });
	add(fixture, 3, 3, (const unsigned[]){ MAIN, WORK, HASH });
	build(fixture, (struct calltree_options){ .mode = CALLTREE_FLAT });
	assert_int_equal(fixture->root->child_count, 1);
	trunk = fixture->root->children[0];
	assert_int_equal(trunk->count, 2);
	assert_int_equal(trunk->hit, 0);
	assert_int_equal(trunk->below, 8);
	assert_int_equal(trunk->child_count, 2);
	/* Higher addresses first. */
	assert_int_equal(calltree_site(trunk->children[0], 0), fixture->sites[HASH]);
	assert_ptr_equal(trunk->children[0]->parent, trunk);
}

static void a_chain_that_ends_inside_a_node_splits_it(void **state)
{
	struct fixture *fixture = *state;
	const struct calltree_node *trunk;

	add(fixture, 5, 3, (const unsigned[]){ MAIN, WORK, SORT });
	add(fixture, 4, 1, (const unsigned[]){ MAIN });
	build(fixture, (struct calltree_options){ 0 });
	trunk = fixture->root->children[0];
	assert_int_equal(trunk->count, 1);
	assert_int_equal(trunk->hit, 4);
	assert_int_equal(trunk->below, 5);
	assert_int_equal(trunk->child_count, 1);
	assert_int_equal(trunk->children[0]->count, 2);
	assert_int_equal(trunk->children[0]->hit, 5);
}

static void children_are_ordered_by_weight_and_light_ones_not_shown(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, 1, 1, (const unsigned[]){ SORT });
	add(fixture, 50, 1, (const unsigned[]){ MAIN });
	add(fixture, 49, 1, (const unsigned[]){ HASH });
	build(fixture, (struct calltree_options){ .least = 2 });
	assert_int_equal(fixture->root->child_count, 2);
	assert_int_equal(fixture->root->children[0]->hit, 50);
	assert_int_equal(fixture->root->children[1]->hit, 49);
}

static void fractal_takes_the_least_share_of_each_node(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, 900, 1, (const unsigned[]){ HASH });
	add(fixture, 60, 2, (const unsigned[]){ MAIN, WORK });
	add(fixture, 4, 2, (const unsigned[]){ MAIN, SORT });
	/* SORT has 0.4 % of all, but 6 % of what MAIN called. */
	build(fixture, (struct calltree_options){ .mode = CALLTREE_FRACTAL, .min_percent = 5 });
	assert_int_equal(fixture->root->child_count, 2);
	assert_int_equal(fixture->root->children[1]->child_count, 2);
}

static void flattened_nodes_are_where_chains_end(void **state)
{
	struct fixture *fixture = *state;
	struct calltree_node **nodes;
	size_t count;

	add(fixture, 5, 2, (const unsigned[]){ MAIN, WORK });
	add(fixture, 7, 1, (const unsigned[]){ MAIN });
	add(fixture, 1, 2, (const unsigned[]){ MAIN, SORT });
	build(fixture, (struct calltree_options){ .mode = CALLTREE_FLAT });
	nodes = calltree_flatten(fixture->root, 2, &count);
	assert_int_equal(count, 2);
	assert_int_equal(nodes[0]->hit, 7);
	assert_int_equal(nodes[1]->hit, 5);
	free(nodes);
}

static void a_backward_chain_begins_at_its_end(void **state)
{
	struct fixture *fixture = *state;
	fixture->chains[fixture->count++] = (struct calltree_chain){
		.sites = fixture->sites + WORK, .count = 2, .period = 3, .sample_count = 1
	};
	build(fixture, (struct calltree_options){ .step = -1 });
	assert_int_equal(calltree_site(fixture->root->children[0], 0), fixture->sites[WORK]);
	assert_int_equal(calltree_site(fixture->root->children[0], 1), fixture->sites[MAIN]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST (one_chain_is_one_node),
		TEST (a_fork_splits_the_node),
		TEST (a_chain_that_ends_inside_a_node_splits_it),
		TEST (children_are_ordered_by_weight_and_light_ones_not_shown),
		TEST (fractal_takes_the_least_share_of_each_node),
		TEST (flattened_nodes_are_where_chains_end),
		TEST (a_backward_chain_begins_at_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
