/* report.c - "strobe report": where a recording's time went, as text. */
#include <stdlib.h>
#include <string.h>

#include "analyze/filter.h"
#include "analyze/profile.h"
#include "analyze/report.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/tracepoint-id.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/record.h"
#include "format/tracepoint.h"
#include "view/header-text.h"
#include "view/report-text.h"

struct chains {
	bool set, off;
	bool order_set, outermost_first, by_addr;
	bool percent_set;
	enum callgraph_style style;
	enum callgraph_value value;
	double min_percent;
	uint64_t most;
};

struct config {
	const char *input;
	struct report_options report;
	struct resolver_options names;
	struct chains chains;
	struct report_text text;
	struct strings comms, dsos, symbols;
	const char *pids, *tids, *cpus, *time, *max_stack;
	double percent_limit;
	bool stdio, header, header_only, full_header, children, children_set, group, group_set;
	bool inverted, exclude_other, no_inline, branch_stack;
	unsigned verbose;
};

#define FIELD(name) offsetof(struct config, name)

static const struct {
	const char *name;
	enum callgraph_style style;
} chain_styles[] = {
	{ "graph", CALLGRAPH_GRAPH },
	{ "fractal", CALLGRAPH_FRACTAL },
	{ "flat", CALLGRAPH_FLAT },
	{ "folded", CALLGRAPH_FOLDED },
};

enum { STYLE_COUNT = sizeof(chain_styles) / sizeof(chain_styles[0]) };

static bool take_chain_style(struct chains *chains, struct str_part word)
{
	for (size_t i = 0; i < STYLE_COUNT; i++) {
		if (str_part_is(word, chain_styles[i].name)) {
			chains->style = chain_styles[i].style;
			chains->off = false;
			return true;
		}
	}
	if (!str_part_is(word, "none"))
		return false;
	chains->off = true;
	return true;
}

static bool take_chain_word(struct chains *chains, struct str_part word)
{
	if (str_part_is(word, "caller") || str_part_is(word, "callee")) {
		chains->order_set = true;
		chains->outermost_first = str_part_is(word, "caller");
	} else if (str_part_is(word, "function") || str_part_is(word, "address")) {
		chains->by_addr = str_part_is(word, "address");
	} else if (str_part_is(word, "percent")) {
		chains->value = CALLGRAPH_PERCENT;
	} else if (str_part_is(word, "period")) {
		chains->value = CALLGRAPH_PERIOD;
	} else if (str_part_is(word, "count")) {
		chains->value = CALLGRAPH_SAMPLES;
	} else {
		return take_chain_style(chains, word);
	}
	return true;
}

/* The first number is the least percentage, the second the most lines. */
static bool take_chain_number(struct chains *chains, struct str_part word, bool *seen)
{
	char text[32], *end;
	double number;

	if (word.size == 0 || word.size >= sizeof(text))
		return false;
	memcpy(text, word.text, word.size);
	text[word.size] = '\0';
	number = strtod(text, &end);
	if (*end || number < 0)
		return false;
	if (*seen) {
		chains->most = (uint64_t)number;
	} else {
		chains->min_percent = number;
		chains->percent_set = true;
	}
	*seen = true;
	return true;
}

static int take_chains(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct chains *chains = field;
	const char *rest = arg;
	struct str_part word;
	bool seen_number = false;

	chains->set = true;
	if (negated) {
		chains->off = true;
		return 0;
	}
	while (str_split(&rest, ',', &word)) {
		if (word.size > 0 && !take_chain_word(chains, word) &&
		    !take_chain_number(chains, word, &seen_number)) {
			err_set(err, -EINVAL, "'%s' is no way to show call chains", arg);
			return err_hint(err, -EINVAL,
					"graph, fractal, flat, folded or none, a percentage, "
					"caller or callee, function or address, "
					"percent, period or count");
		}
	}
	return 0;
}

static int take_names(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return filter_add_names(field, arg, err);
}

static int take_percent_limit(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;
	char *end;

	c->percent_limit = strtod(arg, &end);
	if (end == arg || *end || c->percent_limit < 0 || c->percent_limit > 100)
		return err_set(err, -EINVAL, "'%s' is no percentage", arg);
	c->chains.min_percent = c->percent_limit;
	return 0;
}

static int take_percentage(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	bool *relative = field;

	if (strcmp(arg, "relative") != 0 && strcmp(arg, "absolute") != 0) {
		err_set(err, -EINVAL, "'%s' is no kind of percentage", arg);
		return err_hint(err, -EINVAL, "relative or absolute");
	}
	*relative = strcmp(arg, "relative") == 0;
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

static int take_branches(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	int *branches = field;

	*branches = !negated;
	return 0;
}

static int take_inline(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	if (!negated)
		return err_set(err, -EINVAL, "inlined functions are not looked up");
	return 0;
}

/* A number with ns, us, ms or s behind it. */
static int take_quantum(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	uint64_t *quantum_ns = field;
	char *end;
	uint64_t number = strtoull(arg, &end, 10);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (end > arg && number > 0 && number < UINT64_MAX / 1000000000 &&
		    strcmp(end, units[i].unit) == 0) {
			*quantum_ns = number * units[i].ns;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "'%s' is no length of time: a number and ns, us, ms or s",
		       arg);
}

static const struct opt options[] = {
	{ OPT_STR, 'i', "input", "FILE", FIELD(input), "Read FILE; - is standard input" },
	{ OPT_FLAG, '\0', "stdio", NULL, FIELD(stdio), "Print text (there is no other interface)" },
	{ OPT_FLAG, 'q', "quiet", NULL, FIELD(text.quiet), "Print the rows alone" },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose),
	  "Print paths of objects, and addresses" },
	{ OPT_STR, 'e', "event", "EVENT,...", FIELD(report.event), "Only these events" },

	{ OPT_GROUP, .help = "Rows and columns" },
	{ OPT_STR, 's', "sort", "KEY,...", FIELD(report.fields.sort),
	  "What tells rows apart (default comm,dso,symbol); +KEY adds to the default" },
	{ OPT_STR, 'F', "fields", "FIELD,...", FIELD(report.fields.fields),
	  "Columns: keys and overhead, overhead_children, overhead_sys, overhead_us, sample, "
	  "period" },
	{ OPT_FLAG, 'n', "show-nr-samples", NULL, FIELD(report.fields.show_samples),
	  "A column with the number of samples" },
	{ OPT_FLAG, '\0', "show-total-period", NULL, FIELD(report.fields.show_period),
	  "A column with the sum of the periods" },
	{ OPT_FLAG, '\0', "showcpuutilization", NULL, FIELD(report.fields.show_cpu),
	  "Columns for kernel and user" },
	{ OPT_CALL, '\0', "children", NULL, 0, "Count what a function called to it (default)",
	  .call = take_children },
	{ OPT_CALL, '\0', "group", NULL, 0, "Show the events of a group side by side (default)",
	  .call = take_group },
	{ OPT_STR, 'w', "column-widths", "WIDTH,...", FIELD(text.widths),
	  "Widths of the columns; 0 is as wide as needed" },
	{ OPT_STR, 't', "field-separator", "SEP", FIELD(text.separator),
	  "What stands between columns" },
	{ OPT_CALL, '\0', "percent-limit", "PERCENT", 0, "Leave out rows below PERCENT",
	  .call = take_percent_limit, .flags = OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "percentage", "relative|absolute", FIELD(report.relative),
	  "Whether percentages are of what the filters left, or of all", .call = take_percentage,
	  .flags = OPT_NO_NEGATE },
	{ OPT_CALL, 'b', "branch-stack", NULL, FIELD(report.branches),
	  "Count branches instead of samples", .call = take_branches },
	{ OPT_CALL, '\0', "time-quantum", "TIME", FIELD(report.time_quantum_ns),
	  "How finely the key 'time' divides (default 100ms)", .call = take_quantum,
	  .flags = OPT_NO_NEGATE },

	{ OPT_GROUP, .help = "Call chains" },
	{ OPT_CALL, 'g', "call-graph", "[STYLE,PERCENT,LINES,ORDER,KEY,VALUE]", FIELD(chains),
	  "graph, fractal, flat, folded or none; least percentage; most lines; caller or callee; "
	  "function or address; percent, period or count",
	  .call = take_chains, .flags = OPT_NEXT_WORD,
	  .implied = "graph,0.5,caller,function,percent" },
	{ OPT_FLAG, 'G', "inverted", NULL, FIELD(inverted),
	  "Begin chains at the outermost caller" },
	{ OPT_STR, '\0', "max-stack", "COUNT", FIELD(max_stack),
	  "Frames of a chain (default 127)" },
	{ OPT_STR, 'p', "parent", "REGEX", FIELD(report.parent_pattern),
	  "Sort by the caller that matches REGEX, too" },
	{ OPT_FLAG, 'x', "exclude-other", NULL, FIELD(exclude_other),
	  "Only rows that have such a caller" },
	{ OPT_STR, '\0', "ignore-callees", "REGEX", FIELD(report.ignore_callees),
	  "Count what functions that match REGEX called as their own" },

	{ OPT_GROUP, .help = "Which samples" },
	{ OPT_CALL, 'c', "comms", "NAME,...", FIELD(comms), "Only these commands; or file://LIST",
	  .call = take_names, .flags = OPT_NO_NEGATE },
	{ OPT_CALL, 'd', "dsos", "NAME,...", FIELD(dsos), "Only these objects; or file://LIST",
	  .call = take_names, .flags = OPT_NO_NEGATE },
	{ OPT_CALL, 'S', "symbols", "NAME,...", FIELD(symbols),
	  "Only these symbols; or file://LIST", .call = take_names, .flags = OPT_NO_NEGATE },
	{ OPT_STR, '\0', "symbol-filter", "TEXT", FIELD(report.symbol_filter),
	  "Only symbols that contain TEXT" },
	{ OPT_STR, '\0', "pid", "PID,...", FIELD(pids), "Only these processes" },
	{ OPT_STR, '\0', "tid", "TID,...", FIELD(tids), "Only these threads" },
	{ OPT_STR, 'C', "cpu", "CPU,...", FIELD(cpus), "Only these CPUs; 0-3 is a range" },
	{ OPT_STR, '\0', "time", "START,STOP", FIELD(time),
	  "Only this stretch of time, in seconds or as 10%-20%" },
	{ OPT_FLAG, 'U', "hide-unresolved", NULL, FIELD(report.hide_unresolved),
	  "Leave out what has no name" },

	{ OPT_GROUP, .help = "Names" },
	{ OPT_STR, '\0', "symfs", "DIR", FIELD(names.symfs), "Look for objects under DIR" },
	{ OPT_STR, 'k', "vmlinux", "FILE", FIELD(names.vmlinux),
	  "The kernel's symbols are in FILE" },
	{ OPT_STR, '\0', "kallsyms", "FILE", FIELD(names.kallsyms),
	  "The kernel's symbols, as /proc/kallsyms has them" },
	{ OPT_FLAG, 'f', "force", NULL, FIELD(names.force), "Use files of other owners, too" },
	{ OPT_FLAG, '\0', "demangle", NULL, FIELD(names.demangle),
	  "C++ and Rust names as people write them (default)" },
	{ OPT_CALL, '\0', "inline", NULL, 0, "Show inlined functions: not possible yet",
	  .call = take_inline, .flags = OPT_HIDDEN },

	{ OPT_GROUP, .help = "Other things a recording says" },
	{ OPT_FLAG, '\0', "header", NULL, FIELD(header), "Print the header first" },
	{ OPT_FLAG, '\0', "header-only", NULL, FIELD(header_only),
	  "Print the header and nothing else" },
	{ OPT_FLAG, 'I', "show-info", NULL, FIELD(full_header),
	  "With the header, also print topology and caches" },
	{ .kind = OPT_END },
};

static void config_done(struct config *c)
{
	strings_done(&c->comms);
	strings_done(&c->dsos);
	strings_done(&c->symbols);
}

static int parse(struct config *c, int argc, const char **argv, struct strobe_err *err)
{
	int first = opt_parse_mixed(options, argc, argv, c, err);
	uint64_t number;

	if (first < 0)
		return first;
	if (first < argc && !c->report.symbol_filter)
		c->report.symbol_filter = argv[first++];
	if (first < argc)
		return cmd_usage(err_set(err, -EINVAL, "'%s' means nothing here", argv[first]));
	if (c->max_stack) {
		if (!str_to_u64(c->max_stack, &number) || number == 0)
			return cmd_usage(
				err_set(err, -EINVAL, "'%s' is no number of frames", c->max_stack));
		c->report.max_stack = number;
	}
	return 0;
}

/* What was typed, as the layers below want it. */
static void settle_options(struct config *c)
{
	const struct chains *chains = &c->chains;

	c->report.want_chains = chains->set && !chains->off;
	c->report.no_chains = chains->off;
	c->report.order_set = chains->order_set || c->inverted;
	c->report.outermost_first = chains->order_set ? chains->outermost_first : c->inverted;
	c->report.by_addr = chains->by_addr;
	c->report.mode = chains->style == CALLGRAPH_FRACTAL ? CALLTREE_FRACTAL : CALLTREE_GRAPH;
	c->report.min_percent = chains->min_percent;
	c->report.only_with_parent = c->exclude_other;
	c->report.long_names = c->verbose > 0;

	c->text.style = chains->off ? CALLGRAPH_NONE : chains->style;
	c->text.value = chains->value;
	c->text.most = chains->most;
	c->text.chain_percent = chains->min_percent;
	c->text.percent_limit = c->percent_limit;
	c->text.time_text = c->time;
	c->text.long_names = c->verbose > 0;
	c->text.header_was_shown = c->header;
	c->text.chains_first_known = !c->report.fields.fields && c->report.fields.sort &&
				     str_after(c->report.fields.sort, "sym");
}

static int fill_filter(struct config *c, const struct profile *profile, struct filter *filter,
		       struct strobe_err *err)
{
	const struct profile_totals *totals = profile_totals(profile);
	int r = 0;

	filter->comms = c->comms;
	filter->dsos = c->dsos;
	filter->symbols = c->symbols;
	c->comms = c->dsos = c->symbols = (struct strings){ 0 };
	if (c->pids)
		r = filter_add_ids(&filter->pids, c->pids, false, "processes", err);
	if (r == 0 && c->tids)
		r = filter_add_ids(&filter->tids, c->tids, false, "threads", err);
	if (r == 0 && c->cpus)
		r = filter_add_ids(&filter->cpus, c->cpus, true, "CPUs", err);
	if (r == 0 && c->time)
		r = filter_add_times(filter, c->time, totals->first_ns, totals->last_ns, err);
	return cmd_usage(r);
}

CLEANUP(datafile_close, struct datafile)
CLEANUP(profile_free, struct profile)
CLEANUP(report_free, struct report)

/* A file without formats, or with damaged ones, has no texts of tracepoints: "N/A". */
static struct tracepoints *load_tracepoints(const struct datafile *file)
{
	struct tracepoints *set = NULL;
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_TRACING_DATA, &size);

	if (bytes && tracepoints_new(bytes, size, &set, NULL) < 0)
		return NULL;
	return set;
}

static void print_header(const struct config *c, const struct datafile *file)
{
	struct header_text_options header = { .full = c->full_header,
					      .tracepoint = tracepoint_id_check };

	header_text_print(file, &header, stdout);
}

static int print_report(struct config *c, const struct datafile *file, struct strobe_err *err)
{
	_cleanup_(profile_freep) struct profile *profile = NULL;
	_cleanup_(report_freep) struct report *report = NULL;
	_cleanup_(tracepoints_freep) struct tracepoints *tracepoints = load_tracepoints(file);
	_cleanup_(filter_done) struct filter filter = { 0 };
	int r = profile_new(file, &c->names, &profile, err);

	if (r < 0)
		return r;
	r = fill_filter(c, profile, &filter, err);
	if (r < 0)
		return r;
	c->report.filter = &filter;
	c->report.tracepoints = tracepoints;
	r = report_new(profile, &c->report, &report, err);
	if (r < 0)
		return cmd_usage(r);
	if (c->header)
		print_header(c, file);
	report_text_print(report, &c->text, stdout);
	return 0;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	_cleanup_(config_done) struct config c = {
		.input = "perf.data",
		.names.demangle = true,
		.report.branches = -1,
		.report.time_quantum_ns = 100000000,
		.chains = { .style = CALLGRAPH_GRAPH, .min_percent = 0.5 },
		.text.tip = "Tip: strobe report -h lists what else a recording can tell",
	};
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	int r = parse(&c, argc, argv, err);

	if (r < 0)
		return r;
	settle_options(&c);
	r = datafile_open(c.input, &file, err);
	if (r < 0)
		return r;
	if (c.header_only) {
		print_header(&c, file);
		return 0;
	}
	return print_report(&c, file, err);
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "Show where a recording's time went",
	.usage = "[SYMBOL]",
	.options = options,
	.run = run,
};
