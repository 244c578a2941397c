/*
 * stat-csv.h - stat's table with a separator between the fields (-x), and as perf's JSON (-j): a
 * line for each row. Fields and keys are perf 6.1's; no locale changes them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct stat_table;
struct str;

struct stat_lines {
	const char *separator; /* of CSV */
	unsigned run_count;    /* with more than one, the deviation is a field */
	bool is_interval;
	uint64_t time_ns;
	bool is_summary; /* of intervals: lines begin with "summary" */
	bool metric_only;
};

/* With --metric-only, the names of the fields; else nothing. */
void stat_csv_begin(struct str *out, const struct stat_lines *lines,
		    const struct stat_table *table);
void stat_csv_rows(struct str *out, const struct stat_lines *lines, const struct stat_table *table);
void stat_lines_json(struct str *out, const struct stat_lines *lines,
		     const struct stat_table *table);
