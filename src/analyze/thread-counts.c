/* thread-counts.c - see thread-counts.h. */
#include "analyze/thread-counts.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "analyze/profile.h"
#include "analyze/replay.h"
#include "base/hash.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"

struct search {
	struct thread_counts *counts;
	struct hash by_thread; /* index in counts->items */
};

static struct thread_count *count_of(struct search *search, uint32_t pid, uint32_t tid)
{
	struct thread_counts *counts = search->counts;
	bool is_new;
	struct hash_entry *entry = hash_add(&search->by_thread, (uint64_t)pid << 32 | tid, &is_new);

	if (is_new) {
		entry->index = counts->count;
		grow(counts);
		counts->items[counts->count++] =
			(struct thread_count){ pid, tid,
					       xcalloc(counts->event_count + 1, sizeof(uint64_t)) };
	}
	return &counts->items[entry->index];
}

static int take_read(void *context, const struct record *record, const struct sample *trailer,
		     const struct event_desc *event)
{
	const struct record_read *read = (const void *)record->header;

	if (event && record_fits(record->header, sizeof(*read) + sizeof(read->values[0])))
		count_of(context, read->pid, read->tid)->values[event->index] += read->values[0];
	return 0;
}

/* READ records in order of time; all else may stay where it is. */
void thread_counts_find(struct profile *profile, struct thread_counts *ret_counts)
{
	struct search search = { .counts = ret_counts };
	_cleanup_(replay_freep) struct replay *replay =
		replay_new(profile, NULL, take_read, &search, false);
	struct datafile_cursor cursor = datafile_begin(profile_file(profile));
	struct record record;

	*ret_counts = (struct thread_counts){
		.event_count = events_count(datafile_events(profile_file(profile))),
	};
	while (datafile_next(&cursor, &record)) {
		if (record.header->type == PERF_RECORD_READ)
			(void)replay_add(replay, &record);
	}
	(void)replay_settle(replay, UINT64_MAX);
	hash_done(&search.by_thread);
}

void thread_counts_done(struct thread_counts *counts)
{
	for (size_t i = 0; i < counts->count; i++)
		free(counts->items[i].values);
	free(counts->items);
	*counts = (struct thread_counts){ 0 };
}
