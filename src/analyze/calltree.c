/* calltree.c - see calltree.h. */
#include "analyze/calltree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

/* Chains that go on from a node to the same link. */
struct group {
	uint32_t link, site;
	uint64_t period, sample_count;
	size_t count;                 /* of chains */
	struct calltree_chain *begin; /* where they are put */
	size_t placed;
};

/* A node whose chains lie together, and are to be divided. */
struct task {
	struct calltree_node *node;
	struct calltree_chain *chains;
	size_t count;
	uint32_t done; /* links of each chain that are behind us */
};

/* The group of a link, as long as @round is the one at hand. */
struct mark {
	uint32_t round, group;
};

struct calltree_builder {
	const struct sites *sites;
	const struct calltree_options *options;
	struct arena *arena;
	struct mark *marks; /* by link */
	uint32_t round;
	struct {
		struct group *items;
		size_t count, capacity;
	} groups, mixed;
	struct {
		struct task *items;
		size_t count, capacity;
	} tasks;
	struct {
		struct calltree_chain *items;
		size_t capacity;
	} room;
};

struct calltree_builder *calltree_builder_new(const struct sites *sites)
{
	struct calltree_builder *builder = xnew(struct calltree_builder);

	builder->sites = sites;
	builder->marks = xzeros((size_t)sites_end(sites) + 1, sizeof(*builder->marks));
	return builder;
}

void calltree_builder_free(struct calltree_builder *builder)
{
	zeros_free(builder->marks, (size_t)sites_end(builder->sites) + 1, sizeof(*builder->marks));
	free(builder->groups.items);
	free(builder->mixed.items);
	free(builder->tasks.items);
	free_room(&builder->room);
	free(builder);
}

static uint32_t site_at(const struct calltree_builder *builder, const struct calltree_chain *chain,
			uint32_t i)
{
	return chain->sites[(int64_t)i * builder->options->step];
}

static uint32_t link_at(const struct calltree_builder *builder, const struct calltree_chain *chain,
			uint32_t i)
{
	return builder->sites->link_of[site_at(builder, chain, i)];
}

/* Lengthens the node as long as all its chains go on to the same link. */
static void extend(const struct calltree_builder *builder, struct task *task)
{
	for (;;) {
		uint32_t link;

		if (task->chains[0].count == task->done)
			return;
		link = link_at(builder, &task->chains[0], task->done);
		for (size_t i = 1; i < task->count; i++) {
			if (task->chains[i].count == task->done ||
			    link_at(builder, &task->chains[i], task->done) != link)
				return;
		}
		task->node->count++;
		task->done++;
	}
}

/* What all chains that pass the node say of branches at its links. */
static void count_branches(struct calltree_builder *builder, const struct task *task)
{
	struct calltree_node *node = task->node;
	struct branch_counts *counts;

	if (node->count == 0 || !task->chains[0].marks)
		return;
	counts = arena_alloc(builder->arena, node->count * sizeof(*counts));
	for (size_t i = 0; i < task->count; i++) {
		const struct calltree_chain *chain = &task->chains[i];

		for (uint32_t k = 0; k < node->count; k++) {
			uint32_t at = task->done - node->count + k;

			branch_counts_add(&counts[k],
					  chain->marks[(int64_t)at * builder->options->step],
					  chain->sample_count);
		}
	}
	node->branches = counts;
}

static struct group *group_of(struct calltree_builder *builder, const struct calltree_chain *chain,
			      uint32_t i)
{
	uint32_t site = site_at(builder, chain, i), link = builder->sites->link_of[site];
	struct mark *mark = &builder->marks[link];

	if (mark->round != builder->round) {
		*mark = (struct mark){ builder->round, (uint32_t)builder->groups.count };
		grow(&builder->groups);
		builder->groups.items[builder->groups.count++] =
			(struct group){ .link = link, .site = site };
	}
	return &builder->groups.items[mark->group];
}

static void next_round(struct calltree_builder *builder)
{
	builder->groups.count = 0;
	if (++builder->round == 0) { /* so many that numbers begin again */
		memset(builder->marks, 0,
		       ((size_t)sites_end(builder->sites) + 1) * sizeof(*builder->marks));
		builder->round = 1;
	}
}

/* What ends at the node, and how much goes on to which link. */
static void weigh(struct calltree_builder *builder, const struct task *task)
{
	struct calltree_node *node = task->node;

	next_round(builder);
	for (size_t i = 0; i < task->count; i++) {
		const struct calltree_chain *chain = &task->chains[i];
		struct group *group;

		if (chain->count == task->done) {
			node->hit += chain->period;
			node->hit_count += chain->sample_count;
			continue;
		}
		node->below += chain->period;
		node->below_count += chain->sample_count;
		group = group_of(builder, chain, task->done);
		group->period += chain->period;
		group->sample_count += chain->sample_count;
		group->count++;
	}
}

static uint64_t least_of(const struct calltree_options *options, const struct calltree_node *node)
{
	switch (options->mode) {
	case CALLTREE_GRAPH:
		return options->least;
	case CALLTREE_FRACTAL:
		return (uint64_t)ceil((double)node->below * options->min_percent / 100.0);
	default:
		return 0;
	}
}

/* Moves the chains of groups that are heavy enough to the front, each group's together. */
static void gather(struct calltree_builder *builder, const struct task *task, uint64_t least)
{
	size_t used = 0;

	if (builder->room.capacity < task->count) {
		free_room(&builder->room);
		builder->room.items = xroom(task->count, sizeof(*builder->room.items));
		builder->room.capacity = task->count;
	}
	for (size_t i = 0; i < builder->groups.count; i++) {
		struct group *group = &builder->groups.items[i];

		if (group->period < least)
			continue;
		group->begin = task->chains + used;
		used += group->count;
	}
	for (size_t i = 0; i < task->count; i++) {
		const struct calltree_chain *chain = &task->chains[i];
		struct group *group;

		if (chain->count == task->done)
			continue;
		group = group_of(builder, chain, task->done);
		if (group->begin)
			builder->room
				.items[(size_t)(group->begin - task->chains) + group->placed++] =
				*chain;
	}
	if (used > 0)
		memcpy(task->chains, builder->room.items, used * sizeof(*task->chains));
}

/*
 * Higher addresses come first: that is perf's order where weights are equal. What was put into
 * other functions stands behind, from z to a, until mix_inlined().
 */
static int by_link(const void *a, const void *b, void *context)
{
	const struct group *left = a, *right = b;
	const struct calltree_builder *builder = context;

	return sites_compare(builder->sites, right->link, left->link);
}

static int by_weight(const void *a, const void *b, void *context)
{
	const struct group *left = a, *right = b;

	if (left->period != right->period)
		return left->period > right->period ? -1 : 1;
	return by_link(a, b, context);
}

/* The name of a group of inlined functions, or NULL. */
static const char *inlined_name(const struct calltree_builder *builder, const struct group *group)
{
	const struct function *function = sites_place(builder->sites, group->link)->function;

	return function && function->inlined ? function->name : NULL;
}

/* Merges the rest of @count groups, from @inlined on, with those before it. */
static void mix(struct calltree_builder *builder, struct group *groups, size_t inlined,
		size_t count)
{
	size_t left = 0, right = inlined;

	builder->mixed.count = 0;
	while (left < inlined && right < count) {
		const struct function *function =
			sites_place(builder->sites, groups[left].link)->function;
		const char *name = inlined_name(builder, &groups[right]);
		bool before = !function || strcmp(function->name, name) >= 0;

		grow(&builder->mixed);
		builder->mixed.items[builder->mixed.count++] = groups[before ? left++ : right++];
	}
	/* What is left of the inlined ones is where it belongs. */
	memmove(groups + builder->mixed.count, groups + left, (inlined - left) * sizeof(*groups));
	if (builder->mixed.count > 0)
		memcpy(groups, builder->mixed.items, builder->mixed.count * sizeof(*groups));
}

/*
 * perf compares addresses of functions, but names where one of two is inlined: that is no order of
 * all, but mostly one of those that weigh the same.
 */
static void mix_inlined(struct calltree_builder *builder)
{
	struct group *groups = builder->groups.items;
	size_t count = builder->groups.count, end, inlined;
	bool flat = builder->options->mode == CALLTREE_FLAT;

	for (size_t begin = 0; begin < count; begin = end) {
		inlined = 0;
		for (end = begin;
		     end < count && (flat || groups[end].period == groups[begin].period); end++) {
			if (!inlined_name(builder, &groups[end]))
				inlined = end + 1 - begin;
		}
		if (inlined > 0 && begin + inlined < end)
			mix(builder, groups + begin, inlined, end - begin);
	}
}

static size_t drop_light(struct calltree_builder *builder)
{
	size_t kept = 0;

	for (size_t i = 0; i < builder->groups.count; i++) {
		if (builder->groups.items[i].begin)
			builder->groups.items[kept++] = builder->groups.items[i];
	}
	return builder->groups.count = kept;
}

static void add_children(struct calltree_builder *builder, struct task task)
{
	size_t count = drop_light(builder);
	struct calltree_node *nodes;

	if (count == 0)
		return;
	qsort_r(builder->groups.items, count, sizeof(*builder->groups.items),
		builder->options->mode == CALLTREE_FLAT ? by_link : by_weight, builder);
	if (builder->sites->links == SITES_BY_FUNCTION)
		mix_inlined(builder);
	nodes = arena_alloc(builder->arena, count * sizeof(*nodes));
	task.node->children = arena_alloc(builder->arena, count * sizeof(struct calltree_node *));
	task.node->child_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct group *group = &builder->groups.items[i];

		nodes[i] = (struct calltree_node){
			.sites =
				group->begin[0].sites + (int64_t)task.done * builder->options->step,
			.count = 1,
			.step = builder->options->step,
			.parent = task.node,
		};
		task.node->children[i] = &nodes[i];
		grow(&builder->tasks);
		builder->tasks.items[builder->tasks.count++] =
			(struct task){ &nodes[i], group->begin, group->count, task.done + 1 };
	}
}

struct calltree_node *calltree_build(struct calltree_builder *builder,
				     const struct calltree_options *options,
				     struct calltree_chain *chains, size_t count,
				     struct arena *arena)
{
	struct calltree_node *root = arena_alloc(arena, sizeof(*root));

	*root = (struct calltree_node){ 0 };
	builder->options = options;
	builder->arena = arena;
	grow(&builder->tasks);
	builder->tasks.items[builder->tasks.count++] = (struct task){ root, chains, count, 0 };
	while (builder->tasks.count > 0) {
		struct task task = builder->tasks.items[--builder->tasks.count];

		if (task.node != root)
			extend(builder, &task);
		count_branches(builder, &task);
		weigh(builder, &task);
		gather(builder, &task, least_of(options, task.node));
		add_children(builder, task);
	}
	return root;
}

/* Nodes with the order in which they were found: sorting must be stable. */
struct ranked {
	struct calltree_node *node;
	size_t rank;
};

static int by_hit(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	if (left->node->hit != right->node->hit)
		return left->node->hit > right->node->hit ? -1 : 1;
	return left->rank < right->rank ? -1 : 1;
}

struct nodes {
	struct calltree_node **items;
	size_t count, capacity;
};

static void add_node(struct nodes *nodes, struct calltree_node *node)
{
	grow(nodes);
	nodes->items[nodes->count++] = node;
}

struct calltree_node **calltree_flatten(struct calltree_node *root, uint64_t least,
					size_t *ret_count)
{
	struct nodes todo = { 0 }, ends = { 0 };
	_cleanup_(freep) struct ranked *ranked = NULL;
	size_t shown = 0;

	add_node(&todo, root);
	while (todo.count > 0) {
		struct calltree_node *node = todo.items[--todo.count];

		if (node->hit > 0)
			add_node(&ends, node);
		for (size_t i = 0; i < node->child_count; i++)
			add_node(&todo, node->children[i]);
	}
	free(todo.items);
	ranked = xcalloc(ends.count + 1, sizeof(*ranked));
	/* Of equal weights, the first child's come first, and a node's own after its children's. */
	for (size_t i = 0; i < ends.count; i++)
		ranked[i] = (struct ranked){ ends.items[ends.count - 1 - i], i };
	if (ends.count > 0)
		qsort(ranked, ends.count, sizeof(*ranked), by_hit);
	for (size_t i = 0; i < ends.count; i++) {
		ends.items[i] = ranked[i].node;
		shown += ranked[i].node->hit >= least;
	}
	*ret_count = shown;
	return ends.items;
}

const struct calltree_node **calltree_path(const struct calltree_node *node, size_t *ret_count)
{
	const struct calltree_node **path;
	size_t count = 0, i;

	for (const struct calltree_node *at = node; at && at->count > 0; at = at->parent)
		count++;
	path = xcalloc(count + 1, sizeof(const struct calltree_node *));
	for (i = count; i > 0; node = node->parent)
		path[--i] = node;
	*ret_count = count;
	return path;
}
