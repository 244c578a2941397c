/*
 * top.c - "strobe top": where time goes right now, again and again.
 *
 * What is recorded (record-options.h) goes to a stream instead of a file, and is analyzed as that
 * of a pipe is: analyze/live.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/live.h"
#include "analyze/profile.h"
#include "analyze/report-live.h"
#include "analyze/report.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/chain-options.h"
#include "cmd/cmd.h"
#include "cmd/filter-options.h"
#include "cmd/output-format.h"
#include "cmd/preset.h"
#include "cmd/record-header.h"
#include "cmd/record-options.h"
#include "cmd/record-prepare.h"
#include "cmd/record-stages.h"
#include "cmd/remark.h"
#include "cmd/running.h"
#include "cmd/terminal.h"
#include "cmd/top-frame.h"
#include "collect/drain.h"
#include "collect/notes.h"
#include "collect/recording.h"
#include "collect/tally.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/stream.h"
#include "format/event-name.h"
#include "view/report-text.h"

enum { DEFAULT_DELAY_S = 2, DEFAULT_ENTRIES = 30 };

struct config {
	struct record_config record; /* first: see RECORD_OPTIONS_TARGET */
	struct report_options report;
	struct filter filter;
	struct report_text text;
	unsigned delay_s, iterations, entries;
	enum output_format format;
	bool batch, zero, idle, hide_kernel, hide_user;
};

#define FIELD(name) offsetof(struct config, name)

static const struct opt options[] = {
	{ OPT_GROUP, .help = "What is watched (default: all that runs)" },
	RECORD_OPTIONS_TARGET,
	{ OPT_FLAG, 'i', "no-inherit", NULL, FIELD(record.attrs.no_inherit),
	  "Not what the target starts" },

	{ OPT_GROUP, .help = "Which events, and how often" },
	RECORD_OPTIONS_EVENTS,
	RECORD_OPTIONS_STACKS,
	{ OPT_CALL, 'm', "mmap-pages", "SIZE", FIELD(record.recording.ring_size),
	  "Size of each CPU's ring: pages, or bytes with B, K, M or G (default: 512K)",
	  record_options_ring_size, OPT_NO_NEGATE },

	{ OPT_GROUP, .help = "What is shown" },
	{ OPT_STR, 's', "sort", "KEY,...", FIELD(report.fields.sort),
	  "What tells rows apart (default: dso,symbol); keys are those of report",
	  .words = fields_name },
	{ OPT_STR, '\0', "fields", "FIELD,...", FIELD(report.fields.fields),
	  "Columns, as in report", .words = fields_name },
	{ OPT_FLAG, 'n', "show-nr-samples", NULL, FIELD(report.fields.show_samples),
	  "A column with the number of samples" },
	{ OPT_FLAG, '\0', "show-total-period", NULL, FIELD(report.fields.show_period),
	  "A column with the sum of the periods" },
	{ OPT_UINT, 'E', "entries", "N", FIELD(entries),
	  "At most N rows (default: as many as fit on the terminal, else 30)" },
	{ OPT_FLAG, 'K', "hide_kernel_symbols", NULL, FIELD(hide_kernel), "Not the kernel" },
	{ OPT_FLAG, 'U', "hide_user_symbols", NULL, FIELD(hide_user), "Not user space" },
	{ OPT_CALL, '\0', "comms", "COMM,...", FIELD(filter.comms), "Only threads of these names",
	  filter_options_names, OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "dsos", "DSO,...", FIELD(filter.dsos), "Only code of these objects",
	  filter_options_names, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "idle", NULL, FIELD(idle),
	  "Also the idle CPUs' own samples, which clocks take" },

	{ OPT_GROUP, .help = "When" },
	{ OPT_UINT, 'd', "delay", "SECONDS", FIELD(delay_s), "From frame to frame (default: 2)",
	  .max = 86400 },
	{ OPT_FLAG, 'z', "zero", NULL, FIELD(zero),
	  "Each frame of itself alone, instead of letting earlier ones fade" },
	{ OPT_FLAG, '\0', "batch", NULL, FIELD(batch),
	  "Frames one below the other, as plain text (as where there is no terminal)" },
	OUTPUT_FORMAT_OPTION(FIELD(format)),
	{ OPT_UINT, '\0', "iterations", "N", FIELD(iterations), "End after N frames" },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(record.verbose), "Say more" },
	{ .kind = OPT_END },
};

struct top {
	struct config *config;
	struct recording *recording;
	struct drain_visitor visitor;
	struct stream *stream;
	struct running running;
	struct record_stages stages;
	struct live *live; /* NULL: the events are not told yet */
	struct report *report;
	struct top_frame frame;
	struct str what, target;
	bool has_keys;
};

static int feed(void *context, const void *bytes, size_t size, struct strobe_err *err)
{
	struct top *top = context;

	return stream_feed(top->stream, bytes, size, err);
}

/* Clocks tick on idle CPUs too; counters stand still there. */
static bool is_idle(const struct profile_sample *sample)
{
	return sample->sample.pid == 0 && sample->event->attr.type == PERF_TYPE_SOFTWARE;
}

static int take_sample(void *context, const struct profile_sample *sample)
{
	struct top *top = context;
	const struct config *c = top->config;
	bool kernel = sample->cpumode == PERF_RECORD_MISC_KERNEL;

	if (!c->idle && is_idle(sample))
		return 0;
	top->frame.sample_count++;
	top->frame.kernel_count += kernel;
	if (kernel ? c->hide_kernel : c->hide_user)
		return 0;
	return report_live_take(top->report, sample);
}

static void changed(void *context)
{
	struct top *top = context;

	report_live_changed(top->report);
}

static int settled(void *context)
{
	struct top *top = context;

	return report_live_settled(top->report);
}

/* What frames say of the events. */
static void describe(struct top *top)
{
	const struct record_config *record = &top->config->record;
	const struct events *events = datafile_events(stream_file(top->stream));
	bool is_first = true;

	if (record_prepare_has_rate(record))
		str_addf(&top->what, "%" PRIu64 " Hz ", record->attrs.frequency);
	for (size_t i = 0; i < events_count(events); i++) {
		const struct event_desc *event = events_at(events, i);

		if (event->attr.type == PERF_TYPE_SOFTWARE &&
		    event->attr.config == PERF_COUNT_SW_DUMMY)
			continue;
		str_add(&top->what, is_first ? "" : ", ");
		is_first = false;
		if (event->name)
			str_add(&top->what, event->name);
		else
			event_name_add(&top->what, &event->attr);
	}
	top->frame.what = str_text(&top->what);
}

static void describe_target(struct top *top)
{
	const struct target_request *target = &top->config->record.recording.target;
	struct str *out = &top->target;

	if (target->pids || target->tids)
		str_addf(out, "%s %s", target->pids ? "process" : "thread",
			 target->pids ? target->pids : target->tids);
	else if (target->uid)
		str_addf(out, "user %s", target->uid);
	else if (target->cpus)
		str_addf(out, "CPU %s", target->cpus);
	else
		str_add(out, top->config->record.recording.argv && !target->all_cpus
				     ? top->config->record.recording.argv[0]
				     : "all CPUs");
	top->frame.target = str_text(out);
}

/* The recorder has told its events: now they can be counted. */
static int begin(struct top *top, struct strobe_err *err)
{
	const struct datafile *file = stream_file(top->stream);
	const struct live_options live = { take_sample, NULL, changed, settled, top };
	struct resolver_options names = { .demangle = true };
	int r;

	running_describe(&top->running, file, &names);
	if (top->stages.kept) {
		names.open_held = record_stages_open_held;
		names.open_held_tmp = record_stages_open_held_tmp;
		names.held_context = &top->stages;
	}
	top->live = live_new(top->stream, &names);
	r = report_live_new(live_profile(top->live), &top->config->report, &top->report, err);
	if (r < 0)
		return cmd_usage(r);
	live_start(top->live, &live);
	describe(top);
	return 0;
}

static int begin_if_told(struct top *top, struct strobe_err *err)
{
	return !top->live && datafile_is_told(stream_file(top->stream)) ? begin(top, err) : 0;
}

static void forget(struct top *top)
{
	struct hash dsos = { 0 };

	report_live_forget(top->report, &dsos);
	live_forget(top->live, &dsos);
	hash_done(&dsos);
}

/* False: nobody reads it. */
static bool print_frame(struct top *top)
{
	const struct tally *tally = recording_tally(top->recording);
	uint64_t now = clock_now_ns();
	bool read;

	(void)live_take_all(top->live);
	report_live_finish(top->report);
	read = top_frame_print(&top->frame, top->report, &top->config->text,
			       datafile_events(stream_file(top->stream)), now,
			       tally->lost_count + tally->lost_samples, tally->throttle_count);
	report_live_reopen(top->report);
	if (top->config->zero)
		report_live_clear(top->report);
	else
		report_live_decay(top->report);
	/* Not sooner, however long it took. */
	top->visitor.due_ns = clock_now_ns() + top->config->delay_s * UINT64_C(1000000000);
	return read;
}

static bool is_last_frame(const struct top *top)
{
	return top->frame.count > 0 && top->frame.count == top->config->iterations;
}

/* True if it was 'q'. Without a terminal any more there are no keys. */
static bool read_key(struct top *top)
{
	char key;
	ssize_t size = read(STDIN_FILENO, &key, 1);

	if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN))
		top->visitor.fd = -1;
	return size == 1 && key == 'q';
}

static int visit(struct drain_visitor *visitor, bool readable, struct strobe_err *err)
{
	struct top *top = visitor->context;
	int r;

	if (readable && read_key(top))
		return 1;
	r = begin_if_told(top, err);
	if (r < 0 || !top->live)
		return r;
	(void)live_take(top->live);
	if (live_is_heavy(top->live))
		forget(top);
	if (clock_now_ns() < visitor->due_ns)
		return 0;
	return !print_frame(top) || is_last_frame(top);
}

static void print_notes(const struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		remark("%s", notes->items[i]);
}

/* An output that is closed ends it by an error and not by SIGPIPE, so that a command is stopped. */
static void block_pipe_signal(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	(void)sigprocmask(how, &set, NULL);
}

static int watch(struct top *top, struct strobe_err *err)
{
	struct recording_result result = { 0 };
	int r;

	block_pipe_signal(SIG_BLOCK);
	top->has_keys = !top->config->batch && terminal_keys_begin();
	top->visitor.fd = top->has_keys ? STDIN_FILENO : -1;
	top->visitor.due_ns = clock_now_ns() + top->config->delay_s * UINT64_C(1000000000);
	top_frame_begin(&top->frame, clock_now_ns());
	r = recording_run(top->recording, err);
	if (r == 0)
		r = begin_if_told(top, err);
	/* What came since, of a target that has ended or for who asks to end. */
	if (r == 0 && top->live && !is_last_frame(top) && !ferror(stdout))
		(void)print_frame(top);
	if (top->has_keys)
		terminal_keys_end();
	if (r == 0)
		r = recording_finish(top->recording, &result, err);
	block_pipe_signal(SIG_UNBLOCK);
	if (r < 0)
		return r;
	return result.exit_code == 128 + SIGINT ? 0 : result.exit_code;
}

static int start(struct top *top, const char **argv, struct notes *notes, struct strobe_err *err)
{
	struct record_config *record = &top->config->record;
	struct recording_options *rec = &record->recording;
	int r = record_prepare(record, notes, err);

	if (r < 0)
		return r;
	record_prepare_header(record, argv);
	rec->sink = feed;
	rec->sink_context = top;
	rec->visitor = &top->visitor;
	rec->stage = record_stages_hold(&top->stages, record);
	r = recording_open(rec, &record->events, notes, &top->recording, err);
	if (r == 0)
		r = record_header_begin(&record->header, top->recording, err);
	if (r < 0)
		return r;
	print_notes(notes);
	record_stages_ready(&top->stages);
	describe_target(top);
	return watch(top, err);
}

static void settle_options(struct config *c)
{
	const struct chain_options chains = chain_options_default();
	const struct target_request *target = &c->record.recording.target;
	size_t rows, columns;
	bool terminal;

	c->batch |= c->format == OUTPUT_FORMAT_JSON;
	terminal = !c->batch && terminal_size(&rows, &columns);
	if (!c->record.recording.argv && !target_wants_any(target))
		c->record.recording.target.all_cpus = true;
	c->report.fields.default_sort = "dso,symbol";
	c->report.fields.stream = true;
	c->report.filter = &c->filter;
	c->report.branches = 0;
	c->text.tables_only = true;
	c->text.style = chains.style;
	c->text.value = chains.value;
	c->text.most = chains.most;
	c->text.chain_percent = chains.min_percent;
	c->text.socket = -1;
	c->text.color = terminal;
	c->text.most_rows = c->entries;
	if (!c->entries)
		c->text.most_rows = terminal ? rows : DEFAULT_ENTRIES;
}

static void done(struct top *top)
{
	report_free(top->report);
	live_free(top->live);
	stream_free(top->stream);
	recording_free(top->recording);
	record_stages_done(&top->stages);
	top_frame_done(&top->frame);
	str_done(&top->what);
	str_done(&top->target);
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = {
		.record.recording.synthesize.what = SYNTHESIZE_ALL,
		.report.time_quantum_ns = 100000000,
		.report.max_stack = REPORT_MAX_STACK,
		.delay_s = DEFAULT_DELAY_S,
	};
	struct top top = { .config = &c, .visitor = { .fd = -1, .visit = visit } };
	struct notes notes = { 0 };
	int r;

	preset_apply(options, &c);
	r = opt_parse(options, argc, argv, &c, err);
	if (r >= 0 && c.delay_s == 0)
		r = cmd_usage(err_set(err, -EINVAL, "-d 0 would draw all the time"));
	if (r >= 0) {
		c.record.recording.argv = r < argc ? argv + r : NULL;
		settle_options(&c);
		mem_give_back();
		top.visitor.context = &top;
		top.stream = stream_new("top");
		top.frame.terminal = c.text.color;
		top.frame.json = c.format == OUTPUT_FORMAT_JSON;
		r = start(&top, argv, &notes, err);
	}
	done(&top);
	notes_done(&notes);
	record_header_done(&c.record.header);
	schedule_done(&c.record.recording.schedule);
	eventlist_done(&c.record.events);
	filter_done(&c.filter);
	return r;
}

const struct cmd cmd_top = {
	.name = "top",
	.summary = "Show where time goes right now, again and again",
	.usage = "[--] [COMMAND [ARGS...]]",
	.options = options,
	.config_size = sizeof(struct config),
	.run = run,
};
