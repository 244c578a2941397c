/*
 * stat-output.h - where stat's results go, and in which form: -o, --append, --log-fd, -x, -j.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"

struct stat;
struct stat_config;
struct strobe_err;

struct stat_output {
	const struct stat_config *config;
	FILE *file;
	bool owns_file;
	int failure;          /* errno of the first write that failed; 0: none did */
	struct str what;      /* was counted, with quotes */
	char thousands[8];    /* of the locale; "" for none */
	unsigned run_count;   /* that a table is the mean of */
	const double *runs_s; /* how long each took */
	bool has_usage;       /* of one run of a command: */
	uint64_t user_ns, system_ns;
	unsigned interval_count; /* printed so far */
};

int stat_output_open(struct stat_output *output, const struct stat_config *config,
		     struct strobe_err *err);
/* The error of the first write that failed, whenever that was. */
int stat_output_close(struct stat_output *output, struct strobe_err *err);

/* What is counted, for titles: the targets of the config, else the command: "'sleep 1'", "process
 * id '7'", as in perf. */
void stat_output_describe(struct stat_output *output, const char *const *argv);
/* The first lines of a file. */
void stat_output_begin(struct stat_output *output);
/* The table of an interval that ended @time_ns after the beginning. */
void stat_output_interval(struct stat_output *output, struct stat *stat, uint64_t time_ns);
/* The table of all; @is_summary: there were others before. */
void stat_output_all(struct stat_output *output, struct stat *stat, bool is_summary);

/* Any text. */
void stat_output_text(struct stat_output *output, struct str *text);

/* Would a remark stand between the results, where programs read them? */
bool stat_output_is_shared(const struct stat_output *output);
