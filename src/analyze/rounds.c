/* rounds.c - see rounds.h. */
#include "analyze/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/profile.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"

struct waiting {
	struct record record;
	const struct event_desc *event;
	struct sample sample;
};

struct rounds {
	rounds_each *each;
	void *context;
	struct {
		struct waiting *items;
		size_t count, capacity;
	} queue;
	uint64_t latest_ns; /* of all that waited */
	uint64_t safe_ns;   /* what is not later waits for nobody */
};

static int by_time(const void *a, const void *b)
{
	const struct waiting *left = a, *right = b;

	if (left->sample.time != right->sample.time)
		return left->sample.time < right->sample.time ? -1 : 1;
	return (left->record.offset > right->record.offset) -
	       (left->record.offset < right->record.offset);
}

/* Hands out what is not later than @until_ns. */
static void flush(struct rounds *rounds, uint64_t until_ns)
{
	size_t done = 0;

	if (rounds->queue.count > 0)
		qsort(rounds->queue.items, rounds->queue.count, sizeof(*rounds->queue.items),
		      by_time);
	while (done < rounds->queue.count && rounds->queue.items[done].sample.time <= until_ns) {
		const struct waiting *next = &rounds->queue.items[done++];

		rounds->each(rounds->context, &next->record, next->event, &next->sample);
	}
	rounds->queue.count -= done;
	if (done > 0)
		memmove(rounds->queue.items, rounds->queue.items + done,
			rounds->queue.count * sizeof(*rounds->queue.items));
}

static void end_round(struct rounds *rounds)
{
	flush(rounds, rounds->safe_ns);
	rounds->safe_ns = rounds->latest_ns;
}

static void wait(struct rounds *rounds, const struct waiting *waiting)
{
	grow(&rounds->queue);
	rounds->queue.items[rounds->queue.count++] = *waiting;
	if (waiting->sample.time > rounds->latest_ns)
		rounds->latest_ns = waiting->sample.time;
}

/* What the record tells of itself; false if it does not wait. */
static bool decode(const struct events *events, const struct record *record,
		   struct waiting *ret_waiting)
{
	*ret_waiting = (struct waiting){ .record = *record };
	if (record->header->type >= RECORD_HEADER_ATTR ||
	    events_decode(events, record, &ret_waiting->event, &ret_waiting->sample) < 0)
		return false;
	return ret_waiting->sample.time != 0 && ret_waiting->sample.time != UINT64_MAX;
}

void rounds_walk(struct profile *profile, bool in_file_order, rounds_each *each, void *context)
{
	const struct datafile *file = profile_file(profile);
	struct datafile_cursor cursor = datafile_begin(file);
	struct rounds rounds = { .each = each, .context = context };
	struct record record;

	while (datafile_next(&cursor, &record)) {
		struct waiting waiting;

		if (decode(datafile_events(file), &record, &waiting) && !in_file_order) {
			wait(&rounds, &waiting);
			continue;
		}
		each(context, &record, waiting.event, &waiting.sample);
		if (record.header->type == RECORD_FINISHED_ROUND)
			end_round(&rounds);
	}
	flush(&rounds, UINT64_MAX);
	free(rounds.queue.items);
}
