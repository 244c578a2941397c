/* tasks.c - see tasks.h. */
#include "model/tasks.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/timeline.h"

/* How the tree is put in order: items by parent and number, and which of them are in it. */
struct tree {
	const struct tasks *all; /* by task_order(), then by number */
	bool *placed;
	struct tasks *result;
};

/* By parent; 0 and 1 stand at the root: not told, and "begun by the idle threads". */
static uint32_t order_of(uint32_t parent)
{
	return parent + 1;
}

static uint32_t task_order(const struct tasks_item *task)
{
	return order_of(task->parent);
}

static void keep(struct tasks *tasks, struct hash *by_tid, const struct tasks_item *task)
{
	bool is_new;
	struct hash_entry *entry = hash_add(by_tid, task->tid, &is_new);

	if (is_new) {
		grow(tasks);
		entry->index = tasks->count++;
	}
	assert(tasks->items);
	tasks->items[entry->index] = *task;
}

static void collect(struct tasks *tasks, const struct timeline *timeline, bool mapped)
{
	struct hash by_tid = { 0 };

	for (size_t i = 0; i < timeline_thread_count(timeline); i++) {
		struct timeline_thread thread = timeline_thread_at(timeline, i);
		struct tasks_item task = { thread.pid, thread.tid, thread.ptid, 0, thread.comm };

		if (thread.comm || thread.ptid != UINT32_MAX ||
		    (mapped && timeline_map_at(timeline, thread.pid, 0)))
			keep(tasks, &by_tid, &task);
	}
	/* Parents that nothing else tells of. */
	for (size_t i = 0; i < timeline_thread_count(timeline); i++) {
		struct timeline_thread thread = timeline_thread_at(timeline, i);
		struct tasks_item task = { thread.ppid, thread.ptid, UINT32_MAX, 0, NULL };

		if (thread.ptid != UINT32_MAX && !hash_find(&by_tid, thread.ptid))
			keep(tasks, &by_tid, &task);
	}
	hash_done(&by_tid);
}

static int by_parent(const void *a, const void *b)
{
	const struct tasks_item *x = a, *y = b;
	uint32_t left = task_order(x), right = task_order(y);

	if (left != right)
		return left < right ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* The first that hangs at @parent, or the count. */
static size_t first_child(const struct tasks *all, uint32_t parent)
{
	size_t low = 0, high = all->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (task_order(&all->items[middle]) < order_of(parent))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void place(struct tree *tree, size_t i, uint32_t depth)
{
	tree->placed[i] = true;
	grow(tree->result);
	tree->result->items[tree->result->count] = tree->all->items[i];
	tree->result->items[tree->result->count++].depth = depth;
}

/* Places item @i and all below it; parents may be a long line, so there is no recursion. */
static void place_all(struct tree *tree, size_t i, uint32_t depth)
{
	const struct tasks *all = tree->all;
	struct {
		struct level {
			uint32_t parent;
			size_t next;
		} * items;
		size_t count, capacity;
	} open = { 0 };
	uint32_t tid = all->items[i].tid;

	place(tree, i, depth);
	grow(&open);
	open.items[open.count++] = (struct level){ tid, first_child(all, tid) };
	while (tid != 0 && open.count > 0) {
		struct level *top = &open.items[open.count - 1];
		size_t next = top->next++;

		if (next >= all->count || all->items[next].parent != top->parent) {
			open.count--;
		} else if (!tree->placed[next]) {
			place(tree, next, depth + (uint32_t)open.count);
			tid = all->items[next].tid;
			grow(&open);
			open.items[open.count++] = (struct level){ tid, first_child(all, tid) };
		}
	}
	free(open.items);
}

void tasks_init(struct tasks *tasks, const struct timeline *timeline, bool mapped)
{
	struct tasks all = { 0 };
	struct tree tree = { .all = &all, .result = tasks };

	*tasks = (struct tasks){ 0 };
	collect(&all, timeline, mapped);
	if (all.count == 0)
		return;
	qsort(all.items, all.count, sizeof(*all.items), by_parent);
	tree.placed = xcalloc(all.count, sizeof(*tree.placed));
	for (size_t i = 0; i < all.count && task_order(&all.items[i]) <= 1; i++)
		place_all(&tree, i, all.items[i].tid == 0 ? 0 : 1);
	for (size_t i = 0; i < all.count; i++) {
		if (!tree.placed[i])
			place_all(&tree, i, 0);
	}
	free(tree.placed);
	free(all.items);
}

void tasks_done(struct tasks *tasks)
{
	free(tasks->items);
	*tasks = (struct tasks){ 0 };
}
