/* hash.c - see hash.h. */
#include "base/hash.h"

#include <string.h>

#include "base/mem.h"

enum { FIRST_CAPACITY = 16 };

uint64_t hash_bytes(const void *bytes, size_t size)
{
	const unsigned char *p = bytes;
	uint64_t hash = hash_u64(size + 1), word;

	for (; size >= sizeof(word); size -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		hash = hash_u64(hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	}
	word = 0;
	if (size)
		memcpy(&word, p, size);
	return hash_u64(hash ^ word);
}

/* Where @key is, or the free place where it would go. The map has a free place. */
static size_t place(const struct hash *hash, uint64_t key)
{
	size_t mask = hash->capacity - 1, i = hash_u64(key) & mask;

	while (hash->used[i] && hash->entries[i].key != key)
		i = (i + 1) & mask;
	return i;
}

static void resize(struct hash *hash, size_t capacity)
{
	struct hash old = *hash;

	hash->capacity = capacity;
	hash->entries = xcalloc(capacity, sizeof(*hash->entries));
	hash->used = xcalloc(capacity, sizeof(*hash->used));
	for (size_t i = 0; i < old.capacity; i++) {
		if (!old.used[i])
			continue;
		size_t to = place(hash, old.entries[i].key);

		hash->entries[to] = old.entries[i];
		hash->used[to] = 1;
	}
	free(old.entries);
	free(old.used);
}

struct hash_entry *hash_find(const struct hash *hash, uint64_t key)
{
	if (hash->count == 0)
		return NULL;
	size_t i = place(hash, key);

	return hash->used[i] ? &hash->entries[i] : NULL;
}

struct hash_entry *hash_add(struct hash *hash, uint64_t key, bool *ret_new)
{
	bool is_new;
	size_t i;

	if (hash->count >= hash->capacity / 4 * 3)
		resize(hash, hash->capacity ? hash->capacity * 2 : FIRST_CAPACITY);
	i = place(hash, key);
	is_new = !hash->used[i];
	if (is_new) {
		hash->used[i] = 1;
		hash->entries[i] = (struct hash_entry){ .key = key };
		hash->count++;
	}
	if (ret_new)
		*ret_new = is_new;
	return &hash->entries[i];
}

/*
 * Closes the gap at @gap: an entry behind it may move there unless that would put it before its
 * own first place. So there are no tombstones, and a map that lives long stays fast.
 */
static void close_gap(struct hash *hash, size_t gap)
{
	size_t mask = hash->capacity - 1;

	for (size_t i = (gap + 1) & mask; hash->used[i]; i = (i + 1) & mask) {
		size_t home = hash_u64(hash->entries[i].key) & mask;

		if (((i - home) & mask) < ((i - gap) & mask))
			continue;
		hash->entries[gap] = hash->entries[i];
		gap = i;
	}
	hash->used[gap] = 0;
}

bool hash_remove(struct hash *hash, uint64_t key, struct hash_entry *ret_entry)
{
	struct hash_entry *entry = hash_find(hash, key);

	if (!entry)
		return false;
	if (ret_entry)
		*ret_entry = *entry;
	close_gap(hash, (size_t)(entry - hash->entries));
	hash->count--;
	return true;
}

struct hash_entry *hash_next(const struct hash *hash, const struct hash_entry *entry)
{
	size_t i = entry ? (size_t)(entry - hash->entries) + 1 : 0;

	while (i < hash->capacity && !hash->used[i])
		i++;
	return i < hash->capacity ? &hash->entries[i] : NULL;
}

void hash_done(struct hash *hash)
{
	free(hash->entries);
	free(hash->used);
	*hash = (struct hash){ 0 };
}
