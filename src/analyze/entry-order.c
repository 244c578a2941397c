/* entry-order.c - see entry-order.h. */
#include "analyze/entry-order.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/entry-numbers.h"
#include "analyze/fields.h"
#include "analyze/hist.h"
#include "analyze/rank.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/pool.h"

enum { ENTRIES_AHEAD = 16 }; /* whose memory is asked for */
enum { ASKED = 64 };         /* threads whose numbers are at hand */

struct entry_order {
	struct hist *hist;
	struct entry_numbers *fields; /* of identity, then of output */
	size_t key_count, field_count;
};

/* Brings @entries into the order of a field, and leaves what is equal as it is. */
static void sort_by_field(const struct entry_numbers *field, uint32_t *entries, uint32_t *room)
{
	size_t count = field->hist->entry_count;
	uint32_t *begins = xcalloc((size_t)field->number_count + 2, sizeof(*begins));

	for (size_t i = 0; i < count; i++)
		begins[field->numbers[i] + 1]++;
	for (size_t i = 0; i < field->number_count; i++)
		begins[i + 1] += begins[i];
	for (size_t i = 0; i < count; i++)
		room[begins[field->numbers[entries[i]]]++] = entries[i];
	memcpy(entries, room, count * sizeof(*entries));
	free(begins);
}

/* Threads, each of which has a number, and the group of those of its entries that weigh alike. */
struct standings {
	struct hash threads;
	struct {
		struct standing {
			uint32_t weight, group; /* + 1; 0: none yet */
		} * items;
		size_t count, capacity;
	} last;
	uint32_t group_count;
	/* The last that were asked for: */
	struct {
		uint64_t thread;
		size_t number; /* + 1; 0: none yet */
	} asked[ASKED];
};

static void standings_done(struct standings *standings)
{
	hash_done(&standings->threads);
	free(standings->last.items);
}

static size_t thread_number(struct standings *standings, uint32_t pid, uint32_t tid)
{
	uint64_t thread = (uint64_t)pid << 32 | tid;
	size_t at = tid % ASKED;
	struct hash_entry *found;
	bool is_new;

	if (standings->asked[at].number > 0 && standings->asked[at].thread == thread)
		return standings->asked[at].number - 1;
	found = hash_add(&standings->threads, thread, &is_new);
	if (is_new) {
		grow(&standings->last);
		found->index = standings->last.count++;
		standings->last.items[found->index] = (struct standing){ 0 };
	}
	standings->asked[at].thread = thread;
	standings->asked[at].number = found->index + 1;
	return found->index;
}

/* The group of entries of a thread and a weight; weights come one after another. */
static uint32_t group_of(struct standings *standings, const struct hist_entry *entry,
			 uint32_t weight)
{
	size_t thread = thread_number(standings, entry->pid, entry->tid);
	struct standing *last = &standings->last.items[thread];

	if (last->weight != weight + 1)
		*last = (struct standing){ weight + 1, standings->group_count++ };
	return last->group;
}

/* True if two entries differ in one of the fields. */
static bool differ(const struct entry_numbers *fields, size_t count, uint32_t left, uint32_t right)
{
	for (size_t i = 0; i < count; i++) {
		if (fields[i].numbers[left] != fields[i].numbers[right])
			return true;
	}
	return false;
}

/*
 * Puts what the order of all fields is through perf's tree. The first @weight_count fields end
 * with the weight; @by_identity is the order in which entries go in.
 */
static void rank_by_tree(const struct hist *hist, const struct entry_numbers *fields,
			 size_t weight_count, const uint32_t *by_identity, uint32_t *entries)
{
	size_t count = hist->entry_count, field_count = hist->options->fields->order.count;
	struct rank_item *items = xzeros(count + 1, sizeof(*items));
	uint32_t *numbers = xcalloc(count + 1, sizeof(*numbers)); /* by entry: in @by_identity */
	_cleanup_(standings_done) struct standings standings = { 0 };
	uint32_t weight = 0, place = 0;

	for (uint32_t i = 0; i < count; i++)
		numbers[by_identity[i]] = i;
	for (size_t i = 0; i < count; i++) {
		const struct hist_entry *entry = hist->entries[entries[i]];

		if (i + ENTRIES_AHEAD < count)
			__builtin_prefetch(hist->entries[entries[i + ENTRIES_AHEAD]]);
		if (i > 0) {
			weight += differ(fields, weight_count, entries[i], entries[i - 1]);
			place += differ(fields, field_count, entries[i], entries[i - 1]);
		}
		items[numbers[entries[i]]] = (struct rank_item){
			.group = group_of(&standings, entry, weight),
			/* The caller stands above what it called. */
			.inner = hist->options->outermost_first ? ~entry->depth : entry->depth,
			.place = place,
		};
	}
	rank_items(items, count, numbers);
	for (size_t i = 0; i < count; i++)
		entries[i] = by_identity[numbers[i]];
	free(numbers);
	zeros_free(items, count + 1, sizeof(*items));
}

/* The fields of identity, then those of output. */
static struct entry_numbers *fields_of(const struct hist *hist, size_t *ret_key_count)
{
	const struct field_list *order = &hist->options->fields->order;
	struct entry_numbers *fields = xcalloc(2 * order->count + 1, sizeof(*fields));
	size_t count = 0;

	for (size_t i = 0; i < order->count; i++) {
		if (order->items[i].key)
			fields[count++] = (struct entry_numbers){ hist, &order->items[i], true };
	}
	*ret_key_count = count;
	for (size_t i = 0, k = 0; i < order->count; i++) {
		fields[count] = (struct entry_numbers){ hist, &order->items[i], false };
		if (order->items[i].key) {
			if (!order->items[i].key->order)
				fields[count].same = &fields[k];
			k++;
		}
		count++;
	}
	return fields;
}

static void number_field(void *context, size_t job, size_t thread)
{
	struct entry_numbers *field = (struct entry_numbers *)context + job;

	if (!field->same)
		entry_numbers_make(field);
}

struct entry_order *entry_order_new(struct hist *hist, size_t threads)
{
	struct entry_order *order = xnew(struct entry_order);

	order->hist = hist;
	order->fields = fields_of(hist, &order->key_count);
	order->field_count = order->key_count + hist->options->fields->order.count;
	pool_run(threads, order->field_count, number_field, order->fields);
	for (size_t i = order->key_count; i < order->field_count; i++) {
		struct entry_numbers *field = &order->fields[i];

		if (field->same) {
			field->numbers = field->same->numbers;
			field->number_count = field->same->number_count;
		}
	}
	return order;
}

void entry_order_free(struct entry_order *order)
{
	for (size_t i = 0; i < order->field_count; i++) {
		if (!order->fields[i].same)
			free(order->fields[i].numbers);
	}
	free(order->fields);
	free(order);
}

static void apply(struct hist *hist, const uint32_t *entries)
{
	struct hist_entry **ordered = xcalloc(hist->entry_count + 1, sizeof(*ordered));

	for (size_t i = 0; i < hist->entry_count; i++)
		ordered[i] = hist->entries[entries[i]];
	free(hist->entries);
	hist->entries = ordered;
}

void entry_order_apply(const struct entry_order *order)
{
	struct hist *hist = order->hist;
	size_t count = hist->entry_count, key_count = order->key_count,
	       output_count = order->field_count - key_count;
	const struct entry_numbers *output = order->fields + key_count;
	uint32_t *entries = xcalloc(count + 1, sizeof(*entries));
	uint32_t *by_identity = xcalloc(count + 1, sizeof(*by_identity));
	uint32_t *room = xcalloc(count + 1, sizeof(*room));
	size_t weight_count = 0;

	for (size_t i = 0; i < count; i++)
		entries[i] = (uint32_t)i;
	for (size_t i = key_count; i-- > 0;)
		sort_by_field(&order->fields[i], entries, room);
	memcpy(by_identity, entries, count * sizeof(*entries));
	for (size_t i = output_count; i-- > 0;) {
		sort_by_field(&output[i], entries, room);
		if (!output[i].field->key && output[i].field->measure == MEASURE_CHILDREN)
			weight_count = i + 1;
	}
	free(room);
	if (weight_count && hist->options->children && hist->options->chains)
		rank_by_tree(hist, output, weight_count, by_identity, entries);
	apply(hist, entries);
	free(entries);
	free(by_identity);
}
