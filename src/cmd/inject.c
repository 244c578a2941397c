/*
 * inject.c - "strobe inject": a recording again, with what other files know of it.
 *
 * Records stay in their order. What the header tells is copied, but for what is not true of the new
 * file: that it is compressed, lies in a folder, and where its traces lie.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/opt.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/inject-chains.h"
#include "cmd/inject-ids.h"
#include "cmd/reading.h"
#include "cmd/remark.h"
#include "cmd/running.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/writer.h"
#include "stage/jit-inject.h"

struct config {
	const char *input, *output;
	struct resolver_options names;
	bool jit, build_ids, all_build_ids, chains;
	unsigned verbose;
};

#define BUILD_IDS "mappings of what strobe records have build-ids"
#define SYMBOLS "no names are looked up; report and script have that option"
#define UNWINDER "strobe has an unwinder of its own"
#define FIELD(name) offsetof(struct config, name)

static const struct opt options[] = {
	{ OPT_STR, 'i', "input", "FILE", FIELD(input), "Read FILE (default: '-', standard input)" },
	{ OPT_STR, 'o', "output", "FILE", FIELD(output),
	  "Write FILE (default: '-', standard output)" },
	{ OPT_FLAG, 'j', "jit", NULL, FIELD(jit),
	  "Make files of the code in JIT dumps, and records that it was mapped" },
	{ OPT_FLAG, 'b', "build-ids", NULL, FIELD(build_ids),
	  "Add the build-ids of the files that samples hit" },
	{ OPT_FLAG, '\0', "buildid-all", NULL, FIELD(all_build_ids),
	  "Add the build-ids of all files that were mapped as code" },
	{ OPT_FLAG, '\0', "convert-callchain", NULL, FIELD(chains),
	  "Unwind copies of stacks: call chains stand in their place" },
	{ OPT_FLAG, 'f', "force", NULL, FIELD(names.force), "Use JIT dumps of other users, too" },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Say more" },

	{ OPT_ABSENT, 'B', "mmap2-buildids", .instead = BUILD_IDS },
	{ OPT_ABSENT, .name = "mmap2-buildid-all", .instead = BUILD_IDS },
	{ OPT_ABSENT, .name = "known-build-ids" },
	{ OPT_ABSENT, 's', "sched-stat" },
	{ OPT_ABSENT, 'k', "vmlinux", .instead = SYMBOLS },
	{ OPT_ABSENT, .name = "ignore-vmlinux", .instead = SYMBOLS },
	{ OPT_ABSENT, .name = "kallsyms", .instead = SYMBOLS },
	{ OPT_ABSENT, .name = "unwind-style", .instead = UNWINDER },
	{ OPT_ABSENT, .name = "aslr" },
	{ OPT_ABSENT, .name = "itrace" },
	{ OPT_ABSENT, .name = "strip" },
	{ OPT_ABSENT, .name = "vm-time-correlation" },
	{ OPT_ABSENT, .name = "guest-data" },
	{ OPT_ABSENT, .name = "guestmount" },
	{ .kind = OPT_END },
};

struct inject {
	const struct config *config;
	const struct datafile *file;
	struct writer *writer;
	struct jit_inject *jit;       /* NULL: not wanted */
	struct inject_chains *chains; /* as well */
	struct str converted;         /* the record at hand */
	struct inject_ids ids;
};

static int write_record(struct inject *inject, const void *bytes, size_t size,
			struct strobe_err *err)
{
	const struct iovec span = { (void *)(uintptr_t)bytes, size };

	return writer_records(inject->writer, &span, 1, err);
}

static int write_images(struct inject *inject, uint64_t time_ns, struct strobe_err *err)
{
	const void *bytes;
	size_t size;
	int r = 0;

	while (inject->jit && r == 0 && (bytes = jit_inject_next(inject->jit, time_ns, &size)))
		r = write_record(inject, bytes, size, err);
	return r;
}

/* When it was, 0 if it does not say. */
static uint64_t time_of(const struct datafile *file, const struct record *record)
{
	const struct event_desc *event = events_of(datafile_events(file), record);
	struct sample trailer = { 0 };
	uint64_t time_ns;

	if (!event || record->header->type >= RECORD_HEADER_ATTR)
		return 0;
	if (record->header->type == PERF_RECORD_SAMPLE)
		return sample_time(&event->attr, record->header, &time_ns) ? time_ns : 0;
	return sample_decode_trailer(&event->attr, record->header, &trailer) < 0 ? 0 : trailer.time;
}

/* What the header of the new file says, or what its writer writes as records of a pipe. */
static bool is_told_elsewhere(const struct inject *inject, const struct record *record)
{
	const struct record_event_update *update = (const void *)record->header;

	switch (record->header->type) {
	case RECORD_HEADER_ATTR:
	case RECORD_HEADER_FEATURE:
	case RECORD_HEADER_TRACING_DATA:
	case RECORD_HEADER_BUILD_ID:
		return true;
	case RECORD_EVENT_UPDATE:
		if (!record_fits(record->header, sizeof(*update)))
			return false;
		return update->kind == RECORD_UPDATE_NAMES ||
		       (update->kind == RECORD_UPDATE_NAME && writer_is_pipe(inject->writer));
	default:
		return inject->jit && jit_inject_replaces(inject->jit, record);
	}
}

static int copy_record(struct inject *inject, const struct record *record, struct strobe_err *err)
{
	size_t size;
	const void *payload;
	int r = write_images(inject, time_of(inject->file, record), err);

	if (r < 0 || is_told_elsewhere(inject, record))
		return r;
	str_clear(&inject->converted);
	if (inject->chains && inject_chains_take(inject->chains, record, &inject->converted))
		return write_record(inject, inject->converted.text, inject->converted.size, err);
	r = write_record(inject, record->header, record->header->size, err);
	payload = datafile_payload(inject->file, record, &size);
	return r == 0 && payload ? write_record(inject, payload, size, err) : r;
}

static int copy_records(struct inject *inject, struct strobe_err *err)
{
	struct datafile_cursor cursor = datafile_begin(inject->file);
	struct record record;
	int r = 0;

	while (r == 0 && datafile_next(&cursor, &record))
		r = copy_record(inject, &record, err);
	return r == 0 ? write_images(inject, UINT64_MAX, err) : r;
}

static int copy_events(struct inject *inject, struct strobe_err *err)
{
	const struct events *events = datafile_events(inject->file);
	size_t count = events_count(events);
	_cleanup_(freep) struct writer_event *copies = xcalloc(count, sizeof(*copies));

	for (size_t i = 0; i < count; i++) {
		const struct event_desc *event = events_at(events, i);

		copies[i] = (struct writer_event){ event->attr, event->name, event->ids,
						   event->id_count };
		if (inject->chains)
			inject_chains_change_attr(&copies[i].attr);
	}
	return writer_events(inject->writer, copies, count, err);
}

static int copy_feature(struct inject *inject, unsigned feature, struct strobe_err *err)
{
	size_t size;
	const void *body = datafile_feature(inject->file, feature, &size);

	switch (feature) {
	case FEATURE_COMPRESSED:
	case FEATURE_DIR_FORMAT:
	case FEATURE_AUXTRACE:
		return 0;
	case FEATURE_BUILD_ID:
		body = inject->ids.body.bytes;
		size = inject->ids.body.size;
		break;
	case FEATURE_STROBE_STACKS:
		if (inject->chains) /* see write_stacks() */
			return 0;
		if (body && writer_is_pipe(inject->writer))
			return writer_update(inject->writer, RECORD_UPDATE_STACKS, body, size, err);
		break;
	default:
		break;
	}
	return body ? writer_feature(inject->writer, feature, body, size, err) : 0;
}

static int copy_features(struct inject *inject, struct strobe_err *err)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < DATAFILE_FEATURES; i++)
		r = copy_feature(inject, i, err);
	return r;
}

static int gather_ids(struct inject *inject, struct strobe_err *err)
{
	const struct config *c = inject->config;

	inject_ids_keep(&inject->ids, inject->file);
	for (size_t i = 0; inject->jit && i < jit_inject_image_count(inject->jit); i++) {
		const struct jit_inject_image *image = jit_inject_image(inject->jit, i);

		inject_ids_add(&inject->ids, image->path, image->build_id, sizeof(image->build_id));
	}
	if (!c->build_ids && !c->all_build_ids)
		return 0;
	return inject_ids_look_up(&inject->ids, inject->file, c->all_build_ids, err);
}

/* What became of the stacks, when all of them are known. */
static int write_stacks(struct inject *inject, struct strobe_err *err)
{
	struct body_out body = { 0 };
	int r;

	inject_chains_sum(inject->chains, &body);
	r = writer_is_pipe(inject->writer) ? writer_update(inject->writer, RECORD_UPDATE_STACKS,
							   body.bytes, body.size, err)
					   : writer_feature(inject->writer, FEATURE_STROBE_STACKS,
							    body.bytes, body.size, err);
	body_done(&body);
	return r;
}

/* In a pipe, who reads must know first what the header tells. */
static int copy(struct inject *inject, struct strobe_err *err)
{
	int r = copy_events(inject, err);

	if (r == 0)
		r = copy_features(inject, err);
	if (r == 0)
		r = copy_records(inject, err);
	return r == 0 && inject->chains ? write_stacks(inject, err) : r;
}

static void remark_dumps(const struct jit_inject *jit)
{
	for (size_t i = 0; i < jit_inject_dump_count(jit); i++) {
		const struct jit_dumps_state state = jit_inject_dump(jit, i);

		if (state.reason)
			remark("'%s' is not used: %s", state.path, reason_text(state.reason));
		else if (state.damaged || state.rest)
			remark("'%s' is damaged: %llu records make no sense, and %llu bytes at its "
			       "end",
			       state.path, (unsigned long long)state.damaged,
			       (unsigned long long)state.rest);
	}
	if (jit_inject_dump_count(jit) == 0)
		remark("no process of the recording wrote a JIT dump");
}

static int prepare(struct inject *inject, struct resolver_options *names, struct running *running,
		   struct strobe_err *err)
{
	int r = 0;

	if (datafile_header(inject->file)->foreign) {
		err_set(err, -ENOTSUP, "'%s' is of the other byte order", inject->config->input);
		return err_hint(err, -ENOTSUP, "use inject on the machine that recorded it");
	}
	running_describe(running, inject->file, names);
	if (inject->config->jit) {
		r = jit_inject_new(inject->file, names, &inject->jit, err);
		if (r == 0)
			remark_dumps(inject->jit);
	}
	if (r == 0 && inject->config->chains)
		r = inject_chains_new(inject->file, names, &inject->chains, err);
	return r == 0 ? gather_ids(inject, err) : r;
}

static int write_all(struct inject *inject, struct strobe_err *err)
{
	int r = writer_open(inject->config->output, &inject->writer, err);

	if (r < 0)
		return r;
	r = copy(inject, err);
	if (r < 0) {
		writer_abandon(inject->writer);
		return r;
	}
	return writer_finish(inject->writer, err);
}

static int parse(struct config *c, int argc, const char **argv, struct strobe_err *err)
{
	int r = opt_parse_mixed(options, argc, argv, c, err);

	if (r < 0)
		return r;
	if (r < argc)
		return cmd_usage(err_set(err, -EINVAL, "inject takes no '%s'", argv[r]));
	if (strcmp(c->output, "-") == 0 && isatty(STDOUT_FILENO)) {
		err_set(err, -EINVAL, "a recording is not for a terminal");
		return cmd_usage(err_hint(err, -EINVAL, "write a file with -o FILE"));
	}
	return 0;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { .input = "-", .output = "-" };
	struct inject inject = { .config = &c };
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct running running;
	int r = parse(&c, argc, argv, err);

	if (r == 0)
		r = reading_open_file(&c.input, &file, err);
	if (r < 0)
		return r;
	inject.file = file;
	r = prepare(&inject, &c.names, &running, err);
	if (r == 0)
		r = write_all(&inject, err);
	inject_ids_done(&inject.ids);
	jit_inject_free(inject.jit);
	inject_chains_free(inject.chains);
	str_done(&inject.converted);
	return r;
}

const struct cmd cmd_inject = {
	.name = "inject",
	.summary = "Put build-ids, code and call chains into a recording",
	.usage = "",
	.options = options,
	.run = run,
};
