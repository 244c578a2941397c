/* readings.c - see readings.h. */
#include "analyze/readings.h"

#include <stdlib.h>

#include "base/mem.h"

struct readings_counter {
	struct hash by_tid; /* the last value */
};

static struct readings_counter *counter(struct readings *readings, uint64_t id)
{
	bool is_new;
	struct hash_entry *entry = hash_add(&readings->by_id, id, &is_new);

	if (is_new) {
		grow(readings);
		entry->index = readings->count;
		readings->items[readings->count++] = (struct readings_counter){ 0 };
	}
	return &readings->items[entry->index];
}

uint64_t readings_advance(struct readings *readings, uint64_t id, uint32_t tid, uint64_t value)
{
	struct hash_entry *last = hash_add(&counter(readings, id)->by_tid, tid, NULL);
	uint64_t difference = value < last->number ? value : value - last->number;

	last->number = value;
	return difference;
}

void readings_keep(struct readings *readings, const struct hash *tids)
{
	for (size_t i = 0; i < readings->count; i++) {
		struct hash *all = &readings->items[i].by_tid, kept = { 0 };
		struct hash_entry *entry = NULL;

		while ((entry = hash_next(all, entry))) {
			if (entry->key == 0 || hash_find(tids, entry->key))
				hash_add(&kept, entry->key, NULL)->number = entry->number;
		}
		hash_done(all);
		*all = kept;
	}
}

void readings_done(struct readings *readings)
{
	for (size_t i = 0; i < readings->count; i++)
		hash_done(&readings->items[i].by_tid);
	free(readings->items);
	hash_done(&readings->by_id);
	*readings = (struct readings){ 0 };
}
