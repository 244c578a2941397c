/*
 * trace-file.h - "trace -i FILE": the system calls of a recording, strobe's or perf's.
 */
#pragma once

struct strobe_err;
struct trace_config;

int trace_file(struct trace_config *config, struct strobe_err *err);
