/*
 * hash.h - hashes of bytes, and a map from 64-bit keys to a number or a pointer.
 *
 * The map is open addressing with linear probing, at most three quarters full, and starts as { 0 }.
 * Any key is fine, 0 and ~0 too. The same adds and removes give the same order of hash_next, on
 * every machine; still, sort what a person sees. The map never frees what an entry points to.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_entry {
	uint64_t key; /* do not change */
	union {
		size_t index;
		uint64_t number;
		void *pointer;
	};
};

struct hash {
	struct hash_entry *entries;
	uint8_t *used; /* one for each entry: 1 if it holds something */
	size_t count, capacity;
};

/* The entry of @key, or NULL. Entries are borrowed until the next add or remove. */
struct hash_entry *hash_find(const struct hash *hash, uint64_t key);
/* The entry of @key; made, with a value of 0, if there was none (*ret_new, which may be NULL). */
struct hash_entry *hash_add(struct hash *hash, uint64_t key, bool *ret_new);
/* True if it was there; *ret_entry (may be NULL) is what it was. */
bool hash_remove(struct hash *hash, uint64_t key, struct hash_entry *ret_entry);
/* All entries: `for (e = hash_next(h, NULL); e; e = hash_next(h, e))`; no add or remove meanwhile.
 */
struct hash_entry *hash_next(const struct hash *hash, const struct hash_entry *entry);
void hash_done(struct hash *hash);

/*
 * Spreads every bit of @key over the result; to combine: hash_u64(a ^ hash_u64(b)). The finalizer
 * of MurmurHash3 (public domain): each bit of the key reaches each bit of the result.
 */
static inline uint64_t hash_u64(uint64_t key)
{
	key ^= key >> 33;
	key *= UINT64_C(0xff51afd7ed558ccd);
	key ^= key >> 33;
	key *= UINT64_C(0xc4ceb9fe1a85ec53);
	key ^= key >> 33;
	return key;
}
uint64_t hash_bytes(const void *bytes, size_t size);
