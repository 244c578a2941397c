/* branch-events.c - see branch-events.h. */
#include "analyze/branch-events.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/pmu-caps.h"
#include "analyze/profile.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/sample.h"

enum { WIDEST = 16 }; /* bits */

/* PERF_SAMPLE_BRANCH_COUNTERS, which headers before Linux 6.8 lack. */
static const uint64_t counters_bit = UINT64_C(1) << 19;

void branch_events_find(struct branch_events *events, const struct datafile *file)
{
	const struct events *all = datafile_events(file);

	for (size_t i = 0; i < events_count(all); i++) {
		const struct event_desc *event = events_at(all, i);
		char letter = events->count < 26 ? (char)('A' + events->count) : '?';

		if (!(event->attr.branch_sample_type & counters_bit))
			continue;
		grow(events);
		events->items[events->count++] = (struct branch_event){ event, letter };
	}
	events->width = (unsigned)pmu_caps_number(file, "branch_counter_width", WIDEST);
}

void branch_events_done(struct branch_events *events)
{
	free(events->items);
	*events = (struct branch_events){ 0 };
}

bool branch_events_next(const struct branch_events *events, const struct profile_sample *sample,
			size_t branch, size_t *ret_next, struct branch_event_count *ret_count)
{
	const struct sample *s = &sample->sample;
	const unsigned most = (1U << events->width) - 1;
	size_t before = 0; /* events of the group that lie in lower bits */

	if (!s->branch_counters || events->width == 0 || branch >= s->branch_count)
		return false;
	for (size_t i = 0; i < events->count; i++) {
		const struct branch_event *event = &events->items[i];

		if (event->event->leader != sample->event->leader)
			continue;
		if (before++ < *ret_next)
			continue;
		if (before * events->width > 64)
			return false;
		*ret_next = before;
		ret_count->event = event;
		ret_count->count =
			(unsigned)(s->branch_counters[branch] >> (before - 1) * events->width) &
			most;
		ret_count->saturated = ret_count->count == most;
		return true;
	}
	return false;
}
