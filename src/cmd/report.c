/* report.c - "strobe report": where a recording's time went, as text. */
#include <unistd.h>

#include "analyze/blocks.h"
#include "analyze/filter.h"
#include "analyze/profile.h"
#include "analyze/report-live.h"
#include "analyze/report.h"
#include "analyze/thread-counts.h"
#include "analyze/unnamed.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/stack-sum.h"
#include "base/str.h"
#include "cmd/advice.h"
#include "cmd/cmd.h"
#include "cmd/dump.h"
#include "cmd/filter-options.h"
#include "cmd/preset.h"
#include "cmd/reading.h"
#include "cmd/remark.h"
#include "cmd/report-config.h"
#include "cmd/terminal.h"
#include "cmd/unnamed-advice.h"
#include "data/attr.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/record.h"
#include "data/stats.h"
#include "format/tracepoint.h"
#include "model/dso.h"
#include "view/report-json.h"
#include "view/report-text.h"
#include "view/stats-json.h"
#include "view/stats-text.h"
#include "view/tasks-json.h"
#include "view/tasks-text.h"
#include "view/thread-counts-text.h"

static bool is_json(const struct report_config *c)
{
	return c->reading.format == OUTPUT_FORMAT_JSON;
}

static void add_to_stats(void *context, const struct record *record)
{
	stats_add(context, record);
}

static int print_stats(struct report_config *c, struct strobe_err *err)
{
	struct stats stats;
	int r;

	stats_init(&stats, datafile_events(c->reading.file));
	r = reading_records(&c->reading, add_to_stats, &stats, err);
	if (r == 0 && is_json(c))
		stats_json_print(&stats, stdout);
	else if (r == 0)
		stats_text_print(&stats, c->text.show_empty, stdout);
	stats_done(&stats);
	return r;
}

/* Why the heaviest objects without names have none. */
static void remark_unnamed(const struct unnamed *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		_cleanup_(str_done) struct str name = { 0 };

		terminal_add_name(&name, items[i].dso->short_name);
		remark("%s in '%s%s': %s (%.1f%% of the samples)",
		       items[i].is_gap ? "not all names" : "no names", str_text(&name),
		       items[i].dso->deleted ? DSO_DELETED : "", reason_text(items[i].reason),
		       items[i].percent);
		for (size_t k = 0; k < items[i].advice_count; k++)
			remark_hint("%s", items[i].advice[k]);
	}
}

static void print_json(const struct report_config *c, const struct report *report,
		       const struct unnamed *unnamed, size_t unnamed_count)
{
	struct stack_sum stacks;
	const struct report_json json = {
		.profile = c->reading.profile,
		.text = &c->text,
		.header = c->reading.header,
		.unnamed = unnamed,
		.unnamed_count = unnamed_count,
		.stacks = &stacks,
	};

	reading_stacks(&c->reading, &stacks);
	report_json_print(report, &json, stdout);
}

static void remark_divided(const struct report *report)
{
	if (report->divided_count > 0)
		remark("events of groups of more than %d are not shown side by side",
		       REPORT_MOST_MEMBERS);
}

static void remark_cut(const struct report *report)
{
	uint64_t count = 0;

	for (size_t i = 0; i < report->event_count; i++)
		count += report->events[i].sample_count;
	if (report->cut_count == 0 || count == 0)
		return;
	remark("rare call chains were cut, so that memory has an end: %.1f%% of the samples",
	       100.0 * (double)report->cut_count / (double)count);
	remark_hint("for all of them record to a file");
}

/* "report FILE" is "report SYMBOL": who gets nothing may have meant the file. */
static void remark_operand(const struct report_config *c, const struct report *report)
{
	size_t row_count = 0;

	if (!c->operand)
		return;
	for (size_t i = 0; i < report->event_count; i++)
		row_count += report->events[i].hist->entry_count;
	if (row_count == 0 && access(c->operand, F_OK) == 0)
		remark("nothing matches symbol '%s'; a file is read with -i", c->operand);
}

/* Of a stream, nothing but what is counted is kept. */
static int count_stream(struct report_config *c, struct report **ret_report, struct strobe_err *err)
{
	_cleanup_(report_freep) struct report *report = NULL;
	struct reading_handlers handlers = {
		.each = report_live_take,
		.changed = report_live_changed,
		.forget = report_live_forget,
		.settled = report_live_settled,
	};
	int r;

	c->report.fields.stream = true;
	r = report_live_new(c->reading.profile, &c->report, &report, err);
	if (r < 0)
		return r;
	handlers.context = report;
	r = reading_replay(&c->reading, &handlers, err);
	if (r < 0)
		return r;
	report_live_finish(report);
	*ret_report = take(report);
	return 0;
}

static int count(struct report_config *c, struct report **ret_report, struct strobe_err *err)
{
	if (c->reading.stream)
		return count_stream(c, ret_report, err);
	return report_new(c->reading.profile, &c->report, ret_report, err);
}

/* The kernel tells of threads that inherited the events, when they end before the event does. */
static void explain_no_counts(const struct events *events)
{
	bool is_recorded = false, is_inherited = false;

	for (size_t i = 0; i < events_count(events); i++) {
		const struct attr *attr = &events_at(events, i)->attr;

		is_recorded |= attr->inherit_stat;
		is_inherited |= attr->inherit_stat && attr->inherit;
	}
	remark("no thread said what it counted");
	if (!is_recorded)
		remark_hint("record with -s");
	else if (!is_inherited)
		remark_hint("threads that what is recorded starts do so: record without -a, -t, "
			    "-i and --per-thread");
	else
		remark_hint("threads that what is recorded starts do so, when they end: there "
			    "were none");
}

static void print_thread_counts(const struct report_config *c)
{
	struct thread_counts counts;

	thread_counts_find(c->reading.profile, &counts);
	if (counts.count == 0)
		explain_no_counts(datafile_events(c->reading.file));
	else
		thread_counts_text_print(&counts, datafile_events(c->reading.file), c->raw_counts,
					 stdout);
	thread_counts_done(&counts);
}

static void remark_empty(const struct report_config *c)
{
	bool is_chosen = c->report.event || c->time;
	size_t size;

	remark("'%s' has no samples%s", c->reading.input,
	       is_chosen ? " of what was asked for" : "");
	if (datafile_feature(c->reading.file, FEATURE_STAT, &size))
		remark_hint("it has counts: strobe stat report -i %s", c->reading.input);
}

/* Why a table of blocks is empty, though there are branches. */
static void remark_no_blocks(const struct report_config *c, const struct blocks *blocks)
{
	uint64_t cycles = 0;

	for (size_t i = 0; i < blocks->event_count; i++) {
		if (blocks->events[i].count > 0)
			return;
		cycles += blocks->events[i].cycles;
	}
	if (cycles == 0) {
		remark("'%s' does not tell how many cycles branches took", c->reading.input);
		remark_hint("strobe report -b shows from where to where they went");
	} else {
		remark("no branch of '%s' is in a function that has a name here", c->reading.input);
		remark_hint("strobe report -b shows of which files they are");
	}
}

static int print_report(struct report_config *c, struct strobe_err *err)
{
	_cleanup_(report_freep) struct report *report = NULL;
	_cleanup_(blocks_freep) struct blocks *blocks = NULL;
	_cleanup_(tracepoint_set_freep) struct tracepoint_set *tracepoints =
		reading_tracepoints(c->reading.file);
	const struct profile_totals *totals = profile_totals(c->reading.profile);
	_cleanup_(advice_done) struct advice advice = { 0 };
	struct unnamed unnamed[UNNAMED_MOST];
	size_t unnamed_count;
	int r = 0;

	if (c->time)
		r = filter_add_times(&c->filter, c->time, totals->first_ns, totals->last_ns, err);
	c->report.filter = &c->filter;
	c->report.tracepoints = tracepoints;
	if (r == 0)
		r = count(c, &report, err);
	if (!report)
		return cmd_usage(r);
	if (c->total_cycles) {
		blocks = blocks_find(report);
		c->text.blocks = blocks;
	}
	unnamed_count = unnamed_find(report, c->reading.profile, unnamed);
	unnamed_advice_set(&advice, profile_timeline(c->reading.profile), unnamed, unnamed_count);
	if (is_json(c))
		print_json(c, report, unnamed, unnamed_count);
	else
		report_text_print(report, &c->text, stdout);
	if (c->thread_counts) /* of text alone */
		print_thread_counts(c);
	if (report_is_empty(report))
		remark_empty(c);
	else if (blocks && !c->text.quiet)
		remark_no_blocks(c, blocks);
	remark_operand(c, report);
	remark_divided(report);
	remark_cut(report);
	if (!c->text.quiet)
		remark_unnamed(unnamed, unnamed_count);
	reading_remark_dumps(&c->reading);
	reading_remark_stacks(&c->reading);
	reading_remark_skipped(&c->reading);
	return 0;
}

static void print_tasks(const struct report_config *c)
{
	const struct timeline *timeline = profile_timeline(c->reading.profile);

	if (is_json(c))
		tasks_json_print(timeline, c->mmaps, stdout);
	else
		tasks_text_print(timeline, c->mmaps, stdout);
}

/* Other things are known once all of a recording has come. */
static int open_input(struct report_config *c, struct strobe_err *err)
{
	bool whole = c->dump || c->total_cycles || c->thread_counts || c->tasks || c->mmaps ||
		     filter_times_are_shares(c->time);

	if (whole)
		return reading_open(&c->reading, err);
	return reading_open_stream(&c->reading, true, err);
}

static int run_on(struct report_config *c, struct strobe_err *err)
{
	int r = open_input(c, err);

	if (r < 0)
		return r;
	if (reading_header(&c->reading))
		return 0;
	if (c->stats)
		return print_stats(c, err);
	r = reading_profile(&c->reading, err);
	if (r < 0)
		return r;
	if (c->dump) {
		report_text_print_hint(&c->text, stdout);
		dump_records(&c->reading, c->in_file_order, stdout);
		return print_stats(c, err);
	}
	if (c->tasks || c->mmaps) {
		print_tasks(c);
		return 0;
	}
	r = filter_options_check(&c->filter, datafile_events(c->reading.file), err);
	return r < 0 ? r : print_report(c, err);
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct report_config c = report_config_default();
	int r;

	preset_apply(report_config_options, &c);
	r = report_config_parse(&c, argc, argv, err);
	if (r == 0)
		r = run_on(&c, err);
	report_config_done(&c);
	return r;
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "Show where a recording's time went",
	.usage = "[SYMBOL]",
	.options = report_config_options,
	.config_size = sizeof(struct report_config),
	.run = run,
};
