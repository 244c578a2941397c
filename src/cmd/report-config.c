/* report-config.c - see report-config.h. */
#include "cmd/report-config.h"

#include <errno.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/filter-options.h"
#include "cmd/report-values.h"
#include "view/callgraph.h"

#define FIELD(name) offsetof(struct report_config, name)

static int take_percent_limit(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct report_config *c = field;
	int r = report_values_percent(&c->percent_limit, arg, negated, err);

	if (r == 0)
		c->chains.min_percent = c->percent_limit;
	return r;
}

static int take_socket(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct report_config *c = field;
	uint64_t number;

	if (!str_to_u64(arg, &number) || number >= UINT32_MAX)
		return err_set(err, -EINVAL, "'%s' is no number of a socket", arg);
	c->text.socket = (int64_t)number;
	filter_ids_done(&c->report.sockets);
	return filter_add_ids(&c->report.sockets, arg, false, "sockets", err);
}

static int take_sort_member(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct report_config *c = field;
	uint64_t number;

	if (!str_to_u64(arg, &number))
		return err_set(err, -EINVAL, "'%s' is no number of a member", arg);
	c->report.sort_member = number;
	c->report.force_group = true;
	return 0;
}

static int take_children(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct report_config *c = field;

	c->report.no_children = negated;
	return 0;
}

static int take_group(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct report_config *c = field;

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
#define NO_ANNOTATE "it is about the code of functions: strobe annotate shows that"
#define OWN_READER "strobe reads source lines itself"

const struct opt report_config_options[] = {
	READING_OPTIONS(struct report_config, reading),
	{ OPT_FLAG, '\0', "demangle-kernel", NULL, FIELD(reading.names.demangle_kernel),
	  "Print the kernel's C++ and Rust names as people write them, too" },
	OUTPUT_FORMAT_OPTION(FIELD(reading.format)),
	{ OPT_FLAG, '\0', "ignore-vmlinux", NULL, FIELD(ignore_vmlinux),
	  "Take no names from a kernel image, not even that of -k" },
	{ OPT_FLAG, 'm', "modules", NULL, FIELD(modules),
	  "Load the names of modules, as is always done" },
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
	CHAIN_SETTINGS(struct report_config, chains),
	{ OPT_CALL, '\0', "percent-limit", "PERCENT", 0, "Leave out rows below PERCENT",
	  .call = take_percent_limit, .flags = OPT_NO_NEGATE, .key = "report.percent-limit" },
	{ OPT_CALL, '\0', "percentage", "relative|absolute", FIELD(report.relative),
	  "Whether percentages are of what the filters left, or of all",
	  .call = report_values_percentage, .flags = OPT_NO_NEGATE, .key = "hist.percentage" },
	{ OPT_FLAG, '\0', "branch-history", NULL, FIELD(report.branch_history),
	  "Show the branches that led to a sample as part of its call chain" },
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
	{ OPT_CALL, 'g', "call-graph", "[STYLE,PERCENT,LINES,ORDER,KEY,branch,VALUE]",
	  FIELD(chains),
	  "graph, fractal, flat, folded or none; least percentage; most lines; caller or callee; "
	  "function, address or srcline; branch: with branch stacks as part of chains; "
	  "percent, period or count",
	  .call = chain_options_take, .flags = OPT_NEXT_WORD,
	  .implied = "graph,0.5,caller,function,percent" },
	{ OPT_FLAG, 'G', "inverted", NULL, FIELD(inverted),
	  "Begin chains at the outermost caller" },
	{ OPT_FLAG, '\0', "stitch-lbr", NULL, FIELD(report.stitch_lbr),
	  "Take outer callers from a thread's samples before (record --call-graph lbr)" },
	{ OPT_UINT, '\0', "max-stack", "COUNT", FIELD(report.max_stack),
	  "Frames of a chain (default 127)" },
	{ OPT_STR, 'p', "parent", "REGEX", FIELD(report.parent_pattern),
	  "Sort by the caller that matches REGEX, too" },
	{ OPT_FLAG, 'x', "exclude-other", NULL, FIELD(report.only_with_parent),
	  "Only rows that have such a caller" },
	{ OPT_STR, '\0', "ignore-callees", "REGEX", FIELD(report.ignore_callees),
	  "Count what functions that match REGEX called as their own" },

	{ OPT_GROUP, .help = "Which samples" },
	FILTER_OPTIONS(struct report_config, filter),
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
	{ OPT_ABSENT, .name = "show-ref-call-graph",
	  .help = "strobe shows call chains of the event that recorded them",
	  .instead = "record -e EVENT/call-graph=fp/ records them with each event" },
	{ OPT_ABSENT, .name = "itrace", .help = "strobe does not decode hardware traces",
	  .instead = "perf report decodes them" },
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

static int parse(struct report_config *c, int argc, const char **argv, struct strobe_err *err)
{
	int first = opt_parse_mixed(report_config_options, argc, argv, c, err);

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
static void settle_options(struct report_config *c)
{
	const struct chain_options *chains = &c->chains;
	const char *keys;

	if (c->ignore_vmlinux)
		c->reading.names.vmlinux = NULL;

	c->report.want_chains = chains->set && !chains->off;
	c->report.no_chains = chains->off;
	if (c->total_cycles)
		c->report.branches = 1;
	c->report.order_set = chains->order_set || c->inverted;
	c->report.outermost_first = chains->order_set ? chains->outermost_first : c->inverted;
	c->report.links = c->report.branch_history ? SITES_BY_ADDR : chains->links;
	c->report.branch_links = chains->branches;
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

struct report_config report_config_default(void)
{
	return (struct report_config){
		.report.branches = -1,
		.report.max_stack = REPORT_MAX_STACK,
		.report.time_quantum_ns = 100000000,
		.chains = chain_options_default(),
		.text.color = isatty(STDOUT_FILENO),
		.text.socket = -1,
		.text.tip = "Tip: strobe report -h lists what else a recording can tell",
	};
}

int report_config_parse(struct report_config *c, int argc, const char **argv,
			struct strobe_err *err)
{
	int r = parse(c, argc, argv, err);

	if (r == 0)
		settle_options(c);
	return r;
}

void report_config_done(struct report_config *c)
{
	filter_ids_done(&c->report.parallelism);
	filter_ids_done(&c->report.sockets);
	filter_done(&c->filter);
	reading_done(&c->reading);
}
