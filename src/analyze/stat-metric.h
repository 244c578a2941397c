/*
 * stat-metric.h - what a count says beside others: instructions per cycle, misses in percent,
 * events a second.
 *
 * Which event is set beside which, and how the result is called and written, is as in perf 6.1.
 */
#pragma once

struct stat_table;

/* To each row what can be said of it. @wall_ns: of a run. */
void stat_metric_add(struct stat_table *table, double wall_ns);
