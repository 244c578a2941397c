/* counter-values.h - counts and times as the library hands them out. */
#pragma once

#include "lib/counter-state.h"
#include "strobe/counter.h"

static inline struct counter_times counter_values_since(const struct counter_times *now,
							const struct counter_times *base)
{
	return (struct counter_times){
		.enabled_ns = now->enabled_ns - base->enabled_ns,
		.running_ns = now->running_ns - base->running_ns,
	};
}

/* What has been counted since the last reset: @reading less what it was then. At most @count. */
void counter_values_since_reset(const struct strobe_counter *counter,
				const struct counter_reading *reading,
				struct strobe_counter_value *ret_values, size_t count);
/* @reading as it is. */
void counter_values_all(const struct strobe_counter *counter, const struct counter_reading *reading,
			struct strobe_counter_value *ret_values, size_t count);
