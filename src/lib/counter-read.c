/* counter-read.c - see counter-read.h. */
#include "lib/counter-read.h"

#include <errno.h>
#include <string.h>

#include "kernel/perfevent.h"
#include "kernel/pmc.h"
#include "kernel/userpage.h"
#include "lib/counter-state.h"

/* By the CPU's own instructions. False: not all of it can be read so. */
static inline __attribute__((always_inline)) bool read_pages(const struct strobe_counter *counter,
							     const struct counter_group *group,
							     uint64_t *ret_counts,
							     struct counter_times *ret_times)
{
	const struct counter_slot *slot = &counter->slots[group->first];
	const struct counter_slot *end = &counter->slots[group->end];
	struct userpage_reading leader;

	if (!userpage_read(slot->page, pmc_read, pmc_ticks, counter->is_started, &leader))
		return false;
	*ret_counts = leader.count;
	*ret_times = (struct counter_times){ leader.enabled_ns, leader.running_ns };
	while (++slot < end)
		if (!userpage_count(slot->page, pmc_read, ++ret_counts))
			return false;
	return true;
}

/* By read(2): how many there are, both times, the counts (PERF_FORMAT_GROUP). */
static int read_group(const struct strobe_counter *counter, const struct counter_group *group,
		      uint64_t *ret_counts, struct counter_times *ret_times)
{
	size_t count = group->end - group->first;
	int r = perfevent_values(counter->events[group->first].fd, counter->words,
				 COUNTER_STATE_READ_WORDS + count);

	if (r < 0)
		return r;
	if ((size_t)r < COUNTER_STATE_READ_WORDS + count)
		return -EIO;
	*ret_times = (struct counter_times){ counter->words[1], counter->words[2] };
	memcpy(ret_counts, counter->words + COUNTER_STATE_READ_WORDS, count * sizeof(*ret_counts));
	return 0;
}

/* What cannot be read from pages. Apart, so that what is usual saves no registers for it. */
static __attribute__((noinline)) int read_groups(const struct strobe_counter *counter,
						 const struct counter_reading *reading)
{
	bool is_own = counter->thread == pmc_thread();

	if (!counter->thread)
		return -ECHILD;
	for (size_t i = 0; i < counter->group_count; i++) {
		const struct counter_group *group = &counter->groups[i];
		uint64_t *counts = &reading->counts[group->first];
		int r;

		if (is_own && group->is_mapped &&
		    read_pages(counter, group, counts, &reading->times[i]))
			continue;
		r = read_group(counter, group, counts, &reading->times[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

int counter_read_all(const struct strobe_counter *counter, const struct counter_reading *reading)
{
	if (!counter->is_mapped || counter->thread != pmc_thread())
		return read_groups(counter, reading);
	pmc_settle();
	for (size_t i = 0; i < counter->group_count; i++) {
		const struct counter_group *group = &counter->groups[i];

		if (!read_pages(counter, group, &reading->counts[group->first], &reading->times[i]))
			return read_groups(counter, reading);
	}
	return 0;
}
