/* reading.c - see reading.h. */
#include "cmd/reading.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/live.h"
#include "analyze/profile.h"
#include "analyze/replay.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/stack-sum.h"
#include "base/str.h"
#include "cmd/remark.h"
#include "cmd/stream-input.h"
#include "cmd/tracepoint-id.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/stackinfo.h"
#include "data/stream.h"
#include "format/event-name.h"
#include "format/tracepoint.h"
#include "symbol/debuginfod.h"
#include "symbol/jit-dumps.h"
#include "unwind/stack-shares.h"
#include "view/header-json.h"
#include "view/header-text.h"
#include "view/stacks-text.h"

/* As perf: "record -o - | report" needs no -i. */
static const char *default_input(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

/* ", 2 bytes not read"; nothing of 0. */
static void add_count(struct str *text, uint64_t count, const char *what, const char *how)
{
	if (count)
		str_addf(text, ", %" PRIu64 " %s%s%s", count, what, count == 1 ? "" : "s", how);
}

/* One line on all that could not be read. */
static void remark_damage(const char *input, const struct datafile *file)
{
	const struct datafile_damage *damage = datafile_damage(file);
	_cleanup_(str_done) struct str text = { 0 };

	add_count(&text, damage->skipped_count, "damaged record", " skipped");
	add_count(&text, damage->ignored_size, "byte", " not read");
	add_count(&text, damage->missing_size, "byte", " missing at its end");
	add_count(&text, damage->feature_count, "section", " outside of it");
	if (datafile_header(file)->unfinished)
		str_add(&text, ", unfinished: its recorder ended before it could close it");
	if (text.size == 0)
		return;
	remark("'%s' is not whole: %s", input, str_text(&text) + 2);
	remark_hint("what could be read is shown; for all of it, copy or record it again");
}

int reading_open_file(const char **input, struct datafile **ret_file, struct strobe_err *err)
{
	int r;

	if (!*input || !**input)
		*input = default_input();
	r = datafile_open(*input, ret_file, err);
	if (r == 0)
		remark_damage(*input, *ret_file);
	return r;
}

int reading_open(struct reading *reading, struct strobe_err *err)
{
	int r = reading_open_file(&reading->input, &reading->own_file, err);

	reading->file = reading->own_file;
	return r;
}

int reading_open_stream(struct reading *reading, bool until_signal, struct strobe_err *err)
{
	int r;

	if (!reading->input || !*reading->input)
		reading->input = default_input();
	r = stream_input_open(reading->input, until_signal, &reading->stream, &reading->own_file,
			      err);
	if (r < 0)
		return r;
	if (reading->stream)
		reading->file = stream_file(stream_input_stream(reading->stream));
	else
		reading->file = reading->own_file;
	if (!reading->stream)
		remark_damage(reading->input, reading->file);
	return 0;
}

/* "/dev/null" stands for no symbols at all. */
static int check_symbols(const char *path, struct strobe_err *err)
{
	struct stat st;

	if (!path || strcmp(path, "/dev/null") == 0)
		return 0;
	if (stat(path, &st) < 0 || access(path, R_OK) < 0)
		return err_errno(err, "cannot read kernel symbols from '%s'", path);
	if (S_ISDIR(st.st_mode))
		return err_set(err, -EISDIR, "cannot read kernel symbols from '%s': it is a folder",
			       path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EINVAL, "cannot read kernel symbols from '%s': it is no file",
			       path);
	return 0;
}

/* A folder may have a comma in its name, too. */
int reading_take_symfs(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct reading *reading = field;
	const char *comma = strrchr(arg, ',');
	struct stat st;

	free(take(reading->symfs));
	reading->names.symfs = arg;
	reading->names.symfs_is_flat = false;
	if (!comma || stat(arg, &st) == 0)
		return 0;
	if (strcmp(comma, ",flat") != 0 && strcmp(comma, ",hierarchy") != 0) {
		err_set(err, -EINVAL, "there is no layout '%s'", comma + 1);
		return err_hint(err, -EINVAL,
				"hierarchy has whole paths, flat only names of files");
	}
	reading->names.symfs = reading->symfs = xstrndup(arg, (size_t)(comma - arg));
	reading->names.symfs_is_flat = strcmp(comma, ",flat") == 0;
	return 0;
}

int reading_take_debuginfod(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	static const char *const off[] = { "", "no", "off", "false" };
	struct reading *reading = field;
	bool is_off = negated;

	for (size_t i = 0; arg && i < sizeof(off) / sizeof(off[0]); i++)
		is_off = is_off || strcmp(arg, off[i]) == 0;
	reading->no_debuginfod = is_off;
	reading->wants_debuginfod = !is_off;
	reading->debuginfod_urls = is_off || !arg || strcmp(arg, "system") == 0 ? NULL : arg;
	return 0;
}

void reading_prepare_names(struct reading *reading)
{
	const struct debuginfod_options options = {
		.urls = reading->debuginfod_urls,
		.notice = notices_say,
		.progress = notices_fetch,
		.context = &reading->notices,
	};

	notices_init(&reading->notices);
	reading->names.notice = notices_say;
	reading->names.notice_context = &reading->notices;
	reading->names.demangle = !reading->no_demangle;
	reading->names.inlines = !reading->no_inline;
	if (!reading->no_debuginfod && (!reading->stream || reading->wants_debuginfod))
		reading->debuginfod = debuginfod_new(&options);
	reading->names.debuginfod = reading->debuginfod;
}

static int check_names(const struct resolver_options *names, struct strobe_err *err)
{
	struct stat st;
	int r = check_symbols(names->kallsyms, err);

	if (r == 0)
		r = check_symbols(names->vmlinux, err);
	if (r == 0 && names->symfs && *names->symfs &&
	    (stat(names->symfs, &st) < 0 || !S_ISDIR(st.st_mode)))
		remark("'%s' is no folder: nothing is found below it", names->symfs);
	return r;
}

int reading_profile(struct reading *reading, struct strobe_err *err)
{
	int r = check_names(&reading->names, err);

	if (r < 0)
		return r;
	reading_prepare_names(reading);
	running_describe(&reading->running, reading->file, &reading->names);
	if (reading->stream) {
		reading->live = live_new(stream_input_stream(reading->stream), &reading->names);
		reading->profile = live_profile(reading->live);
		return 0;
	}
	return profile_new(reading->file, &reading->names, &reading->profile, err);
}

/* What came so far: through both passes, out, and away. */
static int step(struct reading *reading, const struct reading_handlers *handlers, int got)
{
	struct hash dsos = { 0 };
	int r;

	if (got == STREAM_INPUT_MORE)
		r = live_take(reading->live);
	else if (got == STREAM_INPUT_QUIET)
		r = live_pause(reading->live);
	else
		r = live_take_all(reading->live);
	if (r == 0 && live_is_heavy(reading->live)) {
		handlers->forget(handlers->context, &dsos);
		live_forget(reading->live, &dsos);
	}
	hash_done(&dsos);
	return r;
}

static int replay_stream(struct reading *reading, const struct reading_handlers *handlers,
			 struct strobe_err *err)
{
	const struct live_options options = {
		.each = handlers->each,
		.others = handlers->others,
		.changed = handlers->changed,
		.settled = handlers->settled,
		.context = handlers->context,
	};
	int r, got = STREAM_INPUT_MORE;

	live_start(reading->live, &options);
	r = step(reading, handlers, got); /* what came with the events */
	while (r == 0 && got > STREAM_INPUT_END) {
		got = stream_input_next(reading->stream, err);
		if (got >= 0)
			r = step(reading, handlers, got);
	}
	if (r == 0 && got >= 0)
		remark_damage(reading->input, reading->file);
	return got < 0 ? got : r;
}

int reading_replay(struct reading *reading, const struct reading_handlers *handlers,
		   struct strobe_err *err)
{
	int r;

	if (reading->stream)
		return replay_stream(reading, handlers, err);
	r = replay_all(reading->profile, handlers->each, handlers->others, handlers->context);
	return r == 0 ? handlers->settled(handlers->context) : r;
}

int reading_records(struct reading *reading,
		    void (*each)(void *context, const struct record *record), void *context,
		    struct strobe_err *err)
{
	struct datafile_cursor cursor = datafile_begin(reading->file);
	int got = STREAM_INPUT_END;
	struct record record;

	do {
		while (datafile_next(&cursor, &record))
			each(context, &record);
		if (!reading->stream)
			continue;
		stream_forget(stream_input_stream(reading->stream), cursor.offset);
		got = stream_input_next(reading->stream, err);
	} while (got > STREAM_INPUT_END);
	while (got == STREAM_INPUT_END && datafile_next(&cursor, &record)) /* came with the end */
		each(context, &record);
	if (reading->stream && got >= 0)
		remark_damage(reading->input, reading->file);
	return got;
}

struct reading_names reading_names(const struct events *events)
{
	struct reading_names names = { .count = events_count(events) };

	names.items = xcalloc(names.count + 1, sizeof(*names.items));
	for (size_t i = 0; i < names.count; i++) {
		struct str name = { 0 };

		event_name_add_desc(&name, events_at(events, i));
		if ((int)name.size > names.width)
			names.width = (int)name.size;
		names.items[i] = str_take(&name);
	}
	return names;
}

void reading_names_done(struct reading_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct reading_names){ 0 };
}

bool reading_header(const struct reading *reading)
{
	const struct header_text_options options = { .full = reading->header_all,
						     .tracepoint = tracepoint_id_check };

	if (reading->format == OUTPUT_FORMAT_JSON) {
		if (reading->header_only)
			header_json_print(reading->file, stdout);
	} else if (reading->header || reading->header_only)
		header_text_print(reading->file, &options, stdout);
	return reading->header_only;
}

void reading_remark_skipped(const struct reading *reading)
{
	const struct profile_totals *totals = profile_totals(reading->profile);
	const struct {
		const char *what;
		uint64_t count;
	} reasons[] = {
		{ "lost by the kernel while recording", totals->lost_count },
		{ "of events that the recording does not tell of", totals->unknown_id_count },
		{ "with fields that this version does not know", totals->unknown_layout_count },
		{ "damaged", totals->damaged_count + profile_damaged_samples(reading->profile) },
		{ "of unknown type", datafile_damage(reading->file)->unknown_count },
	};
	_cleanup_(str_done) struct str text = { 0 };

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].count)
			str_addf(&text, ", %" PRIu64 " %s", reasons[i].count, reasons[i].what);
	}
	if (text.size > 0)
		remark("'%s': records that are left out: %s", reading->input, str_text(&text) + 2);
}

/* Copies are unwound here, or were when they were recorded. */
void reading_stacks(const struct reading *reading, struct stack_sum *ret_sum)
{
	size_t size;
	const void *bytes = datafile_feature(reading->file, FEATURE_STROBE_STACKS, &size);
	bool foreign = datafile_header(reading->file)->foreign;

	struct stack_sum told = *profile_told_stacks(reading->profile);

	if (bytes)
		(void)stackinfo_decode(bytes, size, foreign, &told);
	stack_shares_get(profile_stack_shares(reading->profile), ret_sum);
	stack_sum_add(ret_sum, &told);
}

void reading_remark_stacks(const struct reading *reading)
{
	_cleanup_(str_done) struct str text = { 0 };
	struct stack_sum stacks;

	reading_stacks(reading, &stacks);
	stacks_text(&stacks, &text);
	remark_lines(str_text(&text));
}

void reading_remark_dumps(const struct reading *reading)
{
	const struct jit_dumps *dumps = profile_jit_dumps(reading->profile);
	bool is_said = false;

	for (size_t i = 0; i < jit_dumps_count(dumps); i++) {
		struct jit_dumps_state state = jit_dumps_at(dumps, i);
		_cleanup_(str_done) struct str text = { 0 };

		add_count(&text, state.damaged, "damaged record", " skipped");
		add_count(&text, state.rest, "byte", " not read");
		if (text.size > 0)
			remark("'%s' is not whole: %s", state.path, str_text(&text) + 2);
		if (state.has_other_clock && !is_said) {
			remark("times of '%s' are of another clock than the recording's: code is "
			       "called what was last at its address",
			       state.path);
			remark_hint("record with -k mono");
			is_said = true;
		}
	}
}

struct tracepoint_set *reading_tracepoints(const struct datafile *file)
{
	struct tracepoint_set *set = NULL;
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_TRACING_DATA, &size);

	if (bytes && tracepoint_set_new(bytes, size, &set, NULL) < 0)
		remark("the tracepoint formats of this recording cannot be read");
	return set;
}

void reading_done(struct reading *reading)
{
	if (reading->live)
		live_free(reading->live);
	else
		profile_free(reading->profile);
	debuginfod_free(reading->debuginfod);
	if (reading->names.notice)
		notices_done(&reading->notices);
	stream_input_close(reading->stream);
	datafile_close(reading->own_file);
	free(reading->symfs);
}

const char *reading_arch(const struct datafile *file)
{
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_ARCH, &size);
	const char *arch;

	if (bytes && feature_string_decode(bytes, size, datafile_header(file)->foreign, &arch) == 0)
		return arch;
	return "";
}
