/* unnamed.c - see unnamed.h. */
#include "analyze/unnamed.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/kept.h"
#include "analyze/profile.h"
#include "analyze/report.h"
#include "analyze/sites.h"
#include "base/mem.h"
#include "model/dso.h"
#include "model/timeline.h"
#include "symbol/resolve.h"

/* Adds, by dso, the samples at places without a name; returns the number of all samples. */
static uint64_t count_samples(const struct report *report, uint64_t *counts)
{
	uint64_t all = 0;

	for (size_t i = 0; i < report->event_count; i++) {
		const struct report_event *event = &report->events[i];

		all += event->sample_count;
		for (size_t k = 0; k < event->hist->entry_count; k++) {
			const struct hist_entry *entry = event->hist->entries[k];
			const struct place *place = sites_place(report->sites, entry->site);

			hist_expect(event->hist, k);
			if (!place->map || (place->function && !kept_is_nameless(place)))
				continue;
			for (size_t m = 0; m < event->member_count; m++)
				counts[place->map->dso->id] += entry->self[m].count;
		}
	}
	return all;
}

/* Keeps the heaviest in order; of equal ones, that which came first. */
static size_t insert(struct unnamed items[UNNAMED_MOST], size_t count, struct unnamed item)
{
	size_t at = count;

	while (at > 0 && items[at - 1].count < item.count)
		at--;
	if (at == UNNAMED_MOST)
		return count;
	count += count < UNNAMED_MOST;
	memmove(&items[at + 1], &items[at], (count - at - 1) * sizeof(*items));
	items[at] = item;
	return count;
}

static void set_reason(struct unnamed *item, struct resolver *resolver)
{
	item->reason = resolver_reason(resolver, item->dso);
	item->is_gap = item->reason == REASON_NONE;
	if (item->is_gap)
		item->reason = resolver_gap_reason(resolver, item->dso);
}

size_t unnamed_find(const struct report *report, struct profile *profile,
		    struct unnamed items[UNNAMED_MOST])
{
	const struct timeline *timeline = profile_timeline(profile);
	size_t dso_count = timeline_dso_count(timeline), found = 0;
	uint64_t *counts, all;

	if (report->branches || !fields_have_key(&report->fields.order, "symbol"))
		return 0;
	counts = xcalloc(dso_count + 1, sizeof(*counts));
	all = count_samples(report, counts);
	for (uint32_t id = 1; id <= dso_count; id++) {
		struct unnamed item = { .dso = timeline_dso(timeline, id), .count = counts[id] };

		if (item.count == 0 ||
		    (double)item.count * 100 < (double)all * UNNAMED_LEAST_PERCENT)
			continue;
		set_reason(&item, profile_resolver(profile));
		item.percent = 100.0 * (double)item.count / (double)all;
		if (item.reason != REASON_NONE)
			found = insert(items, found, item);
	}
	free(counts);
	return found;
}
