/* deferred.c - see deferred.h. */
#include "analyze/deferred.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/record.h"
#include "data/sample.h"

struct deferred_chain {
	uint32_t tid;
	uint64_t cookie;
	const uint64_t *ips;
	size_t count;
	size_t next; /* of the same key, + 1 */
};

struct deferred_record {
	struct perf_event_header header;
	uint64_t cookie, count;
	uint64_t ips[];
};

static uint64_t key_of(uint32_t tid, uint64_t cookie)
{
	return hash_u64(cookie ^ hash_u64(tid));
}

int deferred_add(struct deferred *deferred, const struct record *record,
		 const struct sample *trailer)
{
	const struct deferred_record *body = (const void *)record->header;
	struct hash_entry *entry;
	size_t room;

	if (!record_fits(record->header, sizeof(*body)))
		return -EBADMSG;
	room = (record->header->size - sizeof(*body)) / sizeof(body->ips[0]);
	if (body->count > room)
		return -EBADMSG;
	entry = hash_add(&deferred->by_key, key_of(trailer->tid, body->cookie), NULL);
	grow(deferred);
	deferred->items[deferred->count++] = (struct deferred_chain){
		.tid = trailer->tid,
		.cookie = body->cookie,
		.ips = body->ips,
		.count = (size_t)body->count,
		.next = entry->index,
	};
	entry->index = deferred->count;
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

void deferred_done(struct deferred *deferred)
{
	free(deferred->items);
	hash_done(&deferred->by_key);
}
