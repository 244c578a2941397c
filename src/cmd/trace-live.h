/*
 * trace-live.h - "trace" while things happen: from the kernel to lines, as they come.
 */
#pragma once

struct strobe_err;
struct trace_config;

/* @argv: the command line. Returns the exit code. */
int trace_live(struct trace_config *config, const char **argv, struct strobe_err *err);
