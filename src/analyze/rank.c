/*
 * rank.c - see rank.h.
 *
 * The balancing is the textbook's (Cormen et al., "Introduction to Algorithms", RB-INSERT-FIXUP):
 * the kernel's rbtree, which perf uses, makes the same trees.
 */
#include "analyze/rank.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"

enum side { LEFT, RIGHT };

struct node {
	struct node *parent, *child[2];
	bool red;
	void *item;
};

struct tree {
	struct node *root;
};

static enum side side_of(const struct node *node)
{
	return node->parent->child[RIGHT] == node ? RIGHT : LEFT;
}

static bool is_red(const struct node *node)
{
	return node && node->red;
}

/* @node goes down to @side, and its child of the other side takes its place. */
static void rotate(struct tree *tree, struct node *node, enum side side)
{
	struct node *up = node->child[!side];

	node->child[!side] = up->child[side];
	if (up->child[side])
		up->child[side]->parent = node;
	up->parent = node->parent;
	if (!node->parent)
		tree->root = up;
	else
		node->parent->child[side_of(node)] = up;
	up->child[side] = node;
	node->parent = up;
}

static void balance(struct tree *tree, struct node *node)
{
	while (is_red(node->parent)) {
		struct node *parent = node->parent, *above = parent->parent;
		enum side side = side_of(parent);
		struct node *uncle = above->child[!side];

		if (is_red(uncle)) {
			parent->red = uncle->red = false;
			above->red = true;
			node = above;
			continue;
		}
		if (side_of(node) != side) {
			rotate(tree, parent, side);
			parent = node;
		}
		parent->red = false;
		above->red = true;
		rotate(tree, above, !side);
		break;
	}
	tree->root->red = false;
}

static void insert(struct tree *tree, struct node *node, rank_before *before, void *context)
{
	struct node **link = &tree->root;

	while (*link) {
		node->parent = *link;
		link = &(*link)->child[before(node->item, (*link)->item, context) ? LEFT : RIGHT];
	}
	*link = node;
	node->red = true;
	balance(tree, node);
}

static struct node *first(struct node *node)
{
	while (node && node->child[LEFT])
		node = node->child[LEFT];
	return node;
}

static struct node *next(struct node *node)
{
	if (node->child[RIGHT])
		return first(node->child[RIGHT]);
	while (node->parent && side_of(node) == RIGHT)
		node = node->parent;
	return node->parent;
}

void rank_items(void **items, size_t count, rank_before *before, void *context)
{
	_cleanup_(freep) struct node *nodes = NULL;
	struct tree tree = { 0 };
	size_t i = 0;

	if (count == 0)
		return;
	nodes = xcalloc(count, sizeof(*nodes));
	for (i = 0; i < count; i++) {
		nodes[i].item = items[i];
		insert(&tree, &nodes[i], before, context);
	}
	i = 0;
	for (struct node *node = first(tree.root); node; node = next(node))
		items[i++] = node->item;
}
