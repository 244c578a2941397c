/* stat-compare.c - see stat-compare.h. */
#include "cmd/stat-compare.h"

#include <errno.h>
#include <string.h>

#include "analyze/compare.h"
#include "analyze/stat.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/ending.h"
#include "cmd/remark.h"
#include "cmd/stat-events.h"
#include "cmd/stat-options.h"
#include "cmd/stat-output.h"
#include "cmd/stat-source.h"
#include "collect/meter.h"
#include "collect/notes.h"
#include "collect/wakeup.h"
#include "view/compare-text.h"

enum { RUNS = 10 };

/* What is measured beside events. */
enum { ELAPSED, USER, SYSTEM, RSS, FIXED };

static const struct {
	const char *name, *unit;
	int digits;
} fixed[FIXED] = {
	[ELAPSED] = { "elapsed", "ms", 3 },
	[USER] = { "user", "ms", 3 },
	[SYSTEM] = { "sys", "ms", 3 },
	[RSS] = { "max-rss", "KiB", 0 },
};

struct side {
	const char **argv;
	struct stat_source source;
	struct stat *stat; /* NULL: it has not run yet */
	struct moments moments[FIXED];
};

struct session {
	const struct stat_config *config;
	struct eventlist *events;
	struct wakeup wakeup;
	struct notes notes;
	struct side sides[2];
	struct compare_row *rows;
	size_t row_count;
	int signal;
	char *limit_name; /* --fail-above: of this; NULL: the elapsed time */
	double limit_percent;
};

static void take_result(struct side *side, const struct meter *meter,
			const struct meter_result *result)
{
	moments_add(&side->moments[ELAPSED], (double)result->wall_ns / 1e6);
	moments_add(&side->moments[USER], (double)result->user_ns / 1e6);
	moments_add(&side->moments[SYSTEM], (double)result->system_ns / 1e6);
	moments_add(&side->moments[RSS], (double)result->max_rss_kb);
	stat_add(side->stat, meter_counts(meter), result->wall_ns);
}

/* What fails takes another time than what works: that is no comparison. */
static int check_result(struct session *s, const struct side *side,
			const struct meter_result *result, struct strobe_err *err)
{
	s->signal = result->signal;
	if (result->signal)
		return err_set(err, -EINTR, "it was interrupted");
	if (result->exit_code == 0)
		return 0;
	return err_set(err, -ECANCELED, "'%s' failed: exit code %d", side->argv[0],
		       result->exit_code);
}

static int run_once(struct session *s, struct side *side, bool is_measured, struct strobe_err *err)
{
	_cleanup_(meter_freep) struct meter *meter = NULL;
	const struct meter_options options = {
		.argv = side->argv,
		.wakeup = &s->wakeup,
		.schedule = &s->config->schedule,
		.timeout_ns = s->config->timeout_ms * UINT64_C(1000000),
	};
	struct meter_result result = { 0 };
	int r = meter_open(&options, s->events, &s->notes, &meter, err);

	if (r == 0 && !side->stat) {
		stat_source_init(&side->source, s->config, s->events, meter);
		side->stat = stat_new(&side->source.setup);
	}
	if (r == 0)
		r = meter_run(meter, &result, err);
	if (r == 0)
		r = check_result(s, side, &result, err);
	if (r == 0 && is_measured)
		take_result(side, meter, &result);
	return r;
}

/* AB BA AB ...: what changes slowly on the machine hits both alike. */
static int run_all(struct session *s, struct strobe_err *err)
{
	unsigned warmups = s->config->warmup, count = warmups + s->config->repeat;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < count; i++) {
		size_t first = i % 2;

		r = run_once(s, &s->sides[first], i >= warmups, err);
		if (r == 0)
			r = run_once(s, &s->sides[1 - first], i >= warmups, err);
	}
	return r;
}

static void add_fixed_rows(struct session *s)
{
	for (size_t i = 0; i < FIXED; i++)
		s->rows[s->row_count++] = (struct compare_row){
			.name = fixed[i].name,
			.unit = fixed[i].unit,
			.digits = fixed[i].digits,
			.a = s->sides[0].moments[i],
			.b = s->sides[1].moments[i],
		};
}

static void add_event_rows(struct session *s)
{
	const struct stat_table *a = stat_rows(s->sides[0].stat);
	const struct stat_table *b = stat_rows(s->sides[1].stat);

	for (size_t i = 0; i < a->count && i < b->count; i++) {
		const struct stat_row *row = &a->items[i], *other = &b->items[i];
		struct compare_row *to = &s->rows[s->row_count++];

		*to = (struct compare_row){ .name = row->event->name, .unit = row->event->unit };
		to->digits = row->event->unit ? 3 : 1;
		to->missing =
			row->state == STAT_NOT_SUPPORTED ? "<not supported>" : "<not counted>";
		if (row->state == STAT_COUNTED)
			to->a = row->moments;
		if (other->state == STAT_COUNTED)
			to->b = other->moments;
	}
}

static void print(struct session *s, struct stat_output *output)
{
	const struct compare_text text = {
		.a = s->sides[0].argv,
		.b = s->sides[1].argv,
		.run_count = s->config->repeat,
		.warmup_count = s->config->warmup,
		.rows = s->rows,
		.row_count = s->row_count,
	};
	_cleanup_(str_done) struct str out = { 0 };

	if (s->config->format == STAT_FORMAT_JSON)
		compare_text_add_json(&out, &text);
	else
		compare_text_add(&out, &text);
	stat_output_text(output, &out);
}

static int judge(const struct session *s, struct strobe_err *err)
{
	const struct compare_row *row = NULL;
	const char *name = s->limit_name ? s->limit_name : fixed[ELAPSED].name;

	if (!s->config->fail_above)
		return 0;
	for (size_t i = 0; i < s->row_count; i++)
		if (strcmp(s->rows[i].name, name) == 0)
			row = &s->rows[i];
	if (!row)
		return err_set(err, -ENOENT, "--fail-above: '%s' is not compared", name);
	if (row->verdict != COMPARE_MORE || row->change <= s->limit_percent)
		return 0;
	remark("B takes %.2f%% more of '%s' than A: above %g%%", row->change, row->name,
	       s->limit_percent);
	return STAT_COMPARE_WORSE;
}

static int compare(struct session *s, struct stat_output *output, struct strobe_err *err)
{
	int r = wakeup_open(&s->wakeup, err);

	if (r < 0)
		return r;
	r = run_all(s, err);
	wakeup_close(&s->wakeup);
	if (r < 0)
		return r;
	for (size_t i = 0; s->config->format == STAT_FORMAT_TEXT && i < s->notes.count; i++)
		remark("%s", s->notes.items[i]);
	if (s->config->format == STAT_FORMAT_TEXT)
		stat_source_explain(&s->sides[0].source);
	s->rows = xcalloc(FIXED + s->sides[0].source.setup.event_count, sizeof(*s->rows));
	add_fixed_rows(s);
	add_event_rows(s);
	for (size_t i = 0; i < s->row_count; i++)
		compare_row_finish(&s->rows[i]);
	print(s, output);
	return judge(s, err);
}

static void session_done(struct session *s)
{
	for (size_t i = 0; i < 2; i++) {
		stat_free(s->sides[i].stat);
		stat_source_done(&s->sides[i].source);
	}
	notes_done(&s->notes);
	free(s->rows);
	free(s->limit_name);
}

/* Two commands with "--" between them. */
static int find_commands(struct session *s, int argc, const char **argv, struct strobe_err *err)
{
	int second = 0;

	while (second < argc && strcmp(argv[second], "--") != 0)
		second++;
	if (second == 0 || second + 1 >= argc) {
		err_set(err, -EINVAL, "there are not two commands to compare");
		return err_hint(err, -EINVAL,
				"as in: strobe stat compare -- ./old 1000 -- ./new 1000");
	}
	argv[second] = NULL;
	s->sides[0].argv = argv;
	s->sides[1].argv = argv + second + 1;
	return 0;
}

/* "3%", "instructions:0.5%". */
static int parse_limit(struct session *s, const char *text, struct strobe_err *err)
{
	const char *colon = text ? strrchr(text, ':') : NULL;
	_cleanup_(freep) char *number = NULL;
	size_t size;

	if (!text)
		return 0;
	number = xstrdup(colon ? colon + 1 : text);
	size = strlen(number);
	if (size > 0 && number[size - 1] == '%')
		number[size - 1] = '\0';
	if (!str_to_double(number, &s->limit_percent)) {
		err_set(err, -EINVAL, "--fail-above: '%s' is no percentage", text);
		return err_hint(err, -EINVAL, "as in: 3%% (of the elapsed time), instructions:1%%");
	}
	s->limit_name = colon ? xstrndup(text, (size_t)(colon - text)) : NULL;
	return 0;
}

/* Before anything runs: what is compared is known, and a mistyped name should cost no time. */
static int check_limit(const struct session *s, struct strobe_err *err)
{
	const struct eventlist *events = s->events;

	if (!s->limit_name)
		return 0;
	for (size_t i = 0; i < FIXED; i++)
		if (strcmp(fixed[i].name, s->limit_name) == 0)
			return 0;
	for (size_t i = 0; i < events->count; i++)
		if (strcmp(events->items[i].name, s->limit_name) == 0)
			return 0;
	err_set(err, -EINVAL, "--fail-above: '%s' is not compared", s->limit_name);
	return err_hint(err, -EINVAL,
			"elapsed, user, sys and max-rss are, and the events of -e, as they are "
			"written there");
}

static int check_config(struct stat_config *c, struct strobe_err *err)
{
	if (target_wants_any(&c->target) || c->each_cgroup || c->by != STAT_BY_ALL ||
	    c->interval_ms)
		return err_set(err, -EINVAL,
			       "two commands are compared as a whole: -p, -t, -a, -C, "
			       "-A, --per-... and -I do not go with compare");
	if (c->format != STAT_FORMAT_TEXT && c->format != STAT_FORMAT_JSON)
		return err_set(err, -EINVAL, "compare prints text or, with --format json, JSON");
	if (!c->has_repeat)
		c->repeat = RUNS;
	if (c->repeat < 2)
		return err_set(err, -EINVAL,
			       "one run of each says nothing of chance: -r 2 or more");
	return 0;
}

int stat_compare_run(struct stat_config *c, int argc, const char **argv, struct strobe_err *err)
{
	struct session s = { .config = c, .events = &c->events };
	struct stat_output output = { 0 };
	int r = opt_parse(stat_options, argc, argv, c, err), closed;

	if (r < 0)
		return r;
	r = cmd_usage(find_commands(&s, argc - r, argv + r, err));
	if (r == 0)
		r = cmd_usage(check_config(c, err));
	if (r == 0)
		r = cmd_usage(parse_limit(&s, c->fail_above, err));
	if (r == 0)
		r = stat_events_prepare(c, err);
	if (r == 0)
		r = cmd_usage(check_limit(&s, err));
	if (r == 0)
		r = stat_output_open(&output, c, err);
	if (r < 0) {
		session_done(&s);
		return r;
	}
	r = compare(&s, &output, err);
	closed = stat_output_close(&output, r < 0 ? NULL : err);
	session_done(&s);
	if (s.signal)
		return ending_by(s.signal);
	return r < 0 || closed == 0 ? r : closed;
}
