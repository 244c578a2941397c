/*
 * stat.c - "strobe stat": count events while a command runs, or of what runs already.
 *
 * Options (stat-options.h) say what is counted; collect/meter.h counts it, analyze/stat.h adds
 * it up, and stat-output.h prints it.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/stat.h"
#include "base/err.h"
#include "base/mem.h"
#include "cmd/build-info.h"
#include "cmd/cmd.h"
#include "cmd/ending.h"
#include "cmd/preset.h"
#include "cmd/remark.h"
#include "cmd/stat-compare.h"
#include "cmd/stat-events.h"
#include "cmd/stat-options.h"
#include "cmd/stat-output.h"
#include "cmd/stat-report.h"
#include "cmd/stat-source.h"
#include "collect/meter-file.h"
#include "collect/meter.h"
#include "collect/notes.h"
#include "collect/passes.h"
#include "collect/wakeup.h"
#include "data/countset.h"
#include "kernel/sysctl.h"

struct session {
	struct stat_config *config;
	struct meter_options options;
	struct wakeup wakeup;
	struct notes notes;
	struct stat_output output;
	struct stat_source source;
	struct stat *all; /* over all runs; NULL: none has begun, and there is no source */
	struct stat *interval;
	struct countset before, delta; /* of intervals */
	uint64_t before_ns;
	size_t *passes; /* --passes: of each event; NULL: all at once */
	size_t pass_count;
	bool *left_out;
	double *runs_s;
	size_t run_count, run_capacity;
	struct meter_result result; /* of the last run */
	struct meter_file_options file_options;
	struct meter_file *file; /* of record; NULL: none */
};

static bool says_remarks(const struct session *s)
{
	return !s->config->quiet && !stat_output_is_shared(&s->output);
}

static void say_notes(const struct session *s)
{
	for (size_t i = 0; says_remarks(s) && i < s->notes.count; i++)
		remark("%s", s->notes.items[i]);
	for (size_t i = 0; says_remarks(s) && i < s->config->events.missing_count; i++)
		remark("%s: counting without it", s->config->events.missing[i]);
	if (says_remarks(s))
		stat_source_explain(&s->source);
}

/* With the first run it is known what can be counted, and where. */
static void begin(struct session *s, const struct meter *meter)
{
	const struct stat_setup *setup = &s->source.setup;

	if (s->all)
		return;
	stat_source_init(&s->source, s->config, &s->config->events, meter);
	s->all = stat_new(setup);
	s->interval = stat_new(setup);
	countset_init(&s->before, setup->event_count, setup->cpu_count, setup->thread_count);
	countset_init(&s->delta, setup->event_count, setup->cpu_count, setup->thread_count);
	say_notes(s);
}

static int tick(void *context, uint64_t time_ns, const struct countset *counts,
		struct strobe_err *err)
{
	struct session *s = context;

	countset_copy(&s->delta, counts);
	countset_subtract(&s->delta, &s->before, s->source.is_value);
	countset_copy(&s->before, counts);
	stat_clear(s->interval);
	stat_add(s->interval, &s->delta, time_ns - s->before_ns);
	s->before_ns = time_ns;
	stat_output_interval(&s->output, s->interval, time_ns);
	return s->file ? meter_file_round(s->file, counts, STAT_RECORD_INTERVAL, time_ns, err) : 0;
}

/* With the signals that we take for ourselves as they were. */
static void run_beside(const struct session *s, const char *command)
{
	sigset_t ours;
	int status;

	if (!command)
		return;
	(void)sigprocmask(SIG_SETMASK, &s->wakeup.before, &ours);
	status = system(command);
	(void)sigprocmask(SIG_SETMASK, &ours, NULL);
	if (status != 0)
		remark("'%s' failed", command);
}

static void say_raw(const struct session *s, const struct countset *counts)
{
	for (size_t event = 0; s->config->verbose && event < counts->event_count; event++) {
		struct count sum = { 0 };

		for (size_t cpu = 0; cpu < counts->cpu_count; cpu++)
			for (size_t thread = 0; thread < counts->thread_count; thread++) {
				const struct count *one = countset_at(counts, event, cpu, thread);

				sum.value += one->value;
				sum.enabled_ns += one->enabled_ns;
				sum.running_ns += one->running_ns;
			}
		remark("%s: %" PRIu64 " %" PRIu64 " %" PRIu64, s->source.setup.events[event].name,
		       sum.value, sum.enabled_ns, sum.running_ns);
	}
}

/* Who came and went between two runs makes them two things. */
static int check_same(const struct session *s, const struct countset *counts,
		      struct strobe_err *err)
{
	if (counts->cpu_count == s->before.cpu_count &&
	    counts->thread_count == s->before.thread_count &&
	    counts->event_count == s->before.event_count)
		return 0;
	return err_set(err, -EAGAIN, "there are other threads or CPUs than in the run before");
}

static void note_run(struct session *s, const struct countset *counts)
{
	if (s->run_count == s->run_capacity)
		s->runs_s = xgrow(s->runs_s, &s->run_capacity, sizeof(*s->runs_s));
	s->runs_s[s->run_count++] = (double)s->result.wall_ns / 1e9;
	stat_add(s->all, counts, s->result.wall_ns);
}

/* How rows are added up, as the file says it. */
static enum stat_record_by recorded_by(enum stat_by by)
{
	static const enum stat_record_by bys[] = {
		[STAT_BY_ALL] = STAT_RECORD_BY_ALL,         [STAT_BY_CPU] = STAT_RECORD_BY_CPU,
		[STAT_BY_SOCKET] = STAT_RECORD_BY_SOCKET,   [STAT_BY_DIE] = STAT_RECORD_BY_DIE,
		[STAT_BY_CLUSTER] = STAT_RECORD_BY_CLUSTER, [STAT_BY_CACHE] = STAT_RECORD_BY_CACHE,
		[STAT_BY_CORE] = STAT_RECORD_BY_CORE,       [STAT_BY_NODE] = STAT_RECORD_BY_NODE,
		[STAT_BY_THREAD] = STAT_RECORD_BY_THREAD,
	};

	return bys[by];
}

static int begin_file(struct session *s, const struct meter *meter, struct strobe_err *err)
{
	const struct stat_config *c = s->config;

	if (!c->is_recorded)
		return 0;
	s->file_options = (struct meter_file_options){
		.path = c->record_output ? c->record_output : "perf.data",
		.version = BUILD_INFO_VERSION,
		.argv = s->options.argv,
		.settings = { .by = recorded_by(c->by),
			      .interval_ms = c->interval_ms,
			      .cache_level = (uint64_t)c->cache_level,
			      .no_scale = c->no_scale },
	};
	return meter_file_open(&s->file_options, meter, &s->file, err);
}

static int end_file(struct session *s, const struct meter *meter, struct strobe_err *err)
{
	int r = 0;

	if (!s->file)
		return 0;
	if (!s->config->interval_ms)
		r = meter_file_round(s->file, meter_counts(meter), STAT_RECORD_FINAL,
				     s->result.wall_ns, err);
	if (r < 0)
		return r;
	return meter_file_close(take(s->file), err);
}

static int run_once(struct session *s, struct strobe_err *err)
{
	_cleanup_(meter_freep) struct meter *meter = NULL;
	int r;

	if (s->config->sync)
		sync();
	run_beside(s, s->config->pre);
	r = meter_open(&s->options, &s->config->events, &s->notes, &meter, err);
	if (r < 0)
		return r;
	begin(s, meter);
	countset_clear(&s->before);
	s->before_ns = 0;
	r = check_same(s, meter_counts(meter), err);
	if (r == 0)
		r = begin_file(s, meter, err);
	if (r == 0)
		r = meter_run(meter, &s->result, err);
	if (r == 0)
		r = end_file(s, meter, err);
	if (r < 0) {
		meter_file_free(take(s->file));
		return r;
	}
	run_beside(s, s->config->post);
	say_raw(s, meter_counts(meter));
	note_run(s, meter_counts(meter));
	return 0;
}

static void print_all(struct session *s)
{
	const struct stat_config *c = s->config;
	bool one = s->run_count == 1;
	bool of_command = !target_wants_any(&c->target);

	if (c->interval_ms && !c->summary)
		return;
	s->output.run_count = (unsigned)s->run_count;
	s->output.runs_s = s->runs_s;
	s->output.has_usage = s->result.has_usage && of_command && one;
	s->output.user_ns = s->result.user_ns;
	s->output.system_ns = s->result.system_ns;
	stat_output_all(&s->output, s->all, c->interval_ms != 0);
}

/* -r 0: each run by itself, until a signal. */
static void forget_runs(struct session *s)
{
	stat_clear(s->all);
	s->run_count = 0;
}

/* The NMI watchdog holds a counter of each CPU, of those that count cycles. */
static bool watchdog_counts(void)
{
	int64_t on = 0;

	return sysctl_read(NULL, SYSCTL_NMI_WATCHDOG, &on) == 0 && on != 0;
}

static void plan_passes(struct session *s)
{
	const struct eventlist *list = &s->config->events;
	bool is_held;

	s->pass_count = 1;
	if (!s->config->passes)
		return;
	is_held = watchdog_counts();
	s->passes = xcalloc(list->count + 1, sizeof(*s->passes));
	s->left_out = xcalloc(list->count + 1, sizeof(*s->left_out));
	s->pass_count = passes_plan(list, passes_fit_here, &is_held, s->passes);
	s->options.left_out = s->left_out;
	if (s->pass_count > 1 && says_remarks(s))
		remark("the command is run %zu times, since there are more events than counters",
		       s->pass_count);
}

static int run_passes(struct session *s, struct strobe_err *err)
{
	int r = 0;

	for (size_t pass = 0; r == 0 && !s->result.signal && pass < s->pass_count; pass++) {
		for (size_t i = 0; s->passes && i < s->config->events.count; i++)
			s->left_out[i] = s->passes[i] != PASSES_ALL && s->passes[i] != pass;
		r = run_once(s, err);
	}
	return r;
}

/* Percentages in the table want a word. */
static void explain_shared(const struct session *s)
{
	size_t count = says_remarks(s) ? stat_shared_count(stat_rows(s->all)) : 0;
	bool is_held;

	if (count == 0)
		return;
	is_held = watchdog_counts();
	remark("%zu counts are scaled up: there are more events than counters%s", count,
	       is_held ? ", and the NMI watchdog holds one of them" : "");
	remark_hint("%scount fewer events, put those that belong together into groups "
		    "(-e '{cycles,instructions}'), or run the command once for each set (--passes)",
		    is_held ? "sysctl kernel.nmi_watchdog=0 frees it; " : "");
}

static int run_all(struct session *s, struct strobe_err *err)
{
	const struct stat_config *c = s->config;
	bool for_ever = c->has_repeat && c->repeat == 0;
	int r = 0;

	do {
		r = run_passes(s, err);
		if (r == 0 && for_ever) {
			print_all(s);
			forget_runs(s);
		}
	} while (r == 0 && !s->result.signal &&
		 (for_ever || s->run_count < c->repeat * s->pass_count));
	/* After an error what there is may be of use, but for the first run there is nothing. */
	if (s->run_count > 0) {
		print_all(s);
		explain_shared(s);
	}
	return r;
}

/* Rows by place want all CPUs one by one; else a counter follows a thread to all of them. */
static void settle_cpus(struct stat_config *c, struct notes *notes)
{
	struct target_request *target = &c->target;
	bool threads = target_wants_threads(target);

	if (!threads || !target->all_cpus || (c->by != STAT_BY_ALL && c->by != STAT_BY_THREAD))
		return;
	notes_add(notes, "-p and -t are about some threads only: -a is ignored");
	target->all_cpus = false;
}

static int check_config(const struct stat_config *c, const char *const *argv,
			struct strobe_err *err)
{
	const struct target_request *target = &c->target;
	bool threads = target_wants_threads(target), cpus = target->all_cpus || target->cpus;
	int r = target_check(target, err);

	if (r < 0)
		return r;
	if (!argv && !threads && !cpus && c->by != STAT_BY_THREAD) {
		err_set(err, -EINVAL, "there is nothing to count");
		return err_hint(err, -EINVAL,
				"name a command, a process (-p), or all that runs (-a)");
	}
	if (c->is_recorded && c->has_repeat && c->repeat != 1)
		return err_set(err, -EINVAL, "one run is recorded: -r goes without record");
	if (c->has_repeat && c->repeat != 1 && !argv)
		return err_set(err, -EINVAL, "-r repeats a command, and there is none");
	if (c->by != STAT_BY_ALL && c->by != STAT_BY_THREAD && !cpus && !c->each_cgroup)
		return err_set(err, -EINVAL,
			       "what is counted CPU by CPU is what runs there: with -a "
			       "or -C");
	if (c->by == STAT_BY_THREAD && !threads && argv && !cpus)
		return err_set(err, -EINVAL,
			       "--per-thread is for threads that there are already: "
			       "with -p, -t or -a");
	if (c->passes && (!argv || threads || cpus || c->interval_ms || c->is_recorded))
		return err_set(err, -EINVAL,
			       "--passes runs a command again: it goes without -p, "
			       "-t, -a, -C, -I and record");
	if (c->fail_above) {
		err_set(err, -EINVAL, "--fail-above is of compare: there is nothing to be above");
		return err_hint(err, -EINVAL,
				"as in: strobe stat compare --fail-above 3%% -- ./old -- ./new");
	}
	if (c->interval_count && !c->interval_ms)
		return err_set(err, -EINVAL, "--interval-count counts the intervals of -I");
	return 0;
}

static int count(struct stat_config *c, const char *const *argv, struct session *s,
		 struct strobe_err *err)
{
	bool nothing = !argv && !target_wants_threads(&c->target);
	int r;

	settle_cpus(c, &s->notes);
	r = cmd_usage(check_config(c, argv, err));
	if (c->by == STAT_BY_THREAD && nothing)
		c->target.all_cpus = true;
	if (r == 0)
		r = stat_events_prepare(c, err);
	if (r == 0)
		r = stat_output_open(&s->output, c, err);
	if (r < 0)
		return r;
	stat_output_describe(&s->output, argv);
	s->options = (struct meter_options){
		.target = c->target,
		.argv = argv,
		.wakeup = &s->wakeup,
		.stdout_taken = c->record_output && strcmp(c->record_output, "-") == 0,
		.schedule = &c->schedule,
		.control = c->control.fd >= 0 ? &c->control : NULL,
		.interval_ns = c->interval_ms * UINT64_C(1000000),
		.interval_count = c->interval_count,
		.timeout_ns = c->timeout_ms * UINT64_C(1000000),
		.tick = tick,
		.context = s,
	};
	r = wakeup_open(&s->wakeup, err);
	if (r < 0)
		return r;
	plan_passes(s);
	stat_output_begin(&s->output);
	r = run_all(s, err);
	wakeup_close(&s->wakeup);
	return r;
}

static void session_done(struct session *s)
{
	stat_free(s->all);
	stat_free(s->interval);
	countset_done(&s->before);
	countset_done(&s->delta);
	stat_source_done(&s->source);
	notes_done(&s->notes);
	free(s->runs_s);
	free(s->passes);
	free(s->left_out);
}

/* Options may stand behind the word, too; -o is where the recording goes. */
static int parse_record(struct stat_config *c, int argc, const char **argv, struct strobe_err *err)
{
	int r = opt_parse(stat_options, argc, argv, c, err);

	c->is_recorded = true;
	c->record_output = c->output;
	c->output = NULL;
	return r;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct stat_config c = {
		.events.counts = true,
		.repeat = 1,
		.warmup = 1,
		.control = CONTROL_OFF,
	};
	struct session s = { .config = &c };
	int r, closed;

	preset_apply(stat_options, &c);
	r = opt_parse(stat_options, argc, argv, &c, err);
	if (r >= 0 && r < argc && strcmp(argv[r], "record") == 0) {
		argv += r;
		argc -= r;
		r = parse_record(&c, argc, argv, err);
	}
	if (r >= 0 && r < argc && !c.is_recorded && strcmp(argv[r], "report") == 0)
		r = stat_report_run(&c, argc - r, argv + r, err);
	else if (r >= 0 && r < argc && !c.is_recorded && strcmp(argv[r], "compare") == 0)
		r = s.result.exit_code = stat_compare_run(&c, argc - r, argv + r, err);
	else if (r >= 0)
		r = count(&c, r < argc ? argv + r : NULL, &s, err);
	closed = stat_output_close(&s.output, r < 0 ? NULL : err);
	session_done(&s);
	control_close(&c.control);
	schedule_done(&c.schedule);
	eventlist_done(&c.events);
	metric_list_done(&c.metrics);
	free(c.event_texts);
	if (r < 0 || closed < 0)
		return r < 0 ? r : closed;
	return s.result.signal ? ending_by(s.result.signal) : s.result.exit_code;
}

const struct cmd cmd_stat = {
	.name = "stat",
	.summary = "Run a command, or watch what runs, and count events",
	.usage = "[record|report|compare] [--] [COMMAND [ARGS...]]",
	.options = stat_options,
	.config_size = sizeof(struct stat_config),
	.run = run,
};
