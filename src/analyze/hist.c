/* hist.c - see hist.h. */
#include "analyze/hist.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rank.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"

/* Items that are told apart by the sort keys, each once. */
struct self {
	struct item item;
	uint32_t next; /* of equal hash, index + 1 */
};

/* Samples that are equal in all that counts. */
struct bundle {
	uint32_t self, stack;
	uint16_t cpumode;
	uint16_t member;
	uint32_t next;
	uint32_t pid, tid; /* of the first sample */
	char level;        /* of the first sample */
	uint64_t period, count;
};

struct hist_state {
	struct arena arena;
	const struct sortkey **keys;
	size_t key_count;
	struct {
		struct self *items;
		size_t count, capacity;
	} selves;
	struct {
		struct bundle *items;
		size_t count, capacity;
	} bundles;
	struct {
		struct hist_entry **items;
		size_t count, capacity;
	} entries;
	struct {
		struct hist_entry **items;
		size_t count, capacity;
	} touched; /* by the bundle at hand */
	struct hash self_of, bundle_of, entry_of;
};

struct hist *hist_new(const struct hist_options *options, struct stack_table *stacks)
{
	struct hist *hist = xnew(struct hist);
	const struct field_list *order = &options->fields->order;
	struct hist_state *state = xnew(struct hist_state);

	hist->options = options;
	hist->stacks = stacks;
	hist->totals = xcalloc(options->member_count, sizeof(*hist->totals));
	hist->state = state;
	state->keys = xcalloc(order->count + 1, sizeof(const struct sortkey *));
	for (size_t i = 0; i < order->count; i++) {
		if (order->items[i].key)
			state->keys[state->key_count++] = order->items[i].key;
	}
	for (size_t i = 0; i < state->key_count; i++)
		hist->widths[state->keys[i]->id] = strlen(state->keys[i]->header);
	return hist;
}

void hist_free(struct hist *hist)
{
	struct hist_state *state;

	if (!hist)
		return;
	state = hist->state;
	for (size_t i = 0; i < state->entries.count; i++)
		calltree_done(&state->entries.items[i]->tree);
	free(state->keys);
	free(state->selves.items);
	free(state->bundles.items);
	free(state->entries.items);
	free(state->touched.items);
	hash_done(&state->self_of);
	hash_done(&state->bundle_of);
	hash_done(&state->entry_of);
	arena_done(&state->arena);
	free(state);
	free(hist->entries);
	free(hist->totals);
	free(hist);
}

static uint64_t hash_item(const struct hist *hist, const struct item *item)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < hist->state->key_count; i++)
		hash = hash_u64(hash ^ hist->state->keys[i]->hash(item, &hist->options->style));
	return hash;
}

static int compare_items(const struct hist *hist, const struct item *left, const struct item *right)
{
	int r = 0;

	for (size_t i = 0; i < hist->state->key_count && r == 0; i++)
		r = hist->state->keys[i]->compare(left, right, &hist->options->style);
	return r;
}

static uint32_t find_self(struct hist *hist, const struct item *item)
{
	struct hist_state *state = hist->state;
	struct hash_entry *first = hash_add(&state->self_of, hash_item(hist, item), NULL);

	for (size_t at = first->index; at; at = state->selves.items[at - 1].next) {
		if (compare_items(hist, &state->selves.items[at - 1].item, item) == 0)
			return (uint32_t)at - 1;
	}
	grow(&state->selves);
	state->selves.items[state->selves.count++] = (struct self){ *item, (uint32_t)first->index };
	first->index = state->selves.count;
	return (uint32_t)state->selves.count - 1;
}

static bool same_bundle(const struct bundle *left, const struct bundle *right)
{
	return left->self == right->self && left->stack == right->stack &&
	       left->cpumode == right->cpumode && left->member == right->member;
}

static struct bundle *find_bundle(struct hist_state *state, const struct bundle *wanted)
{
	uint64_t hash = hash_u64(((uint64_t)wanted->self << 32 | wanted->stack) ^
				 hash_u64((uint64_t)wanted->cpumode << 32 | wanted->member));
	struct hash_entry *first = hash_add(&state->bundle_of, hash, NULL);

	for (size_t at = first->index; at; at = state->bundles.items[at - 1].next) {
		if (same_bundle(&state->bundles.items[at - 1], wanted))
			return &state->bundles.items[at - 1];
	}
	grow(&state->bundles);
	state->bundles.items[state->bundles.count] = *wanted;
	state->bundles.items[state->bundles.count].next = (uint32_t)first->index;
	first->index = ++state->bundles.count;
	return &state->bundles.items[state->bundles.count - 1];
}

static void add_number(struct hist_number *number, uint16_t cpumode, uint64_t period,
		       uint64_t count)
{
	number->period += period;
	number->count += count;
	switch (cpumode) {
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

void hist_add(struct hist *hist, const struct hist_sample *sample)
{
	struct bundle wanted = { .self = find_self(hist, sample->item),
				 .stack = sample->stack,
				 .cpumode = sample->cpumode,
				 .member = (uint16_t)sample->member,
				 .pid = sample->item->pid,
				 .tid = sample->item->tid,
				 .level = sample->item->spot.level };
	struct bundle *bundle = find_bundle(hist->state, &wanted);

	bundle->period += sample->period;
	bundle->count++;
	add_number(&hist->totals[sample->member], sample->cpumode, sample->period, 1);
}

static struct hist_entry *new_entry(struct hist *hist, const struct item *item, size_t member)
{
	struct arena *arena = &hist->state->arena;
	struct hist_entry *entry = arena_alloc(arena, sizeof(*entry));

	*entry = (struct hist_entry){ .item = *item, .level_member = member };
	entry->self = arena_alloc(arena, hist->options->member_count * sizeof(*entry->self));
	entry->children =
		arena_alloc(arena, hist->options->member_count * sizeof(*entry->children));
	return entry;
}

static struct hist_entry *find_entry(struct hist *hist, const struct item *item, size_t member)
{
	struct hist_state *state = hist->state;
	struct hash_entry *first = hash_add(&state->entry_of, hash_item(hist, item), NULL);
	struct hist_entry *entry;

	for (size_t at = first->index; at; at = state->entries.items[at - 1]->next) {
		entry = state->entries.items[at - 1];
		if (compare_items(hist, &entry->item, item) != 0)
			continue;
		if (member < entry->level_member) {
			entry->level_member = member;
			entry->item.spot.level = item->spot.level;
		}
		return entry;
	}
	entry = new_entry(hist, item, member);
	entry->next = (uint32_t)first->index;
	grow(&state->entries);
	state->entries.items[state->entries.count++] = entry;
	first->index = state->entries.count;
	return entry;
}

/* The part of the bundle's chain from its @from-th link (in order of output) to its end. */
static void add_chain(struct hist *hist, struct hist_entry *entry, const struct bundle *bundle,
		      uint32_t from)
{
	const struct stack *stack = &hist->stacks->stacks.items[bundle->stack];
	struct calltree_chain chain = {
		.count = stack->count - from,
		.step = hist->options->outermost_first ? -1 : 1,
		.period = bundle->period,
		.sample_count = bundle->count,
	};

	if (!hist->options->chains || bundle->member != 0)
		return;
	chain.sites = hist->options->outermost_first ? stack->sites + stack->count - from - 1
						     : stack->sites + from;
	if (chain.count > 0)
		calltree_add(&entry->tree, hist->stacks, &hist->state->arena, &chain);
	if (chain.count > entry->depth)
		entry->depth = chain.count;
}

static bool touch(struct hist_state *state, struct hist_entry *entry)
{
	for (size_t i = 0; i < state->touched.count; i++) {
		if (state->touched.items[i] == entry)
			return false;
	}
	grow(&state->touched);
	state->touched.items[state->touched.count++] = entry;
	return true;
}

/* Counts a bundle once for each entry that is somewhere in its chain. */
static void add_callers(struct hist *hist, const struct bundle *bundle, struct item *item)
{
	const struct stack *stack = &hist->stacks->stacks.items[bundle->stack];

	for (uint32_t i = 0; i < stack->count; i++) {
		uint32_t at = hist->options->outermost_first ? stack->count - 1 - i : i;
		const struct site *site = &hist->stacks->sites.items[stack->sites[at]];
		struct hist_entry *entry;

		item->spot.place = site->place;
		item->spot.shown_addr = site->place.addr;
		/* As in perf: all that is mapped counts as user's, the rest as what was before. */
		if (site->place.map)
			item->spot.level = '.';
		entry = find_entry(hist, item, bundle->member);
		if (!touch(hist->state, entry))
			continue;
		entry->children[bundle->member] += bundle->period;
		add_chain(hist, entry, bundle, i);
	}
}

static void spread_bundle(struct hist *hist, const struct bundle *bundle)
{
	struct item item = hist->state->selves.items[bundle->self].item;
	struct hist_entry *entry;

	item.pid = bundle->pid;
	item.tid = bundle->tid;
	item.spot.level = bundle->level;
	entry = find_entry(hist, &item, bundle->member);
	hist->state->touched.count = 0;
	touch(hist->state, entry);
	add_number(&entry->self[bundle->member], bundle->cpumode, bundle->period, bundle->count);
	entry->children[bundle->member] += bundle->period;
	if (bundle->stack == HIST_NO_STACK)
		return;
	add_chain(hist, entry, bundle, 0);
	if (hist->options->children)
		add_callers(hist, bundle, &item);
}

static bool is_shown(const struct hist *hist, const struct hist_entry *entry)
{
	const struct function *function = entry->item.spot.place.function;
	const char *wanted = hist->options->symbol_filter;

	if (wanted && (!function || !strstr(function->name, wanted)))
		return false;
	return !hist->options->only_with_parent || entry->item.parent;
}

static uint64_t measure_of(const struct hist_entry *entry, enum measure measure, size_t member)
{
	const struct hist_number *self = &entry->self[member];

	switch (measure) {
	case MEASURE_CHILDREN:
		return entry->children[member];
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

static int compare_measure(const struct hist *hist, const struct hist_entry *left,
			   const struct hist_entry *right, enum measure measure)
{
	for (size_t i = 0; i < hist->options->member_count; i++) {
		uint64_t a = measure_of(left, measure, i), b = measure_of(right, measure, i);

		if (a != b)
			return a > b ? -1 : 1;
	}
	return 0;
}

/* Of entries of one thread that weigh the same, the caller stands above what it called. */
static int compare_depth(const struct hist *hist, const struct hist_entry *left,
			 const struct hist_entry *right)
{
	if (!hist->options->chains || left->item.tid != right->item.tid ||
	    left->item.pid != right->item.pid || left->depth == right->depth)
		return 0;
	return (left->depth > right->depth) == hist->options->outermost_first ? -1 : 1;
}

static int compare_field(const struct hist *hist, const struct hist_entry *left,
			 const struct hist_entry *right, const struct field *field)
{
	int r;

	if (field->key)
		return (field->key->order ? field->key->order : field->key->compare)(
			&left->item, &right->item, &hist->options->style);
	r = compare_measure(hist, left, right, field->measure);
	if (r == 0 && field->measure == MEASURE_CHILDREN && hist->options->children)
		r = compare_depth(hist, left, right);
	return r;
}

static int goes_before(const void *a, const void *b, void *context)
{
	const struct hist *hist = context;
	const struct field_list *order = &hist->options->fields->order;
	int r = 0;

	for (size_t i = 0; i < order->count && r == 0; i++)
		r = compare_field(hist, a, b, &order->items[i]);
	return r < 0;
}

static int identity_before(const void *a, const void *b, void *context)
{
	const struct hist_entry *left = a, *right = b;

	return compare_items(context, &left->item, &right->item) < 0;
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

static void sort_tree(struct hist *hist, struct hist_entry *entry, uint64_t total)
{
	double least = (double)total * (hist->options->min_percent / 100.0);

	calltree_sort(&entry->tree, hist->options->mode, (uint64_t)least,
		      hist->options->min_percent);
}

void hist_finish(struct hist *hist, uint64_t total)
{
	struct hist_state *state = hist->state;

	for (size_t i = 0; i < state->bundles.count; i++)
		spread_bundle(hist, &state->bundles.items[i]);

	hist->entries = xcalloc(state->entries.count + 1, sizeof(struct hist_entry *));
	for (size_t i = 0; i < state->entries.count; i++) {
		struct hist_entry *entry = state->entries.items[i];

		if (!is_shown(hist, entry))
			continue;
		hist->entries[hist->entry_count++] = entry;
		widen(hist, entry);
		if (hist->options->chains && hist->options->mode != CALLTREE_FLAT)
			sort_tree(hist, entry, total);
	}
	/* In what order things are inserted matters: in perf they pass through two trees before. */
	rank_items((void **)hist->entries, hist->entry_count, identity_before, hist);
	rank_items((void **)hist->entries, hist->entry_count, identity_before, hist);
	rank_items((void **)hist->entries, hist->entry_count, goes_before, hist);
}
