/* hits.c - see hits.h. */
#include "analyze/hits.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/profile.h"
#include "analyze/replay.h"
#include "base/mem.h"
#include "model/dso.h"
#include "model/timeline.h"

struct hits {
	const struct profile *profile;
	bool *marks;
};

static void mark(struct hits *hits, const struct profile_sample *sample, uint16_t cpumode,
		 uint64_t addr)
{
	const struct map *map = timeline_map(profile_timeline(hits->profile), sample->sample.pid,
					     cpumode, addr, sample->moment);

	if (map && map->dso)
		hits->marks[map->dso->id] = true;
}

static uint16_t context_mode(uint64_t mark, uint16_t before)
{
	switch (mark) {
	case (uint64_t)PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case (uint64_t)PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case (uint64_t)PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case (uint64_t)PERF_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	case (uint64_t)PERF_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	default:
		return before;
	}
}

static int mark_sample(void *context, const struct profile_sample *sample)
{
	struct hits *hits = context;
	uint16_t cpumode = sample->cpumode;

	if (sample->sample.has & PERF_SAMPLE_IP)
		mark(hits, sample, cpumode, sample->sample.ip);
	for (size_t i = 0; i < sample->sample.callchain_count; i++) {
		uint64_t entry = sample->sample.callchain[i];

		if (entry >= (uint64_t)PERF_CONTEXT_MAX)
			cpumode = context_mode(entry, cpumode);
		else
			mark(hits, sample, cpumode, entry);
	}
	return 0;
}

int hits_find(struct profile *profile, bool **ret_marks)
{
	size_t count = timeline_dso_count(profile_timeline(profile));
	_cleanup_(freep) bool *marks = xcalloc(count + 1, sizeof(*marks));
	struct hits hits = { profile, marks };
	int r = replay_all(profile, mark_sample, NULL, &hits);

	if (r >= 0)
		*ret_marks = take(marks);
	return r;
}
