/* calltree.c - see calltree.h. */
#include "analyze/calltree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

struct nodes {
	struct calltree_node **items;
	size_t count, capacity;
};

static uint32_t link_of(const struct stack_table *table, uint32_t site)
{
	return table->sites.items[site].link;
}

/* Higher addresses come first: that is perf's order where weights are equal. */
static size_t find_child(const struct calltree_node *node, const struct stack_table *table,
			 uint32_t link, bool *ret_found)
{
	size_t low = 0, high = node->children.count;

	*ret_found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t other = link_of(table, calltree_site(node->children.items[middle], 0));

		if (other == link) {
			*ret_found = true;
			return middle;
		}
		if (stack_compare(table, other, link) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert_child(struct calltree_node *node, size_t at, struct calltree_node *child)
{
	grow(&node->children);
	memmove(&node->children.items[at + 1], &node->children.items[at],
		(node->children.count - at) * sizeof(struct calltree_node *));
	node->children.items[at] = child;
	node->children.count++;
	child->parent = node;
}

/* Cuts @node after @keep links; the rest becomes its only child, and inherits what it had. */
static void split(struct calltree_node *node, struct arena *arena, uint32_t keep)
{
	struct calltree_node *rest = arena_alloc(arena, sizeof(*rest));

	*rest = *node;
	rest->sites += (int64_t)keep * node->step;
	rest->count -= keep;
	for (size_t i = 0; i < rest->children.count; i++)
		rest->children.items[i]->parent = rest;

	node->count = keep;
	node->below = calltree_total(rest);
	node->below_count = calltree_total_count(rest);
	node->hit = node->hit_count = 0;
	node->children.items = NULL;
	node->children.count = node->children.capacity = 0;
	insert_child(node, 0, rest);
}

static uint32_t common_links(const struct calltree_node *node, const struct stack_table *table,
			     const struct calltree_chain *chain, uint32_t done)
{
	uint32_t i = 0;

	while (i < node->count && done + i < chain->count &&
	       link_of(table, calltree_site(node, i)) ==
		       link_of(table, chain->sites[(int64_t)(done + i) * chain->step]))
		i++;
	return i;
}

static void add_leaf(struct calltree_node *node, size_t at, struct arena *arena,
		     const struct calltree_chain *chain, uint32_t done)
{
	struct calltree_node *leaf = arena_alloc(arena, sizeof(*leaf));

	*leaf = (struct calltree_node){
		.sites = chain->sites + (int64_t)done * chain->step,
		.count = chain->count - done,
		.step = chain->step,
		.hit = chain->period,
		.hit_count = chain->sample_count,
	};
	insert_child(node, at, leaf);
}

void calltree_add(struct calltree_node *root, const struct stack_table *table, struct arena *arena,
		  const struct calltree_chain *chain)
{
	struct calltree_node *node = root;
	uint32_t done = 0;

	while (done < chain->count) {
		uint32_t link = link_of(table, chain->sites[(int64_t)done * chain->step]), common;
		bool found;
		size_t at = find_child(node, table, link, &found);

		node->below += chain->period;
		node->below_count += chain->sample_count;
		if (!found) {
			add_leaf(node, at, arena, chain, done);
			return;
		}
		node = node->children.items[at];
		common = common_links(node, table, chain, done);
		if (common < node->count)
			split(node, arena, common);
		done += common;
	}
	node->hit += chain->period;
	node->hit_count += chain->sample_count;
}

/* Nodes with the order in which they were found: sorting must be stable. */
struct ranked {
	struct calltree_node *node;
	uint64_t weight;
	size_t rank;
};

static int by_weight(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	return left->rank < right->rank ? -1 : 1;
}

/* Brings those with the weight of at least @least to the front, heaviest first. */
static size_t rank_nodes(struct calltree_node **nodes, size_t count, uint64_t least,
			 uint64_t (*weight)(const struct calltree_node *node))
{
	_cleanup_(freep) struct ranked *ranked = NULL;
	size_t shown = 0;

	if (count == 0)
		return 0;
	ranked = xcalloc(count, sizeof(*ranked));
	for (size_t i = 0; i < count; i++)
		ranked[i] = (struct ranked){ nodes[i], weight(nodes[i]), i };
	qsort(ranked, count, sizeof(*ranked), by_weight);
	for (size_t i = 0; i < count; i++) {
		nodes[i] = ranked[i].node;
		shown += ranked[i].weight >= least;
	}
	return shown;
}

static uint64_t ended_here(const struct calltree_node *node)
{
	return node->hit;
}

void calltree_sort(struct calltree_node *root, enum calltree_mode mode, uint64_t least,
		   double min_percent)
{
	struct nodes todo = { 0 };

	grow(&todo);
	todo.items[todo.count++] = root;
	while (todo.count > 0) {
		struct calltree_node *node = todo.items[--todo.count];

		if (mode == CALLTREE_FRACTAL)
			least = (uint64_t)ceil((double)node->below * min_percent / 100.0);
		node->shown = rank_nodes(node->children.items, node->children.count, least,
					 calltree_total);
		for (size_t i = 0; i < node->children.count; i++) {
			grow(&todo);
			todo.items[todo.count++] = node->children.items[i];
		}
	}
	free(todo.items);
}

struct calltree_node **calltree_flatten(struct calltree_node *root, uint64_t least,
					size_t *ret_count)
{
	struct nodes todo = { 0 }, ends = { 0 };

	grow(&todo);
	todo.items[todo.count++] = root;
	while (todo.count > 0) {
		struct calltree_node *node = todo.items[--todo.count];

		if (node->hit > 0) {
			grow(&ends);
			ends.items[ends.count++] = node;
		}
		for (size_t i = 0; i < node->children.count; i++) {
			grow(&todo);
			todo.items[todo.count++] = node->children.items[i];
		}
	}
	free(todo.items);
	/* Of equal weights, the first child's come first, and a node's own after its children's. */
	for (size_t i = 0; i < ends.count / 2; i++) {
		struct calltree_node *node = ends.items[i];

		ends.items[i] = ends.items[ends.count - 1 - i];
		ends.items[ends.count - 1 - i] = node;
	}
	*ret_count = rank_nodes(ends.items, ends.count, least, ended_here);
	return ends.items;
}

/* Children first, so a node's array is still there while they are visited. */
void calltree_done(struct calltree_node *root)
{
	struct nodes todo = { 0 };

	grow(&todo);
	todo.items[todo.count++] = root;
	while (todo.count > 0) {
		struct calltree_node *node = todo.items[--todo.count];

		for (size_t i = 0; i < node->children.count; i++) {
			grow(&todo);
			todo.items[todo.count++] = node->children.items[i];
		}
		free(node->children.items);
		node->children.items = NULL;
		node->children.count = node->children.capacity = 0;
	}
	free(todo.items);
}
