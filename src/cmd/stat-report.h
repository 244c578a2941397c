/*
 * stat-report.h - "strobe stat report": the tables of a recording of counts.
 */
#pragma once

struct stat_config;
struct strobe_err;

/* @argv[0] is "report". As the run() of a command. */
int stat_report_run(struct stat_config *config, int argc, const char **argv,
		    struct strobe_err *err);
