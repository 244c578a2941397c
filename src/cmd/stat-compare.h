/*
 * stat-compare.h - "strobe stat compare -- A -- B": which of two commands takes more, of what.
 */
#pragma once

struct stat_config;
struct strobe_err;

/* What --fail-above exits with. */
enum { STAT_COMPARE_WORSE = 3 };

/* @argv[0] is "compare". As the run() of a command. */
int stat_compare_run(struct stat_config *config, int argc, const char **argv,
		     struct strobe_err *err);
