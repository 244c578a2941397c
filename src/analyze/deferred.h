/*
 * deferred.h - the user's parts of call chains that were walked late, on the way back from the
 * kernel (--call-graph fp,defer): a sample holds a number, its cookie, in place of that part, and a
 * CALLCHAIN_DEFERRED record that comes later has the part for all samples with that number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"

struct record;
struct sample;

/* Starts as { 0 }. */
struct deferred {
	bool copies; /* else addresses are borrowed from the records */
	struct deferred_chain *items;
	size_t count, capacity;
	struct arena arena;
	struct hash by_key; /* of a thread and a cookie: the latest, + 1 */
};

/* Takes a CALLCHAIN_DEFERRED record with its trailer; 0 or -EBADMSG. */
int deferred_add(struct deferred *deferred, const struct record *record,
		 const struct sample *trailer);
/* The addresses and marks of a thread's cookie; NULL if no record had it. */
const uint64_t *deferred_find(const struct deferred *deferred, uint32_t tid, uint64_t cookie,
			      size_t *ret_count);
/* Forgets records before a time, where they are copied. */
void deferred_forget(struct deferred *deferred, uint64_t before_ns);
void deferred_done(struct deferred *deferred);
