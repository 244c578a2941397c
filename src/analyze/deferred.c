/* deferred.c - see deferred.h. */
#include "analyze/deferred.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/record.h"
#include "data/sample.h"

struct deferred_chain {
	uint32_t tid;
	uint64_t cookie, time_ns;
	const uint64_t *ips;
	size_t count;
	size_t next; /* of the same key, + 1 */
};

static uint64_t key_of(uint32_t tid, uint64_t cookie)
{
	return hash_u64(cookie ^ hash_u64(tid));
}

static const uint64_t *copy(struct deferred *deferred, const uint64_t *ips, size_t count)
{
	uint64_t *copied = arena_alloc(&deferred->arena, (count + 1) * sizeof(*ips));

	memcpy(copied, ips, count * sizeof(*ips));
	return copied;
}

static void add(struct deferred *deferred, struct deferred_chain chain)
{
	struct hash_entry *entry =
		hash_add(&deferred->by_key, key_of(chain.tid, chain.cookie), NULL);

	if (deferred->copies)
		chain.ips = copy(deferred, chain.ips, chain.count);
	chain.next = entry->index;
	grow(deferred);
	deferred->items[deferred->count++] = chain;
	entry->index = deferred->count;
}

int deferred_add(struct deferred *deferred, const struct record *record,
		 const struct sample *trailer)
{
	const struct record_deferred *body = (const void *)record->header;
	size_t room;

	if (!record_fits(record->header, sizeof(*body)))
		return -EBADMSG;
	room = (record->header->size - sizeof(*body)) / sizeof(body->ips[0]);
	if (body->count > room)
		return -EBADMSG;
	add(deferred, (struct deferred_chain){
			      .tid = trailer->tid,
			      .cookie = body->cookie,
			      .time_ns = trailer->time,
			      .ips = body->ips,
			      .count = (size_t)body->count,
		      });
	return 0;
}

const uint64_t *deferred_find(const struct deferred *deferred, uint32_t tid, uint64_t cookie,
			      size_t *ret_count)
{
	const struct hash_entry *entry = hash_find(&deferred->by_key, key_of(tid, cookie));

	for (size_t i = entry ? entry->index : 0; i > 0; i = deferred->items[i - 1].next) {
		const struct deferred_chain *chain = &deferred->items[i - 1];

		if (chain->tid != tid || chain->cookie != cookie)
			continue;
		*ret_count = chain->count;
		return chain->ips;
	}
	return NULL;
}

void deferred_forget(struct deferred *deferred, uint64_t before_ns)
{
	struct deferred kept = { .copies = true };

	if (!deferred->copies || deferred->count == 0)
		return;
	for (size_t i = 0; i < deferred->count; i++) {
		if (deferred->items[i].time_ns >= before_ns)
			add(&kept, deferred->items[i]);
	}
	deferred_done(deferred);
	*deferred = kept;
}

void deferred_done(struct deferred *deferred)
{
	free(deferred->items);
	hash_done(&deferred->by_key);
	arena_done(&deferred->arena);
}
