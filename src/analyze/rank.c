/*
 * rank.c - see rank.h.
 *
 * The balancing is the textbook's (Cormen et al., "Introduction to Algorithms", RB-INSERT-FIXUP):
 * the kernel's rbtree, which perf uses, makes the same trees. Nodes are numbers, so that an item
 * with its node is small: trees are large, and most of the time is spent on waiting for memory.
 */
#include "analyze/rank.h"

#include <stdbool.h>

enum side { LEFT, RIGHT };

#define RED (UINT32_C(1) << 31)
#define NONE (RED - 1)

struct tree {
	char *items;
	size_t size;
	uint32_t root;
};

static struct rank_node *at(const struct tree *tree, uint32_t number)
{
	return (struct rank_node *)(void *)(tree->items + number * tree->size);
}

static uint32_t parent_of(const struct tree *tree, uint32_t number)
{
	return at(tree, number)->parent & ~RED;
}

static void set_parent(struct tree *tree, uint32_t number, uint32_t parent)
{
	struct rank_node *node = at(tree, number);

	node->parent = (node->parent & RED) | parent;
}

static bool is_red(const struct tree *tree, uint32_t number)
{
	return number != NONE && at(tree, number)->parent & RED;
}

static void paint(struct tree *tree, uint32_t number, bool red)
{
	struct rank_node *node = at(tree, number);

	node->parent = (node->parent & ~RED) | (red ? RED : 0);
}

static enum side side_of(const struct tree *tree, uint32_t number)
{
	return at(tree, parent_of(tree, number))->child[RIGHT] == number ? RIGHT : LEFT;
}

/* A node goes down to @side, and its child of the other side takes its place. */
static void rotate(struct tree *tree, uint32_t number, enum side side)
{
	struct rank_node *node = at(tree, number);
	uint32_t up = node->child[!side], parent = node->parent & ~RED;

	node->child[!side] = at(tree, up)->child[side];
	if (node->child[!side] != NONE)
		set_parent(tree, node->child[!side], number);
	set_parent(tree, up, parent);
	if (parent == NONE)
		tree->root = up;
	else
		at(tree, parent)->child[side_of(tree, number)] = up;
	at(tree, up)->child[side] = number;
	set_parent(tree, number, up);
}

static void balance(struct tree *tree, uint32_t number)
{
	uint32_t parent;

	while (is_red(tree, parent = parent_of(tree, number))) {
		uint32_t above = parent_of(tree, parent);
		enum side side = side_of(tree, parent);
		uint32_t uncle = at(tree, above)->child[!side];

		if (is_red(tree, uncle)) {
			paint(tree, uncle, false);
			paint(tree, parent, false);
			paint(tree, above, true);
			number = above;
			continue;
		}
		if (side_of(tree, number) != side) {
			rotate(tree, parent, side);
			parent = number;
		}
		paint(tree, parent, false);
		paint(tree, above, true);
		rotate(tree, above, !side);
		break;
	}
	paint(tree, tree->root, false);
}

static void insert(struct tree *tree, uint32_t number, rank_before *before, void *context)
{
	struct rank_node *node = at(tree, number);
	uint32_t *link = &tree->root, parent = NONE;

	while (*link != NONE) {
		struct rank_node *on_the_way = at(tree, parent = *link);

		/* What comes next is one of two: let both come while this one is compared. */
		if (on_the_way->child[LEFT] != NONE)
			__builtin_prefetch(at(tree, on_the_way->child[LEFT]));
		if (on_the_way->child[RIGHT] != NONE)
			__builtin_prefetch(at(tree, on_the_way->child[RIGHT]));
		link = &on_the_way->child[before(node, on_the_way, context) ? LEFT : RIGHT];
	}
	*link = number;
	*node = (struct rank_node){ parent | RED, { NONE, NONE } };
	balance(tree, number);
}

static uint32_t first(const struct tree *tree, uint32_t number)
{
	while (number != NONE && at(tree, number)->child[LEFT] != NONE)
		number = at(tree, number)->child[LEFT];
	return number;
}

static uint32_t next(const struct tree *tree, uint32_t number)
{
	if (at(tree, number)->child[RIGHT] != NONE)
		return first(tree, at(tree, number)->child[RIGHT]);
	while (parent_of(tree, number) != NONE && side_of(tree, number) == RIGHT)
		number = parent_of(tree, number);
	return parent_of(tree, number);
}

void rank_items(void *items, size_t size, size_t count, rank_before *before, void *context,
		uint32_t *ret_order)
{
	struct tree tree = { items, size, NONE };
	size_t i = 0;

	for (uint32_t number = 0; number < count; number++)
		insert(&tree, number, before, context);
	for (uint32_t number = first(&tree, tree.root); number != NONE;
	     number = next(&tree, number))
		ret_order[i++] = number;
}
