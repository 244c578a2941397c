/* sample-metrics.c - see sample-metrics.h. */
#include "analyze/sample-metrics.h"

#include <stdlib.h>

#include "analyze/profile.h"
#include "analyze/stat.h"
#include "base/hash.h"
#include "base/mem.h"
#include "data/countset.h"
#include "data/events.h"
#include "data/record.h"

/* A group: its events, and what they counted in the reading at hand. */
struct group {
	struct stat_event *events;
	size_t *numbers; /* of each, in the recording */
	size_t count;
	struct countset counts;
	struct stat *stat;
	uint64_t reading; /* where its record is */
};

struct sample_metrics {
	const struct events *events;
	const char *const *names;
	struct hash groups; /* by the leader's number */
};

/* Counts are of one place: that of the sample. */
static const int any_cpu = -1;
static const struct stat_thread any_thread = { .tid = -1 };

static struct stat_event event_of(const struct sample_metrics *metrics,
				  const struct event_desc *event, size_t index)
{
	return (struct stat_event){
		.name = metrics->names[event->index],
		.attr = event->attr,
		.unit = event->unit,
		.scale = event->scale,
		.first_alike = index,
	};
}

static struct group *group_new(const struct sample_metrics *metrics, size_t leader)
{
	struct group *group = xnew(struct group);
	size_t all = events_count(metrics->events);
	struct stat_setup setup = {
		.cpus = &any_cpu,
		.cpu_count = 1,
		.threads = &any_thread,
		.thread_count = 1,
		.no_scale = true,
	};

	group->events = xcalloc(all + 1, sizeof(*group->events));
	group->numbers = xcalloc(all + 1, sizeof(*group->numbers));
	for (size_t i = 0; i < all; i++) {
		const struct event_desc *event = events_at(metrics->events, i);

		if (event->leader != leader)
			continue;
		group->events[group->count] = event_of(metrics, event, group->count);
		group->numbers[group->count++] = i;
	}
	setup.events = group->events;
	setup.event_count = group->count;
	countset_init(&group->counts, group->count, 1, 1);
	group->stat = stat_new(&setup);
	group->reading = UINT64_MAX;
	return group;
}

static void group_free(struct group *group)
{
	stat_free(group->stat);
	countset_done(&group->counts);
	free(group->events);
	free(group->numbers);
	free(group);
}

struct sample_metrics *sample_metrics_new(const struct events *events, const char *const *names)
{
	struct sample_metrics *metrics = xnew(struct sample_metrics);

	metrics->events = events;
	metrics->names = names;
	return metrics;
}

void sample_metrics_free(struct sample_metrics *metrics)
{
	if (!metrics)
		return;
	for (struct hash_entry *e = hash_next(&metrics->groups, NULL); e;
	     e = hash_next(&metrics->groups, e))
		group_free(e->pointer);
	hash_done(&metrics->groups);
	free(metrics);
}

/* In a new reading, who is not told of counted nothing. */
static void begin_reading(struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		*countset_at(&group->counts, i, 0, 0) =
			(struct count){ .enabled_ns = 1, .running_ns = 1, .is_there = true };
}

static void count(struct group *group, const struct profile_sample *sample)
{
	if (group->reading != sample->record->offset)
		begin_reading(group);
	group->reading = sample->record->offset;
	for (size_t i = 0; i < group->count; i++) {
		if (group->numbers[i] == sample->event->index)
			countset_at(&group->counts, i, 0, 0)->value += sample->sample.period;
	}
}

const struct stat_table *sample_metrics_take(struct sample_metrics *metrics,
					     const struct profile_sample *sample)
{
	struct hash_entry *entry;
	struct group *group;

	if (!sample->of_reading)
		return NULL;
	entry = hash_add(&metrics->groups, sample->event->leader, NULL);
	if (!entry->pointer)
		entry->pointer = group_new(metrics, sample->event->leader);
	group = entry->pointer;
	count(group, sample);
	if (!sample->ends_reading)
		return NULL;
	stat_clear(group->stat);
	stat_add(group->stat, &group->counts, 0);
	group->reading = UINT64_MAX;
	return stat_rows(group->stat);
}
