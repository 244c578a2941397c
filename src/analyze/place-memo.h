/*
 * place-memo.h - remembers what was found out of places, so that each is looked up once.
 *
 * Any number of threads may ask at the same time. Looking up takes long, and is done without the
 * lock; what was found is kept under it, unless another thread was faster:
 *
 *	found = place_memo_find(memo, place);
 *	if (found)
 *		return found;
 *	... look it up ...
 *	place_memo_lock(memo);
 *	found = place_memo_known(memo, place);
 *	if (!found)
 *		found = place_memo_keep(memo, place, ... made in memo->arena and memo->texts ...);
 *	place_memo_unlock(memo);
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/index.h"
#include "base/strings.h"

struct place;
struct place_memo_entry;
struct sites;

struct place_memo {
	const struct sites *sites;      /* after place_memo_settle() */
	_Atomic(const void *) *by_site; /* NULL: nobody asked */
	pthread_mutex_t lock;           /* of what is below */
	struct strings texts;
	struct arena arena;
	struct {
		struct place_memo_entry *items;
		size_t count, capacity;
	} known;
	struct index index;
};

void place_memo_init(struct place_memo *memo);
void place_memo_done(struct place_memo *memo);
/* All that was found before is gone, as it has to be before dsos go; not while others ask. */
void place_memo_forget(struct place_memo *memo);

/* What was kept of a place with its name; NULL: nothing yet. */
const void *place_memo_find(struct place_memo *memo, const struct place *place);

void place_memo_lock(struct place_memo *memo);
void place_memo_unlock(struct place_memo *memo);
/* These two under the lock. What is kept is returned. */
const void *place_memo_known(struct place_memo *memo, const struct place *place);
const void *place_memo_keep(struct place_memo *memo, const struct place *place, const void *found);

/* @sites are all there and named, borrowed until the next ones: the two below may be called. */
void place_memo_settle(struct place_memo *memo, const struct sites *sites);
/* What was found of a site's place, without waiting for anybody; NULL: nothing yet. */
static inline const void *place_memo_at(const struct place_memo *memo, uint32_t site)
{
	return atomic_load_explicit(&memo->by_site[site], memory_order_acquire);
}

static inline void place_memo_tell(struct place_memo *memo, uint32_t site, const void *found)
{
	atomic_store_explicit(&memo->by_site[site], found, memory_order_release);
}
