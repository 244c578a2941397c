/* entry-numbers.c - see entry-numbers.h. */
#include "analyze/entry-numbers.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/fields.h"
#include "analyze/hist.h"
#include "analyze/sites.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"

struct numbered {
	uint64_t number;
	uint32_t entry;
};

static struct numbered *numbered_new(size_t count)
{
	return xroom(count + 1, sizeof(struct numbered));
}

static void numbered_free(struct numbered *items, size_t count)
{
	zeros_free(items, count + 1, sizeof(*items));
}

typedef int compare(const struct entry_numbers *field, const struct hist_entry *left,
		    const struct hist_entry *right);

/* So that what is equal in that member goes by the keys. */
static bool orders_by_one(const struct hist *hist)
{
	return hist->options->member_count == 1 || hist->options->sort_member != HIST_ALL_MEMBERS;
}

/* What was called counts only where it was counted: as in perf, the column says N/A then. */
static uint64_t weight_of(const struct hist *hist, const struct hist_entry *entry,
			  enum measure measure, size_t member)
{
	bool of_children = measure == MEASURE_CHILDREN || measure == MEASURE_LATENCY_CHILDREN;

	return of_children && !hist->options->children ? 0 : hist_measure(entry, measure, member);
}

static int compare_measure(const struct entry_numbers *field, const struct hist_entry *left,
			   const struct hist_entry *right)
{
	for (size_t i = 0; !orders_by_one(field->hist) && i < field->hist->options->member_count;
	     i++) {
		uint64_t a = weight_of(field->hist, left, field->field->measure, i);
		uint64_t b = weight_of(field->hist, right, field->field->measure, i);

		if (a != b)
			return a > b ? -1 : 1;
	}
	return 0;
}

static int compare_key(const struct entry_numbers *field, const struct hist_entry *left,
		       const struct hist_entry *right)
{
	const struct sortkey *key = field->field->key;
	const struct sortkey_style *style = &field->hist->options->style;
	struct item a = hist_item(field->hist, left), b = hist_item(field->hist, right);

	if (field->by_identity || !key->order)
		return sortkey_compare(key, &a, &b, style);
	return key->order(&a, &b, style);
}

static compare *compare_of(const struct entry_numbers *field)
{
	return field->field->key ? compare_key : compare_measure;
}

/* Digits of numbers, from the last: as large as their counts stay near the processor. */
enum {
	DIGIT_BITS = 11,
	DIGIT_VALUES = 1 << DIGIT_BITS,
	DIGITS = (64 + DIGIT_BITS - 1) / DIGIT_BITS
};

static size_t digit_of(uint64_t number, unsigned digit)
{
	return number >> digit * DIGIT_BITS & (DIGIT_VALUES - 1);
}

static void sort_by_digit(const struct numbered *from, size_t count, unsigned digit,
			  const uint32_t *counts, struct numbered *to)
{
	uint32_t begins[DIGIT_VALUES];
	uint32_t begin = 0;

	for (size_t i = 0; i < DIGIT_VALUES; i++) {
		begins[i] = begin;
		begin += counts[i];
	}
	for (size_t i = 0; i < count; i++)
		to[begins[digit_of(from[i].number, digit)]++] = from[i];
}

/* Sorts by number, digit by digit from the last; digits that are all the same are left out. */
static struct numbered *sort_numbers(struct numbered *items, size_t count)
{
	struct numbered *from = items, *to = numbered_new(count);
	uint32_t(*counts)[DIGIT_VALUES] = xcalloc(DIGITS, sizeof(*counts));

	for (size_t i = 0; i < count; i++) {
		for (unsigned digit = 0; digit < DIGITS; digit++)
			counts[digit][digit_of(items[i].number, digit)]++;
	}
	for (unsigned digit = 0; digit < DIGITS; digit++) {
		struct numbered *sorted = to;

		if (count == 0 || counts[digit][digit_of(items[0].number, digit)] == count)
			continue;
		sort_by_digit(from, count, digit, counts[digit], to);
		to = from;
		from = sorted;
	}
	numbered_free(to, count);
	free(counts);
	return from;
}

static int by_comparing(const void *a, const void *b, void *context)
{
	const struct numbered *left = a, *right = b;
	const struct entry_numbers *field = context;
	struct hist_entry **entries = field->hist->entries;
	int r;

	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	r = compare_of(field)(field, entries[left->entry], entries[right->entry]);
	return r ? r : (left->entry > right->entry) - (left->entry < right->entry);
}

static bool sorts_by_order(const struct entry_numbers *field)
{
	return field->field->key && field->field->key->order && !field->by_identity;
}

/* Whether entries of that number are equal anyway. */
static bool is_settled(const struct entry_numbers *field, uint64_t number)
{
	return sorts_by_order(field) && number == SORTKEY_LAST;
}

/* Gives numbers to entries that are sorted; where @exact, equal numbers are equal entries. */
static void number_sorted(struct entry_numbers *field, struct numbered *items, size_t count,
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
static void sort_ties(struct entry_numbers *field, struct numbered *items, size_t count)
{
	for (size_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && items[end].number == items[begin].number;)
			end++;
		if (end - begin > 1 && !is_settled(field, items[begin].number))
			qsort_r(items + begin, end - begin, sizeof(*items), by_comparing, field);
	}
}

static void number_by(struct entry_numbers *field,
		      uint64_t (*number)(const struct item *item,
					 const struct sortkey_style *style))
{
	const struct hist *hist = field->hist;
	struct hist_reading reading = { .hist = hist };
	size_t count = hist->entry_count;
	struct numbered *items = numbered_new(count);

	for (size_t i = 0; i < count; i++) {
		const struct item *item;

		hist_expect(hist, i);
		item = hist_read(&reading, hist->entries[i]);
		items[i] = (struct numbered){ number(item, &hist->options->style), (uint32_t)i };
	}
	items = sort_numbers(items, count);
	sort_ties(field, items, count);
	number_sorted(field, items, count, false);
	numbered_free(items, count);
}

/* The heaviest first. */
static void number_by_measure(struct entry_numbers *field)
{
	const struct hist *hist = field->hist;
	bool exact = orders_by_one(hist);
	size_t member =
		hist->options->sort_member == HIST_ALL_MEMBERS ? 0 : hist->options->sort_member;
	size_t count = hist->entry_count;
	struct numbered *items = numbered_new(count);

	for (size_t i = 0; i < count; i++)
		items[i] = (struct numbered){ ~weight_of(hist, hist->entries[i],
							 field->field->measure, member),
					      (uint32_t)i };
	items = sort_numbers(items, count);
	if (!exact)
		sort_ties(field, items, count);
	number_sorted(field, items, count, exact);
	numbered_free(items, count);
}

/* The values of a key that has few, each once. */
struct classes {
	struct numbered *items; /* of each, an entry that has it */
	size_t count, capacity;
	struct index index;
};

static uint32_t class_of(const struct entry_numbers *field, struct classes *classes, uint32_t entry)
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
static bool is_alike(const struct entry_numbers *field, uint32_t left, uint32_t right)
{
	const struct hist_entry *a = field->hist->entries[left], *b = field->hist->entries[right];
	const struct sites *sites = field->hist->sites;

	if (!field->field->key->of_spot)
		return a->context == b->context && a->pid == b->pid && a->tid == b->tid;
	return field->field->key->id == SORTKEY_DSO &&
	       sites_place(sites, a->site)->map == sites_place(sites, b->site)->map;
}

/* Of a key that has few values: each once, and those sorted. */
static void number_by_class(struct entry_numbers *field)
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

void entry_numbers_make(struct entry_numbers *field)
{
	const struct sortkey *key = field->field->key;
	bool by_order = sorts_by_order(field);

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
