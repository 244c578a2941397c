/*
 * stat-metric-only.h - --metric-only as text: a column for each metric, a line for each place.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct stat_metric;
struct stat_row;
struct stat_table;
struct str;

/* The titles of the columns. @is_interval: behind those of the time and the place. */
void stat_metric_only_titles(struct str *out, const struct stat_table *table, bool is_interval);
/* @prefix: what each line begins with. */
void stat_metric_only_rows(struct str *out, const struct stat_table *table, const char *prefix);

/* The row of an event, of whatever place, that has most metrics: they are the columns. NULL: none.
 */
const struct stat_row *stat_metric_only_columns(const struct stat_table *table, size_t event);

/* What depends on how long it ran says nothing of the program: perf leaves it out here. */
bool stat_metric_only_shows(const struct stat_metric *metric);

/* "of all branches" says nothing alone: "branch-misses of all branches". */
void stat_metric_only_name(struct str *out, const struct stat_row *row, size_t metric);
