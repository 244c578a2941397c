/*
 * recording.h - a recording from its beginning to its end: opens what is to be watched, lets the
 * command go, carries the records to the file, stops.
 *
 *	recording_open		targets, the command at its gate, events, rings, file
 *	recording_run		until it ends
 *	recording_writer	for what goes into the header
 *	recording_finish	the file is whole, the command was waited for
 *
 * Signals that ask to end are taken from open to finish.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "collect/schedule.h"
#include "collect/synthesize.h"
#include "collect/target.h"
#include "data/writer.h"

struct drain_visitor;
struct eventlist;
struct feed;
struct notes;
struct recording;
struct stage;
struct strobe_err;
struct tally;

struct recording_options {
	struct target_request target; /* nothing in it: the command is watched */
	const char *const *argv;      /* the command, ending in NULL; NULL: none */
	const char *output;           /* a path, or "-" */
	writer_sink *sink;            /* gets what is recorded, as a pipe, in place of the output */
	void *sink_context;
	bool keeps_stdout;             /* the command's output is its own all the same */
	struct drain_visitor *visitor; /* see drain.h; or NULL */
	struct stage *stage;           /* what records go through on their way; or NULL */
	struct feed *feed;             /* where others come from; or NULL */
	size_t ring_size;              /* bytes: ringsize.h */
	struct schedule schedule;      /* -D */
	uint64_t duration_ns;          /* 0: until something else ends it */
	uint64_t max_size;             /* bytes of records that end it; 0: any */
	int realtime;                  /* the reader's priority as SCHED_FIFO; 0: none */
	bool exclude_self;             /* tracepoints do not fire for this process */
	struct synthesize_options synthesize;
};

/*
 * @list has attrs ready to be opened; it may change (eventset.h). @options and @list are borrowed
 * until recording_free().
 */
int recording_open(const struct recording_options *options, struct eventlist *list,
		   struct notes *notes, struct recording **ret_recording, struct strobe_err *err);

/* An error after records were written leaves the file as far as it came. */
int recording_run(struct recording *recording, struct strobe_err *err);

struct recording_result {
	int exit_code;         /* the command's; 0 if it ended as planned */
	int signal;            /* sent to us, and ended it; 0: none */
	bool is_full;          /* max_size ended it */
	uint64_t wake_count;   /* times that the reader found records */
	uint64_t written_size; /* bytes of records */
	uint64_t sample_count;
	uint64_t lost_count; /* records that found no room */
	uint64_t throttle_count;
	size_t ring_size;
	uint64_t slowest_ns, slowest_written_ns; /* of emptying the rings once */
};

struct writer *recording_writer(const struct recording *recording);
const struct tally *recording_tally(const struct recording *recording);
/* The events as they were opened; borrowed until recording_free(). */
const struct writer_event *recording_events(const struct recording *recording, size_t *ret_count);

int recording_finish(struct recording *recording, struct recording_result *ret_result,
		     struct strobe_err *err);
/* Before recording_finish(): gives up, and nothing is left behind. */
void recording_free(struct recording *recording);
CLEANUP(recording_free, struct recording)
