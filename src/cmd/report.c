/* report.c - "strobe report": where a recording's time went, as text. */
#include <stdlib.h>
#include <string.h>
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
#include "cmd/chain-options.h"
#include "cmd/cmd.h"
#include "cmd/dump.h"
#include "cmd/filter-options.h"
#include "cmd/preset.h"
#include "cmd/reading.h"
#include "cmd/remark.h"
#include "cmd/report-values.h"
#include "cmd/terminal.h"
#include "data/datafile.h"
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

struct config {
	struct reading reading;
	struct report_options report;
	struct filter filter;
	struct chain_options chains;
	struct report_text text;
	const char *time;
	const char *operand; /* SYMBOL */
	double percent_limit;
	bool total_cycles, thread_counts, raw_counts;
	bool stdio, stats, tasks, mmaps, inverted, dump, in_file_order;
};

#define FIELD(name) offsetof(struct config, name)

static int take_percent_limit(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;

	if (!str_to_double(arg, &c->percent_limit) || c->percent_limit > 100)
		return err_set(err, -EINVAL, "'%s' is no percentage", arg);
	c->chains.min_percent = c->percent_limit;
	return 0;
}

static int take_socket(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;
	uint64_t number;

	if (!str_to_u64(arg, &number) || number >= UINT32_MAX)
		return err_set(err, -EINVAL, "'%s' is no number of a socket", arg);
	c->text.socket = (int64_t)number;
	filter_ids_done(&c->report.sockets);
	return filter_add_ids(&c->report.sockets, arg, false, "sockets", err);
}

static int take_sort_member(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;
	uint64_t number;

	if (!str_to_u64(arg, &number))
		return err_set(err, -EINVAL, "'%s' is no number of a member", arg);
	c->report.sort_member = number;
	c->report.force_group = true;
	return 0;
}

static int take_children(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;

	c->report.no_children = negated;
	return 0;
}

static int take_group(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;

	c->report.no_group = negated;
	c->report.force_group = !negated;
	return 0;
}

/* Unlike --group, the setting makes no group of events that are none. */
static int take_group_setting(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	bool *no_group = field;

	*no_group = negated;
	return 0;
}

/* What to do without some that perf has. */
#define NO_ANNOTATE                                                                                \
	"it is about the code of functions: strobe script -F +disasm prints instructions"
#define OWN_READER "strobe reads source lines itself"

static const struct opt options[] = {
	READING_OPTIONS(struct config, reading),
	{ OPT_FLAG, '\0', "demangle-kernel", NULL, FIELD(reading.names.demangle_kernel),
	  "Print the kernel's C++ and Rust names as people write them, too" },
	OUTPUT_FORMAT_OPTION(FIELD(reading.format)),
	{ OPT_FLAG, '\0', "stdio", NULL, FIELD(stdio), "Print text (there is no other interface)" },
	{ OPT_FLAG, 'q', "quiet", NULL, FIELD(text.quiet), "Print the rows alone" },
	{ OPT_STR, 'e', "event", "EVENT,...", FIELD(report.event), "Only these events" },

	{ OPT_GROUP, .help = "Rows and columns" },
	{
		OPT_STR,
		's',
		"sort",
		"KEY,...",
		FIELD(report.fields.sort),
		"What tells rows apart (default comm,dso,symbol; of tracepoints alone: trace); "
		"+KEY adds to the default",
		.words = fields_name,
	},
	{ OPT_STR, .arg = "KEY,...", .at = FIELD(report.fields.default_sort),
	  .help = "What stands for the default comm,dso,symbol", .key = "report.sort_order" },
	{ OPT_STR, 'F', "fields", "FIELD,...", FIELD(report.fields.fields),
	  "Columns: keys and overhead, overhead_children, overhead_sys, overhead_us, sample, "
	  "period, weight1 to weight3; with --mem-mode op, cache, memory, snoop, dtlb",
	  .words = fields_name },
	{ OPT_FLAG, 'n', "show-nr-samples", NULL, FIELD(report.fields.show_samples),
	  "A column with the number of samples" },
	{ OPT_FLAG, '\0', "show-total-period", NULL, FIELD(report.fields.show_period),
	  "A column with the sum of the periods" },
	{ OPT_FLAG, '\0', "show-cpu-utilization", NULL, FIELD(report.fields.show_cpu),
	  "Columns for kernel and user", .alias = "showcpuutilization" },
	{ OPT_CALL, '\0', "children", NULL, 0, "Count what a function called to it (default)",
	  .call = take_children, .key = "report.children" },
	{ OPT_CALL, '\0', "group", NULL, 0, "Show the events of a group side by side (default)",
	  .call = take_group },
	{ OPT_CALL, '\0', "group-sort-idx", "NUMBER", 0,
	  "Order by this member of a group, counted from 0", .call = take_sort_member,
	  .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "no-skip-empty", NULL, FIELD(text.show_empty),
	  "Also show events without samples", .key = "report.skip-empty" },
	{ OPT_CALL, '\0', "stdio-color", "always|never|auto", FIELD(text.color),
	  "Color high percentages (default auto: on a terminal)", .call = report_values_color,
	  .flags = OPT_NO_NEGATE },
	{ OPT_CALL, 'w', "column-widths", "WIDTH,...", FIELD(text.widths),
	  "Widths of the columns; 0 is as wide as needed", .call = report_values_widths,
	  .flags = OPT_NO_NEGATE },
	{ OPT_STR, 't', "field-separator", "SEP", FIELD(text.separator),
	  "What stands between columns" },
	/* Before --percent-limit, whose setting is about chains, too, and counts more there. */
	CHAIN_SETTINGS(struct config, chains),
	{ OPT_CALL, '\0', "percent-limit", "PERCENT", 0, "Leave out rows below PERCENT",
	  .call = take_percent_limit, .flags = OPT_NO_NEGATE, .key = "report.percent-limit" },
	{ OPT_CALL, '\0', "percentage", "relative|absolute", FIELD(report.relative),
	  "Whether percentages are of what the filters left, or of all",
	  .call = report_values_percentage, .flags = OPT_NO_NEGATE, .key = "hist.percentage" },
	{ OPT_CALL, 'b', "branch-stack", NULL, FIELD(report.branches),
	  "Count branches instead of samples", .call = report_values_branches },
	{ OPT_FLAG, '\0', "total-cycles", NULL, FIELD(total_cycles),
	  "Show how many cycles stretches of code took, as branch stacks tell" },
	{ OPT_FLAG, '\0', "latency", NULL, FIELD(report.fields.latency_first),
	  "Order by latency: what threads that ran at the same time cost together" },
	{ OPT_FLAG, 'H', "hierarchy", NULL, FIELD(report.hierarchy),
	  "Rows below rows: a level for each key; -s '{KEY,KEY},KEY' makes one of two" },
	{ OPT_FLAG, '\0', "mem-mode", NULL, FIELD(report.memory),
	  "Weigh accesses to memory, and tell them apart by what they met" },
	{ OPT_FLAG, '\0', "full-source-path", NULL, FIELD(report.whole_paths),
	  "Whole paths in the keys srcline and srcfile" },
	{ OPT_CALL, '\0', "time-quantum", "TIME", FIELD(report.time_quantum_ns),
	  "How finely the key 'time' divides (default 100ms)", .call = report_values_quantum,
	  .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "raw-trace", NULL, FIELD(report.raw_traces),
	  "The fields of tracepoints as they are, in 'trace' and as keys" },
	{ OPT_FLAG, '\0', "ns", NULL, FIELD(report.nanoseconds),
	  "Print the key 'time' to the nanosecond" },

	{ OPT_GROUP, .help = "Call chains" },
	{ OPT_CALL, 'g', "call-graph", "[STYLE,PERCENT,LINES,ORDER,KEY,VALUE]", FIELD(chains),
	  "graph, fractal, flat, folded or none; least percentage; most lines; caller or callee; "
	  "function or address; percent, period or count",
	  .call = chain_options_take, .flags = OPT_NEXT_WORD,
	  .implied = "graph,0.5,caller,function,percent" },
	{ OPT_FLAG, 'G', "inverted", NULL, FIELD(inverted),
	  "Begin chains at the outermost caller" },
	{ OPT_UINT, '\0', "max-stack", "COUNT", FIELD(report.max_stack),
	  "Frames of a chain (default 127)" },
	{ OPT_STR, 'p', "parent", "REGEX", FIELD(report.parent_pattern),
	  "Sort by the caller that matches REGEX, too" },
	{ OPT_FLAG, 'x', "exclude-other", NULL, FIELD(report.only_with_parent),
	  "Only rows that have such a caller" },
	{ OPT_STR, '\0', "ignore-callees", "REGEX", FIELD(report.ignore_callees),
	  "Count what functions that match REGEX called as their own" },

	{ OPT_GROUP, .help = "Which samples" },
	FILTER_OPTIONS(struct config, filter),
	{ OPT_CALL, 'd', NULL, "DSO,...", FIELD(filter.dsos), "Same as --dsos",
	  .call = filter_options_names, .flags = OPT_NO_NEGATE },
	{ OPT_STR, '\0', "symbol-filter", "TEXT", FIELD(report.symbol_filter),
	  "Only symbols that contain TEXT" },
	{ OPT_STR, '\0', "time", "START,STOP", FIELD(time),
	  "Only this stretch of time, in seconds or as 10%-20%" },
	{ OPT_CALL, '\0', "parallelism", "COUNT,...", FIELD(report.parallelism),
	  "Only samples while so many threads ran (2-4,8)", .call = report_values_parallelism,
	  .flags = OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "socket-filter", "SOCKET", 0, "Only samples of this processor socket",
	  .call = take_socket, .flags = OPT_NO_NEGATE },
	{ OPT_STR, '\0', "switch-on", "EVENT", FIELD(report.onoff.on),
	  "Only samples behind one of EVENT" },
	{ OPT_STR, '\0', "switch-off", "EVENT", FIELD(report.onoff.off),
	  "Only samples before one of EVENT, until the next --switch-on" },
	{ OPT_FLAG, '\0', "show-on-off-events", NULL, FIELD(report.onoff.show),
	  "The samples that switch, too" },
	{ OPT_FLAG, 'U', "hide-unresolved", NULL, FIELD(report.hide_unresolved),
	  "Leave out what has no name" },

	{ OPT_CALL, .at = FIELD(report.no_group),
	  .help = "Whether the events of a group stand side by side", .call = take_group_setting,
	  .key = "report.group" },

	{ OPT_GROUP, .help = "Other things a recording says" },
	{ OPT_FLAG, 'D', "dump-raw-trace", NULL, FIELD(dump),
	  "Print each record, with its bytes and what they say" },
	{ OPT_FLAG, '\0', "disable-order", NULL, FIELD(in_file_order),
	  "With -D, keep the order of the file instead of that of time" },
	{ OPT_FLAG, '\0', "stats", NULL, FIELD(stats), "Count records by type, and nothing else" },
	{ OPT_FLAG, 'T', "threads", NULL, FIELD(thread_counts),
	  "Print what each thread counted, too (record -s)" },
	{ OPT_CALL, '\0', "pretty", "normal|raw", FIELD(raw_counts),
	  "How -T prints: a row for each thread, or for each event of each",
	  .call = report_values_pretty, .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "tasks", NULL, FIELD(tasks), "Show which thread began which" },
	{ OPT_FLAG, '\0', "mmaps", NULL, FIELD(mmaps),
	  "The same, and what each had mapped at last" },

	{ OPT_ABSENT, .name = "tui", .instead = "--stdio prints text, --format json values" },
	{ OPT_ABSENT, .name = "gtk", .instead = "--stdio prints text, --format json values" },
	{ OPT_ABSENT, .name = "branch-history", .instead = "-b counts branches" },
	{ OPT_ABSENT, .name = "stitch-lbr",
	  .help = "strobe does not join the branch stacks of several samples" },
	{ OPT_ABSENT, .name = "show-ref-call-graph",
	  .help = "strobe shows call chains of the event that recorded them",
	  .instead = "record -e EVENT/call-graph=fp/ records them with each event" },
	{ OPT_ABSENT, .name = "itrace", .help = "strobe does not decode hardware traces",
	  .instead = "perf report decodes them" },
	{ OPT_ABSENT, 'm', "modules",
	  .help = "strobe takes the symbols of modules from /proc/kallsyms, and with -k from "
		  "their files, without being asked" },
	{ OPT_ABSENT, .name = "ignore-vmlinux",
	  .help = "strobe uses no kernel image but that of -k" },
	{ OPT_ABSENT, .name = "unwind-style" },
	{ OPT_ABSENT, .name = "addr2line", .instead = OWN_READER },
	{ OPT_ABSENT, .name = "addr2line-style", .instead = OWN_READER },
	{ OPT_ABSENT, .name = "source", .instead = NO_ANNOTATE },
	{ OPT_ABSENT, .name = "asm-raw", .instead = NO_ANNOTATE },
	{ OPT_ABSENT, 'M', "disassembler-style", .instead = NO_ANNOTATE },
	{ OPT_ABSENT, .name = "objdump", .instead = NO_ANNOTATE },
	{ OPT_ABSENT, .name = "prefix", .instead = NO_ANNOTATE },
	{ OPT_ABSENT, .name = "prefix-strip", .instead = NO_ANNOTATE },
	{ OPT_ABSENT, .name = "percent-type", .instead = NO_ANNOTATE },
	{ OPT_ABSENT, .name = "samples", .instead = "strobe script prints each sample" },
	{ .kind = OPT_END },
};

static int parse(struct config *c, int argc, const char **argv, struct strobe_err *err)
{
	int first = opt_parse_mixed(options, argc, argv, c, err);

	if (first < 0)
		return first;
	if (first < argc && !c->report.symbol_filter)
		c->report.symbol_filter = c->operand = argv[first++];
	if (first < argc)
		return cmd_usage(err_set(err, -EINVAL, "'%s' means nothing here", argv[first]));
	if ((c->dump || c->thread_counts) && c->reading.format == OUTPUT_FORMAT_JSON)
		return cmd_usage(
			err_set(err, -EINVAL, "%s prints text only", c->dump ? "-D" : "-T"));
	return 0;
}

static enum calltree_mode mode_of(enum callgraph_style style)
{
	switch (style) {
	case CALLGRAPH_FRACTAL:
		return CALLTREE_FRACTAL;
	case CALLGRAPH_FLAT:
	case CALLGRAPH_FOLDED:
		return CALLTREE_FLAT;
	default:
		return CALLTREE_GRAPH;
	}
}

/* The keys that rows are sorted by, where somebody chose them; NULL if nobody did. */
static const char *chosen_keys(const struct fields_options *fields)
{
	if (fields->sort && fields->sort[0] == '+' && fields->default_sort)
		return fields->default_sort;
	return fields->sort;
}

/* What was typed, as the layers below want it. */
static void settle_options(struct config *c)
{
	const struct chain_options *chains = &c->chains;
	const char *keys;

	c->report.want_chains = chains->set && !chains->off;
	c->report.no_chains = chains->off;
	if (c->total_cycles)
		c->report.branches = 1;
	c->report.order_set = chains->order_set || c->inverted;
	c->report.outermost_first = chains->order_set ? chains->outermost_first : c->inverted;
	c->report.by_addr = chains->by_addr;
	c->report.mode = mode_of(chains->style);
	c->report.min_percent = chains->min_percent;
	c->report.long_names = c->reading.verbose > 0;
	c->report.show_empty = c->text.show_empty;

	c->text.style = chains->off ? CALLGRAPH_NONE : chains->style;
	c->text.value = chains->value;
	c->text.most = chains->most;
	c->text.chain_percent = chains->min_percent;
	c->text.percent_limit = c->percent_limit;
	c->text.time_text = c->time;
	c->text.long_names = c->reading.verbose > 0;
	c->text.header_was_shown = c->reading.header;
	keys = chosen_keys(&c->report.fields);
	c->text.chains_first_known = !c->report.fields.fields && keys && str_after(keys, "sym");
}

static bool is_json(const struct config *c)
{
	return c->reading.format == OUTPUT_FORMAT_JSON;
}

static void add_to_stats(void *context, const struct record *record)
{
	stats_add(context, record);
}

static int print_stats(struct config *c, struct strobe_err *err)
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
		remark("no names in '%s%s': %s", str_text(&name),
		       items[i].dso->deleted ? DSO_DELETED : "", items[i].reason);
	}
}

static void print_json(const struct config *c, const struct report *report,
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

/* "report FILE" is "report SYMBOL": who gets nothing may have meant the file. */
static void remark_operand(const struct config *c, const struct report *report)
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
static int count_stream(struct config *c, struct report **ret_report, struct strobe_err *err)
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

static int count(struct config *c, struct report **ret_report, struct strobe_err *err)
{
	if (c->reading.stream)
		return count_stream(c, ret_report, err);
	return report_new(c->reading.profile, &c->report, ret_report, err);
}

static void print_thread_counts(const struct config *c)
{
	struct thread_counts counts;

	thread_counts_find(c->reading.profile, &counts);
	if (counts.count == 0)
		remark("no thread said what it counted: record with -s");
	else
		thread_counts_text_print(&counts, datafile_events(c->reading.file), c->raw_counts,
					 stdout);
	thread_counts_done(&counts);
}

static int print_report(struct config *c, struct strobe_err *err)
{
	_cleanup_(report_freep) struct report *report = NULL;
	_cleanup_(blocks_freep) struct blocks *blocks = NULL;
	_cleanup_(tracepoint_set_freep) struct tracepoint_set *tracepoints =
		reading_tracepoints(c->reading.file);
	const struct profile_totals *totals = profile_totals(c->reading.profile);
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
	if (c->total_cycles)
		c->text.blocks = blocks = blocks_find(report);
	unnamed_count = unnamed_find(report, c->reading.profile, unnamed);
	if (is_json(c))
		print_json(c, report, unnamed, unnamed_count);
	else
		report_text_print(report, &c->text, stdout);
	if (c->thread_counts && !is_json(c))
		print_thread_counts(c);
	if (report_is_empty(report))
		remark("'%s' has no samples%s", c->reading.input,
		       c->report.event || c->time ? " of what was asked for" : "");
	remark_operand(c, report);
	remark_divided(report);
	if (!c->text.quiet)
		remark_unnamed(unnamed, unnamed_count);
	reading_remark_stacks(&c->reading);
	reading_remark_skipped(&c->reading);
	return 0;
}

static void print_tasks(const struct config *c)
{
	const struct timeline *timeline = profile_timeline(c->reading.profile);

	if (is_json(c))
		tasks_json_print(timeline, c->mmaps, stdout);
	else
		tasks_text_print(timeline, c->mmaps, stdout);
}

/* Other things are known once all of a recording has come. */
static int open_input(struct config *c, struct strobe_err *err)
{
	bool whole = c->dump || c->total_cycles || c->thread_counts || c->tasks || c->mmaps ||
		     filter_times_are_shares(c->time);

	if (whole)
		return reading_open(&c->reading, err);
	return reading_open_stream(&c->reading, true, err);
}

static int run_on(struct config *c, struct strobe_err *err)
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
	struct config c = {
		.report.branches = -1,
		.report.max_stack = REPORT_MAX_STACK,
		.report.time_quantum_ns = 100000000,
		.chains = chain_options_default(),
		.text.color = isatty(STDOUT_FILENO),
		.text.socket = -1,
		.text.tip = "Tip: strobe report -h lists what else a recording can tell",
	};
	int r;

	preset_apply(options, &c);
	r = parse(&c, argc, argv, err);
	if (r == 0) {
		settle_options(&c);
		r = run_on(&c, err);
	}
	filter_ids_done(&c.report.parallelism);
	filter_ids_done(&c.report.sockets);
	filter_done(&c.filter);
	reading_done(&c.reading);
	return r;
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "Show where a recording's time went",
	.usage = "[SYMBOL]",
	.options = options,
	.config_size = sizeof(struct config),
	.run = run,
};
