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
	struct rank_item *items;
	uint32_t root;
};

static struct rank_item *at(const struct tree *tree, uint32_t number)
{
	return &tree->items[number];
}

static uint32_t parent_of(const struct tree *tree, uint32_t number)
{
	return at(tree, number)->parent & ~RED;
}

static void set_parent(struct tree *tree, uint32_t number, uint32_t parent)
{
	struct rank_item *node = at(tree, number);

	node->parent = (node->parent & RED) | parent;
}

static bool is_red(const struct tree *tree, uint32_t number)
{
	return number != NONE && at(tree, number)->parent & RED;
}

static void paint(struct tree *tree, uint32_t number, bool red)
{
	struct rank_item *node = at(tree, number);

	node->parent = (node->parent & ~RED) | (red ? RED : 0);
}

static enum side side_of(const struct tree *tree, uint32_t number)
{
	return at(tree, parent_of(tree, number))->child[RIGHT] == number ? RIGHT : LEFT;
}

/* A node goes down to @side, and its child of the other side takes its place. */
static void rotate(struct tree *tree, uint32_t number, enum side side)
{
	struct rank_item *node = at(tree, number);
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

static bool goes_before(const struct rank_item *left, const struct rank_item *right)
{
	if (left->group == right->group && left->inner != right->inner)
		return left->inner < right->inner;
	return left->place < right->place;
}

/* Mostly, items go where those before them went: a branch that is guessed is faster than none. */
static void insert(struct tree *tree, uint32_t number)
{
	struct rank_item *node = at(tree, number);
	uint32_t *link = &tree->root, parent = NONE;

	for (uint32_t next = *link; next != NONE;) {
		struct rank_item *on_the_way = at(tree, parent = next);

		if (goes_before(node, on_the_way))
			next = *(link = &on_the_way->child[LEFT]);
		else
			next = *(link = &on_the_way->child[RIGHT]);
	}
	*link = number;
	node->parent = parent | RED;
	node->child[LEFT] = node->child[RIGHT] = NONE;
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

void rank_items(struct rank_item *items, size_t count, uint32_t *ret_order)
{
	struct tree tree = { items, NONE };
	size_t i = 0;

	for (uint32_t number = 0; number < count; number++)
		insert(&tree, number);
	for (uint32_t number = first(&tree, tree.root); number != NONE;
	     number = next(&tree, number))
		ret_order[i++] = number;
}
