/* hist.c - see hist.h. */
#include "analyze/hist.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/entries.h"
#include "analyze/entry-order.h"
#include "analyze/hist-trees.h"
#include "analyze/sites.h"
#include "analyze/visits.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/pool.h"
#include "model/timeline.h"

enum { WIDENED_AT_ONCE = 4096, HASHED_AT_ONCE = 4096 }; /* entries, sites */

struct entries_share {
	_Alignas(MEM_APART) struct entries entries;
};

struct hist_state {
	struct entries_kind kind;
	struct {
		struct visits_part *items;
		size_t count, capacity;
	} parts;
	struct visits *visits; /* each has entries of its own, or one for each part; then: */
	size_t visit_count;
	struct entries_share *shares; /* of all entries, made of those of all visits */
	size_t share_count;
	struct visits_seats *seats; /* one for each thread, borrowed in hist_finish() */
	uint64_t least;             /* weight of an entry that has a tree; see CALLTREE_GRAPH */
	struct calltree_options tree_options;
	struct calltree_node no_tree;
	struct hist_trees trees;
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
	hist_trees_done(&state->trees);
	for (size_t i = 0; i < state->visit_count; i++)
		visits_done(&state->visits[i]);
	free(state->visits);
	for (size_t i = 0; i < state->parts.count; i++)
		visits_part_done(&state->parts.items[i]);
	for (size_t i = 0; i < state->share_count; i++)
		entries_done(&state->shares[i].entries);
	free(state->shares);
	free(state->parts.items);
	free(state->kind.keys);
	free(state->kind.nothing);
	free(state->kind.context_hashes);
	zeros_free(state->kind.spot_hashes, state->kind.spot_count, sizeof(uint32_t));
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
		(struct visits_part){ .bundles = bundles, .stacks = stacks };
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
		struct visits_part *part = &state->parts.items[i];
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

static void hash_spots(void *context, size_t job, size_t thread)
{
	struct hist_state *state = context;
	struct entries_kind *kind = &state->kind;
	uint32_t site_end = sites_end(kind->sites);
	size_t end = (job + 1) * HASHED_AT_ONCE;

	for (size_t i = job * HASHED_AT_ONCE; i < end && i < site_end; i++) {
		kind->spot_hashes[i] = entries_hash_spot(kind, (uint32_t)i, false);
		kind->spot_hashes[site_end + i] = entries_hash_spot(kind, (uint32_t)i, true);
	}
}

/* Whether keys tell so many sites apart that threads can divide them: some are looked at. */
static bool has_many_spots(const struct entries_kind *kind)
{
	enum { LOOKED_AT = 1024, KINDS = 4096, MANY = 256 };
	bool seen[KINDS] = { false };
	size_t count = kind->spot_count, distinct = 0;

	for (size_t i = 0; i < LOOKED_AT && i < count; i++) {
		bool *kind_seen =
			&seen[kind->spot_hashes[count * i / LOOKED_AT] >> 1 & (KINDS - 1)];

		distinct += !*kind_seen;
		*kind_seen = true;
	}
	return distinct >= MANY;
}

static void sort_part(void *context, size_t job, size_t thread)
{
	struct hist_state *state = context;

	visits_sort(&state->parts.items[job], state->kind.contexts.contexts.count);
}

static void count_visits(void *context, size_t job, size_t thread)
{
	struct hist_state *state = context;

	visits_count(&state->visits[job], &state->seats[thread]);
}

static void join_share(void *context, size_t job, size_t thread)
{
	struct hist_state *state = context;
	struct entries **tables = xcalloc(state->visit_count + 1, sizeof(struct entries *));

	for (size_t i = 0; i < state->visit_count; i++)
		tables[i] = &state->visits[i].entries;
	state->shares[job].entries.kind = &state->kind;
	entries_join(tables, state->visit_count, job, state->share_count,
		     &state->shares[job].entries);
	index_done(&state->shares[job].entries.index);
	free(tables);
}

static void gather_part(void *context, size_t job, size_t thread)
{
	struct hist_state *state = context;

	visits_gather(&state->visits[job], &state->seats[thread], state->least);
}

static void grow_trees(struct hist *hist, size_t threads)
{
	struct hist_state *state = hist->state;

	pool_run(threads, state->visit_count, gather_part, state);
	hist_trees_grow(&state->trees, hist->sites, &state->tree_options, state->visits,
			state->visit_count, threads);
}

static bool is_shown(const struct hist *hist, const struct hist_entry *entry)
{
	const struct function *function = sites_place(hist->sites, entry->site)->function;
	const char *wanted = hist->options->symbol_filter;

	if (wanted && (!function || !strstr(function->name, wanted)))
		return false;
	return !hist->options->only_with_parent || hist_item(hist, entry).parent;
}

/* Lists the entries that are shown, and as if they had no tree. */
static void list_entries(struct hist *hist, const struct entries *entries)
{
	for (size_t i = 0; i < entries->count; i++) {
		struct hist_entry *entry = entries->items[i];

		if (!is_shown(hist, entry))
			continue;
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
		count += state->shares[i].entries.count;
	for (size_t i = 0; state->share_count == 0 && i < state->visit_count; i++)
		count += state->visits[i].entries.count;
	hist->entries = xcalloc(count + 1, sizeof(struct hist_entry *));
	for (size_t i = 0; i < state->share_count; i++)
		list_entries(hist, &state->shares[i].entries);
	for (size_t i = 0; state->share_count == 0 && i < state->visit_count; i++)
		list_entries(hist, &state->visits[i].entries);
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

static void join_tables(struct hist_state *state, size_t threads)
{
	for (size_t i = 0; i < state->visit_count; i++)
		entries_prepare_join(&state->visits[i].entries);
	state->share_count = threads;
	state->shares = xaligned(MEM_APART, threads, sizeof(*state->shares));
	pool_run(threads, threads, join_share, state);
}

/*
 * Where there are many entries, each thread goes through all that was counted and counts for those
 * that are its own. Where there are few, it goes through a part, and tables are joined.
 */
static void count_all(struct hist_state *state, size_t threads)
{
	const struct visits_part *parts = state->parts.items;
	size_t part_count = state->parts.count;
	struct entries_kind *kind = &state->kind;
	bool divides;

	if (part_count == 0)
		return;
	join_contexts(state);
	/* Each site as the place of a sample, and as a caller. */
	kind->spot_count = (size_t)sites_end(kind->sites) * 2;
	kind->spot_hashes = xzeros(kind->spot_count, sizeof(*kind->spot_hashes));
	pool_run(threads, sites_end(kind->sites) / HASHED_AT_ONCE + 1, hash_spots, state);
	pool_run(threads, part_count, sort_part, state);
	divides = threads > 1 && has_many_spots(kind);
	state->visit_count = divides ? threads : part_count;
	state->visits = xaligned(MEM_APART, state->visit_count, sizeof(*state->visits));
	for (size_t i = 0; i < state->visit_count; i++)
		visits_init(&state->visits[i], divides ? parts : &parts[i],
			    divides ? part_count : 1, kind, divides ? i : 0, divides ? threads : 1);
	pool_run(threads, state->visit_count, count_visits, state);
	if (!divides && state->visit_count > 1)
		join_tables(state, threads);
}

/* The last steps of ordering are one thread's work: others grow trees meanwhile. Few entries are in
 * order at once, and all threads grow trees. */
struct finishing {
	struct hist *hist;
	struct entry_order *order;
	size_t threads;
};

static void order_or_grow(void *context, size_t job, size_t thread)
{
	const struct finishing *finishing = context;

	if (job == 0)
		entry_order_apply(finishing->order);
	else
		grow_trees(finishing->hist, finishing->threads > 1 ? finishing->threads - 1 : 1);
}

static void order_and_grow(struct hist *hist, size_t threads)
{
	enum { FEW = 4096 };
	struct finishing finishing = { hist, entry_order_new(hist, threads), threads };

	if (hist->entry_count < FEW) {
		entry_order_apply(finishing.order);
		if (hist->options->chains)
			grow_trees(hist, threads);
	} else {
		pool_run(threads, hist->options->chains ? 2 : 1, order_or_grow, &finishing);
	}
	entry_order_free(finishing.order);
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
	list_all(hist);
	order_for_sorting(hist);
	widen_all(hist, threads);
	order_and_grow(hist, threads);
	for (size_t i = 0; i < state->visit_count; i++)
		visits_end(&state->visits[i]);
}
