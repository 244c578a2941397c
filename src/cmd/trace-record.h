/*
 * trace-record.h - "trace record": the records of system calls to a file, which trace -i shows.
 */
#pragma once

struct strobe_err;
struct trace_config;

/* @argv: the command line. Returns the exit code. */
int trace_record(struct trace_config *config, const char **argv, struct strobe_err *err);
