/* script.c - "strobe script": every sample of a recording as a line of text. */
#include <stdlib.h>
#include <string.h>

#include "analyze/chain.h"
#include "analyze/filter.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/replay.h"
#include "analyze/script-fields.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/filter-options.h"
#include "cmd/reading.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "format/tracepoint.h"
#include "view/script-text.h"

enum {
	FLUSH_SIZE = 256 * 1024, /* bytes of text that are written at once */
	DEFAULT_STACK = 127,     /* frames; kernel.perf_event_max_stack, and what perf prints */
};

struct config {
	struct reading reading;
	struct filter filter;
	struct script_fields fields;
	struct str remarks; /* on -F, for stderr */
	const char *times;
	bool hide_chains, nanoseconds, kernel_path;
	unsigned max_stack;
	bool mmaps, tasks, switches, namespaces, cgroups, bpf, lost, rounds, pokes;
};

static int add_fields(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;

	return script_fields_parse(&c->fields, arg, &c->remarks, err);
}

#define FIELD(name) offsetof(struct config, name)

static const struct opt options[] = {
	{ OPT_GROUP, .help = "What to read" },
	READING_OPTIONS(struct config, reading),
	{ OPT_GROUP, .help = "Which samples" },
	FILTER_OPTIONS(struct config, filter),
	{ OPT_STR, '\0', "time", "START,STOP", FIELD(times),
	  "Only samples between these seconds, or in these parts (10%-20%)" },
	{ OPT_GROUP, .help = "What to print" },
	{ OPT_CALL, 'F', "fields", "FIELD,...", 0,
	  "Print these fields; +FIELD and -FIELD change the defaults; TYPE: before the list (hw, "
	  "sw, trace, raw, break) sets them for one type of event",
	  add_fields, OPT_NO_NEGATE },
	{ OPT_FLAG, 'G', "hide-call-graph", NULL, FIELD(hide_chains), "Print no call chains" },
	{ OPT_UINT, '\0', "max-stack", "N", FIELD(max_stack),
	  "Print at most N frames of a call chain (default: 127)" },
	{ OPT_FLAG, '\0', "ns", NULL, FIELD(nanoseconds), "Print times with nine decimals" },
	{ OPT_FLAG, '\0', "show-kernel-path", NULL, FIELD(kernel_path),
	  "Print the paths of kernel modules" },
	{ OPT_GROUP, .help = "Records that are no samples" },
	{ OPT_FLAG, '\0', "show-mmap-events", NULL, FIELD(mmaps), "Print what was mapped" },
	{ OPT_FLAG, '\0', "show-task-events", NULL, FIELD(tasks), "Print fork, comm and exit" },
	{ OPT_FLAG, '\0', "show-switch-events", NULL, FIELD(switches), "Print context switches" },
	{ OPT_FLAG, '\0', "show-namespace-events", NULL, FIELD(namespaces), "Print namespaces" },
	{ OPT_FLAG, '\0', "show-cgroup-events", NULL, FIELD(cgroups), "Print cgroups" },
	{ OPT_FLAG, '\0', "show-bpf-events", NULL, FIELD(bpf), "Print BPF programs and ksymbols" },
	{ OPT_FLAG, '\0', "show-lost-events", NULL, FIELD(lost), "Print what was lost" },
	{ OPT_FLAG, '\0', "show-text-poke-events", NULL, FIELD(pokes),
	  "Print changes of the kernel's code" },
	{ OPT_FLAG, '\0', "show-round-events", NULL, FIELD(rounds), "Print the ends of rounds" },
	{ .kind = OPT_END },
};

/* What all threads share. */
struct script {
	const struct config *config;
	struct profile *profile;
	struct script_text text;
	const struct replay_window *windows;
	struct script_worker *workers;
};

/* A thread, with what it has printed and not written yet. */
struct script_worker {
	const struct script *script;
	struct stack_table table;
	struct lookup lookup;
	struct script_text_worker text;
	struct chain chain;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} sites;
	struct str out;
};

static void worker_init(struct script_worker *worker, const struct script *script)
{
	worker->script = script;
	lookup_init(&worker->lookup, script->profile, &worker->table, true);
	script_text_init(&worker->text, &script->text);
}

static void worker_done(struct script_worker *worker)
{
	if (!worker->script)
		return;
	lookup_done(&worker->lookup);
	stack_table_done(&worker->table);
	script_text_done(&worker->text);
	free(worker->chain.items);
	free(worker->sites.items);
	str_done(&worker->out);
}

static int write_out(struct script_worker *worker)
{
	(void)fwrite(str_text(&worker->out), 1, worker->out.size, stdout);
	str_clear(&worker->out);
	return ferror(stdout) ? 1 : 0; /* main() says what went wrong with it */
}

static void look_up_chain(struct script_worker *worker, const struct profile_sample *sample)
{
	chain_read(sample, worker->script->config->max_stack, &worker->chain);
	worker->sites.count = 0;
	grow(&worker->sites);
	for (size_t i = 0; i < worker->chain.count; i++) {
		grow(&worker->sites);
		worker->sites.items[worker->sites.count++] =
			lookup_site(&worker->lookup, sample, worker->chain.items[i].cpumode,
				    worker->chain.items[i].addr);
	}
}

static int print_sample(void *context, const struct profile_sample *sample)
{
	struct script_worker *worker = context;
	const struct config *c = worker->script->config;
	enum script_kind kind = script_fields_kind(&sample->event->attr);
	bool has_chain = !c->hide_chains && sample->sample.has & PERF_SAMPLE_CALLCHAIN;
	bool prints_place = !has_chain && script_fields_has(&c->fields, kind, SCRIPT_IP);
	struct place place = { .addr = sample->sample.ip };
	struct script_text_where where = { .table = &worker->table, .place = &place };

	if (filter_drops(&c->filter, sample))
		return 0;
	if (prints_place || filter_wants_place(&c->filter)) {
		uint32_t site =
			lookup_site(&worker->lookup, sample, sample->cpumode, sample->sample.ip);

		place = *lookup_place(&worker->lookup, site);
	}
	if (filter_hides(&c->filter, sample, &place))
		return 0;
	if (has_chain) {
		look_up_chain(worker, sample);
		where.sites = worker->sites.items;
		where.count = worker->sites.count;
	}
	script_text_sample(&worker->script->text, &worker->text, sample, &where, &worker->out);
	return 0;
}

/* In one thread, for what must be printed in between. */
static int print_and_write(void *context, const struct profile_sample *sample)
{
	struct script_worker *worker = context;

	(void)print_sample(context, sample);
	return worker->out.size >= FLUSH_SIZE ? write_out(worker) : 0;
}

static void print_window(void *context, size_t job, size_t thread)
{
	const struct script *script = context;
	struct script_worker *worker = &script->workers[thread];

	if (!worker->script)
		worker_init(worker, script);
	(void)replay_window(script->profile, &script->windows[job], print_sample, worker);
}

static int write_window(void *context, size_t job, size_t thread)
{
	const struct script *script = context;

	return write_out(&script->workers[thread]);
}

static bool wants_record(const struct config *c, uint32_t type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return c->mmaps;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return c->tasks;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return c->switches;
	case PERF_RECORD_NAMESPACES:
		return c->namespaces;
	case PERF_RECORD_CGROUP:
		return c->cgroups;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return c->bpf;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return c->lost;
	case PERF_RECORD_TEXT_POKE:
		return c->pokes;
	case RECORD_FINISHED_ROUND:
		return c->rounds;
	default:
		return false;
	}
}

static int print_record(void *context, const struct record *record, const struct sample *trailer,
			const struct event_desc *event)
{
	struct script_worker *worker = context;
	const struct script *script = worker->script;

	if (!wants_record(script->config, record->header->type))
		return 0;
	script_text_record(&script->text, record, trailer, event,
			   profile_moment(script->profile, record, trailer), &worker->out);
	return worker->out.size >= FLUSH_SIZE ? write_out(worker) : 0;
}

static const char *load_arch(const struct datafile *file)
{
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_ARCH, &size);
	const char *arch;

	if (bytes && feature_string_decode(bytes, size, datafile_header(file)->foreign, &arch) == 0)
		return arch;
	return "";
}

static int fit_fields(struct config *c, const struct events *events, struct strobe_err *err)
{
	size_t count = events_count(events);
	const struct event_desc **all = xcalloc(count + 1, sizeof(const struct event_desc *));
	int r;

	for (size_t i = 0; i < count; i++)
		all[i] = events_at(events, i);
	r = script_fields_fit(&c->fields, all, count, !c->hide_chains, err);
	free(all);
	return cmd_usage(r);
}

static void print_in_order(struct script *script, bool records)
{
	struct script_worker *worker = &script->workers[0];

	worker_init(worker, script);
	if (replay_all(script->profile, print_and_write, records ? print_record : NULL, worker) ==
	    0)
		(void)write_out(worker);
}

/* Samples alone are printed by several threads, a window of time each. */
static void print_with(struct script *script, bool records)
{
	/* A set of tracepoints serves one thread. */
	size_t threads = script->text.tracepoints ? 1 : pool_threads(), count;
	struct replay_window *windows = records ? NULL : replay_windows(script->profile, &count);

	script->workers = xcalloc(threads, sizeof(*script->workers));
	script->windows = windows;
	if (windows)
		(void)pool_run_ordered(threads, count, print_window, write_window, script);
	else
		print_in_order(script, records);
	for (size_t i = 0; i < threads; i++)
		worker_done(&script->workers[i]);
	free(script->workers);
	free(windows);
}

static int print_all(struct config *c)
{
	const struct datafile *file = c->reading.file;
	_cleanup_(reading_names_done) struct reading_names names =
		reading_names(datafile_events(file));
	_cleanup_(tracepoint_set_freep) struct tracepoint_set *tracepoints = NULL;
	struct script script = { .config = c, .profile = c->reading.profile };
	bool records = c->mmaps || c->tasks || c->switches || c->namespaces || c->cgroups ||
		       c->bpf || c->lost || c->rounds || c->pokes;

	tracepoints = reading_tracepoints(file);
	script.text = (struct script_text){
		.profile = script.profile,
		.fields = &c->fields,
		.event_names = (const char *const *)names.items,
		.name_width = names.width,
		.nanoseconds = c->nanoseconds,
		.hides_chains = c->hide_chains,
		.kernel_path = c->kernel_path,
		.arch = load_arch(file),
		.tracepoints = tracepoints,
	};
	print_with(&script, records);
	reading_remark_skipped(&c->reading);
	return 0;
}

static int run_on(struct config *c, struct strobe_err *err)
{
	const struct profile_totals *totals;
	int r = reading_open(&c->reading, err);

	if (r < 0)
		return r;
	if (reading_header(&c->reading))
		return 0;
	r = fit_fields(c, datafile_events(c->reading.file), err);
	if (r < 0)
		return r;
	r = reading_profile(&c->reading, err);
	if (r < 0)
		return r;
	r = filter_options_check(&c->filter, datafile_events(c->reading.file), err);
	if (r < 0)
		return r;
	totals = profile_totals(c->reading.profile);
	if (c->times) {
		r = filter_add_times(&c->filter, c->times, totals->first_ns, totals->last_ns, err);
		if (r < 0)
			return cmd_usage(r);
	}
	return print_all(c);
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { .fields = script_fields_default(), .max_stack = DEFAULT_STACK };
	int r = opt_parse_mixed(options, argc, argv, &c, err);

	if (r >= 0 && r < argc)
		r = cmd_usage(err_set(err, -EINVAL, "script takes no '%s'", argv[r]));
	else if (r >= 0) {
		(void)fputs(str_text(&c.remarks), stderr);
		r = run_on(&c, err);
	}
	str_done(&c.remarks);
	filter_done(&c.filter);
	reading_done(&c.reading);
	return r;
}

const struct cmd cmd_script = {
	.name = "script",
	.summary = "Print the samples of a recording, a line each",
	.usage = "",
	.options = options,
	.run = run,
};
