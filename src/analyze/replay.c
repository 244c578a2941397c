/*
 * replay.c - see replay.h.
 *
 * Order: after a slice was read, everything below the lowest time of those behind it is settled and
 * goes out; only what overlaps them waits. The order is exact whatever the slices look like, and
 * memory follows the overlap.
 *
 *   slice     1 [---------]
 *             2       [---------]
 *             3              [--------]
 *   goes out  1:1111112:221222223:33333
 *
 * Windows are cut at the same times.
 */
#include "analyze/replay.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/profile.h"
#include "analyze/readings.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "model/timeline.h"

/* Bytes of records in a window, at least: few, since each may stand for a hundred of text. */
enum { WINDOW_SIZE = 16 * 1024 };

/* Records that wait for their turn. */
struct waiting {
	uint64_t time_ns, offset;
};

struct queue {
	struct waiting *items;
	size_t count, capacity;
	struct {
		struct waiting *items;
		size_t count, capacity;
	} room; /* for sorting */
};

static void queue_done(struct queue *queue)
{
	free(queue->items);
	free(queue->room.items);
}

static bool goes_before(const struct waiting *left, const struct waiting *right)
{
	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns;
	return left->offset < right->offset;
}

/* Where the run that begins at @from ends. */
static size_t run_end(const struct waiting *items, size_t from, size_t count)
{
	size_t end = from + 1;

	while (end < count && !goes_before(&items[end], &items[end - 1]))
		end++;
	return end < count ? end : count;
}

/* Merges two runs, [begin, middle) and [middle, end), of @from into @to. */
static void merge(const struct waiting *from, size_t begin, size_t middle, size_t end,
		  struct waiting *to)
{
	size_t left = begin, right = middle;

	for (size_t i = begin; i < end; i++) {
		bool take_right =
			left == middle || (right < end && goes_before(&from[right], &from[left]));

		to[i] = from[take_right ? right++ : left++];
	}
}

/* Each ring is in order by itself, so there are few runs: they are merged in pairs. */
static void sort(struct queue *queue)
{
	size_t count = queue->count;

	while (queue->room.capacity < count)
		queue->room.items =
			xgrow(queue->room.items, &queue->room.capacity, sizeof(*queue->room.items));
	while (count > 0 && run_end(queue->items, 0, count) < count) {
		struct waiting *sorted = queue->room.items;
		size_t capacity = queue->room.capacity;

		for (size_t begin = 0, middle, end; begin < count; begin = end) {
			middle = run_end(queue->items, begin, count);
			end = middle < count ? run_end(queue->items, middle, count) : middle;
			merge(queue->items, begin, middle, end, sorted);
		}
		queue->room.items = queue->items;
		queue->room.capacity = queue->capacity;
		queue->items = sorted;
		queue->capacity = capacity;
	}
}

static bool carries_readings(const struct sample *sample)
{
	return sample->has & PERF_SAMPLE_READ && sample->read.count > 0 &&
	       sample->read.format & PERF_FORMAT_ID;
}

struct replay {
	struct profile *profile;
	replay_each *each;
	replay_other *others;
	void *context;
	bool has_time;
	bool all_wait; /* also what has no time */
	struct queue queue;
	struct readings readings;
};

/* Each is handed out when it is known whether another one follows. */
static int hand_out_readings(struct profile *profile, struct readings *readings,
			     const struct profile_sample *whole, replay_each *each, void *context)
{
	const struct events *events = datafile_events(profile_file(profile));
	bool by_thread = whole->event->attr.inherit && whole->sample.has & PERF_SAMPLE_TID;
	struct profile_sample next = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < whole->sample.read.count; i++) {
		struct sample_read read = sample_read_at(&whole->sample, i);
		struct profile_sample part = *whole;

		part.event = events_find_id(events, read.id);
		part.sample.id = read.id;
		part.sample.period = readings_advance(
			readings, read.id, by_thread ? whole->sample.tid : 0, read.value);
		part.of_reading = true;
		if (!part.event || part.sample.period == 0)
			continue;
		if (next.event)
			r = each(context, &next);
		next = part;
	}
	next.ends_reading = true;
	return r == 0 && next.event ? each(context, &next) : r;
}

int replay_record(struct profile *profile, const struct record *record, struct readings *readings,
		  replay_each *each, void *context)
{
	struct profile_sample sample;

	if (profile_decode(profile, record, &sample) < 0)
		return 0;
	if (carries_readings(&sample.sample))
		return hand_out_readings(profile, readings, &sample, each, context);
	return each(context, &sample);
}

static int hand_out(struct replay *replay, const struct record *record)
{
	const struct event_desc *event = NULL;
	struct sample trailer;

	if (record->header->type == PERF_RECORD_SAMPLE)
		return replay_record(replay->profile, record, &replay->readings, replay->each,
				     replay->context);
	if (events_decode(datafile_events(profile_file(replay->profile)), record, &event,
			  &trailer) < 0)
		trailer = (struct sample){ .pid = UINT32_MAX, .tid = UINT32_MAX };
	return replay->others(replay->context, record, &trailer, event);
}

int replay_settle(struct replay *replay, uint64_t later_ns)
{
	const struct datafile *file = profile_file(replay->profile);
	struct queue *queue = &replay->queue;
	size_t i = 0;
	int r = 0;

	sort(queue);
	while (r == 0 && i < queue->count &&
	       (queue->items[i].time_ns < later_ns || later_ns == UINT64_MAX)) {
		struct record record = datafile_record(file, queue->items[i].offset);

		r = hand_out(replay, &record);
		i++;
	}
	queue->count -= i;
	if (queue->count > 0)
		memmove(queue->items, queue->items + i, queue->count * sizeof(*queue->items));
	return r;
}

/* The time of a record that has one. */
static bool time_of(const struct profile *profile, const struct record *record, uint64_t *ret_ns)
{
	const struct events *events = datafile_events(profile_file(profile));
	const struct event_desc *event;
	struct sample trailer;

	if (record->header->type == PERF_RECORD_SAMPLE) {
		event = events_of(events, record);
		if (!event || !sample_time(&event->attr, record->header, ret_ns))
			return false;
	} else {
		if (events_decode(events, record, &event, &trailer) < 0 ||
		    !(trailer.has & PERF_SAMPLE_TIME))
			return false;
		*ret_ns = trailer.time;
	}
	return *ret_ns != 0 && *ret_ns != UINT64_MAX;
}

static void wait(struct queue *queue, uint64_t time_ns, const struct record *record)
{
	grow(queue);
	queue->items[queue->count++] = (struct waiting){ time_ns, record->offset };
}

int replay_add(struct replay *replay, const struct record *record)
{
	uint64_t time_ns = 0;

	if (record->header->type != PERF_RECORD_SAMPLE && !replay->others)
		return 0;
	if (!replay->has_time || record->header->type >= RECORD_HEADER_ATTR ||
	    (!time_of(replay->profile, record, &time_ns) && !replay->all_wait))
		return hand_out(replay, record);
	wait(&replay->queue, time_ns, record);
	return 0;
}

struct replay *replay_new(struct profile *profile, replay_each *each, replay_other *others,
			  void *context, bool all_wait)
{
	struct replay *replay = xnew(struct replay);

	replay->profile = profile;
	replay->each = each;
	replay->others = others;
	replay->context = context;
	replay->has_time = profile_totals(profile)->has_time;
	replay->all_wait = all_wait;
	return replay;
}

void replay_free(struct replay *replay)
{
	if (!replay)
		return;
	queue_done(&replay->queue);
	readings_done(&replay->readings);
	free(replay);
}

void replay_forget(struct replay *replay)
{
	const struct timeline *timeline = profile_timeline(replay->profile);
	struct hash tids = { 0 };

	if (replay->readings.count == 0)
		return;
	for (size_t i = 0; i < timeline_thread_count(timeline); i++)
		(void)hash_add(&tids, timeline_thread_at(timeline, i).tid, NULL);
	readings_keep(&replay->readings, &tids);
	hash_done(&tids);
}

uint64_t replay_first(const struct replay *replay)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < replay->queue.count; i++) {
		if (replay->queue.items[i].offset < first)
			first = replay->queue.items[i].offset;
	}
	return first;
}

int replay_all(struct profile *profile, replay_each *each, replay_other *others, void *context)
{
	_cleanup_(replay_freep) struct replay *replay =
		replay_new(profile, each, others, context, false);
	const struct profile_slice *slice = profile_slice(profile, 0);
	struct datafile_cursor cursor = datafile_begin(profile_file(profile));
	struct record record;
	int r = 0;

	while (r == 0 && datafile_next(&cursor, &record)) {
		bool ends_round = record.header->type == RECORD_FINISHED_ROUND;

		if (!ends_round)
			r = replay_add(replay, &record);
		if (r == 0 && cursor.offset >= slice->end) {
			r = replay_settle(replay, slice->later_ns);
			slice++;
		}
		if (r == 0 && ends_round) /* behind what it lets go */
			r = replay_add(replay, &record);
	}
	return r == 0 ? replay_settle(replay, UINT64_MAX) : r;
}

bool replay_needs_order(const struct profile *profile)
{
	const struct events *events = datafile_events(profile_file(profile));

	for (size_t i = 0; i < events_count(events); i++) {
		const struct attr *attr = &events_at(events, i)->attr;

		if (attr->sample_type & PERF_SAMPLE_READ && attr->read_format & PERF_FORMAT_ID)
			return true;
	}
	return false;
}

int replay_slice(struct profile *profile, size_t slice, replay_each *each, void *context)
{
	const struct profile_slice *part = profile_slice(profile, slice);
	struct datafile_cursor cursor = { profile_file(profile), part->begin };
	struct profile_sample sample;
	struct record record;
	int r = 0;

	while (r == 0 && cursor.offset < part->end && datafile_next(&cursor, &record)) {
		if (record.header->type == PERF_RECORD_SAMPLE &&
		    profile_decode(profile, &record, &sample) == 0)
			r = each(context, &sample);
	}
	return r;
}

/* The first slice, from that of the window before it on, that reaches into a window. */
static size_t first_slice(const struct profile *profile, uint64_t from_ns, size_t first, size_t end)
{
	while (first < end && profile_slice(profile, first)->highest_ns < from_ns)
		first++;
	return first;
}

struct replay_window *replay_windows(const struct profile *profile, size_t *ret_count)
{
	struct {
		struct replay_window *items;
		size_t count, capacity;
	} windows = { 0 };
	size_t count = profile_slice_count(profile), first = 0;
	uint64_t from_ns = 0, begin = profile_slice(profile, 0)->begin;

	if (!profile_totals(profile)->has_time || profile_totals(profile)->untimed_count > 0 ||
	    replay_needs_order(profile))
		return NULL;
	for (size_t i = 0; i < count; i++) {
		const struct profile_slice *slice = profile_slice(profile, i);

		if (i + 1 < count &&
		    (slice->end - begin < WINDOW_SIZE || slice->later_ns == from_ns))
			continue;
		grow(&windows);
		first = first_slice(profile, from_ns, first, i + 1);
		windows.items[windows.count++] = (struct replay_window){
			.from_ns = from_ns,
			.until_ns = i + 1 < count ? slice->later_ns : UINT64_MAX,
			.first = first,
			.end = i + 1,
		};
		from_ns = slice->later_ns;
		begin = slice->end;
	}
	*ret_count = windows.count;
	return windows.items;
}

static void gather(const struct profile *profile, const struct replay_window *window,
		   const struct profile_slice *slice, struct queue *queue)
{
	struct datafile_cursor cursor = { profile_file(profile), slice->begin };
	struct record record;
	uint64_t time_ns;

	while (cursor.offset < slice->end && datafile_next(&cursor, &record)) {
		if (record.header->type == PERF_RECORD_SAMPLE &&
		    time_of(profile, &record, &time_ns) && time_ns >= window->from_ns &&
		    time_ns < window->until_ns)
			wait(queue, time_ns, &record);
	}
}

int replay_window(struct replay *replay, const struct replay_window *window)
{
	const struct profile *profile = replay->profile;

	for (size_t i = window->first; i < window->end; i++) {
		const struct profile_slice *slice = profile_slice(profile, i);

		if (slice->highest_ns >= window->from_ns && slice->lowest_ns < window->until_ns)
			gather(profile, window, slice, &replay->queue);
	}
	return replay_settle(replay, UINT64_MAX);
}
