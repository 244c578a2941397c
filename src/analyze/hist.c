/* hist.c - see hist.h. */
#include "analyze/hist.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/entries.h"
#include "analyze/entry-order.h"
#include "analyze/extras.h"
#include "analyze/sites.h"
#include "analyze/visits.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/pool.h"
#include "model/timeline.h"

enum { WIDENED_AT_ONCE = 4096 }; /* entries */

/* What one worker counted. */
struct part {
	const struct bundles *bundles;
	const struct stack_table *stacks;
	uint32_t *contexts; /* the number of each of its contexts among all */
	struct visits visits;
};

/* The chains of an entry, as each worker gathered them. */
struct tree {
	struct hist_entry *entry;
	struct visits_chains **items;
	size_t count, capacity;
	size_t chain_count;
};

struct hist_state {
	struct entries_kind kind;
	struct {
		struct part *items;
		size_t count, capacity;
	} parts;
	struct entries *shares; /* of all entries, where several workers counted */
	size_t share_count;
	struct visits_seats *seats; /* one for each thread, borrowed in hist_finish() */
	uint64_t least;             /* weight of an entry that has a tree; see CALLTREE_GRAPH */
	struct calltree_options tree_options;
	struct calltree_node no_tree;
	struct {
		struct tree *items;
		size_t count, capacity;
	} trees;
	struct arena *tree_arenas; /* one for each thread */
	size_t tree_arena_count;
};

struct hist *hist_new(const struct hist_options *options, const struct sites *sites)
{
	struct hist *hist = xnew(struct hist);
	const struct field_list *order = &options->fields->order;
	struct hist_state *state = xnew(struct hist_state);
	struct entries_kind *kind = &state->kind;

	hist->options = options;
	hist->sites = sites;
	hist->state = state;
	kind->options = options;
	kind->sites = sites;
	kind->keys = xcalloc(order->count + 1, sizeof(const struct sortkey *));
	for (size_t i = 0; i < order->count; i++) {
		if (order->items[i].key)
			kind->keys[kind->key_count++] = order->items[i].key;
	}
	hist->width_count = SORTKEY_COUNT + options->fields->traced.count;
	hist->widths = xcalloc(hist->width_count, sizeof(*hist->widths));
	for (size_t i = 0; i < kind->key_count; i++)
		hist->widths[kind->keys[i]->id] = strlen(kind->keys[i]->header);
	kind->nothing = xcalloc(options->member_count + 1, sizeof(*kind->nothing));
	bundles_init(&kind->contexts, options->fields, &options->style, options->only_with_parent);
	return hist;
}

void hist_free(struct hist *hist)
{
	struct hist_state *state;

	if (!hist)
		return;
	state = hist->state;
	for (size_t i = 0; i < state->tree_arena_count; i++)
		arena_done(&state->tree_arenas[i]);
	for (size_t i = 0; i < state->parts.count; i++) {
		if (state->parts.items[i].visits.state)
			visits_done(&state->parts.items[i].visits);
		free(state->parts.items[i].contexts);
	}
	for (size_t i = 0; i < state->share_count; i++)
		entries_done(&state->shares[i]);
	free(state->shares);
	free(state->tree_arenas);
	free(state->parts.items);
	free(state->kind.keys);
	free(state->kind.nothing);
	free(state->kind.context_hashes);
	bundles_done(&state->kind.contexts);
	free(state);
	free(hist->entries);
	free(hist->widths);
	free(hist);
}

void hist_take(struct hist *hist, const struct bundles *bundles, const struct stack_table *stacks)
{
	struct hist_state *state = hist->state;

	if (bundles->all.count == 0)
		return;
	grow(&state->parts);
	state->parts.items[state->parts.count++] =
		(struct part){ .bundles = bundles, .stacks = stacks };
}

/* Without a name, perf shows the place in the file, not in memory; the kernel has but one place. */
static uint64_t shown_addr(const struct place *place)
{
	const struct map *map = place->map;

	if (!map || map->dso->kind == DSO_KERNEL || map->dso->kind == DSO_ANON)
		return place->addr;
	return place->addr - map->start + map->pgoff;
}

struct spot hist_spot(const struct place *place, char level)
{
	return (struct spot){ .place = *place, .shown_addr = shown_addr(place), .level = level };
}

struct item hist_item(const struct hist *hist, const struct hist_entry *entry)
{
	return entries_item(&hist->state->kind, entry);
}

const struct item *hist_read(struct hist_reading *reading, const struct hist_entry *entry)
{
	const struct entries_kind *kind = &reading->hist->state->kind;

	if (reading->context != entry->context + 1)
		reading->item = entries_item(kind, entry);
	else
		entries_set_item(kind, entry, &reading->item);
	reading->context = entry->context + 1;
	return &reading->item;
}

void hist_expect(const struct hist *hist, size_t i)
{
	enum { LATER = 32, SOON = 16 };

	if (i + LATER < hist->entry_count)
		__builtin_prefetch(hist->entries[i + LATER]);
	if (i + SOON < hist->entry_count)
		__builtin_prefetch(sites_place(hist->sites, hist->entries[i + SOON]->site));
}

static void hash_contexts(struct entries_kind *kind)
{
	size_t count = kind->contexts.contexts.count;

	kind->context_hashes = xcalloc(count + 1, sizeof(*kind->context_hashes));
	for (size_t i = 0; i < count; i++) {
		const struct item *item = &kind->contexts.contexts.items[i].item;

		for (size_t k = 0; k < kind->key_count; k++) {
			const struct sortkey *key = kind->keys[k];

			if (!key->of_spot)
				kind->context_hashes[i] =
					hash_u64(kind->context_hashes[i] ^
						 sortkey_hash(key, item, &kind->options->style));
		}
	}
}

static void join_contexts(struct hist_state *state)
{
	for (size_t i = 0; i < state->parts.count; i++) {
		struct part *part = &state->parts.items[i];
		const struct bundles *bundles = part->bundles;

		part->contexts = xcalloc(bundles->contexts.count + 1, sizeof(*part->contexts));
		for (size_t k = 0; k < bundles->contexts.count; k++) {
			const struct bundles_context *context = &bundles->contexts.items[k];

			part->contexts[k] = bundles_find_context(&state->kind.contexts,
								 &context->item, context->first);
		}
	}
	hash_contexts(&state->kind);
}

static void count_part(void *context, size_t job, size_t thread)
{
	struct hist_state *state = context;
	struct part *part = &state->parts.items[job];

	visits_init(&part->visits, part->bundles, part->stacks, &state->kind, part->contexts);
	visits_count(&part->visits, &state->seats[thread]);
}

static void join_share(void *context, size_t job, size_t thread)
{
	struct hist_state *state = context;
	struct entries **tables = xcalloc(state->parts.count + 1, sizeof(struct entries *));

	for (size_t i = 0; i < state->parts.count; i++)
		tables[i] = &state->parts.items[i].visits.entries;
	state->shares[job].kind = &state->kind;
	entries_join(tables, state->parts.count, job, state->share_count, &state->shares[job]);
	index_done(&state->shares[job].index);
	free(tables);
}

static void gather_part(void *context, size_t job, size_t thread)
{
	struct hist_state *state = context;

	visits_gather(&state->parts.items[job].visits, &state->seats[thread], state->least);
}

/* The tree of an entry, by the entry. */
static struct tree *tree_of(struct hist_state *state, struct hash *by_entry,
			    struct hist_entry *entry)
{
	bool is_new;
	struct hash_entry *found = hash_add(by_entry, (uintptr_t)entry, &is_new);

	if (is_new) {
		grow(&state->trees);
		found->index = state->trees.count;
		state->trees.items[state->trees.count++] = (struct tree){ .entry = entry };
	}
	return &state->trees.items[found->index];
}

static void join_trees(struct hist_state *state)
{
	_cleanup_(hash_done) struct hash by_entry = { 0 };

	for (size_t i = 0; i < state->parts.count; i++) {
		struct visits *visits = &state->parts.items[i].visits;

		for (size_t k = 0; k < visits->trees.count; k++) {
			struct visits_chains *chains = &visits->trees.items[k];
			struct tree *tree = tree_of(state, &by_entry, chains->entry);

			grow(tree);
			tree->items[tree->count++] = chains;
			tree->chain_count += chains->count;
		}
	}
}

/* The chains of all workers, as one array. */
static struct calltree_chain *take_chains(struct tree *tree)
{
	struct visits_chains *first = tree->items[0];
	struct calltree_chain *all = take(first->items);
	size_t count = first->count;

	while (tree->count > 1 && first->capacity < tree->chain_count)
		all = xgrow(all, &first->capacity, sizeof(*all));
	for (size_t i = 1; i < tree->count; i++) {
		memcpy(all + count, tree->items[i]->items, tree->items[i]->count * sizeof(*all));
		count += tree->items[i]->count;
		free(tree->items[i]->items);
	}
	return all;
}

struct growing {
	struct hist *hist;
	struct calltree_builder **builders; /* one for each thread */
};

static void grow_tree(void *context, size_t job, size_t thread)
{
	struct growing *growing = context;
	struct hist_state *state = growing->hist->state;
	struct tree *tree = &state->trees.items[job];
	struct calltree_chain *chains = take_chains(tree);

	if (!growing->builders[thread])
		growing->builders[thread] = calltree_builder_new(growing->hist->sites);
	tree->entry->tree = calltree_build(growing->builders[thread], &state->tree_options, chains,
					   tree->chain_count, &state->tree_arenas[thread]);
	free(chains);
	free(tree->items);
}

/* Those with many chains first, so that no thread is left alone with one at the end. */
static int by_size(const void *a, const void *b)
{
	const struct tree *left = a, *right = b;

	return (left->chain_count < right->chain_count) - (left->chain_count > right->chain_count);
}

static void grow_trees(struct hist *hist, size_t threads)
{
	struct hist_state *state = hist->state;
	struct growing growing = { hist, xcalloc(threads, sizeof(struct calltree_builder *)) };

	pool_run(threads, state->parts.count, gather_part, state);
	join_trees(state);
	state->tree_arenas = xcalloc(threads, sizeof(*state->tree_arenas));
	state->tree_arena_count = threads;
	if (state->trees.count > 0)
		qsort(state->trees.items, state->trees.count, sizeof(*state->trees.items), by_size);
	pool_run(threads, state->trees.count, grow_tree, &growing);
	for (size_t i = 0; i < threads; i++) {
		if (growing.builders[i])
			calltree_builder_free(growing.builders[i]);
	}
	free(growing.builders);
	free(state->trees.items);
}

static bool is_shown(const struct hist *hist, const struct hist_entry *entry)
{
	const struct function *function = sites_place(hist->sites, entry->site)->function;
	const char *wanted = hist->options->symbol_filter;

	if (wanted && (!function || !strstr(function->name, wanted)))
		return false;
	return !hist->options->only_with_parent || hist_item(hist, entry).parent;
}

/* Lists the entries that are shown. */
static void list_entries(struct hist *hist, const struct entries *entries)
{
	for (size_t i = 0; i < entries->count; i++) {
		struct hist_entry *entry = entries->items[i];

		if (!is_shown(hist, entry))
			continue;
		if (!entry->tree)
			entry->tree = &hist->state->no_tree;
		hist->entries[hist->entry_count++] = entry;
	}
}

/* A context is a number that depends on the threads, but entries of one sample have one context. */
static int by_first(const void *a, const void *b, void *context)
{
	const struct hist_entry *left = *(struct hist_entry *const *)a;
	const struct hist_entry *right = *(struct hist_entry *const *)b;
	const struct hist *hist = context;
	uint64_t left_addr = sites_place(hist->sites, left->site)->addr;
	uint64_t right_addr = sites_place(hist->sites, right->site)->addr;

	if (instant_before(left->first, right->first) || instant_before(right->first, left->first))
		return instant_before(left->first, right->first) ? -1 : 1;
	if (left_addr != right_addr)
		return left_addr < right_addr ? -1 : 1;
	return left->is_caller - right->is_caller;
}

/*
 * Without the dso as a key, names have no order that holds for all (a before b before c before a),
 * so what sorting makes of them depends on where it begins: that is the same on any threads.
 */
static void order_for_sorting(struct hist *hist)
{
	if (hist->entry_count > 0 && !hist->options->style.dso_is_a_key)
		qsort_r(hist->entries, hist->entry_count, sizeof(struct hist_entry *), by_first,
			hist);
}

static void list_all(struct hist *hist)
{
	struct hist_state *state = hist->state;
	size_t count = 0;

	for (size_t i = 0; i < state->share_count; i++)
		count += state->shares[i].count;
	if (state->share_count == 0 && state->parts.count > 0)
		count = state->parts.items[0].visits.entries.count;
	hist->entries = xcalloc(count + 1, sizeof(struct hist_entry *));
	for (size_t i = 0; i < state->share_count; i++)
		list_entries(hist, &state->shares[i]);
	if (state->share_count == 0 && state->parts.count > 0)
		list_entries(hist, &state->parts.items[0].visits.entries);
}

struct widening {
	struct hist *hist;
	size_t *widths; /* hist->width_count of each thread */
};

static void widen(void *context, size_t job, size_t thread)
{
	struct widening *widening = context;
	const struct hist *hist = widening->hist;
	const struct entries_kind *kind = &hist->state->kind;
	struct hist_reading reading = { .hist = hist };
	size_t *widths = &widening->widths[thread * hist->width_count],
	       end = (job + 1) * WIDENED_AT_ONCE;

	for (size_t i = job * WIDENED_AT_ONCE; i < end && i < hist->entry_count; i++) {
		const struct item *item;

		hist_expect(hist, i);
		item = hist_read(&reading, hist->entries[i]);
		for (size_t k = 0; k < kind->key_count; k++) {
			size_t width = sortkey_width(kind->keys[k], item, &hist->options->style);

			if (width > widths[kind->keys[k]->id])
				widths[kind->keys[k]->id] = width;
		}
	}
}

static void widen_all(struct hist *hist, size_t threads)
{
	size_t count = hist->width_count;
	struct widening widening = { hist, xcalloc(threads * count + 1, sizeof(*widening.widths)) };

	pool_run(threads, (hist->entry_count + WIDENED_AT_ONCE - 1) / WIDENED_AT_ONCE, widen,
		 &widening);
	for (size_t i = 0; i < threads; i++) {
		for (size_t k = 0; k < count; k++) {
			if (widening.widths[i * count + k] > hist->widths[k])
				hist->widths[k] = widening.widths[i * count + k];
		}
	}
	free(widening.widths);
}

static void count_all(struct hist_state *state, size_t threads)
{
	join_contexts(state);
	pool_run(threads, state->parts.count, count_part, state);
	if (state->parts.count < 2)
		return;
	for (size_t i = 0; i < state->parts.count; i++)
		entries_prepare_join(&state->parts.items[i].visits.entries);
	state->share_count = threads;
	state->shares = xcalloc(threads, sizeof(*state->shares));
	pool_run(threads, threads, join_share, state);
}

void hist_finish(struct hist *hist, uint64_t total, size_t threads, struct visits_seats *seats)
{
	const struct hist_options *options = hist->options;
	struct hist_state *state = hist->state;

	state->seats = seats;
	state->least = (uint64_t)((double)total * (options->min_percent / 100.0));
	state->tree_options = (struct calltree_options){
		.mode = options->mode,
		.step = options->outermost_first ? -1 : 1,
		.least = state->least,
		.min_percent = options->min_percent,
	};
	count_all(state, threads);
	if (options->chains)
		grow_trees(hist, threads);
	for (size_t i = 0; i < state->parts.count; i++)
		visits_end(&state->parts.items[i].visits);
	list_all(hist);
	order_for_sorting(hist);
	widen_all(hist, threads);
	entry_order_settle(hist, threads);
}

uint64_t hist_measure(const struct hist_entry *entry, enum measure measure, size_t member)
{
	const struct hist_number *self = &entry->self[member];
	enum data_src_kind kind;
	size_t number;

	if (extras_weight_of(measure, &number))
		return self->extras ? self->extras->weights[number] : 0;
	if (extras_kind_of(measure, &kind))
		return 0;
	switch (measure) {
	case MEASURE_CHILDREN:
		return entry->whole[member].period;
	case MEASURE_LATENCY:
		return self->latency;
	case MEASURE_LATENCY_CHILDREN:
		return entry->whole[member].latency;
	case MEASURE_SYS:
		return self->sys;
	case MEASURE_US:
		return self->us;
	case MEASURE_GUEST_SYS:
		return self->guest_sys;
	case MEASURE_GUEST_US:
		return self->guest_us;
	case MEASURE_SAMPLES:
		return self->count;
	default:
		return self->period;
	}
}

double hist_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}
