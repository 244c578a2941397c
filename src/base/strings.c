/* strings.c - see strings.h. */
#include "base/strings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

enum { FIRST_SLOT_COUNT = 64 };

struct strings_item {
	const char *text;
	size_t size;
	uint64_t hash;
};

/* The slot of a text, or the free one where it would go. There is a free one. */
static size_t place(const struct strings *strings, const char *text, size_t size, uint64_t hash)
{
	size_t mask = strings->slot_count - 1, i = hash & mask;

	for (; strings->slots[i]; i = (i + 1) & mask) {
		const struct strings_item *item = &strings->items[strings->slots[i] - 1];

		if (item->hash == hash && item->size == size && memcmp(item->text, text, size) == 0)
			break;
	}
	return i;
}

static void resize(struct strings *strings, size_t slot_count)
{
	free(strings->slots);
	strings->slots = xcalloc(slot_count, sizeof(*strings->slots));
	strings->slot_count = slot_count;
	for (uint32_t id = 0; id < strings->count; id++) {
		size_t i = strings->items[id].hash & (slot_count - 1);

		while (strings->slots[i])
			i = (i + 1) & (slot_count - 1);
		strings->slots[i] = id + 1;
	}
}

static uint32_t add(struct strings *strings, const char *text, size_t size, uint64_t hash)
{
	char *copy = arena_alloc(&strings->arena, size + 1);

	assert(strings->count < UINT32_MAX - 1);
	if (size)
		memcpy(copy, text, size);
	grow(strings);
	strings->items[strings->count] = (struct strings_item){ copy, size, hash };
	return (uint32_t)strings->count++;
}

uint32_t strings_intern_bytes(struct strings *strings, const char *text, size_t size)
{
	uint64_t hash = hash_bytes(text, size);
	size_t i;

	if (strings->count >= strings->slot_count / 4 * 3)
		resize(strings, strings->slot_count ? strings->slot_count * 2 : FIRST_SLOT_COUNT);
	i = place(strings, text, size, hash);
	if (!strings->slots[i])
		strings->slots[i] = add(strings, text, size, hash) + 1;
	return strings->slots[i] - 1;
}

uint32_t strings_intern(struct strings *strings, const char *text)
{
	return strings_intern_bytes(strings, text, strlen(text));
}

const char *strings_keep(struct strings *strings, const char *text)
{
	return strings_text(strings, strings_intern(strings, text));
}

bool strings_find(const struct strings *strings, const char *text, uint32_t *ret_id)
{
	size_t size = strlen(text), i;

	if (strings->count == 0)
		return false;
	i = place(strings, text, size, hash_bytes(text, size));
	if (!strings->slots[i])
		return false;
	*ret_id = strings->slots[i] - 1;
	return true;
}

const char *strings_text(const struct strings *strings, uint32_t id)
{
	assert(id < strings->count);
	return strings->items[id].text;
}

void strings_done(struct strings *strings)
{
	arena_done(&strings->arena);
	free(strings->items);
	free(strings->slots);
	*strings = (struct strings){ 0 };
}
