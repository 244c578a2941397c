/* counter-read.h - all counts of a counter as they are now, since it was opened. */
#pragma once

struct counter_reading;
struct strobe_counter;

/* -ECHILD in a child of fork(2), -EBUSY: see strobe/counter.h. */
int counter_read_all(const struct strobe_counter *counter, const struct counter_reading *reading);
