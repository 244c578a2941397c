/* symtab.c - see symtab.h. */
#include "object/symtab.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "object/demangle.h"

enum { PAGE = 4096 };

#define NONE UINT32_MAX

struct entry {
	struct symbol symbol; /* of a sizeless one, end is its limit */
	uint32_t order;       /* in which it was added */
	/* Of the readable name, once an alias made it necessary to know them; 0 is not known. */
	uint32_t underscores, length;
};

struct symtab_builder {
	struct entry *items;
	size_t count, capacity;
	size_t sorted; /* equal to count if they are sorted by quality */
	struct arena names;
};

/* From start on, up to the next range, addresses belong to the symbol, or to none. */
struct range {
	uint64_t start;
	uint32_t symbol;
};

struct ranges {
	struct range *items;
	size_t count, capacity;
};

struct symtab {
	struct symbol *symbols;
	size_t count;
	uint32_t *orders; /* NULL: it does not matter in which they were added */
	struct ranges ranges;
	struct arena names;
};

/* Cuts the line of addresses into ranges while it walks along the symbols' starts. The heap holds
 * the symbols that reach beyond the present address, the one that wins on top.
 */
struct sweep {
	const struct entry *entries;
	enum symtab_overlap overlap;
	struct ranges *ranges;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} heap;
};

struct symtab_builder *symtab_builder_new(void)
{
	return xnew(struct symtab_builder);
}

void symtab_builder_free(struct symtab_builder *builder)
{
	if (!builder)
		return;
	free(builder->items);
	arena_done(&builder->names);
	free(builder);
}

const char *symtab_builder_keep(struct symtab_builder *builder, const char *name, size_t size)
{
	return arena_strndup(&builder->names, name, size);
}

void symtab_builder_add_kept(struct symtab_builder *builder, const struct symbol *symbol,
			     uint64_t limit)
{
	struct entry entry = { .symbol = *symbol, .order = (uint32_t)builder->count };

	if (builder->count == NONE)
		return; /* 2^32 symbols need more than 200 GB before they get here */
	entry.symbol.sizeless = symbol->end <= symbol->start;
	if (entry.symbol.sizeless)
		entry.symbol.end = limit;
	grow(builder);
	builder->items[builder->count++] = entry;
}

void symtab_builder_add(struct symtab_builder *builder, const struct symbol *symbol, uint64_t limit)
{
	struct symbol kept = *symbol;

	kept.name = arena_strdup(&builder->names, symbol->name);
	symtab_builder_add_kept(builder, &kept, limit);
}

static int by_less(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static bool is_system_call_alias(const char *name)
{
	return !strncmp(name, "SyS", 3) || !strncmp(name, "compat_SyS", 10);
}

/* Rule 1 as far as the table itself says; negative if a is better. */
static int by_rank(const struct entry *a, const struct entry *b)
{
	int by = a->symbol.sizeless - b->symbol.sizeless;

	if (!by && a->symbol.sizeless)
		return by_less(b->order, a->order);
	if (!by)
		by = (a->symbol.binding == SYMBOL_WEAK) - (b->symbol.binding == SYMBOL_WEAK);
	if (!by)
		by = (a->symbol.binding != SYMBOL_GLOBAL) - (b->symbol.binding != SYMBOL_GLOBAL);
	return by;
}

static int by_start_and_rank(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;
	int by = by_less(a->symbol.start, b->symbol.start);

	if (!by)
		by = by_rank(a, b);
	return by ? by : by_less(a->order, b->order);
}

/* The rest of rule 1, among equals. */
static int by_look(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;
	int by = by_less(a->underscores, b->underscores);

	if (!by)
		by = by_less(b->length, a->length);
	if (!by)
		by = is_system_call_alias(a->symbol.name) - is_system_call_alias(b->symbol.name);
	return by ? by : by_less(a->order, b->order);
}

static void look(struct entry *entry)
{
	_cleanup_(freep) char *readable = NULL;
	const char *name = entry->symbol.name;

	if (entry->length)
		return;
	readable = demangle(name);
	if (readable)
		name = readable;
	entry->underscores = (uint32_t)strspn(name, "_");
	entry->length = (uint32_t)strlen(name);
}

typedef int compare_entries(const void *a, const void *b);

/* Most tables are in the order of addresses as they come, but for aliases. */
static void sort_entries(struct entry *items, size_t count, compare_entries *compare)
{
	size_t first = 0;

	for (size_t i = 1; i <= count; i++) {
		if (i < count && items[i].symbol.start < items[first].symbol.start) {
			qsort(items, count, sizeof(*items), compare);
			return;
		}
		if (i < count && items[i].symbol.start == items[first].symbol.start)
			continue;
		if (i - first > 1)
			qsort(items + first, i - first, sizeof(*items), compare);
		first = i;
	}
}

/* By start, and at one start the best first. Only aliases are demangled. */
static void sort_by_quality(struct symtab_builder *builder)
{
	struct entry *items = builder->items;

	if (builder->sorted == builder->count)
		return;
	sort_entries(items, builder->count, by_start_and_rank);
	for (size_t first = 0, i; first < builder->count; first = i) {
		for (i = first + 1; i < builder->count; i++)
			if (items[i].symbol.start != items[first].symbol.start ||
			    by_rank(&items[i], &items[first]) != 0)
				break;
		if (i == first + 1)
			continue;
		for (size_t k = first; k < i; k++)
			look(&items[k]);
		qsort(items + first, i - first, sizeof(*items), by_look);
	}
	builder->sorted = builder->count;
}

const char *symtab_builder_name_at(struct symtab_builder *builder, uint64_t start)
{
	size_t low = 0, high = builder->count;

	sort_by_quality(builder);
	while (low < high) { /* the first that does not start before */
		size_t middle = low + (high - low) / 2;

		if (builder->items[middle].symbol.start < start)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == builder->count || builder->items[low].symbol.start != start)
		return NULL;
	return builder->items[low].symbol.name;
}

static int by_start_latest_first(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;
	int by = by_less(a->symbol.start, b->symbol.start);

	return by ? by : by_less(b->order, a->order);
}

static uint64_t page_after(uint64_t addr)
{
	uint64_t page = addr & ~(uint64_t)(PAGE - 1);
	uint64_t reach = page == addr ? PAGE : 2 * PAGE;

	return page > UINT64_MAX - reach ? UINT64_MAX : page + reach;
}

/* next is the first symbol that starts later, or NULL. */
static uint64_t guess_end(const struct symbol *symbol, const struct symbol *next)
{
	uint64_t end = symbol->end;

	if (end == SYMTAB_NO_LIMIT && (!next || next->group != symbol->group))
		end = page_after(symbol->start);
	if (next && next->start < end)
		end = next->start;
	return end > symbol->start ? end : symbol->start;
}

static void guess_ends(struct symtab_builder *builder)
{
	const struct symbol *next = NULL;

	for (size_t i = builder->count; i-- > 0;) {
		struct symbol *symbol = &builder->items[i].symbol;

		/* next starts after this one: step it back only when the start changes */
		if (i + 1 < builder->count && builder->items[i + 1].symbol.start > symbol->start)
			next = &builder->items[i + 1].symbol;
		if (symbol->sizeless)
			symbol->end = guess_end(symbol, next);
	}
}

static bool wins(const struct sweep *sweep, uint32_t a, uint32_t b)
{
	const struct entry *entries = sweep->entries;

	if (sweep->overlap == SYMTAB_LATEST)
		return entries[a].order > entries[b].order;
	if (entries[a].symbol.sizeless != entries[b].symbol.sizeless)
		return entries[b].symbol.sizeless;
	return a > b; /* sorted by start, and of one start only the chosen one takes part */
}

static void heap_push(struct sweep *sweep, uint32_t symbol)
{
	size_t at = sweep->heap.count;

	grow(&sweep->heap);
	sweep->heap.items[sweep->heap.count++] = symbol;
	for (; at > 0 && wins(sweep, symbol, sweep->heap.items[(at - 1) / 2]); at = (at - 1) / 2)
		sweep->heap.items[at] = sweep->heap.items[(at - 1) / 2];
	sweep->heap.items[at] = symbol;
}

static void heap_pop(struct sweep *sweep)
{
	uint32_t *items = sweep->heap.items;
	size_t count = --sweep->heap.count, at = 0;
	uint32_t last = items[count];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < count && wins(sweep, items[child + 1], items[child]))
			child++;
		if (child >= count || !wins(sweep, items[child], last))
			break;
		items[at] = items[child];
		at = child;
	}
	items[at] = last;
}

static void add_range(struct ranges *ranges, uint64_t start, uint32_t symbol)
{
	uint32_t before = NONE;

	if (ranges->count > 0 && ranges->items[ranges->count - 1].start == start)
		ranges->count--;
	if (ranges->count > 0)
		before = ranges->items[ranges->count - 1].symbol;
	if (before == symbol)
		return;
	grow(ranges);
	ranges->items[ranges->count++] = (struct range){ start, symbol };
}

static uint64_t top_end(const struct sweep *sweep)
{
	return sweep->entries[sweep->heap.items[0]].symbol.end;
}

/* Ends, in order, all that ends at or before the address. */
static void retire(struct sweep *sweep, uint64_t until)
{
	while (sweep->heap.count > 0 && top_end(sweep) <= until) {
		uint64_t at = top_end(sweep);

		while (sweep->heap.count > 0 && top_end(sweep) <= at)
			heap_pop(sweep);
		add_range(sweep->ranges, at, sweep->heap.count ? sweep->heap.items[0] : NONE);
	}
}

static void cut(struct symtab_builder *builder, enum symtab_overlap overlap, struct ranges *ranges)
{
	struct sweep sweep = { builder->items, overlap, ranges, { 0 } };
	uint64_t before = 0;

	for (uint32_t i = 0; i < builder->count; i++) {
		const struct symbol *symbol = &builder->items[i].symbol;

		if (overlap == SYMTAB_INNERMOST && i > 0 && symbol->start == before)
			continue;
		before = symbol->start;
		if (symbol->end == symbol->start)
			continue;
		retire(&sweep, symbol->start);
		heap_push(&sweep, i);
		add_range(ranges, symbol->start, sweep.heap.items[0]);
	}
	retire(&sweep, UINT64_MAX);
	free(sweep.heap.items);
}

/* A symbol is what its entry begins with: it is moved to where it stays in the same memory. */
static struct symbol *take_symbols(struct symtab_builder *builder)
{
	struct entry *items = take(builder->items);
	char *symbols = (char *)items;

	for (size_t i = 0; i < builder->count; i++)
		memmove(symbols + i * sizeof(struct symbol), &items[i].symbol,
			sizeof(struct symbol));
	return xtrim(items, builder->count, sizeof(struct symbol));
}

static uint32_t *take_orders(const struct symtab_builder *builder)
{
	uint32_t *orders = xcalloc(builder->count, sizeof(*orders));

	for (size_t i = 0; i < builder->count; i++)
		orders[i] = builder->items[i].order;
	return orders;
}

struct symtab *symtab_build(struct symtab_builder *builder, enum symtab_overlap overlap)
{
	struct symtab *table = xnew(struct symtab);

	if (overlap == SYMTAB_INNERMOST)
		sort_by_quality(builder);
	else
		sort_entries(builder->items, builder->count, by_start_latest_first);
	guess_ends(builder);
	cut(builder, overlap, &table->ranges);

	table->count = builder->count;
	if (overlap == SYMTAB_LATEST)
		table->orders = take_orders(builder);
	table->symbols = take_symbols(builder);
	table->names = builder->names;
	builder->names = (struct arena){ 0 };
	symtab_builder_free(builder);
	return table;
}

void symtab_free(struct symtab *table)
{
	if (!table)
		return;
	free(table->symbols);
	free(table->orders);
	free(table->ranges.items);
	arena_done(&table->names);
	free(table);
}

const struct symbol *symtab_find(const struct symtab *table, uint64_t addr)
{
	size_t low = 0, high = table->ranges.count;

	while (low < high) { /* the first range that starts after the address */
		size_t middle = low + (high - low) / 2;

		if (table->ranges.items[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || table->ranges.items[low - 1].symbol == NONE)
		return NULL;
	return &table->symbols[table->ranges.items[low - 1].symbol];
}

size_t symtab_count(const struct symtab *table)
{
	return table->count;
}

const struct symbol *symtab_at(const struct symtab *table, size_t i)
{
	assert(i < table->count);
	return &table->symbols[i];
}

uint32_t symtab_order(const struct symtab *table, const struct symbol *symbol)
{
	assert(table->orders);
	return table->orders[symbol - table->symbols];
}

const struct symbol *symtab_find_name(const struct symtab *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (!strcmp(table->symbols[i].name, name))
			return &table->symbols[i];
	return NULL;
}
