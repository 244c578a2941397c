/* trace-record.c - see trace-record.h. */
#include "cmd/trace-record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/record-header.h"
#include "cmd/remark.h"
#include "cmd/trace-options.h"
#include "cmd/trace-setup.h"
#include "collect/notes.h"
#include "collect/recording.h"

static void print_result(const struct recording_result *result, const char *output)
{
	if (result->lost_count)
		remark("%" PRIu64 " records found no room in the ring: a larger -m helps",
		       result->lost_count);
	(void)fprintf(
		stderr,
		"[ strobe trace record: Captured and wrote %.3f MB %s (%" PRIu64 " samples) ]\n",
		(double)result->written_size / 1024 / 1024,
		strcmp(output, "-") == 0 ? "to standard output" : output, result->sample_count);
}

static int record(struct trace_config *c, struct trace_setup *setup, const char **argv,
		  struct notes *notes, struct strobe_err *err)
{
	_cleanup_(recording_freep) struct recording *recording = NULL;
	struct recording_options *rec = &c->record.recording;
	struct record_header *header = &c->record.header;
	struct recording_result result = { 0 };
	int r = trace_setup_prepare(setup, c, argv, notes, err), finished;

	if (r < 0)
		return r;
	rec->output = c->output ? c->output : "perf.data";
	header->output = rec->output;
	r = recording_open(rec, &c->record.events, notes, &recording, err);
	if (r == 0)
		r = record_header_begin(header, recording, err);
	for (size_t i = 0; r == 0 && i < notes->count; i++)
		remark("%s", notes->items[i]);
	if (r == 0)
		r = recording_run(recording, err);
	if (r < 0)
		return r;
	r = record_header_end(header, recording, err);
	finished = recording_finish(recording, &result, r < 0 ? NULL : err);
	if (r < 0 || finished < 0)
		return r < 0 ? r : finished;
	print_result(&result, rec->output);
	c->record.ended_by = result.signal;
	return result.exit_code;
}

int trace_record(struct trace_config *config, const char **argv, struct strobe_err *err)
{
	struct trace_setup setup = { 0 };
	struct notes notes = { 0 };
	int r = record(config, &setup, argv, &notes, err);

	trace_setup_done(&setup);
	notes_done(&notes);
	return r;
}
