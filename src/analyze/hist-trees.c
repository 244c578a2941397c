/* hist-trees.c - see hist-trees.h. */
#include "analyze/hist-trees.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/calltree.h"
#include "analyze/visits.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/pool.h"

/* The chains of an entry, as each worker gathered them. */
struct tree {
	struct hist_entry *entry;
	struct visits_chains **items;
	size_t count, capacity;
	size_t chain_count;
};

struct hist_trees_arena {
	_Alignas(MEM_APART) struct arena arena;
};

struct growing {
	const struct sites *sites;
	const struct calltree_options *options;
	struct calltree_builder **builders; /* one for each thread */
	struct hist_trees_arena *arenas;
	struct {
		struct tree *items;
		size_t count, capacity;
	} trees;
};

/* The tree of an entry, by the entry. */
static struct tree *tree_of(struct growing *growing, struct hash *by_entry,
			    struct hist_entry *entry)
{
	bool is_new;
	struct hash_entry *found = hash_add(by_entry, (uintptr_t)entry, &is_new);

	if (is_new) {
		grow(&growing->trees);
		found->index = growing->trees.count;
		growing->trees.items[growing->trees.count++] = (struct tree){ .entry = entry };
	}
	return &growing->trees.items[found->index];
}

static void join_trees(struct growing *growing, struct visits *all, size_t visit_count)
{
	_cleanup_(hash_done) struct hash by_entry = { 0 };

	for (size_t i = 0; i < visit_count; i++) {
		struct visits *visits = &all[i];

		for (size_t k = 0; k < visits->trees.count; k++) {
			struct visits_chains *chains = &visits->trees.items[k];
			struct tree *tree = tree_of(growing, &by_entry, chains->entry);

			grow(tree);
			tree->items[tree->count++] = chains;
			tree->chain_count += chains->count;
		}
	}
}

/* The chains of all workers. */
static struct visits_chains take_chains(const struct tree *tree)
{
	struct visits_chains all = { .entry = tree->entry, .capacity = tree->chain_count };

	if (tree->count == 1)
		return *tree->items[0];
	all.items = xroom(all.capacity, sizeof(*all.items));
	for (size_t i = 0; i < tree->count; i++) {
		const struct visits_chains *chains = tree->items[i];

		memcpy(all.items + all.count, chains->items, chains->count * sizeof(*all.items));
		all.count += chains->count;
		free_room(chains);
	}
	return all;
}

static void grow_tree(void *context, size_t job, size_t thread)
{
	struct growing *growing = context;
	struct tree *tree = &growing->trees.items[job];
	struct visits_chains chains = take_chains(tree);

	if (!growing->builders[thread])
		growing->builders[thread] = calltree_builder_new(growing->sites);
	tree->entry->tree =
		calltree_build(growing->builders[thread], growing->options, chains.items,
			       chains.count, &growing->arenas[thread].arena);
	free_room(&chains);
	free(tree->items);
}

/* Those with many chains first, so that no thread is left alone with one at the end. */
static int by_size(const void *a, const void *b)
{
	const struct tree *left = a, *right = b;

	return (left->chain_count < right->chain_count) - (left->chain_count > right->chain_count);
}

void hist_trees_grow(struct hist_trees *trees, const struct sites *sites,
		     const struct calltree_options *options, struct visits *visits,
		     size_t visit_count, size_t threads)
{
	struct growing growing = {
		.sites = sites,
		.options = options,
		.builders = xcalloc(threads, sizeof(struct calltree_builder *)),
		.arenas = xaligned(MEM_APART, threads, sizeof(*trees->arenas)),
	};

	join_trees(&growing, visits, visit_count);
	if (growing.trees.count > 0)
		qsort(growing.trees.items, growing.trees.count, sizeof(*growing.trees.items),
		      by_size);
	pool_run(threads, growing.trees.count, grow_tree, &growing);
	for (size_t i = 0; i < threads; i++) {
		if (growing.builders[i])
			calltree_builder_free(growing.builders[i]);
	}
	free(growing.builders);
	free(growing.trees.items);
	*trees = (struct hist_trees){ growing.arenas, threads };
}

void hist_trees_done(struct hist_trees *trees)
{
	for (size_t i = 0; i < trees->arena_count; i++)
		arena_done(&trees->arenas[i].arena);
	free(trees->arenas);
	*trees = (struct hist_trees){ 0 };
}
