/*
 * stat-json.h - stat's table as JSON: "strobe.stat/1", an object in a line.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct moments;
struct stat_table;
struct str;

struct stat_json {
	const char *what; /* was counted: "true", "process id 7" */
	bool is_interval;
	uint64_t time_ns; /* that it ended, since the beginning */
	bool has_usage;   /* one run of a command, that took: */
	uint64_t user_ns, system_ns;
};

/* @wall: of the runs, ns. */
void stat_json_add(struct str *out, const struct stat_json *options, const struct stat_table *table,
		   const struct moments *wall);
