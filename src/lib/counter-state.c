/* counter-state.c - see counter-state.h. */
#include "lib/counter-state.h"

#include "base/mem.h"

struct counter_reading counter_state_reading(const struct strobe_counter *counter)
{
	return (struct counter_reading){
		.counts = xcalloc(counter->count, sizeof(uint64_t)),
		.times = xcalloc(counter->group_count, sizeof(struct counter_times)),
	};
}

void counter_state_reading_done(struct counter_reading *reading)
{
	free(reading->counts);
	free(reading->times);
}
