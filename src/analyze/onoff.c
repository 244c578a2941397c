/* onoff.c - see onoff.h. */
#include "analyze/onoff.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "analyze/event-switch.h"
#include "analyze/profile.h"
#include "analyze/report-events.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"

/* A sample that may switch. */
struct mark {
	struct instant at;
	const struct event_desc *event;
};

struct marks {
	struct mark *items;
	size_t count, capacity;
};

static int by_instant(const void *a, const void *b)
{
	const struct mark *left = a, *right = b;

	return instant_before(right->at, left->at) - instant_before(left->at, right->at);
}

static void add_mark(struct profile *profile, const struct record *record,
		     const struct event_desc *on, const struct event_desc *off, struct marks *marks)
{
	const struct event_desc *event = events_of(datafile_events(profile_file(profile)), record);
	struct profile_sample sample;

	if (!event || (event != on && event != off) || profile_decode(profile, record, &sample) < 0)
		return;
	grow(marks);
	marks->items[marks->count++] = (struct mark){ { sample.moment, record->offset }, event };
}

static void find_marks(struct profile *profile, const struct event_desc *on,
		       const struct event_desc *off, struct marks *ret_marks)
{
	struct datafile_cursor cursor = datafile_begin(profile_file(profile));
	struct record record;

	while (datafile_next(&cursor, &record)) {
		if (record.header->type == PERF_RECORD_SAMPLE)
			add_mark(profile, &record, on, off, ret_marks);
	}
	if (ret_marks->count > 0)
		qsort(ret_marks->items, ret_marks->count, sizeof(*ret_marks->items), by_instant);
}

/* The last instant before another, and the first behind it. */
static struct instant before(struct instant at)
{
	return at.offset > 0 ? (struct instant){ at.moment, at.offset - 1 }
			     : (struct instant){ at.moment - 1, UINT64_MAX };
}
static struct instant behind(struct instant at)
{
	return (struct instant){ at.moment, at.offset + 1 };
}

static void add(struct onoff *onoff, struct instant from, struct instant until)
{
	grow(onoff);
	onoff->items[onoff->count++] = (struct onoff_stretch){ from, until };
}

static void connect(const struct marks *marks, struct event_switch state, struct onoff *onoff)
{
	struct instant from = { 0, 0 };

	for (size_t i = 0; i < marks->count; i++) {
		struct instant at = marks->items[i].at;
		bool was_off = state.is_off;
		bool counts = event_switch_takes(&state, marks->items[i].event);

		if (was_off && !state.is_off)
			from = counts ? at : behind(at);
		else if (!was_off && state.is_off)
			add(onoff, from, counts ? at : before(at));
	}
	if (!state.is_off)
		add(onoff, from, instant_after(UINT64_MAX));
}

int onoff_switch(const struct profile *profile, const struct onoff_options *options,
		 struct event_switch *ret_switch, struct strobe_err *err)
{
	const struct events *events = datafile_events(profile_file(profile));
	struct event_switch state = { .shows = options->show };
	int r = 0;

	if (options->on)
		r = report_events_find(events, options->on, &state.on, err);
	if (r == 0 && options->off)
		r = report_events_find(events, options->off, &state.off, err);
	if (r < 0)
		return r;
	event_switch_begin(&state);
	*ret_switch = state;
	return 0;
}

int onoff_find(struct profile *profile, const struct onoff_options *options,
	       struct onoff *ret_onoff, struct strobe_err *err)
{
	struct event_switch state;
	struct marks marks = { 0 };
	int r;

	if (!options->on && !options->off)
		return 0;
	r = onoff_switch(profile, options, &state, err);
	if (r < 0)
		return r;
	find_marks(profile, state.on, state.off, &marks);
	ret_onoff->is_set = true;
	connect(&marks, state, ret_onoff);
	free(marks.items);
	return 0;
}

void onoff_done(struct onoff *onoff)
{
	free(onoff->items);
	*onoff = (struct onoff){ 0 };
}

bool onoff_covers(const struct onoff *onoff, struct instant at)
{
	size_t low = 0, high = onoff->count;

	if (!onoff->is_set)
		return true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (instant_before(onoff->items[middle].until, at))
			low = middle + 1;
		else
			high = middle;
	}
	return low < onoff->count && !instant_before(at, onoff->items[low].from);
}
