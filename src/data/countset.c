/* countset.c - see countset.h. */
#include "data/countset.h"

#include <string.h>

#include "base/mem.h"

static size_t item_count(const struct countset *counts)
{
	return counts->event_count * counts->cpu_count * counts->thread_count;
}

void countset_init(struct countset *counts, size_t event_count, size_t cpu_count,
		   size_t thread_count)
{
	*counts = (struct countset){ event_count, cpu_count, thread_count, NULL };
	counts->items = xcalloc(item_count(counts) + 1, sizeof(*counts->items));
}

void countset_done(struct countset *counts)
{
	free(counts->items);
	*counts = (struct countset){ 0 };
}

void countset_clear(struct countset *counts)
{
	memset(counts->items, 0, item_count(counts) * sizeof(*counts->items));
}

void countset_copy(struct countset *to, const struct countset *from)
{
	memcpy(to->items, from->items, item_count(from) * sizeof(*from->items));
}

static uint64_t since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

void countset_subtract(struct countset *counts, const struct countset *before, const bool *is_value)
{
	size_t per_event = counts->cpu_count * counts->thread_count;

	for (size_t i = 0; i < item_count(counts); i++) {
		struct count *item = counts->items + i;
		const struct count *old = before->items + i;

		if (!item->is_there || !old->is_there)
			continue;
		if (!is_value || !is_value[i / per_event])
			item->value = since(item->value, old->value);
		item->enabled_ns = since(item->enabled_ns, old->enabled_ns);
		item->running_ns = since(item->running_ns, old->running_ns);
	}
}
