/* bundles.c - see bundles.h. */
#include "analyze/bundles.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/extras.h"
#include "analyze/fields.h"
#include "analyze/keys.h"
#include "analyze/sortkey.h"
#include "base/hash.h"
#include "base/mem.h"

enum { MOST_HIDDEN = 5 }; /* keys that no row is told apart by */

/* A key of these, unless rows are told apart by it anyway. */
static void add_hidden(struct bundles *bundles, const struct field_list *order, const char *name)
{
	if (!fields_have_key(order, name))
		bundles->keys[bundles->key_count++] = sortkey_find(name, strlen(name));
}

void bundles_init(struct bundles *bundles, const struct fields *fields,
		  const struct sortkey_style *style, bool by_parent)
{
	const struct field_list *order = &fields->order;

	*bundles = (struct bundles){ .style = style };
	bundles->keys = xcalloc(order->count + MOST_HIDDEN + 1, sizeof(const struct sortkey *));
	for (size_t i = 0; i < order->count; i++) {
		if (order->items[i].key && !order->items[i].key->of_spot)
			bundles->keys[bundles->key_count++] = order->items[i].key;
	}
	if (extras_want_weights(order)) {
		add_hidden(bundles, order, "local_weight");
		add_hidden(bundles, order, "local_ins_lat");
		add_hidden(bundles, order, "local_p_stage_cyc");
	}
	if (extras_want_classes(order))
		bundles->keys[bundles->key_count++] = &keys_memory_data_src;
	if (by_parent)
		add_hidden(bundles, order, "parent");
	bundles->by_comm = bundles->key_count == 0 ||
			   (bundles->key_count == 1 && bundles->keys[0]->id == SORTKEY_COMM);
}

void bundles_done(struct bundles *bundles)
{
	free(bundles->keys);
	free(bundles->contexts.items);
	free_room(&bundles->all);
	index_done(&bundles->context_of);
	index_done(&bundles->bundle_of);
	arena_done(&bundles->arena);
	*bundles = (struct bundles){ 0 };
}

static uint64_t hash_item(const struct bundles *bundles, const struct item *item)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < bundles->key_count; i++)
		hash = hash_u64(hash ^ sortkey_hash(bundles->keys[i], item, bundles->style));
	return hash;
}

static bool same_item(const struct bundles *bundles, const struct item *left,
		      const struct item *right)
{
	for (size_t i = 0; i < bundles->key_count; i++) {
		if (sortkey_compare(bundles->keys[i], left, right, bundles->style) != 0)
			return false;
	}
	return true;
}

/* Makes a context, whose own copies are its item's, one of @item. */
static void set_context(struct bundles *bundles, struct bundles_context *context,
			const struct item *item, struct instant first)
{
	struct branch_item *branch = (struct branch_item *)context->item.branch;
	struct memory_item *memory = (struct memory_item *)context->item.memory;

	*context = (struct bundles_context){ first, *item };
	if (item->branch) {
		branch = branch ? branch : arena_alloc(&bundles->arena, sizeof(*branch));
		*branch = *item->branch;
		context->item.branch = branch;
	}
	if (item->memory) {
		memory = memory ? memory : arena_alloc(&bundles->arena, sizeof(*memory));
		*memory = *item->memory;
		context->item.memory = memory;
	}
}

uint32_t bundles_find_context(struct bundles *bundles, const struct item *item,
			      struct instant first)
{
	uint64_t hash = hash_item(bundles, item);
	uint32_t at;

	for (at = index_first(&bundles->context_of, hash); at != INDEX_NONE;
	     at = index_next(&bundles->context_of, hash)) {
		struct bundles_context *context = &bundles->contexts.items[at];

		if (!same_item(bundles, &context->item, item))
			continue;
		if (instant_before(first, context->first))
			set_context(bundles, context, item, first);
		return at;
	}
	grow(&bundles->contexts);
	at = (uint32_t)bundles->contexts.count++;
	bundles->contexts.items[at] = (struct bundles_context){ 0 };
	set_context(bundles, &bundles->contexts.items[at], item, first);
	index_add(&bundles->context_of, hash, at);
	return at;
}

static bool same_bundle(const struct bundle *left, const struct bundle *right)
{
	return left->context == right->context && left->site == right->site &&
	       left->stack == right->stack && left->cpumode == right->cpumode &&
	       left->member == right->member;
}

static uint32_t new_bundle(struct bundles *bundles, const struct bundle *like)
{
	grow_room(&bundles->all);
	bundles->all.items[bundles->all.count] = *like;
	bundles->all.items[bundles->all.count].period = 0;
	bundles->all.items[bundles->all.count].count = 0;
	bundles->all.items[bundles->all.count].latency = 0;
	return (uint32_t)bundles->all.count++;
}

static uint32_t find_other(struct bundles *bundles, const struct bundle *wanted)
{
	uint64_t hash = hash_u64(((uint64_t)wanted->site << 32 | wanted->stack) ^
				 hash_u64((uint64_t)wanted->context << 32 |
					  (uint64_t)wanted->cpumode << 16 | wanted->member));
	uint32_t at;

	for (at = index_first(&bundles->bundle_of, hash); at != INDEX_NONE;
	     at = index_next(&bundles->bundle_of, hash)) {
		if (same_bundle(&bundles->all.items[at], wanted))
			return at;
	}
	at = new_bundle(bundles, wanted);
	index_add(&bundles->bundle_of, hash, at);
	return at;
}

static uint32_t find_bundle(struct bundles *bundles, uint32_t *first, const struct bundle *wanted)
{
	uint32_t at;

	if (*first == 0)
		*first = new_bundle(bundles, wanted) + 1;
	at = *first - 1;
	if (!same_bundle(&bundles->all.items[at], wanted))
		at = find_other(bundles, wanted);
	return at;
}

void bundles_add_to(struct bundles *bundles, uint32_t number, const struct bundle *sample)
{
	struct bundle *bundle = &bundles->all.items[number];

	if (instant_before(sample->first, bundle->first)) {
		bundle->first = sample->first;
		bundle->pid = sample->pid;
		bundle->tid = sample->tid;
		bundle->level = sample->level;
	}
	bundle->period += sample->period;
	bundle->count += sample->count;
	bundle->latency += sample->latency;
}

uint32_t bundles_add(struct bundles *bundles, uint32_t *first, const struct bundle *sample)
{
	uint32_t number = find_bundle(bundles, first, sample);

	bundles_add_to(bundles, number, sample);
	return number;
}
