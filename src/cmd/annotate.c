/* annotate.c - "strobe annotate": the code of functions, with what samples hit. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "analyze/code.h"
#include "analyze/filter.h"
#include "analyze/function-hits.h"
#include "analyze/listing.h"
#include "analyze/placeinfo.h"
#include "analyze/profile.h"
#include "analyze/report.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/filter-options.h"
#include "cmd/preset.h"
#include "cmd/reading.h"
#include "cmd/remark.h"
#include "cmd/report-values.h"
#include "data/datafile.h"
#include "model/timeline.h"
#include "symbol/source-files.h"
#include "view/annotate-json.h"
#include "view/annotate-text.h"

struct config {
	struct reading reading;
	struct report_options report;
	struct filter filter;
	struct annotate_text text;
	struct listing_options listing;
	const char *symbol; /* NULL: all that samples hit */
	const char *time;
	double percent_limit;
	bool group, no_source, skip_missing, skip_empty, intel, ignore_vmlinux, modules, stdio;
};

#define FIELD(name) offsetof(struct config, name)

static int take_percent_type(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	static const char *const names[] = { "local-period", "local-hits", "global-period",
					     "global-hits" };
	struct function_share *share = field;

	for (size_t i = 0; i < 4; i++) {
		if (strcmp(arg, names[i]) != 0)
			continue;
		*share = (struct function_share){ .global = i >= 2, .hits = i % 2 };
		return 0;
	}
	err_set(err, -EINVAL, "'%s' is no type of percentages", arg);
	return err_hint(err, -EINVAL,
			"there are local-period, local-hits, global-period and global-hits");
}

static int take_syntax(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	bool *intel = field;

	*intel = strcmp(arg, "intel") == 0;
	if (*intel || strcmp(arg, "att") == 0)
		return 0;
	return err_set(err, -EINVAL, "'%s' is no way to write instructions: att or intel", arg);
}

static int take_numbers(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	enum annotate_numbers *numbers = field;

	*numbers = negated ? ANNOTATE_PERCENTS : ANNOTATE_SAMPLES;
	return 0;
}

static int take_periods(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	enum annotate_numbers *numbers = field;

	*numbers = negated ? ANNOTATE_PERCENTS : ANNOTATE_PERIODS;
	return 0;
}

#define OWN_READER "strobe reads code and source lines itself"
#define TYPES "strobe report -s type,typeoff tells which data instructions touch"

static const struct opt options[] = {
	READING_OPTIONS(struct config, reading),
	{ OPT_FLAG, '\0', "demangle-kernel", NULL, FIELD(reading.names.demangle_kernel),
	  "Print the kernel's C++ and Rust names as people write them, too" },
	OUTPUT_FORMAT_OPTION(FIELD(reading.format)),
	{ OPT_FLAG, '\0', "ignore-vmlinux", NULL, FIELD(ignore_vmlinux),
	  "Take nothing from a kernel image, not even that of -k" },
	{ OPT_FLAG, 'm', "modules", NULL, FIELD(modules),
	  "Load the names of modules, as is always done" },
	{ OPT_FLAG, '\0', "stdio", NULL, FIELD(stdio), "Print text (there is no other interface)" },
	{ OPT_FLAG, 'q', "quiet", NULL, FIELD(text.quiet), "Print the code alone" },

	{ OPT_GROUP, .help = "What is shown" },
	{ OPT_STR, 's', "symbol", "SYMBOL", FIELD(symbol), "Only this function" },
	{ OPT_CALL, 'd', "dsos", "DSO,...", FIELD(filter.dsos), "Only functions of these objects",
	  .call = filter_options_names, .flags = OPT_NO_NEGATE },
	{ OPT_CALL, 'C', "cpu", "CPU,...", FIELD(filter.cpus), "Only samples of these CPUs (0,2-4)",
	  .call = filter_options_cpus, .flags = OPT_NO_NEGATE },
	{ OPT_STR, '\0', "time", "START,STOP", FIELD(time),
	  "Only this stretch of time, in seconds or as 10%-20%" },
	{ OPT_STR, 'e', "event", "EVENT,...", FIELD(report.event), "Only these events" },
	{ OPT_FLAG, '\0', "group", NULL, FIELD(group), "The events of a group side by side" },
	{ OPT_CALL, '\0', "percent-limit", "PERCENT", FIELD(percent_limit),
	  "Leave out functions below PERCENT of their event", .call = report_values_percent,
	  .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "skip-empty", NULL, FIELD(skip_empty),
	  "Leave out events without samples, as is always done" },
	{ OPT_FLAG, '\0', "skip-missing", NULL, FIELD(skip_missing),
	  "Leave out functions whose code cannot be had" },

	{ OPT_GROUP, .help = "How it is shown" },
	{ OPT_CALL, '\0', "percent-type", "TYPE", FIELD(text.share),
	  "local-period (the default), local-hits, global-period or global-hits: of the function "
	  "or of all, of periods or of numbers of samples",
	  .call = take_percent_type, .flags = OPT_NO_NEGATE },
	{ OPT_CALL, 'n', "show-nr-samples", NULL, FIELD(text.numbers),
	  "Numbers of samples in place of percentages", .call = take_numbers },
	{ OPT_CALL, '\0', "show-total-period", NULL, FIELD(text.numbers),
	  "Sums of periods in place of percentages", .call = take_periods },
	{ OPT_FLAG, 'l', "print-line", NULL, FIELD(text.lines),
	  "Source lines behind instructions, and first those that cost most" },
	{ OPT_FLAG, 'P', "full-paths", NULL, FIELD(text.full_paths),
	  "Whole paths of source files" },
	{ OPT_FLAG, '\0', "no-source", NULL, FIELD(no_source), "Instructions alone" },
	{ OPT_FLAG, '\0', "asm-raw", NULL, FIELD(text.bytes), "The bytes of instructions, too" },
	{ OPT_CALL, 'M', "disassembler-style", "att|intel", FIELD(intel),
	  "How x86 instructions are written (default att)", .call = take_syntax,
	  .flags = OPT_NO_NEGATE },
	{ OPT_STR, '\0', "prefix", "DIR", FIELD(listing.prefix),
	  "Look for source files with absolute paths below DIR" },
	{ OPT_UINT, '\0', "prefix-strip", "N", FIELD(listing.prefix_strip),
	  "With --prefix, leave out the first N parts of their paths" },
	{ OPT_CALL, '\0', "stdio-color", "always|never|auto", FIELD(text.color),
	  "Color high percentages (default auto: on a terminal)", .call = report_values_color,
	  .flags = OPT_NO_NEGATE },

	{ OPT_ABSENT, .name = "tui", .instead = "--stdio prints text" },
	{ OPT_ABSENT, .name = "stdio2", .instead = "--stdio prints text" },
	{ OPT_ABSENT, .name = "gtk", .instead = "--stdio prints text" },
	{ OPT_ABSENT, .name = "objdump", .instead = OWN_READER },
	{ OPT_ABSENT, .name = "addr2line", .instead = OWN_READER },
	{ OPT_ABSENT, .name = "itrace", .help = "strobe does not decode hardware traces",
	  .instead = "perf annotate decodes them" },
	{ OPT_ABSENT, .name = "data-type", .instead = TYPES },
	{ OPT_ABSENT, .name = "code-with-type", .instead = TYPES },
	{ OPT_ABSENT, .name = "type-stat", .instead = TYPES },
	{ OPT_ABSENT, .name = "insn-stat", .instead = TYPES },
	{ OPT_ABSENT, 'D', "dump-raw-trace", .instead = "strobe report -D prints records" },
	{ .kind = OPT_END },
};

/* Why there is no code to show. */
static const char *why_no_code(const struct place *place)
{
	if (place->map->dso->kind == DSO_KERNEL)
		return "the kernel's code is read from its image alone: -k vmlinux";
	if (place->map->dso->kind == DSO_JITDUMP)
		return "its JIT dump does not have its code";
	return "no file that is here has its code (strobe debuginfo says what was looked for)";
}

/* The printing of all functions of a report. */
struct annotating {
	const struct config *c;
	struct code code;
	struct source_files files;
	struct annotate_json *json;       /* NULL: text */
	size_t shown_count, wanted_count; /* functions */
};

static void annotate_function(struct annotating *annotating, const struct report_event *event,
			      const struct function_hits *function)
{
	const struct config *c = annotating->c;
	const char *no_code = why_no_code(&function->begin);
	struct listing listing;
	bool is_there = listing_make(&annotating->code, function, &c->listing, &annotating->files,
				     &listing);

	if (is_there || !c->skip_missing) {
		if (annotating->json) {
			annotate_json_function(annotating->json, event, function, &listing,
					       no_code);
		} else {
			if (annotating->shown_count++ > 0 && !c->text.quiet)
				(void)fputc('\n', stdout);
			annotate_text_print(&c->text, event, function, &listing, no_code, stdout);
		}
	}
	listing_done(&listing);
}

static bool is_wanted(const struct config *c, const struct report_event *event,
		      const struct function_hits *function)
{
	if (c->symbol && strcmp(function->begin.function->name, c->symbol) != 0)
		return false;
	return hist_percent(function->totals[0].period, event->totals[0].period) >=
	       c->percent_limit;
}

static void annotate_event(struct annotating *annotating, const struct report *report,
			   const struct report_event *event)
{
	struct function_hits_list functions;

	function_hits_find(report, event, &functions);
	if (annotating->json)
		annotate_json_begin_event(annotating->json, event);
	for (size_t i = 0; i < functions.count; i++) {
		if (!is_wanted(annotating->c, event, &functions.items[i]))
			continue;
		annotating->wanted_count++;
		annotate_function(annotating, event, &functions.items[i]);
	}
	if (annotating->json)
		annotate_json_end_event(annotating->json);
	function_hits_done(&functions);
}

/* A name that samples do not have: perhaps one of theirs was meant. */
static int fail_unknown(const struct config *c, const struct report *report, struct strobe_err *err)
{
	struct suggest near = { .typed = c->symbol };

	for (size_t i = 0; i < report->event_count; i++) {
		const struct hist *hist = report->events[i].hist;

		for (size_t k = 0; k < hist->entry_count; k++) {
			const struct place *place =
				sites_place(report->sites, hist->entries[k]->site);

			if (place->function)
				suggest_try(&near, place->function->name);
		}
	}
	err_set(err, -ENOENT, "no sample of '%s' is in a function '%s'", c->reading.input,
		c->symbol);
	if (near.name)
		return err_hint(err, -ENOENT, "did you mean '%s'?", near.name);
	return err_hint(err, -ENOENT, "strobe report -s sym lists those that they are in");
}

static int annotate(struct config *c, struct strobe_err *err)
{
	const struct profile_totals *totals = profile_totals(c->reading.profile);
	_cleanup_(report_freep) struct report *report = NULL;
	struct annotating annotating = { .c = c };
	struct annotate_json json = { .profile = c->reading.profile,
				      .share = &c->text.share,
				      .out = stdout };
	int r = 0;

	if (c->time)
		r = filter_add_times(&c->filter, c->time, totals->first_ns, totals->last_ns, err);
	if (r == 0)
		r = report_new(c->reading.profile, &c->report, &report, err);
	if (!report)
		return cmd_usage(r);
	if (c->reading.format == OUTPUT_FORMAT_JSON) {
		annotating.json = &json;
		annotate_json_begin(&json);
	}
	code_init(&annotating.code, c->reading.profile);
	annotating.code.intel = c->intel;
	for (size_t i = 0; i < report->event_count; i++)
		annotate_event(&annotating, report, &report->events[i]);
	if (annotating.json)
		annotate_json_end(annotating.json);
	code_done(&annotating.code);
	source_files_done(&annotating.files);
	if (report_is_empty(report))
		remark("'%s' has no samples%s", c->reading.input,
		       c->report.event || c->time ? " of what was asked for" : "");
	else if (c->symbol && annotating.wanted_count == 0)
		return fail_unknown(c, report, err);
	reading_remark_dumps(&c->reading);
	reading_remark_skipped(&c->reading);
	return 0;
}

static int run_on(struct config *c, struct strobe_err *err)
{
	int r = reading_open(&c->reading, err);

	if (r < 0)
		return r;
	if (reading_header(&c->reading))
		return 0;
	r = reading_profile(&c->reading, err);
	if (r == 0)
		r = filter_options_check(&c->filter, datafile_events(c->reading.file), err);
	return r < 0 ? r : annotate(c, err);
}

static int parse(struct config *c, int argc, const char **argv, struct strobe_err *err)
{
	int first = opt_parse_mixed(options, argc, argv, c, err);

	if (first < 0)
		return first;
	if (first < argc && !c->symbol)
		c->symbol = argv[first++];
	if (first < argc)
		return cmd_usage(err_set(err, -EINVAL, "'%s' means nothing here", argv[first]));
	if (c->ignore_vmlinux)
		c->reading.names.vmlinux = NULL;
	c->listing.source = !c->no_source;
	c->listing.lines =
		c->listing.source || c->text.lines || c->reading.format == OUTPUT_FORMAT_JSON;
	c->report.no_group = !c->group;
	c->report.force_group = c->group;
	c->report.filter = &c->filter;
	return 0;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = {
		.report = { .fields.sort = FUNCTION_HITS_KEYS,
			    .no_children = true,
			    .no_chains = true,
			    .branches = 0,
			    .max_stack = REPORT_MAX_STACK },
		.text.color = isatty(STDOUT_FILENO),
	};
	int r;

	preset_apply(options, &c);
	r = parse(&c, argc, argv, err);
	if (r == 0)
		r = run_on(&c, err);
	filter_done(&c.filter);
	reading_done(&c.reading);
	return r;
}

const struct cmd cmd_annotate = {
	.name = "annotate",
	.summary = "Show the code of functions, and what samples hit",
	.usage = "[SYMBOL]",
	.options = options,
	.config_size = sizeof(struct config),
	.run = run,
};
