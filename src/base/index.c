/* index.c - see index.h. */
#include "base/index.h"

#include <stdlib.h>

#include "base/mem.h"

enum { FIRST_CAPACITY = 64 };

static void put(struct index *index, struct index_slot slot)
{
	size_t mask = index->capacity - 1, at = slot.hash & mask;

	while (index->slots[at].number != 0)
		at = (at + 1) & mask;
	index->slots[at] = slot;
}

static void resize(struct index *index, size_t capacity)
{
	struct index old = *index;

	index->capacity = capacity;
	index->slots = xzeros(capacity, sizeof(*index->slots));
	for (size_t i = 0; i < old.capacity; i++) {
		if (old.slots[i].number != 0)
			put(index, old.slots[i]);
	}
	zeros_free(old.slots, old.capacity, sizeof(*old.slots));
}

void index_add(struct index *index, uint64_t hash, uint32_t number)
{
	if (index->count >= index->capacity / 4 * 3)
		resize(index, index->capacity ? index->capacity * 2 : FIRST_CAPACITY);
	put(index, (struct index_slot){ (uint32_t)(hash >> 32), number + 1 });
	index->count++;
}

void index_done(struct index *index)
{
	zeros_free(index->slots, index->capacity, sizeof(*index->slots));
	*index = (struct index){ 0 };
}
