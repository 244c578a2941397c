/*
 * trace-setup.h - how trace gets system calls and other events of what is watched: by BPF, which
 * has what their pointers point at, else by the kernel's tracepoints, behind which the programs'
 * memory is read.
 */
#pragma once

#include <stdbool.h>

struct callcopy_plan;
struct callfeed;
struct callreader;
struct notes;
struct strobe_err;
struct trace_config;

struct trace_setup {
	struct callcopy_plan *plans; /* CALLCOPY_CALLS of 64 bits, and as many of 32 */
	struct callfeed *feed;       /* NULL: tracepoints */
	struct callreader *reader;   /* NULL: nobody reads memory */
};

/*
 * Makes of @config what recording_open() wants (config->record), all but where records go. @argv is
 * the command line.
 */
int trace_setup_prepare(struct trace_setup *setup, struct trace_config *config, const char **argv,
			struct notes *notes, struct strobe_err *err);
void trace_setup_done(struct trace_setup *setup);
