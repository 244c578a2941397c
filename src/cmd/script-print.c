/* script-print.c - see script-print.h. */
#include "cmd/script-print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/chain.h"
#include "analyze/lbr-stitch.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/readings.h"
#include "analyze/replay.h"
#include "analyze/rounds.h"
#include "analyze/user-stack.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/str.h"
#include "cmd/event-files.h"
#include "cmd/reading.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "format/tracepoint.h"
#include "view/record-dump.h"
#include "view/script-json.h"
#include "view/script-text.h"

enum { FLUSH_SIZE = 256 * 1024 }; /* bytes of text that are written at once */

/* What all threads share. */
struct script {
	const struct script_options *options;
	struct profile *profile;
	struct script_text text;
	struct event_files *files; /* NULL: to standard output */
	const struct replay_window *windows;
	struct script_worker *workers;
};

/* A thread, with what it has printed and not written yet. */
struct script_worker {
	_Alignas(MEM_APART) const struct script *script;
	struct lookup lookup;
	struct script_text_worker text; /* of these two, one is in use */
	struct script_json_worker json;
	struct event_switch events;
	struct chain chain;
	struct lbr_stitch *stitch; /* NULL: chains are not stitched */
	struct user_stack user_stack;
	struct {
		struct lookup_question *items;
		size_t count, capacity;
	} links; /* of the chain: what lies there? */
	struct str out;
	struct replay *replay; /* of windows */
};

static void worker_init(struct script_worker *worker, const struct script *script)
{
	worker->script = script;
	worker->events = script->options->events;
	event_switch_begin(&worker->events);
	lookup_init(&worker->lookup, script->profile, NULL, true);
	if (script->options->stitch_lbr)
		worker->stitch = lbr_stitch_new(profile_file(script->profile));
	if (script->options->json)
		script_json_init(&worker->json, &script->text);
	else
		script_text_init(&worker->text, &script->text);
}

static void worker_done(struct script_worker *worker)
{
	if (!worker->script)
		return;
	user_stack_done(&worker->user_stack);
	lbr_stitch_free(worker->stitch);
	lookup_done(&worker->lookup);
	if (worker->script->options->json)
		script_json_done(&worker->json);
	else
		script_text_done(&worker->text);
	free(worker->chain.items);
	free(worker->links.items);
	replay_free(worker->replay);
	str_done(&worker->out);
}

static int write_text(const struct str *text)
{
	(void)fwrite(str_text(text), 1, text->size, stdout);
	return ferror(stdout) ? 1 : 0; /* main() says what went wrong with it */
}

static int write_out(struct script_worker *worker)
{
	int r = write_text(&worker->out);

	str_clear(&worker->out);
	return r;
}

static bool is_last_caller(const struct script_worker *worker,
			   const struct lookup_question *question)
{
	struct place place;

	if (!worker->script->text.frames.ends) /* which would be asked for each link */
		return false;
	place = lookup_place(&worker->lookup, question);
	return place_frames_end(&worker->script->text.frames, &place);
}

static void reverse(struct lookup_question *links, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct lookup_question link = links[i];

		links[i] = links[count - 1 - i];
		links[count - 1 - i] = link;
	}
}

/* Returns what became of the user's stack. */
static unsigned read_chain(struct script_worker *worker, const struct profile_sample *sample)
{
	const struct script_options *options = worker->script->options;
	unsigned verdict = sample->stack_verdict;

	worker->chain.count = worker->links.count = 0;
	if (options->max_stack > 0) {
		chain_read(sample, options->max_stack, &worker->chain);
		if (worker->stitch)
			lbr_stitch_add(worker->stitch, sample, options->max_stack, &worker->chain);
		user_stack_add_leaf_caller(&worker->user_stack, &worker->lookup, sample,
					   &worker->chain);
		if (user_stack_add(&worker->user_stack, &worker->lookup, sample, options->max_stack,
				   &worker->chain))
			verdict = worker->user_stack.verdict;
	}
	grow(&worker->links);
	for (size_t i = 0; i < worker->chain.count; i++) {
		struct lookup_question link = lookup_ask(sample, worker->chain.items[i].cpumode,
							 worker->chain.items[i].addr);

		grow(&worker->links);
		worker->links.items[worker->links.count++] = link;
		if (is_last_caller(worker, &link))
			break;
	}
	if (options->outermost_first)
		reverse(worker->links.items, worker->links.count);
	return verdict;
}

static bool takes(struct script_worker *worker, const struct profile_sample *sample,
		  const struct place *place)
{
	const struct script_options *options = worker->script->options;
	enum script_kind kind = script_fields_kind(&sample->event->attr);

	return !filter_hides(&options->filter, sample, place) &&
	       !options->fields.suppressed[kind] &&
	       event_switch_takes(&worker->events, sample->event);
}

static int print_sample(void *context, const struct profile_sample *sample)
{
	struct script_worker *worker = context;
	const struct script_options *options = worker->script->options;
	enum script_kind kind = script_fields_kind(&sample->event->attr);
	bool has_chain = !options->hide_chains && sample->sample.has & PERF_SAMPLE_CALLCHAIN;
	bool prints_place = !has_chain && script_fields_has(&options->fields, kind, SCRIPT_IP);
	struct place place = { .addr = sample->sample.ip };
	struct script_text_where where = { .lookup = &worker->lookup, .place = &place };

	if (filter_drops(&options->filter, sample))
		return 0;
	if (prints_place || filter_wants_place(&options->filter)) {
		struct lookup_question question =
			lookup_ask(sample, sample->cpumode, sample->sample.ip);

		place = lookup_place(&worker->lookup, &question);
	}
	if (!takes(worker, sample, &place))
		return 0;
	if (has_chain) {
		where.verdict = read_chain(worker, sample);
		where.chain = worker->links.items;
		where.count = worker->links.count;
	}
	if (options->json)
		script_json_sample(&worker->script->text, &worker->json, sample, &where,
				   &worker->out);
	else
		script_text_sample(&worker->script->text, &worker->text, sample, &where,
				   &worker->out);
	return 0;
}

static int flush(struct script_worker *worker)
{
	return worker->out.size >= FLUSH_SIZE ? write_out(worker) : 0;
}

/* In one thread, for what must be printed in between. */
static int print_and_write(void *context, const struct profile_sample *sample)
{
	struct script_worker *worker = context;

	(void)print_sample(context, sample);
	return flush(worker);
}

/* In one thread too. Other records stay on standard output. */
static int print_to_file(void *context, const struct profile_sample *sample)
{
	struct script_worker *worker = context;
	int r = worker->out.size > 0 ? write_out(worker) : 0;

	(void)print_sample(context, sample);
	if (worker->out.size > 0)
		event_files_add(worker->script->files, sample->event->index, &worker->out);
	str_clear(&worker->out);
	return r;
}

static void print_window(void *context, size_t job, size_t thread, struct str *text)
{
	const struct script *script = context;
	struct script_worker *worker = &script->workers[thread];

	if (!worker->script) {
		worker_init(worker, script);
		worker->replay = replay_new(script->profile, print_sample, NULL, worker, false);
	}
	worker->out = *text;
	(void)replay_window(worker->replay, &script->windows[job]);
	*text = worker->out;
	worker->out = (struct str){ 0 };
}

static int write_window(void *context, const struct str *text)
{
	return write_text(text);
}

static bool wants_record(const struct script_options *options, uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return options->mmaps;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return options->tasks;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return options->switches;
	case PERF_RECORD_NAMESPACES:
		return options->namespaces;
	case PERF_RECORD_CGROUP:
		return options->cgroups;
	case PERF_RECORD_KSYMBOL: /* symbols of code that is written to, too */
		return options->bpf || options->pokes;
	case PERF_RECORD_BPF_EVENT:
		return options->bpf;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return options->lost;
	case PERF_RECORD_TEXT_POKE:
		return options->pokes;
	case RECORD_FINISHED_ROUND:
		return options->rounds;
	default:
		return false;
	}
}

static bool wants_records(const struct script_options *options)
{
	return options->mmaps || options->tasks || options->switches || options->namespaces ||
	       options->cgroups || options->bpf || options->lost || options->rounds ||
	       options->pokes;
}

static int print_record(void *context, const struct record *record, const struct sample *trailer,
			const struct event_desc *event)
{
	struct script_worker *worker = context;
	const struct script *script = worker->script;
	uint64_t moment;

	if (!wants_record(script->options, record->header->type))
		return 0;
	moment = profile_moment(script->profile, record, trailer);
	if (script->options->json)
		script_json_record(&script->text, &worker->json, record, trailer, event, moment,
				   &worker->out);
	else
		script_text_record(&script->text, &worker->text, record, trailer, event, moment,
				   &worker->out);
	return flush(worker);
}

static void look_up_again(void *context)
{
	struct script_worker *worker = context;

	lookup_forget(&worker->lookup);
	user_stack_forget(&worker->user_stack);
	if (worker->script->options->json)
		script_json_changed(&worker->json);
	else
		script_text_changed(&worker->text);
}

/* What is printed is text: of what was looked up, nothing is kept. */
static void forget(void *context, struct hash *dsos)
{
	struct script_worker *worker = context;

	lookup_forget(&worker->lookup);
	user_stack_forget(&worker->user_stack);
	if (worker->script->options->json)
		script_json_forget(&worker->json, &worker->script->text);
	else
		script_text_forget(&worker->text, &worker->script->text);
}

static int write_settled(void *context)
{
	int r = write_out(context);

	return fflush(stdout) == 0 ? r : 1;
}

static int print_in_order(struct script *script, struct reading *reading, struct strobe_err *err)
{
	struct script_worker *worker = &script->workers[0];
	const struct reading_handlers handlers = {
		.each = script->files ? print_to_file : print_and_write,
		.others = wants_records(script->options) ? print_record : NULL,
		.changed = look_up_again,
		.forget = forget,
		.settled = write_settled,
		.context = worker,
	};

	worker_init(worker, script);
	return reading_replay(reading, &handlers, err);
}

/* What prints a record with its bytes, and then as it is printed otherwise. */
struct dumper {
	struct record_dump dump;
	struct readings readings;
	struct script_worker *worker;
};

static void dump_and_print(void *context, const struct record *record,
			   const struct event_desc *event, const struct sample *sample)
{
	struct dumper *dumper = context;
	struct script_worker *worker = dumper->worker;

	record_dump_print(&dumper->dump, record, event, sample);
	if (record->header->type == PERF_RECORD_SAMPLE)
		(void)replay_record(worker->script->profile, record, &dumper->readings,
				    print_sample, worker);
	else
		(void)print_record(worker, record, sample, event);
	(void)write_out(worker);
}

static void print_dump(struct script *script, const struct reading *reading)
{
	struct script_worker worker;
	struct dumper dumper = {
		.dump = {
			.profile = script->profile,
			.name = reading->input,
			.arch = script->text.arch,
			.in_file_order = script->options->dump_in_file_order,
			.of_script = true,
			.out = stdout,
		},
		.worker = &worker,
	};

	worker = (struct script_worker){ 0 };
	worker_init(&worker, script);
	rounds_walk(script->profile, script->options->dump_in_file_order, dump_and_print, &dumper);
	worker_done(&worker);
	readings_done(&dumper.readings);
	record_dump_done(&dumper.dump);
}

static bool needs_order(const struct script *script)
{
	const struct script_options *options = script->options;

	return wants_records(options) || options->per_event || options->stitch_lbr ||
	       options->events.on || options->events.off ||
	       (options->json ? script_json_needs_order(&script->text)
			      : script_text_needs_order(&script->text));
}

/* What is said of the recording, before its samples and behind them. */
static void print_around(const struct script *script, bool begins)
{
	struct str line = { 0 };

	if (script->options->json && begins)
		script_json_begin(&script->text, script->options->whole_header, &line);
	else if (script->options->json)
		script_json_end(&script->text, &line);
	else if (begins && !script->options->per_event)
		script_text_begin(&script->text, &line);
	(void)fwrite(str_text(&line), 1, line.size, stdout);
	str_done(&line);
}

/* Samples alone are printed by several threads, a window of time each. */
static int print_all(struct script *script, struct reading *reading, struct strobe_err *err)
{
	size_t threads = pool_threads(), count;
	struct replay_window *windows = needs_order(script) || reading->stream
						? NULL
						: replay_windows(script->profile, &count);
	int r = 0;

	script->workers = xaligned(MEM_APART, threads, sizeof(*script->workers));
	script->windows = windows;
	if (windows)
		(void)pool_run_texts(threads, count, print_window, write_window, script);
	else
		r = print_in_order(script, reading, err);
	for (size_t i = 0; i < threads; i++)
		worker_done(&script->workers[i]);
	free(script->workers);
	free(windows);
	return r < 0 ? r : 0; /* main() says what is wrong with the output */
}

/* The field tod needs to know what the recording's clock showed at some time of day. */
static int load_clock(const struct datafile *file, const struct script_fields *fields,
		      uint64_t *ret_wall_ns, struct strobe_err *err)
{
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_CLOCK_DATA, &size);
	struct feature_clock_data clock;

	if (!script_fields_any(fields, SCRIPT_TOD))
		return 0;
	if (!bytes ||
	    feature_clock_data_decode(bytes, size, datafile_header(file)->foreign, &clock) < 0) {
		err_set(err, -ENODATA, "this recording does not tell the time of day");
		return err_hint(err, -ENODATA, "leave 'tod' out of -F, or record with -k");
	}
	*ret_wall_ns = clock.tod_ns - clock.clock_ns;
	return 0;
}

int script_print(struct reading *reading, const struct script_options *options,
		 struct strobe_err *err)
{
	const struct datafile *file = reading->file;
	_cleanup_(reading_names_done) struct reading_names names =
		reading_names(datafile_events(file));
	_cleanup_(tracepoint_set_freep) struct tracepoint_set *tracepoints =
		reading_tracepoints(file);
	_cleanup_(event_files_freep) struct event_files *files = NULL;
	struct script script = { .options = options, .profile = reading->profile };
	int r;

	script.text = (struct script_text){
		.profile = script.profile,
		.fields = &options->fields,
		.max_blocks = options->max_blocks,
		.event_names = (const char *const *)names.items,
		.name_width = names.width,
		.nanoseconds = options->nanoseconds,
		.latency = options->latency,
		.times = options->times,
		.hides_chains = options->hide_chains,
		.kernel_path = options->kernel_path,
		.source_path = options->source_path,
		.verbose = options->verbose,
		.frames = {
			.resolver = profile_resolver(script.profile),
			.outermost_first = options->outermost_first,
			.ends = options->last_callers.count > 0 ? &options->last_callers : NULL,
		},
		.arch = reading_arch(file),
		.tracepoints = tracepoints,
	};
	r = load_clock(file, &options->fields, &script.text.wall_ns, err);
	if (r == 0 && options->per_event)
		r = event_files_open(reading->input, &names, &files, err);
	if (r < 0)
		return r;
	script.files = files;
	print_around(&script, true);
	if (options->dump)
		print_dump(&script, reading);
	else
		r = print_all(&script, reading, err);
	print_around(&script, false);
	(void)fflush(stdout); /* remarks stand behind it */
	return r == 0 && files ? event_files_close(files, err) : r;
}
