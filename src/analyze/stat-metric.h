/*
 * stat-metric.h - what a count says beside others: instructions per cycle, misses in percent,
 * events a second.
 *
 * Which event is set beside which, and how the result is called and written, is as in perf 6.1.
 */
#pragma once

#include <stddef.h>

struct stat_setup;
struct stat_table;

enum { STAT_METRIC_OWN_MAX = 2 }; /* that an event has without formulas */

/* To each row what can be said of it. @wall_ns: of a run. Rows have room for it. */
void stat_metric_add(struct stat_table *table, const struct stat_setup *setup, double wall_ns);

/* The event that formula @index is shown with. */
size_t stat_metric_event(const struct stat_setup *setup, size_t index);
