/* repeats.c - see repeats.h. */
#include "analyze/repeats.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/profile.h"
#include "base/hash.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"

enum { THREADS = 256 }; /* remembered */

struct repeats_event {
	struct sample_layout layout;
	bool is_alike;           /* the layout holds */
	uint64_t default_period; /* where samples do not tell */
};

/* What a thread is from one moment to another; as of the last sample of it. */
struct repeats_thread {
	uint32_t pid, tid, event, mode;
	uint32_t span; /* + 1; 0: nothing to rely on */
	uint64_t from, until;
};

struct repeats_span {
	const char *comm;
	uint64_t user_epoch, kernel_epoch;
	uint32_t event, mode;
};

/* A row: span and number, the count of links, the address, and the links. */
enum { ROW_NUMBER, ROW_COUNT, ROW_ADDRESS, ROW_LINKS };

static uint16_t mode_of(const struct perf_event_header *header)
{
	return header->misc & PERF_RECORD_MISC_CPUMODE_MASK;
}

static const uint64_t *words_of(const struct perf_event_header *header)
{
	return (const void *)header;
}

void repeats_init(struct repeats *repeats, struct profile *profile, bool by_chain)
{
	const struct events *events = datafile_events(profile_file(profile));

	*repeats = (struct repeats){
		.profile = profile,
		.by_chain = by_chain,
		.events = xcalloc(events_count(events) + 1, sizeof(*repeats->events)),
		.threads = xcalloc(THREADS, sizeof(*repeats->threads)),
	};
	for (size_t i = 0; i < events_count(events); i++) {
		const struct attr *attr = &events_at(events, i)->attr;
		struct repeats_event *event = &repeats->events[i];

		event->is_alike = sample_layout(attr, &event->layout);
		event->default_period =
			attr->freq || attr->sample_period == 0 ? 1 : attr->sample_period;
	}
}

void repeats_done(struct repeats *repeats)
{
	free(repeats->events);
	free(repeats->threads);
	free(repeats->spans.items);
	free_room(&repeats->seen);
	index_done(&repeats->span_of);
	index_done(&repeats->seen_at);
	*repeats = (struct repeats){ 0 };
}

/* The number of an equal one, + 1. */
static uint32_t intern_span(struct repeats *repeats, const struct repeats_span *span)
{
	uint64_t hash =
		hash_u64(span->user_epoch ^ hash_u64((uintptr_t)span->comm) ^
			 hash_u64(span->kernel_epoch << 32 ^ span->event << 4 ^ span->mode));

	for (uint32_t at = index_first(&repeats->span_of, hash); at != INDEX_NONE;
	     at = index_next(&repeats->span_of, hash)) {
		const struct repeats_span *old = &repeats->spans.items[at];

		if (old->comm == span->comm && old->user_epoch == span->user_epoch &&
		    old->kernel_epoch == span->kernel_epoch && old->event == span->event &&
		    old->mode == span->mode)
			return at + 1;
	}
	grow(&repeats->spans);
	repeats->spans.items[repeats->spans.count] = *span;
	index_add(&repeats->span_of, hash, (uint32_t)repeats->spans.count);
	return (uint32_t)++repeats->spans.count;
}

static uint32_t span_of(struct repeats *repeats, const struct repeats_sample *sample)
{
	uint32_t event = sample->event, mode = mode_of(sample->header);
	struct repeats_thread *thread =
		&repeats->threads[(sample->tid * 2 + event * 37 + mode) % THREADS];
	uint64_t moment = sample->at.moment;
	struct profile_span span;
	struct repeats_span kept;

	if (thread->tid == sample->tid && thread->pid == sample->pid && thread->event == event &&
	    thread->mode == mode && moment >= thread->from && moment < thread->until)
		return thread->span;
	if (!profile_span(repeats->profile, sample->pid, sample->tid, moment, &span))
		return 0;
	kept = (struct repeats_span){ span.comm, span.user_epoch, span.kernel_epoch, event, mode };
	*thread = (struct repeats_thread){
		.pid = sample->pid,
		.tid = sample->tid,
		.event = event,
		.mode = mode,
		.span = intern_span(repeats, &kept),
		.from = span.from,
		.until = span.until,
	};
	return thread->span;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint64_t hash_of(const struct repeats_sample *sample, const struct sample_layout *layout)
{
	const uint64_t *words = words_of(sample->header);
	uint64_t hash = mix(sample->span, sample->link_count);

	hash = mix(hash, words[layout->ip]);
	for (size_t i = 0; i < sample->link_count; i++)
		hash = mix(hash, words[layout->chain + 1 + i]);
	return hash * UINT64_C(0xc4ceb9fe1a85ec53);
}

/* False if the chain is not whole. */
static bool count_links(const struct repeats *repeats, const struct sample_layout *layout,
			struct repeats_sample *sample)
{
	uint64_t count;

	if (!layout->chain)
		return true;
	count = words_of(sample->header)[layout->chain];
	if (count > (size_t)sample->header->size / 8 - layout->size)
		return false;
	sample->link_count = repeats->by_chain ? (uint16_t)count : 0;
	return true;
}

void repeats_read(struct repeats *repeats, const struct record *record,
		  struct repeats_sample *ret_sample)
{
	const struct event_desc *desc =
		events_of(datafile_events(profile_file(repeats->profile)), record);
	const struct repeats_event *event = desc ? &repeats->events[desc->index] : NULL;
	const uint64_t *words = words_of(record->header);
	struct sample time = { 0 };
	uint32_t thread[2];

	*ret_sample = (struct repeats_sample){ .header = record->header };
	if (!event || !event->is_alike || record->header->size / 8 < event->layout.size ||
	    !count_links(repeats, &event->layout, ret_sample))
		return;
	if (event->layout.time) {
		time.has = PERF_SAMPLE_TIME;
		time.time = words[event->layout.time];
	}
	memcpy(thread, &words[event->layout.thread], sizeof(thread));
	ret_sample->pid = thread[0];
	ret_sample->tid = thread[1];
	ret_sample->event = (uint32_t)desc->index;
	ret_sample->at.moment = profile_moment(repeats->profile, record, &time);
	ret_sample->at.offset = record->offset;
	ret_sample->period =
		event->layout.period ? words[event->layout.period] : event->default_period;
	ret_sample->span = span_of(repeats, ret_sample);
	ret_sample->hash = hash_of(ret_sample, &event->layout);
}

/* Whether it is like the one of a row. */
static bool is_like(const struct repeats *repeats, const uint64_t *row,
		    const struct repeats_sample *sample)
{
	const struct sample_layout *layout = &repeats->events[sample->event].layout;
	const uint64_t *words = words_of(sample->header), *links = words + layout->chain + 1;

	if (row[ROW_NUMBER] >> 32 != sample->span || row[ROW_COUNT] != sample->link_count ||
	    row[ROW_ADDRESS] != words[layout->ip])
		return false;
	for (size_t i = 0; i < sample->link_count; i++) {
		if (row[ROW_LINKS + i] != links[i])
			return false;
	}
	return true;
}

uint32_t repeats_find(struct repeats *repeats, const struct repeats_sample *sample)
{
	uint32_t at;

	for (at = index_first(&repeats->seen_at, sample->hash); at != INDEX_NONE;
	     at = index_next(&repeats->seen_at, sample->hash)) {
		if (is_like(repeats, repeats->seen.items + at, sample))
			return (uint32_t)repeats->seen.items[at + ROW_NUMBER];
	}
	return INDEX_NONE;
}

void repeats_expect_seen(const struct repeats *repeats, const struct repeats_sample *sample)
{
	uint32_t at = index_guess(&repeats->seen_at, sample->hash);

	if (at != INDEX_NONE)
		__builtin_prefetch(repeats->seen.items + at);
}

uint32_t repeats_guess(const struct repeats *repeats, const struct repeats_sample *sample)
{
	uint32_t at = index_guess(&repeats->seen_at, sample->hash);

	return at == INDEX_NONE ? INDEX_NONE : (uint32_t)repeats->seen.items[at + ROW_NUMBER];
}

/* A mark other than of kernel and user: what is behind it, more than the chain decides. */
static bool has_other_mark(const struct repeats *repeats, const struct repeats_sample *sample)
{
	const struct sample_layout *layout = &repeats->events[sample->event].layout;
	const uint64_t *links = words_of(sample->header) + layout->chain + 1;

	for (size_t i = 0; i < sample->link_count; i++) {
		if (links[i] >= (uint64_t)PERF_CONTEXT_MAX &&
		    links[i] != (uint64_t)PERF_CONTEXT_KERNEL &&
		    links[i] != (uint64_t)PERF_CONTEXT_USER)
			return true;
	}
	return false;
}

void repeats_keep(struct repeats *repeats, const struct repeats_sample *sample, uint32_t number)
{
	const struct sample_layout *layout = &repeats->events[sample->event].layout;
	const uint64_t *words = words_of(sample->header);
	uint16_t mode = mode_of(sample->header);
	size_t size = ROW_LINKS + (size_t)sample->link_count, at = repeats->seen.count;
	uint64_t *row;

	if ((mode != PERF_RECORD_MISC_KERNEL && mode != PERF_RECORD_MISC_USER) ||
	    has_other_mark(repeats, sample) || at + size >= INDEX_NONE)
		return;
	while (repeats->seen.capacity - at < size)
		repeats->seen.items = xgrow_room(repeats->seen.items, &repeats->seen.capacity,
						 sizeof(*repeats->seen.items));
	row = repeats->seen.items + at;
	row[ROW_NUMBER] = (uint64_t)sample->span << 32 | number;
	row[ROW_COUNT] = sample->link_count;
	row[ROW_ADDRESS] = words[layout->ip];
	for (size_t i = 0; i < sample->link_count; i++)
		row[ROW_LINKS + i] = words[layout->chain + 1 + i];
	repeats->seen.count += size;
	index_add(&repeats->seen_at, sample->hash, (uint32_t)at);
}
