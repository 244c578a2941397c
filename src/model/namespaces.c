/* namespaces.c - see namespaces.h. */
#include "model/namespaces.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/threads.h"

struct stay {
	struct instant at;
	struct namespace_id id;
};

/* Of one thread: in order of time. */
struct namespaces_number {
	uint32_t tid;
	struct stay *items;
	size_t count, capacity;
};

static struct namespaces_number *number_of(struct namespaces *namespaces, uint32_t tid)
{
	bool is_new;
	struct hash_entry *entry = hash_add(&namespaces->by_tid, tid, &is_new);

	if (is_new) {
		entry->index = namespaces->count;
		if (namespaces->count == namespaces->capacity)
			namespaces->numbers = xgrow(namespaces->numbers, &namespaces->capacity,
						    sizeof(*namespaces->numbers));
		namespaces->numbers[namespaces->count++] = (struct namespaces_number){ .tid = tid };
	}
	return &namespaces->numbers[entry->index];
}

/* How many of a thread's stays began at or before an instant. */
static size_t count_until(const struct namespaces_number *number, struct instant at)
{
	size_t low = 0, high = number->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (instant_before(at, number->items[middle].at))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void namespaces_add(struct namespaces *namespaces, uint32_t tid, struct namespace_id id,
		    struct instant at)
{
	struct namespaces_number *number = number_of(namespaces, tid);
	size_t i = count_until(number, at);

	if (i > 0 && memcmp(&number->items[i - 1].id, &id, sizeof(id)) == 0)
		return; /* it goes on */
	grow(number);
	for (size_t k = number->count++; k > i; k--)
		number->items[k] = number->items[k - 1];
	number->items[i] = (struct stay){ at, id };
}

struct namespace_id namespaces_find(const struct namespaces *namespaces, uint32_t tid,
				    struct instant at)
{
	const struct hash_entry *entry = hash_find(&namespaces->by_tid, tid);
	const struct namespaces_number *number = entry ? &namespaces->numbers[entry->index] : NULL;
	size_t i = number ? count_until(number, at) : 0;

	return i > 0 ? number->items[i - 1].id : (struct namespace_id){ 0 };
}

void namespaces_forget(struct namespaces *namespaces, const struct threads *threads,
		       uint64_t before)
{
	struct namespaces kept = { 0 };

	for (size_t i = 0; i < namespaces->count; i++) {
		const struct namespaces_number *number = &namespaces->numbers[i];

		for (size_t k = 0; threads_has(threads, number->tid) && k < number->count; k++) {
			if (k + 1 == number->count || number->items[k + 1].at.moment >= before)
				namespaces_add(&kept, number->tid, number->items[k].id,
					       number->items[k].at);
		}
	}
	namespaces_done(namespaces);
	*namespaces = kept;
}

void namespaces_done(struct namespaces *namespaces)
{
	for (size_t i = 0; i < namespaces->count; i++)
		free(namespaces->numbers[i].items);
	free(namespaces->numbers);
	hash_done(&namespaces->by_tid);
	*namespaces = (struct namespaces){ 0 };
}
