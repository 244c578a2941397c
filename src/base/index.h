/*
 * index.h - finds numbers of things by hashes of what they are: the things lie in an array of the
 * caller's, who compares.
 *
 *	for (uint32_t at = index_first(&index, hash); at != INDEX_NONE;
 *	     at = index_next(&index, hash))
 *		if (is_equal(&items[at], wanted))
 *			return at;
 *	index_add(&index, hash, count);
 *
 * A look-up moves the index's own cursor: one thread at a time, and one look-up after another.
 * Eight bytes for each, open addressing, at most three quarters full. Starts as { 0 }.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define INDEX_NONE UINT32_MAX

struct index_slot {
	uint32_t hash, number; /* number + 1; 0: free */
};

struct index {
	struct index_slot *slots;
	size_t count, capacity;
	size_t at; /* of the look-up under way */
};

/* Candidates whose hash is the same, one after another; INDEX_NONE behind the last. */
static inline uint32_t index_next(struct index *index, uint64_t hash)
{
	const uint32_t wanted = (uint32_t)(hash >> 32);

	for (;;) {
		const struct index_slot *slot = &index->slots[index->at++ & (index->capacity - 1)];

		if (slot->number == 0)
			return INDEX_NONE;
		if (slot->hash == wanted)
			return slot->number - 1;
	}
}

static inline uint32_t index_first(struct index *index, uint64_t hash)
{
	if (index->capacity == 0)
		return INDEX_NONE;
	index->at = (size_t)(hash >> 32);
	return index_next(index, hash);
}

/*
 * To look up many things at a time, so that memory is waited for once and not once for each: first
 * index_expect() for all, then index_guess(), which tells the first candidate, whose memory may be
 * asked for in turn.
 */
static inline void index_expect(const struct index *index, uint64_t hash)
{
	if (index->capacity > 0)
		__builtin_prefetch(&index->slots[(size_t)(hash >> 32) & (index->capacity - 1)]);
}

static inline uint32_t index_guess(const struct index *index, uint64_t hash)
{
	struct index copy = *index;

	return index_first(&copy, hash);
}

/* @number is below INDEX_NONE. */
void index_add(struct index *index, uint64_t hash, uint32_t number);
void index_done(struct index *index);
