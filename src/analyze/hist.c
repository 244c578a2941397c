/* hist.c - see hist.h. */
#include "analyze/hist.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/entry-order.h"
#include "analyze/sources.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/pool.h"
#include "model/timeline.h"

/* What one worker counted. */
struct part {
	const struct bundles *bundles;
	const struct stack_table *stacks;
	const uint32_t *sites;
};

/* The entry of a site, while bundles of one context are gone through. */
struct seat {
	uint32_t context; /* + 1 */
	uint32_t entry;
};

/* The chains of an entry whose tree is worth building. */
struct chains {
	struct hist_entry *entry;
	struct calltree_chain *items;
	size_t count, capacity;
};

struct hist_state {
	struct arena arena;
	const struct sortkey **keys;
	size_t key_count;
	struct {
		struct part *items;
		size_t count, capacity;
	} parts;
	struct bundles contexts; /* of all parts */
	struct {
		struct hist_entry **items;
		size_t count, capacity;
	} entries;
	struct index entry_index;
	uint32_t *last_bundle; /* by entry: the one that touched it last */
	size_t last_capacity;
	struct seat *seats; /* two for each site: as the place of a sample, and as a caller */
	uint32_t bundle_number;
	uint64_t least; /* weight of an entry that has a tree; see CALLTREE_GRAPH */
	struct calltree_options tree_options;
	struct calltree_node no_tree;
	struct {
		struct chains *items;
		size_t count, capacity;
	} trees;
	uint32_t *tree_of;         /* by entry: + 1 */
	struct arena *tree_arenas; /* one for each thread */
	size_t tree_arena_count;
};

struct hist *hist_new(const struct hist_options *options, struct stack_table *stacks)
{
	struct hist *hist = xnew(struct hist);
	const struct field_list *order = &options->fields->order;
	struct hist_state *state = xnew(struct hist_state);

	hist->options = options;
	hist->stacks = stacks;
	hist->state = state;
	state->keys = xcalloc(order->count + 1, sizeof(const struct sortkey *));
	for (size_t i = 0; i < order->count; i++) {
		if (order->items[i].key)
			state->keys[state->key_count++] = order->items[i].key;
	}
	for (size_t i = 0; i < state->key_count; i++)
		hist->widths[state->keys[i]->id] = strlen(state->keys[i]->header);
	bundles_init(&state->contexts, options->fields, &options->style, options->only_with_parent);
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
	free(state->tree_arenas);
	free(state->keys);
	free(state->parts.items);
	free(state->entries.items);
	bundles_done(&state->contexts);
	index_done(&state->entry_index);
	arena_done(&state->arena);
	free(state);
	free(hist->entries);
	free(hist);
}

void hist_take(struct hist *hist, const struct bundles *bundles, const struct stack_table *stacks,
	       const uint32_t *sites)
{
	struct hist_state *state = hist->state;

	grow(&state->parts);
	state->parts.items[state->parts.count++] = (struct part){ bundles, stacks, sites };
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

static uint64_t hash_item(const struct hist *hist, const struct item *item)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < hist->state->key_count; i++)
		hash = hash_u64(hash ^ hist->state->keys[i]->hash(item, &hist->options->style));
	return hash;
}

static bool same_item(const struct hist *hist, const struct item *left, const struct item *right)
{
	for (size_t i = 0; i < hist->state->key_count; i++) {
		if (hist->state->keys[i]->compare(left, right, &hist->options->style) != 0)
			return false;
	}
	return true;
}

static void add_number(struct hist_number *number, const struct bundle *bundle)
{
	uint64_t period = bundle->period;

	number->period += period;
	number->count += bundle->count;
	number->latency += bundle->latency;
	switch (bundle->cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		number->sys += period;
		break;
	case PERF_RECORD_MISC_USER:
		number->us += period;
		break;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		number->guest_sys += period;
		break;
	case PERF_RECORD_MISC_GUEST_USER:
		number->guest_us += period;
		break;
	default:
		break;
	}
}

static uint32_t new_entry(struct hist *hist, const struct item *item)
{
	struct hist_state *state = hist->state;
	size_t members = hist->options->member_count;
	struct hist_entry *entry = arena_alloc(&state->arena, sizeof(*entry));

	*entry = (struct hist_entry){ .item = *item,
				      .tree = &state->no_tree,
				      .first = instant_after(UINT64_MAX),
				      .level_member = SIZE_MAX };
	entry->self = arena_alloc(&state->arena, members * sizeof(*entry->self));
	entry->children = arena_alloc(&state->arena, members * sizeof(*entry->children));
	entry->latency = arena_alloc(&state->arena, members * sizeof(*entry->latency));
	grow(&state->entries);
	state->entries.items[state->entries.count++] = entry;
	if (state->entries.count > state->last_capacity)
		state->last_bundle = xgrow(state->last_bundle, &state->last_capacity,
					   sizeof(*state->last_bundle));
	state->last_bundle[state->entries.count - 1] = 0;
	return (uint32_t)state->entries.count - 1;
}

static uint32_t find_entry(struct hist *hist, const struct item *item)
{
	struct hist_state *state = hist->state;
	uint64_t hash = hash_item(hist, item);
	uint32_t at;

	for (at = index_first(&state->entry_index, hash); at != INDEX_NONE;
	     at = index_next(&state->entry_index, hash)) {
		if (same_item(hist, &state->entries.items[at]->item, item))
			return at;
	}
	at = new_entry(hist, item);
	index_add(&state->entry_index, hash, at);
	return at;
}

/* A bundle on its way through its entries. */
struct visit {
	const struct part *part;
	const struct bundle *bundle;
	uint32_t context; /* among those of all parts */
	char level;       /* of the place at hand */
};

static struct item item_at(const struct hist *hist, const struct visit *visit, uint32_t site,
			   bool is_caller)
{
	struct item item = hist->state->contexts.contexts.items[visit->context];
	const struct place *place = &hist->stacks->sites.items[site].place;

	item.pid = visit->bundle->pid;
	item.tid = visit->bundle->tid;
	item.spot = hist_spot(place, visit->level);
	if (is_caller || item.branch)
		item.spot.shown_addr = place->addr;
	if (hist->options->style.sources)
		item.spot.source = sources_find(hist->options->style.sources, place);
	return item;
}

static uint32_t entry_at(struct hist *hist, const struct visit *visit, uint32_t site,
			 bool is_caller)
{
	struct seat *seat = &hist->state->seats[(size_t)site * 2 + is_caller];

	if (seat->context != visit->context + 1) {
		struct item item = item_at(hist, visit, site, is_caller);

		*seat = (struct seat){ visit->context + 1, find_entry(hist, &item) };
	}
	return seat->entry;
}

/* The entry is called what its earliest sample says; its level is its first member's. */
static void name_entry(struct hist *hist, struct hist_entry *entry, const struct visit *visit,
		       uint32_t site, bool is_caller)
{
	const struct bundle *bundle = visit->bundle;

	if (instant_before(bundle->first, entry->first)) {
		char level = entry->item.spot.level;

		entry->first = bundle->first;
		entry->item = item_at(hist, visit, site, is_caller);
		entry->item.spot.level = level;
	}
	if (bundle->member < entry->level_member ||
	    (bundle->member == entry->level_member &&
	     instant_before(bundle->first, entry->level_first))) {
		entry->level_member = bundle->member;
		entry->level_first = bundle->first;
		entry->item.spot.level = visit->level;
	}
}

static const struct stack *stack_of(const struct visit *visit)
{
	return visit->bundle->stack == BUNDLES_NO_STACK
		       ? NULL
		       : &visit->part->stacks->stacks.items[visit->bundle->stack];
}

/* Links from the @from-th (in order of output) to the chain's end. */
static void deepen(const struct hist *hist, struct hist_entry *entry, const struct visit *visit,
		   uint32_t from)
{
	const struct stack *stack = stack_of(visit);

	if (!hist->options->chains || visit->bundle->member != 0 || !stack)
		return;
	if (stack->count - from > entry->depth)
		entry->depth = stack->count - from;
}

/* False if the bundle has touched the entry before. */
static bool touch(struct hist_state *state, uint32_t entry)
{
	if (state->last_bundle[entry] == state->bundle_number)
		return false;
	state->last_bundle[entry] = state->bundle_number;
	return true;
}

static uint32_t site_of(const struct visit *visit)
{
	uint32_t site = visit->bundle->site;

	return visit->part->sites ? visit->part->sites[site] : site;
}

static void count_at(struct hist *hist, uint32_t number, const struct visit *visit, uint32_t from)
{
	struct hist_entry *entry = hist->state->entries.items[number];

	entry->children[visit->bundle->member] += visit->bundle->period;
	entry->latency[visit->bundle->member] += visit->bundle->latency;
	deepen(hist, entry, visit, from);
}

/* Counts a bundle once for each entry that is somewhere in its chain. */
static void count_callers(struct hist *hist, struct visit *visit)
{
	const struct stack *stack = stack_of(visit);

	for (uint32_t i = 0; stack && i < stack->count; i++) {
		uint32_t at = hist->options->outermost_first ? stack->count - 1 - i : i;
		uint32_t site = stack->sites[at], number;

		/* As in perf: all that is mapped counts as user's, the rest as what was before. */
		if (hist->stacks->sites.items[site].place.map)
			visit->level = '.';
		number = entry_at(hist, visit, site, true);
		if (!touch(hist->state, number))
			continue;
		name_entry(hist, hist->state->entries.items[number], visit, site, true);
		count_at(hist, number, visit, i);
	}
}

static void count_bundle(struct hist *hist, struct visit *visit)
{
	const struct bundle *bundle = visit->bundle;
	uint32_t site = site_of(visit), number;
	struct hist_entry *entry;

	hist->state->bundle_number++;
	visit->level = bundle->level;
	number = entry_at(hist, visit, site, false);
	entry = hist->state->entries.items[number];
	name_entry(hist, entry, visit, site, false);
	(void)touch(hist->state, number);
	add_number(&entry->self[bundle->member], bundle);
	count_at(hist, number, visit, 0);
	if (hist->options->children)
		count_callers(hist, visit);
}

/* In a graph, nothing is shown of an entry that weighs less than what a branch must. */
static bool has_tree(const struct hist *hist, const struct hist_entry *entry)
{
	return hist->options->mode != CALLTREE_GRAPH || entry->children[0] >= hist->state->least;
}

static void add_chain(struct hist *hist, uint32_t number, const struct visit *visit, uint32_t from)
{
	struct hist_state *state = hist->state;
	const struct stack *stack = stack_of(visit);
	struct chains *chains;

	if (!stack || stack->count == from || !has_tree(hist, state->entries.items[number]))
		return;
	if (state->tree_of[number] == 0) {
		grow(&state->trees);
		state->trees.items[state->trees.count++] =
			(struct chains){ .entry = state->entries.items[number] };
		state->tree_of[number] = (uint32_t)state->trees.count;
	}
	chains = &state->trees.items[state->tree_of[number] - 1];
	grow(chains);
	chains->items[chains->count++] = (struct calltree_chain){
		.sites = hist->options->outermost_first ? stack->sites + stack->count - from - 1
							: stack->sites + from,
		.count = stack->count - from,
		.sample_count = (uint32_t)visit->bundle->count,
		.period = visit->bundle->period,
	};
}

/* The second time through the bundles of a context: its entries are complete. */
static void add_chains(struct hist *hist, struct visit *visit)
{
	const struct stack *stack = stack_of(visit);
	uint32_t number;

	if (visit->bundle->member != 0 || !stack)
		return;
	hist->state->bundle_number++;
	number = entry_at(hist, visit, site_of(visit), false);
	(void)touch(hist->state, number);
	add_chain(hist, number, visit, 0);
	for (uint32_t i = 0; hist->options->children && i < stack->count; i++) {
		uint32_t at = hist->options->outermost_first ? stack->count - 1 - i : i;

		number = entry_at(hist, visit, stack->sites[at], true);
		if (touch(hist->state, number))
			add_chain(hist, number, visit, i);
	}
}

/* All bundles of all parts, those of a context together. */
struct visits {
	struct visit *items;
	size_t count;
	size_t *begins; /* of each context, and the end */
};

static uint32_t **join_contexts(struct hist_state *state)
{
	uint32_t **numbers = xcalloc(state->parts.count + 1, sizeof(*numbers));

	for (size_t i = 0; i < state->parts.count; i++) {
		const struct bundles *bundles = state->parts.items[i].bundles;

		numbers[i] = xcalloc(bundles->contexts.count + 1, sizeof(**numbers));
		for (size_t k = 0; k < bundles->contexts.count; k++)
			numbers[i][k] =
				bundles_context(&state->contexts, &bundles->contexts.items[k]);
	}
	return numbers;
}

static void sort_visits(struct hist_state *state, struct visits *visits)
{
	uint32_t **numbers = join_contexts(state);
	size_t context_count = state->contexts.contexts.count;
	size_t *next;

	visits->begins = xcalloc(context_count + 2, sizeof(*visits->begins));
	next = visits->begins + 1;
	for (size_t i = 0; i < state->parts.count; i++) {
		const struct bundles *bundles = state->parts.items[i].bundles;

		visits->count += bundles->all.count;
		for (size_t k = 0; k < bundles->all.count; k++)
			next[numbers[i][bundles->all.items[k].context] + 1]++;
	}
	for (size_t i = 1; i < context_count; i++)
		next[i] += next[i - 1];
	visits->items = xcalloc(visits->count + 1, sizeof(*visits->items));
	for (size_t i = 0; i < state->parts.count; i++) {
		const struct bundles *bundles = state->parts.items[i].bundles;

		for (size_t k = 0; k < bundles->all.count; k++) {
			const struct bundle *bundle = &bundles->all.items[k];
			uint32_t context = numbers[i][bundle->context];

			visits->items[next[context]++] = (struct visit){
				.part = &state->parts.items[i],
				.bundle = bundle,
				.context = context,
			};
		}
		free(numbers[i]);
	}
	free(numbers);
}

static void visit_all(struct hist *hist)
{
	struct hist_state *state = hist->state;
	struct visits visits = { 0 };
	size_t tree_capacity = 0;

	sort_visits(state, &visits);
	state->seats = xcalloc(2 * hist->stacks->sites.count + 1, sizeof(*state->seats));
	for (size_t i = 0; i < state->contexts.contexts.count; i++) {
		size_t begin = visits.begins[i], end = visits.begins[i + 1];

		for (size_t k = begin; k < end; k++)
			count_bundle(hist, &visits.items[k]);
		if (!hist->options->chains)
			continue;
		while (tree_capacity < state->entries.count) {
			size_t before = tree_capacity;

			state->tree_of =
				xgrow(state->tree_of, &tree_capacity, sizeof(*state->tree_of));
			memset(state->tree_of + before, 0,
			       (tree_capacity - before) * sizeof(*state->tree_of));
		}
		for (size_t k = begin; k < end; k++)
			add_chains(hist, &visits.items[k]);
	}
	free(state->seats);
	free(state->last_bundle);
	free(state->tree_of);
	free(visits.items);
	free(visits.begins);
}

struct growing {
	struct hist *hist;
	struct calltree_builder **builders; /* one for each thread */
};

static void grow_tree(void *context, size_t job, size_t thread)
{
	struct growing *growing = context;
	struct hist_state *state = growing->hist->state;
	struct chains *chains = &state->trees.items[job];

	if (!growing->builders[thread])
		growing->builders[thread] = calltree_builder_new(growing->hist->stacks);
	chains->entry->tree =
		calltree_build(growing->builders[thread], &state->tree_options, chains->items,
			       chains->count, &state->tree_arenas[thread]);
	free(chains->items);
}

/* Those with many chains first, so that no thread is left alone with one at the end. */
static int by_size(const void *a, const void *b)
{
	const struct chains *left = a, *right = b;

	return (left->count < right->count) - (left->count > right->count);
}

static void grow_trees(struct hist *hist, size_t threads)
{
	struct hist_state *state = hist->state;
	struct growing growing = { hist, xcalloc(threads, sizeof(struct calltree_builder *)) };

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
	const struct function *function = entry->item.spot.place.function;
	const char *wanted = hist->options->symbol_filter;

	if (wanted && (!function || !strstr(function->name, wanted)))
		return false;
	return !hist->options->only_with_parent || entry->item.parent;
}

static void widen(struct hist *hist, const struct hist_entry *entry)
{
	for (size_t i = 0; i < hist->state->key_count; i++) {
		const struct sortkey *key = hist->state->keys[i];
		size_t width = key->width(&entry->item, &hist->options->style);

		if (width > hist->widths[key->id])
			hist->widths[key->id] = width;
	}
}

void hist_finish(struct hist *hist, uint64_t total, size_t threads)
{
	const struct hist_options *options = hist->options;
	struct hist_state *state = hist->state;

	state->least = (uint64_t)((double)total * (options->min_percent / 100.0));
	state->tree_options = (struct calltree_options){
		.mode = options->mode,
		.step = options->outermost_first ? -1 : 1,
		.least = state->least,
		.min_percent = options->min_percent,
	};
	visit_all(hist);
	grow_trees(hist, threads);
	hist->entries = xcalloc(state->entries.count + 1, sizeof(struct hist_entry *));
	for (size_t i = 0; i < state->entries.count; i++) {
		struct hist_entry *entry = state->entries.items[i];

		entry->item.sample_count = entry->self[0].count;
		if (!is_shown(hist, entry))
			continue;
		hist->entries[hist->entry_count++] = entry;
		widen(hist, entry);
	}
	entry_order_settle(hist, threads);
}

uint64_t hist_measure(const struct hist_entry *entry, enum measure measure, size_t member)
{
	const struct hist_number *self = &entry->self[member];

	switch (measure) {
	case MEASURE_CHILDREN:
		return entry->children[member];
	case MEASURE_LATENCY:
		return self->latency;
	case MEASURE_LATENCY_CHILDREN:
		return entry->latency[member];
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
