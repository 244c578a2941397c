/* running.c - see running.h. */
#include "model/running.h"

#include <linux/perf_event.h>
#include <stdlib.h>

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

void running_add(struct running *running, const struct record *record, uint64_t moment)
{
	int32_t change = change_of(record->header);

	if (change == 0)
		return;
	grow(running);
	running->items[running->count++] =
		(struct running_change){ { moment, record->offset }, change };
}

static int by_instant(const void *a, const void *b)
{
	const struct running_change *left = a, *right = b;

	return instant_before(right->at, left->at) - instant_before(left->at, right->at);
}

void running_settle(struct running *running)
{
	uint32_t count = 1; /* wraps, should a file have so many switches */

	if (running->count > 0)
		qsort(running->items, running->count, sizeof(*running->items), by_instant);
	for (size_t i = 0; i < running->count; i++) {
		count += (uint32_t)running->items[i].count;
		running->items[i].count = (int32_t)count;
	}
}

void running_done(struct running *running)
{
	free(running->items);
	*running = (struct running){ 0 };
}

uint32_t running_at(const struct running *running, struct instant at)
{
	size_t low = 0, high = running->count;
	int32_t count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (instant_before(at, running->items[middle].at))
			high = middle;
		else
			low = middle + 1;
	}
	count = low > 0 ? running->items[low - 1].count : 1;
	return count > 1 ? (uint32_t)count : 1;
}
