/* parallelism.c - see parallelism.h. */
#include "model/parallelism.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/record.h"

static int32_t change_of(const struct perf_event_header *header)
{
	switch (header->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return header->misc & PERF_RECORD_MISC_SWITCH_OUT ? -1 : 1;
	case PERF_RECORD_EXIT:
		return -1;
	default:
		return 0;
	}
}

void parallelism_add(struct parallelism *parallelism, const struct record *record, uint64_t moment)
{
	int32_t change = change_of(record->header);

	if (change == 0)
		return;
	grow(parallelism);
	parallelism->items[parallelism->count++] =
		(struct parallelism_change){ { moment, record->offset }, change };
}

static int by_instant(const void *a, const void *b)
{
	const struct parallelism_change *left = a, *right = b;

	return instant_before(right->at, left->at) - instant_before(left->at, right->at);
}

void parallelism_settle_until(struct parallelism *parallelism, uint64_t until)
{
	struct parallelism_change *next;
	uint32_t count; /* wraps, should a file have so many switches */

	if (parallelism->count == parallelism->settled)
		return;
	next = parallelism->items + parallelism->settled;
	count = parallelism->settled ? (uint32_t)next[-1].count : 1;
	qsort(next, parallelism->count - parallelism->settled, sizeof(*next), by_instant);
	for (; parallelism->settled < parallelism->count && next->at.moment < until; next++) {
		count += (uint32_t)next->count;
		next->count = (int32_t)count;
		parallelism->settled++;
	}
}

void parallelism_settle(struct parallelism *parallelism)
{
	parallelism_settle_until(parallelism, UINT64_MAX);
}

void parallelism_forget(struct parallelism *parallelism, uint64_t before)
{
	size_t gone = 0;

	while (gone + 1 < parallelism->settled && parallelism->items[gone + 1].at.moment < before)
		gone++;
	if (gone == 0)
		return;
	parallelism->count -= gone;
	parallelism->settled -= gone;
	memmove(parallelism->items, parallelism->items + gone,
		parallelism->count * sizeof(*parallelism->items));
}

void parallelism_done(struct parallelism *parallelism)
{
	free(parallelism->items);
	*parallelism = (struct parallelism){ 0 };
}

uint32_t parallelism_at(const struct parallelism *parallelism, struct instant at)
{
	size_t low = 0, high = parallelism->settled;
	int32_t count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (instant_before(at, parallelism->items[middle].at))
			high = middle;
		else
			low = middle + 1;
	}
	count = low > 0 ? parallelism->items[low - 1].count : 1;
	return count > 1 ? (uint32_t)count : 1;
}
