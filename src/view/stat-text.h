/*
 * stat-text.h - stat's table as text, column for column as perf 6.1 prints it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moments;
struct stat_table;
struct str;

struct stat_text {
	const char *what; /* was counted: "'true'", "process id '7'" */
	unsigned run_count;
	bool is_interval; /* each line begins with the time: */
	uint64_t time_ns;
	const char *thousands; /* between groups of digits; "" for none */
	bool metric_only;
	bool has_usage; /* one run of a command, that took: */
	uint64_t user_ns, system_ns;
	const double *runs_s; /* --table: the time of each run; NULL: no table */
};

/* What stands before the rows. Of intervals: the titles. */
void stat_text_begin(struct str *out, const struct stat_text *text, const struct stat_table *table);
void stat_text_rows(struct str *out, const struct stat_text *text, const struct stat_table *table);
/* The time that it took. @wall: of the runs, ns. */
void stat_text_end(struct str *out, const struct stat_text *text, const struct stat_table *table,
		   const struct moments *wall);
