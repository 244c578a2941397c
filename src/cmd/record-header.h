/*
 * record-header.h - what "record" writes into the header of its file: the machine, the command
 * line, the events, tracepoint formats, build-ids.
 *
 * It is wiring between collect, which gathers what the machine says, and object, which collect
 * does not know.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/file-ids.h"
#include "kernel/bpf-programs.h"

struct eventlist;
struct kept_names;
struct procmaps_entry;
struct recording;
struct stack_sum;
struct strobe_err;

struct record_header {
	const char *const *argv; /* "record", "-g", ... ending in NULL */
	const char *output;
	const struct eventlist *events;
	bool use_clockid;
	int32_t clockid;
	bool bpf;          /* the BPF programs that there are */
	bool no_build_ids; /* else: in the header, where records of mappings do not have them */

	struct bpf_programs programs;
	struct file_ids mapped; /* of processes that were there before */
	void *formats;          /* of the tracepoints; NULL: none */
	size_t formats_size;
	const struct stack_sum *stacks; /* that were unwound; NULL: none */
	struct kept_names *kept;        /* NULL: none */
};

/* As synthesize_build_id: @context is a struct record_header. */
size_t record_header_build_id(void *context, pid_t pid, const struct procmaps_entry *map,
			      uint8_t ret_id[20]);

/* Before the first record: what is known then; of a pipe, all that the header has. */
int record_header_begin(struct record_header *header, struct recording *recording,
			struct strobe_err *err);
/* After the last: build-ids, times, names that were kept; of a pipe, only the latter. */
int record_header_end(struct record_header *header, struct recording *recording,
		      struct strobe_err *err);
void record_header_done(struct record_header *header);
