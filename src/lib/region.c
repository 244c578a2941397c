/* region.c - see strobe/counter.h. */
#include <errno.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "lib/counter-read.h"
#include "lib/counter-state.h"
#include "lib/counter-values.h"
#include "strobe/counter.h"

struct strobe_region {
	struct strobe_counter *counter;
	uint64_t passes;
	bool has_begun;
	struct counter_reading begin, sum;
};

int strobe_region_new(struct strobe_counter *counter, struct strobe_region **ret_region,
		      struct strobe_err *err)
{
	struct strobe_region *region;

	if (!counter->thread)
		return err_set(err, -ECHILD, "the counter is the parent's, before fork");
	region = xnew(struct strobe_region);
	region->counter = counter;
	region->begin = counter_state_reading(counter);
	region->sum = counter_state_reading(counter);
	*ret_region = region;
	return 0;
}

void strobe_region_free(struct strobe_region *region)
{
	if (!region)
		return;
	counter_state_reading_done(&region->begin);
	counter_state_reading_done(&region->sum);
	free(region);
}

int strobe_region_begin(struct strobe_region *region)
{
	int r;

	if (region->has_begun)
		return -EALREADY;
	r = counter_read_all(region->counter, &region->begin);
	region->has_begun = r == 0;
	return r;
}

/* What came between the beginning and @now is part of the sum. */
static void add(struct strobe_region *region, const struct counter_reading *now)
{
	const struct counter_reading *begin = &region->begin;

	for (size_t i = 0; i < region->counter->count; i++)
		region->sum.counts[i] += now->counts[i] - begin->counts[i];
	for (size_t i = 0; i < region->counter->group_count; i++) {
		struct counter_times pass = counter_values_since(&now->times[i], &begin->times[i]);

		region->sum.times[i].enabled_ns += pass.enabled_ns;
		region->sum.times[i].running_ns += pass.running_ns;
	}
	region->passes++;
}

int strobe_region_end(struct strobe_region *region)
{
	struct strobe_counter *counter = region->counter;
	int r;

	if (!region->has_begun)
		return -ENOENT;
	r = counter_read_all(counter, &counter->reading);
	region->has_begun = false;
	if (r == 0)
		add(region, &counter->reading);
	return r;
}

int strobe_region_read(const struct strobe_region *region, struct strobe_counter_value *ret_values,
		       size_t count)
{
	const struct strobe_counter *counter = region->counter;

	if (!counter->thread)
		return -ECHILD;
	counter_values_all(counter, &region->sum, ret_values, count);
	return (int)counter->count;
}

uint64_t strobe_region_passes(const struct strobe_region *region)
{
	return region->passes;
}

void strobe_region_reset(struct strobe_region *region)
{
	region->passes = 0;
	region->has_begun = false;
	for (size_t i = 0; i < region->counter->count; i++)
		region->sum.counts[i] = 0;
	for (size_t i = 0; i < region->counter->group_count; i++)
		region->sum.times[i] = (struct counter_times){ 0 };
}
