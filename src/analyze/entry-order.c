/* entry-order.c - see entry-order.h. */
#include "analyze/entry-order.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/hist.h"
#include "analyze/rank.h"
#include "analyze/sites.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/pool.h"

/* One of the things that entries are ordered by, and each entry's number in it. */
struct order_field {
	const struct hist *hist;
	const struct field *field;
	bool by_identity;
	const struct order_field *same; /* one whose numbers are these, or NULL */
	uint32_t *numbers;              /* dense; equal entries have the same */
	uint32_t number_count;
};

struct numbered {
	uint64_t number;
	uint32_t entry;
};

typedef int compare(const struct order_field *field, const struct hist_entry *left,
		    const struct hist_entry *right);

/* So that what is equal in that member goes by the keys. */
static bool orders_by_one(const struct hist *hist)
{
	return hist->options->member_count == 1 || hist->options->sort_member != HIST_ALL_MEMBERS;
}

static int compare_measure(const struct order_field *field, const struct hist_entry *left,
			   const struct hist_entry *right)
{
	for (size_t i = 0; !orders_by_one(field->hist) && i < field->hist->options->member_count;
	     i++) {
		uint64_t a = hist_measure(left, field->field->measure, i);
		uint64_t b = hist_measure(right, field->field->measure, i);

		if (a != b)
			return a > b ? -1 : 1;
	}
	return 0;
}

static int compare_key(const struct order_field *field, const struct hist_entry *left,
		       const struct hist_entry *right)
{
	const struct sortkey *key = field->field->key;
	const struct sortkey_style *style = &field->hist->options->style;
	struct item a = hist_item(field->hist, left), b = hist_item(field->hist, right);

	if (field->by_identity || !key->order)
		return sortkey_compare(key, &a, &b, style);
	return key->order(&a, &b, style);
}

static compare *compare_of(const struct order_field *field)
{
	return field->field->key ? compare_key : compare_measure;
}

/* Sorts by number, byte by byte from the last; bytes that are all the same are left out. */
static struct numbered *sort_numbers(struct numbered *items, size_t count)
{
	struct numbered *from = items, *to = xcalloc(count + 1, sizeof(*to));

	for (unsigned shift = 0; shift < 64; shift += 8) {
		size_t begins[257] = { 0 };

		for (size_t i = 0; i < count; i++)
			begins[(from[i].number >> shift & 255) + 1]++;
		if (count > 0 && begins[(from[0].number >> shift & 255) + 1] == count)
			continue;
		for (size_t i = 0; i < 256; i++)
			begins[i + 1] += begins[i];
		for (size_t i = 0; i < count; i++)
			to[begins[from[i].number >> shift & 255]++] = from[i];

		struct numbered *sorted = to;

		to = from;
		from = sorted;
	}
	free(to);
	return from;
}

static int by_comparing(const void *a, const void *b, void *context)
{
	const struct numbered *left = a, *right = b;
	const struct order_field *field = context;
	struct hist_entry **entries = field->hist->entries;
	int r;

	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	r = compare_of(field)(field, entries[left->entry], entries[right->entry]);
	return r ? r : (left->entry > right->entry) - (left->entry < right->entry);
}

static bool sorts_by_order(const struct order_field *field)
{
	return field->field->key && field->field->key->order && !field->by_identity;
}

/* Whether entries of that number are equal anyway. */
static bool is_settled(const struct order_field *field, uint64_t number)
{
	return sorts_by_order(field) && number == SORTKEY_LAST;
}

/* Gives numbers to entries that are sorted; where @exact, equal numbers are equal entries. */
static void number_sorted(struct order_field *field, struct numbered *items, size_t count,
			  bool exact)
{
	struct hist_entry **entries = field->hist->entries;
	uint32_t number = 0;

	for (size_t i = 0; i < count; i++) {
		if (i > 0 && (items[i].number != items[i - 1].number ||
			      (!exact && !is_settled(field, items[i].number) &&
			       compare_of(field)(field, entries[items[i - 1].entry],
						 entries[items[i].entry]) != 0)))
			number++;
		field->numbers[items[i].entry] = number;
	}
	field->number_count = count ? number + 1 : 0;
}

/* Stretches of equal numbers are sorted by comparing, but for those that are known to be equal. */
static void sort_ties(struct order_field *field, struct numbered *items, size_t count)
{
	for (size_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && items[end].number == items[begin].number;)
			end++;
		if (end - begin > 1 && !is_settled(field, items[begin].number))
			qsort_r(items + begin, end - begin, sizeof(*items), by_comparing, field);
	}
}

static void number_by(struct order_field *field,
		      uint64_t (*number)(const struct item *item,
					 const struct sortkey_style *style))
{
	const struct hist *hist = field->hist;
	struct hist_reading reading = { .hist = hist };
	size_t count = hist->entry_count;
	struct numbered *items = xcalloc(count + 1, sizeof(*items));

	for (size_t i = 0; i < count; i++) {
		const struct item *item;

		hist_expect(hist, i);
		item = hist_read(&reading, hist->entries[i]);
		items[i] = (struct numbered){ number(item, &hist->options->style), (uint32_t)i };
	}
	items = sort_numbers(items, count);
	sort_ties(field, items, count);
	number_sorted(field, items, count, false);
	free(items);
}

/* The heaviest first. */
static void number_by_measure(struct order_field *field)
{
	const struct hist *hist = field->hist;
	bool exact = orders_by_one(hist);
	size_t member =
		hist->options->sort_member == HIST_ALL_MEMBERS ? 0 : hist->options->sort_member;
	size_t count = hist->entry_count;
	struct numbered *items = xcalloc(count + 1, sizeof(*items));

	for (size_t i = 0; i < count; i++)
		items[i] = (struct numbered){
			~hist_measure(hist->entries[i], field->field->measure, member), (uint32_t)i
		};
	items = sort_numbers(items, count);
	if (!exact)
		sort_ties(field, items, count);
	number_sorted(field, items, count, exact);
	free(items);
}

/* The values of a key that has few, each once. */
struct classes {
	struct numbered *items; /* of each, an entry that has it */
	size_t count, capacity;
	struct index index;
};

static uint32_t class_of(const struct order_field *field, struct classes *classes, uint32_t entry)
{
	const struct hist *hist = field->hist;
	const struct sortkey *key = field->field->key;
	const struct sortkey_style *style = &hist->options->style;
	struct item item = hist_item(hist, hist->entries[entry]);
	uint64_t hash = hash_u64(sortkey_hash(key, &item, style));
	uint32_t at;

	for (at = index_first(&classes->index, hash); at != INDEX_NONE;
	     at = index_next(&classes->index, hash)) {
		struct item other = hist_item(hist, hist->entries[classes->items[at].entry]);

		if (sortkey_compare(key, &other, &item, style) == 0)
			return at;
	}
	grow(classes);
	at = (uint32_t)classes->count++;
	classes->items[at] = (struct numbered){ 0, entry };
	index_add(&classes->index, hash, at);
	return at;
}

/* What a key looks at is often the same as of the entry before. */
static bool is_alike(const struct order_field *field, uint32_t left, uint32_t right)
{
	const struct hist_entry *a = field->hist->entries[left], *b = field->hist->entries[right];
	const struct sites *sites = field->hist->sites;

	if (!field->field->key->of_spot)
		return a->context == b->context && a->pid == b->pid && a->tid == b->tid;
	return field->field->key->id == SORTKEY_DSO &&
	       sites_place(sites, a->site)->map == sites_place(sites, b->site)->map;
}

/* Of a key that has few values: each once, and those sorted. */
static void number_by_class(struct order_field *field)
{
	size_t count = field->hist->entry_count;
	struct classes classes = { 0 };
	uint32_t *ranks; /* by class */

	for (uint32_t i = 0; i < count; i++) {
		hist_expect(field->hist, i);
		if (i > 0 && is_alike(field, i - 1, i))
			field->numbers[i] = field->numbers[i - 1];
		else
			field->numbers[i] = class_of(field, &classes, i);
	}
	if (classes.count > 0)
		qsort_r(classes.items, classes.count, sizeof(*classes.items), by_comparing, field);
	ranks = xcalloc(classes.count + 1, sizeof(*ranks));
	for (size_t i = 0; i < classes.count; i++)
		ranks[field->numbers[classes.items[i].entry]] = (uint32_t)i;
	for (size_t i = 0; i < count; i++)
		field->numbers[i] = ranks[field->numbers[i]];
	field->number_count = (uint32_t)classes.count;
	index_done(&classes.index);
	free(ranks);
	free(classes.items);
}

static void number_field(void *context, size_t job, size_t thread)
{
	struct order_field *field = (struct order_field *)context + job;
	const struct sortkey *key = field->field->key;
	bool by_order = sorts_by_order(field);

	if (field->same)
		return;
	field->numbers = xcalloc(field->hist->entry_count + 1, sizeof(*field->numbers));
	if (!key)
		number_by_measure(field);
	else if (by_order && key->order_number)
		number_by(field, key->order_number);
	else if (!by_order && key->number)
		number_by(field, key->number);
	else
		number_by_class(field);
}

/* Brings @entries into the order of a field, and leaves what is equal as it is. */
static void sort_by_field(const struct order_field *field, uint32_t *entries, uint32_t *room)
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

/* An entry for the tree: all that decides about it. */
struct standing {
	struct rank_node node;
	uint32_t weight; /* its number in the order of all fields up to the weight */
	uint32_t place;  /* its number in the order of all fields */
	uint32_t pid, tid, depth;
};

struct standings {
	bool outermost_first;
};

/* Of entries of one thread that weigh the same, the caller stands above what it called. */
static int stands_before(const void *a, const void *b, void *context)
{
	const struct standing *left = a, *right = b;
	const struct standings *standings = context;

	if (left->weight == right->weight && left->pid == right->pid && left->tid == right->tid &&
	    left->depth != right->depth)
		return (left->depth > right->depth) == standings->outermost_first;
	return left->place < right->place;
}

/* True if two entries differ in one of the fields. */
static bool differ(const struct order_field *fields, size_t count, uint32_t left, uint32_t right)
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
static void rank_by_tree(const struct hist *hist, const struct order_field *fields,
			 size_t weight_count, const uint32_t *by_identity, uint32_t *entries)
{
	size_t count = hist->entry_count, field_count = hist->options->fields->order.count;
	struct standing *all = xzeros(count + 1, sizeof(*all));
	uint32_t *numbers = xcalloc(count + 1, sizeof(*numbers)); /* by entry: in @by_identity */
	struct standings standings = { hist->options->outermost_first };
	uint32_t weight = 0, place = 0;

	for (uint32_t i = 0; i < count; i++)
		numbers[by_identity[i]] = i;
	for (size_t i = 0; i < count; i++) {
		const struct hist_entry *entry = hist->entries[entries[i]];

		if (i > 0) {
			weight += differ(fields, weight_count, entries[i], entries[i - 1]);
			place += differ(fields, field_count, entries[i], entries[i - 1]);
		}
		all[numbers[entries[i]]] = (struct standing){
			.weight = weight,
			.place = place,
			.pid = entry->pid,
			.tid = entry->tid,
			.depth = entry->depth,
		};
	}
	rank_items(all, sizeof(*all), count, stands_before, &standings, numbers);
	for (size_t i = 0; i < count; i++)
		entries[i] = by_identity[numbers[i]];
	free(numbers);
	zeros_free(all, count + 1, sizeof(*all));
}

/* The fields of identity, then those of output. */
static struct order_field *fields_of(const struct hist *hist, size_t *ret_key_count)
{
	const struct field_list *order = &hist->options->fields->order;
	struct order_field *fields = xcalloc(2 * order->count + 1, sizeof(*fields));
	size_t count = 0;

	for (size_t i = 0; i < order->count; i++) {
		if (order->items[i].key)
			fields[count++] = (struct order_field){ hist, &order->items[i], true };
	}
	*ret_key_count = count;
	for (size_t i = 0, k = 0; i < order->count; i++) {
		fields[count] = (struct order_field){ hist, &order->items[i], false };
		if (order->items[i].key) {
			if (!order->items[i].key->order)
				fields[count].same = &fields[k];
			k++;
		}
		count++;
	}
	return fields;
}

static void apply(struct hist *hist, const uint32_t *entries)
{
	struct hist_entry **ordered = xcalloc(hist->entry_count + 1, sizeof(*ordered));

	for (size_t i = 0; i < hist->entry_count; i++)
		ordered[i] = hist->entries[entries[i]];
	free(hist->entries);
	hist->entries = ordered;
}

void entry_order_settle(struct hist *hist, size_t threads)
{
	size_t count = hist->entry_count, order_count = hist->options->fields->order.count,
	       key_count;
	struct order_field *fields = fields_of(hist, &key_count), *order = fields + key_count;
	uint32_t *entries = xcalloc(count + 1, sizeof(*entries));
	uint32_t *by_identity = xcalloc(count + 1, sizeof(*by_identity));
	uint32_t *room = xcalloc(count + 1, sizeof(*room));
	size_t weight_count = 0;

	pool_run(threads, key_count + order_count, number_field, fields);
	for (size_t i = key_count; i < key_count + order_count; i++) {
		if (fields[i].same) {
			fields[i].numbers = fields[i].same->numbers;
			fields[i].number_count = fields[i].same->number_count;
		}
	}
	for (size_t i = 0; i < count; i++)
		entries[i] = (uint32_t)i;
	for (size_t i = key_count; i-- > 0;)
		sort_by_field(&fields[i], entries, room);
	memcpy(by_identity, entries, count * sizeof(*entries));
	for (size_t i = order_count; i-- > 0;) {
		sort_by_field(&order[i], entries, room);
		if (!order[i].field->key && order[i].field->measure == MEASURE_CHILDREN)
			weight_count = i + 1;
	}
	if (weight_count && hist->options->children && hist->options->chains)
		rank_by_tree(hist, order, weight_count, by_identity, entries);
	apply(hist, entries);
	for (size_t i = 0; i < key_count + order_count; i++) {
		if (!fields[i].same)
			free(fields[i].numbers);
	}
	free(fields);
	free(entries);
	free(by_identity);
	free(room);
}
