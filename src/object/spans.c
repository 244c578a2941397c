/* spans.c - see spans.h. */
#include "object/spans.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"

/* Those that have an address, as a heap: the innermost on top. */
struct open {
	const struct span **items;
	size_t count;
};

void spans_add(struct spans *spans, uint64_t begin, uint64_t end, uint32_t value)
{
	if (begin >= end || spans->added.count >= UINT32_MAX)
		return;
	grow(&spans->added);
	spans->added.items[spans->added.count] =
		(struct span){ begin, end, value, (uint32_t)spans->added.count };
	spans->added.count++;
}

static int by_begin(const void *a, const void *b)
{
	const struct span *left = a, *right = b;

	return (left->begin > right->begin) - (left->begin < right->begin);
}

static bool is_inner(const struct span *left, const struct span *right)
{
	uint64_t left_size = left->end - left->begin, right_size = right->end - right->begin;

	return left_size != right_size ? left_size < right_size : left->order > right->order;
}

static void open_one(struct open *open, const struct span *span)
{
	size_t at = open->count++;

	for (; at > 0 && is_inner(span, open->items[(at - 1) / 2]); at = (at - 1) / 2)
		open->items[at] = open->items[(at - 1) / 2];
	open->items[at] = span;
}

static void close_top(struct open *open)
{
	const struct span *last = open->items[--open->count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < open->count) {
		if (child + 1 < open->count && is_inner(open->items[child + 1], open->items[child]))
			child++;
		if (!is_inner(open->items[child], last))
			break;
		open->items[at] = open->items[child];
		at = child;
	}
	open->items[at] = last;
}

static void add_piece(struct spans *spans, uint64_t begin, uint32_t value)
{
	size_t count = spans->pieces.count;

	if (count > 0 && spans->pieces.items[count - 1].value == value)
		return;
	grow(&spans->pieces);
	spans->pieces.items[spans->pieces.count++] = (struct spans_piece){ begin, value };
}

/* Goes from one address where something begins or the innermost one ends to the next. */
static void cut(struct spans *spans, struct open *open)
{
	const struct span *span = spans->added.items, *end = span + spans->added.count;
	uint64_t at = span->begin;

	while (span < end || open->count > 0) {
		while (span < end && span->begin <= at)
			open_one(open, span++);
		while (open->count > 0 && open->items[0]->end <= at)
			close_top(open);
		add_piece(spans, at, open->count > 0 ? open->items[0]->value : SPANS_NONE);
		if (open->count > 0 && (span == end || open->items[0]->end < span->begin))
			at = open->items[0]->end;
		else if (span < end)
			at = span->begin;
	}
}

void spans_settle(struct spans *spans)
{
	struct open open = { 0 };

	if (spans->added.count == 0)
		return;
	qsort(spans->added.items, spans->added.count, sizeof(*spans->added.items), by_begin);
	open.items = xcalloc(spans->added.count, sizeof(const struct span *));
	cut(spans, &open);
	free(open.items);
	free(take(spans->added.items));
	spans->added.count = spans->added.capacity = 0;
}

void spans_done(struct spans *spans)
{
	free(spans->added.items);
	free(spans->pieces.items);
	*spans = (struct spans){ 0 };
}

uint32_t spans_find(const struct spans *spans, uint64_t addr)
{
	size_t low = 0, high = spans->pieces.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (spans->pieces.items[middle].begin <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? spans->pieces.items[low - 1].value : SPANS_NONE;
}
