/* stats.c - see stats.h. */
#include "data/stats.h"

#include "base/mem.h"
#include "data/events.h"

static void add_to_event(struct stats *stats, const struct record *record)
{
	const struct event_desc *desc = events_of(stats->events, record);
	struct stats_event *event;

	if (!desc) {
		stats->unknown_id_count += record->header->type == PERF_RECORD_SAMPLE;
		return;
	}
	event = &stats->by_event[desc->index];
	switch (record->header->type) {
	case PERF_RECORD_SAMPLE:
		event->sample_count++;
		break;
	case PERF_RECORD_LOST:
		event->lost_count++;
		break;
	case PERF_RECORD_LOST_SAMPLES:
		event->lost_sample_count++;
		break;
	case PERF_RECORD_THROTTLE:
		event->throttle_count++;
		break;
	default:
		break;
	}
}

void stats_init(struct stats *stats, const struct events *events)
{
	size_t count = events_count(events);

	*stats = (struct stats){ .events = events };
	stats->by_event = xcalloc(count ? count : 1, sizeof(*stats->by_event));
}

void stats_add(struct stats *stats, const struct record *record)
{
	uint32_t type = record->header->type;

	stats->total++;
	if (record_type_name(type))
		stats->types[type]++;
	else
		stats->unknown_count++;
	add_to_event(stats, record);
}

void stats_done(struct stats *stats)
{
	free(stats->by_event);
	*stats = (struct stats){ 0 };
}
