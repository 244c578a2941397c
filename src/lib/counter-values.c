/* counter-values.c - see counter-values.h. */
#include "lib/counter-values.h"

/*
 * count * enabled / running, in whole numbers as far as that goes; what is left is less than
 * enabled, and a double tells it to less than 1 for 52 days of ns.
 */
static void scale(struct strobe_counter_value *value)
{
	uint64_t enabled = value->time_enabled, running = value->time_running;
	uint64_t whole, rest;

	if (running >= enabled || running == 0)
		return;
	whole = value->value / running;
	rest = value->value % running;
	value->scaled =
		whole * enabled + (uint64_t)((double)rest * (double)enabled / (double)running);
}

/* Counters that nobody takes turns with are the rule, and have nothing to scale. */
static __attribute__((noinline)) void scale_all(struct strobe_counter_value *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		scale(&values[i]);
}

static struct strobe_counter_value make(uint64_t count, struct counter_times times)
{
	return (struct strobe_counter_value){ count, count, times.enabled_ns, times.running_ns };
}

static size_t end_of(const struct counter_group *group, size_t count)
{
	return group->end < count ? group->end : count;
}

void counter_values_since_reset(const struct strobe_counter *counter,
				const struct counter_reading *reading,
				struct strobe_counter_value *ret_values, size_t count)
{
	const uint64_t *counts = reading->counts;
	bool take_turns = false;

	for (size_t i = 0; i < counter->group_count; i++) {
		const struct counter_group *group = &counter->groups[i];
		struct counter_times times = counter_values_since(&reading->times[i], &group->base);
		size_t end = end_of(group, count);

		take_turns |= times.running_ns < times.enabled_ns;
		for (size_t k = group->first; k < end; k++)
			ret_values[k] = make(counts[k] - counter->slots[k].base, times);
	}
	if (take_turns)
		scale_all(ret_values, count < counter->count ? count : counter->count);
}

void counter_values_all(const struct strobe_counter *counter, const struct counter_reading *reading,
			struct strobe_counter_value *ret_values, size_t count)
{
	for (size_t i = 0; i < counter->group_count; i++)
		for (size_t k = counter->groups[i].first; k < end_of(&counter->groups[i], count);
		     k++)
			ret_values[k] = make(reading->counts[k], reading->times[i]);
	scale_all(ret_values, count < counter->count ? count : counter->count);
}
