/* record-header.c - see record-header.h. */
#include "cmd/record-header.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "cmd/build-info.h"
#include "cmd/record-ids.h"
#include "collect/header-features.h"
#include "collect/recording.h"
#include "collect/tally.h"
#include "collect/tracepoint-formats.h"
#include "data/body.h"
#include "data/eventdesc.h"
#include "data/feature.h"
#include "data/record.h"
#include "data/stackinfo.h"
#include "data/writer.h"
#include "event/eventlist.h"
#include "kernel/tracefs.h"
#include "stage/kept-names.h"

size_t record_header_build_id(void *context, pid_t pid, const struct procmaps_entry *map,
			      uint8_t ret_id[20])
{
	struct record_header *header = context;
	const struct file_id *id = file_ids_of_mapping(&header->mapped, pid, map);

	memcpy(ret_id, id->bytes, sizeof(id->bytes));
	return id->size;
}

void record_header_done(struct record_header *header)
{
	bpf_programs_done(&header->programs);
	file_ids_done(&header->mapped);
	free(header->formats);
	*header = (struct record_header){ 0 };
}

/*
 * The formats of the tracepoints in the list; none is 0 bytes. They are gathered before the run, as
 * later tracefs may be gone.
 */
static int gather_formats(struct record_header *header, struct strobe_err *err)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	const char **names = xcalloc(header->events->count, sizeof(*names));
	size_t count = 0;
	int r = 0;

	for (size_t i = 0; i < header->events->count; i++) {
		const struct event_spec *spec = &header->events->items[i];

		if (spec->tracepoint)
			names[count++] = spec->tracepoint;
	}
	if (count > 0)
		r = tracefs_open(NULL, &tracefs, err);
	if (count > 0 && r == 0)
		r = tracepoint_formats_gather(tracefs, names, count, &header->formats,
					      &header->formats_size, err);
	free(names);
	return r;
}

static bool has_branches(const struct eventlist *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return true;
	return false;
}

/* Asked for, and not taken away by an older kernel. */
static bool tells_build_ids(const struct eventlist *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].is_tracking)
			return events->items[i].attr.build_id;
	return false;
}

/* The machine, the command line and the events. */
static int write_circumstances(const struct record_header *header,
			       const struct recording *recording, struct strobe_err *err)
{
	struct writer *writer = recording_writer(recording);
	_cleanup_(freep) struct eventdesc_group *groups =
		xcalloc(header->events->count, sizeof(*groups));
	struct header_features_options options = {
		.version = BUILD_INFO_VERSION,
		.argv = header->argv,
		.pipe = writer_is_pipe(writer),
		.groups = groups,
		.group_count = header_features_groups(header->events, groups),
		.use_clockid = header->use_clockid,
		.clockid = header->clockid,
		.branch_stack = has_branches(header->events),
	};
	int r;

	options.events = recording_events(recording, &options.event_count);
	r = header_features_begin(&options, writer, err);
	if (r == 0 && header->formats)
		r = writer_feature(writer, FEATURE_TRACING_DATA, header->formats,
				   header->formats_size, err);
	return r;
}

/* Programs, build-ids and times. */
static int write_outcome(struct record_header *header, const struct recording *recording,
			 struct strobe_err *err)
{
	const struct tally *tally = recording_tally(recording);
	struct writer *writer = recording_writer(recording);
	_cleanup_(record_ids_done) struct record_ids build_ids = { 0 };
	struct header_features_options options = {
		.pipe = writer_is_pipe(writer),
		.first_ns = tally->first_ns,
		.last_ns = tally->last_ns,
	};

	if (header->bpf) {
		bpf_programs_load(&header->programs);
		options.bpf = &header->programs;
	}
	if (!header->no_build_ids && !options.pipe)
		record_ids_gather(&build_ids, header->output, header->kept,
				  !tells_build_ids(header->events));
	options.build_ids = build_ids.items;
	options.build_id_count = build_ids.count;
	return header_features_end(&options, writer, err);
}

static int write_stacks(const struct record_header *header, struct recording *recording,
			struct strobe_err *err)
{
	struct body_out body = { 0 };
	int r;

	stackinfo_encode(header->stacks, &body);
	r = writer_feature(recording_writer(recording), FEATURE_STROBE_STACKS, body.bytes,
			   body.size, err);
	body_done(&body);
	return r;
}

/* perf does not go on behind a feature of a pipe that it does not know; this it passes over. */
static int tell_stacks(const struct record_header *header, struct recording *recording,
		       struct strobe_err *err)
{
	struct body_out body = { 0 };
	int r;

	stackinfo_encode(header->stacks, &body);
	r = writer_update(recording_writer(recording), RECORD_UPDATE_STACKS, body.bytes, body.size,
			  err);
	body_done(&body);
	return r;
}

static int write_names(const struct record_header *header, struct recording *recording,
		       struct strobe_err *err)
{
	struct body_out body = { 0 };
	int r = 0;

	if (header->kept)
		kept_names_encode(header->kept, &body);
	if (body.size > 0)
		r = writer_feature(recording_writer(recording), FEATURE_STROBE_NAMES, body.bytes,
				   body.size, err);
	body_done(&body);
	return r;
}

int record_header_begin(struct record_header *header, struct recording *recording,
			struct strobe_err *err)
{
	struct writer *writer = recording_writer(recording);
	int r = gather_formats(header, err);

	if (r == 0)
		r = write_circumstances(header, recording, err);
	if (r == 0 && writer_is_pipe(writer))
		return write_outcome(header, recording, err);
	return r == 0 ? writer_features_in_front(writer, err) : r;
}

int record_header_end(struct record_header *header, struct recording *recording,
		      struct strobe_err *err)
{
	bool pipe = writer_is_pipe(recording_writer(recording));
	int r = pipe ? 0 : write_outcome(header, recording, err);

	if (r == 0 && header->stacks)
		r = pipe ? tell_stacks(header, recording, err)
			 : write_stacks(header, recording, err);
	return r == 0 ? write_names(header, recording, err) : r;
}
