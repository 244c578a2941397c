/* space-tree.c - see space-tree.h. */
#include "model/space-tree.h"

#include <stdlib.h>

#include "base/mem.h"

/*
 * Node 1 is the root, 2n and 2n + 1 are below n, and leaf i is node leaf_count + i.
 */
struct node {
	size_t first, count; /* its list: numbers[first .. first + count), upwards */
	size_t below;        /* highest number in it and below it, + 1; 0 if none */
};

struct space_tree {
	uint64_t *cuts; /* leaf i is [cuts[i], cuts[i + 1]) */
	size_t cut_count, leaf_count;
	struct node *nodes;
	size_t *numbers;
};

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void cut(struct space_tree *tree, const struct space_tree_interval *intervals, size_t count)
{
	size_t kept = 0;

	tree->cuts = xcalloc(count, 2 * sizeof(*tree->cuts));
	for (size_t i = 0; i < count; i++) {
		tree->cuts[2 * i] = intervals[i].start;
		tree->cuts[2 * i + 1] = intervals[i].end;
	}
	qsort(tree->cuts, 2 * count, sizeof(*tree->cuts), by_value);
	for (size_t i = 0; i < 2 * count; i++) {
		if (kept == 0 || tree->cuts[i] != tree->cuts[kept - 1])
			tree->cuts[kept++] = tree->cuts[i];
	}
	tree->cut_count = kept;
}

/* Number of cuts at or below @addr. */
static size_t cuts_until(const struct space_tree *tree, uint64_t addr)
{
	size_t low = 0, high = tree->cut_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (tree->cuts[middle] <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The nodes that an interval covers wholly, while what is above them it does not. */
struct cover {
	size_t left, right;
};

static struct cover cover_begin(const struct space_tree *tree,
				const struct space_tree_interval *interval)
{
	return (struct cover){
		.left = tree->leaf_count + cuts_until(tree, interval->start) - 1,
		.right = tree->leaf_count + cuts_until(tree, interval->end) - 1,
	};
}

/* The next node, 0 at the end. */
static size_t cover_next(struct cover *cover)
{
	while (cover->left < cover->right) {
		if (cover->left & 1)
			return cover->left++;
		if (cover->right & 1)
			return --cover->right;
		cover->left /= 2;
		cover->right /= 2;
	}
	return 0;
}

struct space_tree *space_tree_new(const struct space_tree_interval *intervals, size_t count)
{
	struct space_tree *tree = xnew(struct space_tree);
	size_t total = 0;

	cut(tree, intervals, count);
	for (tree->leaf_count = 1; tree->leaf_count < tree->cut_count;)
		tree->leaf_count *= 2;
	tree->nodes = xcalloc(tree->leaf_count, 2 * sizeof(*tree->nodes));
	for (size_t i = 0; i < count; i++) {
		struct cover cover = cover_begin(tree, &intervals[i]);

		for (size_t n; (n = cover_next(&cover));)
			tree->nodes[n].count++;
	}
	for (size_t n = 1; n < 2 * tree->leaf_count; n++) {
		tree->nodes[n].first = total;
		total += tree->nodes[n].count;
		tree->nodes[n].count = 0;
	}
	tree->numbers = xcalloc(total, sizeof(*tree->numbers));
	return tree;
}

void space_tree_add(struct space_tree *tree, const struct space_tree_interval *interval,
		    size_t number)
{
	struct cover cover = cover_begin(tree, interval);

	for (size_t n; (n = cover_next(&cover));) {
		struct node *node = &tree->nodes[n];

		tree->numbers[node->first + node->count++] = number;
		for (; n > 0; n /= 2)
			tree->nodes[n].below = number + 1;
	}
}

size_t space_tree_last(const struct space_tree *tree, const struct space_tree_interval *interval)
{
	struct cover cover = cover_begin(tree, interval);
	size_t last = 0;

	for (size_t n; (n = cover_next(&cover));) {
		if (tree->nodes[n].below > last)
			last = tree->nodes[n].below;
		for (n /= 2; n > 0; n /= 2) {
			const struct node *node = &tree->nodes[n];

			if (node->count > 0 && tree->numbers[node->first + node->count - 1] >= last)
				last = tree->numbers[node->first + node->count - 1] + 1;
		}
	}
	return last - 1; /* none is SIZE_MAX */
}

/* The highest number below @limit in a list, + 1; 0 if none. */
static size_t node_find(const struct space_tree *tree, const struct node *node, size_t limit)
{
	const size_t *numbers = tree->numbers + node->first;
	size_t low = 0, high = node->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (numbers[middle] < limit)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? numbers[low - 1] + 1 : 0;
}

size_t space_tree_find(const struct space_tree *tree, uint64_t addr, size_t limit)
{
	size_t cuts = cuts_until(tree, addr), last = 0;

	if (cuts == 0 || cuts == tree->cut_count)
		return SIZE_MAX;
	for (size_t n = tree->leaf_count + cuts - 1; n > 0; n /= 2) {
		size_t found = node_find(tree, &tree->nodes[n], limit);

		if (found > last)
			last = found;
	}
	return last - 1; /* none is SIZE_MAX */
}

void space_tree_free(struct space_tree *tree)
{
	if (!tree)
		return;
	free(tree->cuts);
	free(tree->nodes);
	free(tree->numbers);
	free(tree);
}
