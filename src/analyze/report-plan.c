/* report-plan.c - see report-plan.h. */
#include "analyze/report-plan.h"

#include <errno.h>

#include "analyze/data-places.h"
#include "analyze/profile.h"
#include "analyze/report-events.h"
#include "analyze/report.h"
#include "analyze/sources.h"
#include "base/err.h"
#include "base/strings.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "model/timeline.h"

/* Functions that begin a system call or a fault, on kernels of today and before. */
static const char default_parent[] =
	"^sys_|^do_page_fault|^__(x64|ia32|x32|arm64|riscv|s390x?|do|se)_(compat_)?sys_|^ksys_|"
	"^(asm_)?exc_page_fault|^do_(mem_abort|translation_fault)|^handle_page_fault";

/* What rows of --branch-history are told apart by, where nothing is said. */
static const char history_sort[] =
	"srcline,symbol,dso,callchain_branch_predicted,callchain_branch_abort,"
	"callchain_branch_cycles";

/* Bits of sample_type of what call chains are made of. */
static uint64_t chain_types(const struct report_options *options)
{
	if (options->branch_history)
		return PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK;
	return PERF_SAMPLE_CALLCHAIN;
}

static bool all_are_tracepoints(const struct events *events)
{
	for (size_t i = 0; i < events_count(events); i++) {
		if (events_at(events, i)->attr.type != PERF_TYPE_TRACEPOINT)
			return false;
	}
	return events_count(events) > 0;
}

static bool has_chains(const struct report *report)
{
	const struct datafile *file = profile_file(report->state->profile);

	return events_sample_types(datafile_events(file)) & chain_types(report->state->options);
}

static int refuse_parent(struct strobe_err *err)
{
	err_set(err, -ENODATA, "no call chains to look for the parent in");
	return err_hint(err, -ENODATA, "record with -g");
}

/* What the report is of, by what the recording has and the user wants. */
static int plan_kind(struct report *report, struct strobe_err *err)
{
	const struct report_options *options = report->state->options;
	const struct datafile *file = profile_file(report->state->profile);
	uint64_t types = events_sample_types(datafile_events(file));
	bool chains = has_chains(report);
	size_t size;

	if (options->want_chains && !chains) {
		err_set(err, -ENODATA, "the recording has no call chains");
		return err_hint(err, -ENODATA, "record with -g");
	}
	if (options->parent_pattern && !chains)
		return refuse_parent(err);
	if (options->branch_history && !(types & PERF_SAMPLE_BRANCH_STACK)) {
		err_set(err, -ENODATA, "the recording has no branch stacks");
		return err_hint(err, -ENODATA, "record with -b -g");
	}
	if (options->branches == 1 && !(types & PERF_SAMPLE_BRANCH_STACK)) {
		err_set(err, -ENODATA, "the recording has no branch stacks");
		return err_hint(err, -ENODATA, "record with -b");
	}
	if (options->memory && !(types & PERF_SAMPLE_DATA_SRC)) {
		err_set(err, -ENODATA, "the recording has no accesses to memory");
		return err_hint(err, -ENODATA, "record with -d, of an event that can tell them");
	}
	report->memory = options->memory;
	report->branch_history = options->branch_history;
	report->branches = !report->memory && !report->branch_history &&
			   (options->branches == 1 ||
			    (options->branches == -1 && (types & PERF_SAMPLE_BRANCH_STACK) &&
			     datafile_feature(file, FEATURE_BRANCH_STACK, &size)));
	report->chains = chains && !options->no_chains && !report->branches;
	report->children =
		types & PERF_SAMPLE_CALLCHAIN && !options->no_children && !report->branches;
	report->state->plan.branches = report->branches;
	report->state->plan.branch_links =
		report->chains && (options->branch_history || options->branch_links);
	report->state->plan.stitch_lbr = options->stitch_lbr;
	report->state->plan.memory = report->memory;
	report->state->plan.outermost_first =
		options->order_set ? options->outermost_first : report->children;
	return 0;
}

static int compile(regex_t *regex, const char *pattern, struct strobe_err *err)
{
	char why[128];
	int r = regcomp(regex, pattern, REG_EXTENDED | REG_NOSUB);

	if (r == 0)
		return 0;
	(void)regerror(r, regex, why, sizeof(why));
	return err_set(err, -EINVAL, "'%s' is no regular expression: %s", pattern, why);
}

/* A column whose value a filter has fixed is not shown. */
static void elide(struct report *report)
{
	const struct filter *filter = report->state->options->filter;

	if (!filter)
		return;
	if (filter->comms.count == 1)
		fields_elide(&report->fields, "comm", strings_text(&filter->comms, 0));
	if (filter->dsos.count == 1)
		fields_elide(&report->fields, "dso", strings_text(&filter->dsos, 0));
	if (filter->symbols.count == 1)
		fields_elide(&report->fields, "symbol", strings_text(&filter->symbols, 0));
	fields_unelide_all(&report->fields);
	if (report->state->options->hierarchy)
		fields_restore(&report->fields);
}

static int plan_fields(struct report *report, struct strobe_err *err)
{
	struct report_state *state = report->state;
	const struct report_options *options = state->options;
	struct fields_options fields = options->fields;
	struct counting_plan *plan = &state->plan;
	int r;

	plan->parallelism = profile_parallelism(state->profile);
	if (!plan->parallelism && (options->parallelism.count > 0 || fields.latency_first)) {
		err_set(err, -ENODATA, "the recording does not tell when threads ran");
		return err_hint(err, -ENODATA, "record with --switch-events");
	}

	fields.children = report->children;
	fields.branches = report->branches;
	fields.branch_history = report->branch_history;
	if (fields.branch_history && !fields.sort) /* as if somebody had typed it: -F adds to it */
		fields.sort = history_sort;
	fields.memory = report->memory;
	fields.latency = plan->parallelism != NULL;
	fields.traces = all_are_tracepoints(datafile_events(profile_file(state->profile)));
	fields.parent = options->parent_pattern;
	fields.source = (struct trace_source){ datafile_events(profile_file(state->profile)),
					       options->tracepoints, options->raw_traces };
	r = fields_parse(&fields, &report->fields, err);
	if (r < 0)
		return r;
	if (options->hierarchy) /* as in perf, the column keeps its name */
		report->fields.self_is_named = false;
	elide(report);
	if (fields_have_key(&report->fields.order, "parent") && !has_chains(report))
		return refuse_parent(err);
	if (options->parent_pattern || options->only_with_parent ||
	    fields_have_key(&report->fields.order, "parent")) {
		r = compile(&plan->parent,
			    options->parent_pattern ? options->parent_pattern : default_parent,
			    err);
		plan->has_parent = r == 0;
	}
	if (r == 0 && options->ignore_callees) {
		r = compile(&plan->ignore, options->ignore_callees, err);
		plan->has_ignore = r == 0;
	}
	plan->wants_chain =
		report->chains || report->children || plan->has_parent || plan->has_ignore;
	plan->wants_namespace = fields_have_key(&report->fields.order, "cgroup_id");
	plan->wants_trace = fields_have_key(&report->fields.order, "trace");
	plan->wants_names = plan->has_parent || plan->has_ignore || options->hide_unresolved ||
			    (options->filter && filter_wants_place(options->filter));
	plan->max_stack = options->max_stack;
	return r;
}

/* As in perf, one that is not there is the first, and the first stands for all. */
static size_t sort_member(const struct report_options *options, size_t member_count)
{
	if (options->sort_member == 0)
		return HIST_ALL_MEMBERS;
	return options->sort_member < member_count ? options->sort_member : 0;
}

static void plan_hists(struct report *report)
{
	const struct report_options *options = report->state->options;
	struct report_state *state = report->state;

	state->style = (struct sortkey_style){
		.resolver = profile_resolver(state->profile),
		.long_names = options->long_names,
		.nanoseconds = options->nanoseconds,
		.dso_is_a_key = fields_have_key(&report->fields.order, "dso"),
		.dsos_are_given = options->filter && options->filter->dsos.count > 0,
	};
	if (fields_want_source(&report->fields.order) || options->links != SITES_BY_FUNCTION)
		state->sources = sources_new(state->profile, options->whole_paths);
	if (fields_want_source(&report->fields.order))
		state->style.sources = state->sources;
	if (fields_want_data(&report->fields.order))
		state->style.data = state->data = data_places_new(state->profile);
	if (fields_have_key(&report->fields.order, "socket") || options->sockets.count > 0)
		sockets_load(profile_file(state->profile), &state->plan.sockets);
	state->plan.profile = state->profile;
	state->plan.options = options;
	state->plan.fields = &report->fields;
	state->plan.style = &state->style;
	for (size_t i = 0; i < report->event_count; i++) {
		struct report_event *event = &report->events[i];

		event->hist_options = (struct hist_options){
			.fields = &event->fields,
			.style = state->style,
			.member_count = event->member_count,
			.sort_member = sort_member(options, event->member_count),
			.children = report->children,
			.chains = report->chains &&
				  event->event->attr.sample_type & chain_types(options),
			.outermost_first = report->state->plan.outermost_first,
			.mode = options->mode,
			.min_percent = options->min_percent,
			.symbol_filter = options->symbol_filter,
			.only_with_parent = options->only_with_parent,
			.latency = report->state->plan.parallelism != NULL,
			.modes = fields_want_modes(&report->fields.columns) ||
				 fields_want_modes(&report->fields.order),
			.extras = extras_want_weights(&report->fields.order) ||
				  extras_want_classes(&report->fields.order),
			.branch_counts = state->plan.branch_links &&
					 fields_want_history(&report->fields.order),
		};
	}
}

int report_plan(struct report *report, struct strobe_err *err)
{
	int r = report_events_plan(report, err);

	if (r == 0)
		r = plan_kind(report, err);
	if (r == 0)
		r = plan_fields(report, err);
	if (r == 0)
		plan_hists(report);
	return r;
}
