/* report.c - see report.h. */
#include "analyze/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/counting.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/replay.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/str.h"
#include "base/strings.h"
#include "base/suggest.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "format/event-name.h"
#include "format/tracepoint.h"
#include "model/timeline.h"

/* Functions that begin a system call or a fault, on kernels of today and before. */
static const char default_parent[] =
	"^sys_|^do_page_fault|^__(x64|ia32|x32|arm64|riscv|s390x?|do|se)_(compat_)?sys_|^ksys_|"
	"^(asm_)?exc_page_fault|^do_(mem_abort|translation_fault)|^handle_page_fault";

struct report_state {
	struct profile *profile;
	const struct report_options *options;
	struct counting_plan plan;
	struct sortkey_style style;
	struct counting **workers; /* one for each thread */
	uint32_t **sites;          /* of each worker but the first: its sites among the first's */
	size_t worker_count;
};

static const char *event_name(const struct event_desc *event, struct str *out)
{
	event_name_add_desc(out, event);
	return str_text(out);
}

static bool name_in_list(const char *list, const char *name)
{
	struct str_part part;

	while (str_split(&list, ',', &part)) {
		if (str_part_is(part, name))
			return true;
	}
	return false;
}

static bool is_wanted(const struct report_options *options, const struct event_desc *event)
{
	_cleanup_(str_done) struct str name = { 0 };

	return !options->event || name_in_list(options->event, event_name(event, &name));
}

static char *group_name(const struct events *events, const struct report_event *group)
{
	struct str name = { 0 };

	if (group->member_count == 1) {
		event_name(group->event, &name);
		return str_take(&name);
	}
	if (!group->event->group_name)
		str_add(&name, "anon group");
	else
		str_add(&name, group->event->group_name);
	for (size_t i = 0; i < group->shown_count; i++) {
		str_add(&name, i ? ", " : " { ");
		event_name(events_at(events, group->event->index + group->shown[i]), &name);
	}
	str_add(&name, " }");
	return str_take(&name);
}

/* A member without samples is a column of zeros: it is left out. */
static void show_members(const struct report *report, struct report_event *group)
{
	bool all = report->state->options->show_empty || group->sample_count == 0;

	group->shown = xcalloc(group->member_count, sizeof(*group->shown));
	for (size_t i = 0; i < group->member_count; i++) {
		if (all || group->totals[i].count > 0)
			group->shown[group->shown_count++] = i;
	}
	group->name = group_name(datafile_events(profile_file(report->state->profile)), group);
}

/* How many events stand together in one table, from the @i-th on. */
static size_t group_size(const struct report_options *options, const struct events *events,
			 size_t i)
{
	size_t left = events_count(events) - i, count = events_at(events, i)->group_count;

	if (options->event || options->no_group)
		return 1;
	if (options->force_group && i == 0)
		return left;
	return count > 1 && count <= left && events_at(events, i)->leader == i ? count : 1;
}

static int err_no_event(const struct report_options *options, const struct events *events,
			struct strobe_err *err)
{
	struct suggest suggest = { .typed = options->event };
	struct strings names = { 0 };

	err_set(err, -ENOENT, "no event '%s' in the recording", options->event);
	for (size_t i = 0; i < events_count(events); i++) {
		_cleanup_(str_done) struct str name = { 0 };

		suggest_try(&suggest,
			    strings_keep(&names, event_name(events_at(events, i), &name)));
	}
	if (suggest.name)
		err_hint(err, -ENOENT, "did you mean '%s'?", suggest.name);
	else
		err_hint(err, -ENOENT, "it has: %s",
			 names.count ? strings_text(&names, 0) : "no events at all");
	strings_done(&names);
	return -ENOENT;
}

static int plan_events(struct report *report, struct strobe_err *err)
{
	const struct report_options *options = report->state->options;
	const struct events *events = datafile_events(profile_file(report->state->profile));
	struct counting_plan *plan = &report->state->plan;
	size_t count = events_count(events), size;

	report->events = xcalloc(count + 1, sizeof(*report->events));
	plan->places = xcalloc(count + 1, sizeof(*plan->places));
	for (size_t i = 0; i < count; i += size) {
		struct report_event *event = &report->events[report->event_count];

		size = group_size(options, events, i);
		if (!is_wanted(options, events_at(events, i)))
			continue;
		event->event = events_at(events, i);
		event->member_count = size;
		event->totals = xcalloc(size, sizeof(*event->totals));
		report->event_count++;
		for (size_t k = 0; k < size; k++)
			plan->places[i + k] =
				(struct counting_place){ true, (uint32_t)report->event_count - 1,
							 (uint16_t)k };
		if (size > plan->member_count)
			plan->member_count = size;
	}
	plan->event_count = report->event_count;
	if (report->event_count == 0 && options->event)
		return err_no_event(options, events, err);
	return 0;
}

static bool has_chains(const struct event_desc *event)
{
	return event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
}

static uint64_t all_sample_types(const struct events *events)
{
	uint64_t types = 0;

	for (size_t i = 0; i < events_count(events); i++)
		types |= events_at(events, i)->attr.sample_type;
	return types;
}

static bool all_are_tracepoints(const struct events *events)
{
	for (size_t i = 0; i < events_count(events); i++) {
		if (events_at(events, i)->attr.type != PERF_TYPE_TRACEPOINT)
			return false;
	}
	return events_count(events) > 0;
}

/* What the report is of, by what the recording has and the user wants. */
static int plan_kind(struct report *report, struct strobe_err *err)
{
	const struct report_options *options = report->state->options;
	const struct datafile *file = profile_file(report->state->profile);
	uint64_t types = all_sample_types(datafile_events(file));
	bool chains = types & PERF_SAMPLE_CALLCHAIN;
	size_t size;

	if (options->want_chains && !chains) {
		err_set(err, -ENODATA, "the recording has no call chains");
		return err_hint(err, -ENODATA, "record with -g");
	}
	if (options->parent_pattern && !chains) {
		err_set(err, -ENODATA, "no call chains to look for the parent in");
		return err_hint(err, -ENODATA, "record with -g");
	}
	if (options->branches == 1 && !(types & PERF_SAMPLE_BRANCH_STACK)) {
		err_set(err, -ENODATA, "the recording has no branch stacks");
		return err_hint(err, -ENODATA, "record with -b");
	}
	report->branches = options->branches == 1 ||
			   (options->branches == -1 && (types & PERF_SAMPLE_BRANCH_STACK) &&
			    datafile_feature(file, FEATURE_BRANCH_STACK, &size));
	report->chains = chains && !options->no_chains && !report->branches;
	report->children = chains && !options->no_children && !report->branches;
	report->state->plan.branches = report->branches;
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
}

static int plan_fields(struct report *report, struct strobe_err *err)
{
	struct report_state *state = report->state;
	const struct report_options *options = state->options;
	struct fields_options fields = options->fields;
	struct counting_plan *plan = &state->plan;
	int r;

	fields.children = report->children;
	fields.branches = report->branches;
	fields.traces = all_are_tracepoints(datafile_events(profile_file(state->profile)));
	fields.parent = options->parent_pattern;
	r = fields_parse(&fields, &report->fields, err);
	if (r < 0)
		return r;
	elide(report);
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
	plan->wants_trace = fields_have_key(&report->fields.order, "trace");
	plan->wants_names = plan->has_parent || plan->has_ignore || options->hide_unresolved ||
			    (options->filter && filter_wants_place(options->filter));
	plan->max_stack = options->max_stack ? options->max_stack : REPORT_MAX_STACK;
	return r;
}

static void plan_hists(struct report *report)
{
	const struct report_options *options = report->state->options;
	struct report_state *state = report->state;

	state->style = (struct sortkey_style){
		.long_names = options->long_names,
		.nanoseconds = options->nanoseconds,
		.dso_is_a_key = fields_have_key(&report->fields.order, "dso"),
	};
	state->plan.profile = state->profile;
	state->plan.options = options;
	state->plan.fields = &report->fields;
	state->plan.style = &state->style;
	for (size_t i = 0; i < report->event_count; i++) {
		struct report_event *event = &report->events[i];

		event->hist_options = (struct hist_options){
			.fields = &report->fields,
			.style = state->style,
			.member_count = event->member_count,
			.children = report->children,
			.chains = report->chains && has_chains(event->event),
			.outermost_first = report->state->plan.outermost_first,
			.mode = options->mode,
			.min_percent = options->min_percent,
			.symbol_filter = options->symbol_filter,
			.only_with_parent = options->only_with_parent,
		};
	}
}

static int plan(struct report *report, struct strobe_err *err)
{
	int r = plan_events(report, err);

	if (r == 0)
		r = plan_kind(report, err);
	if (r == 0)
		r = plan_fields(report, err);
	if (r == 0)
		plan_hists(report);
	return r;
}

static const struct dso *kernel_of(const struct timeline *timeline)
{
	for (uint32_t id = 1; id <= timeline_dso_count(timeline); id++) {
		const struct dso *dso = timeline_dso(timeline, id);

		if (dso->kind == DSO_KERNEL && !dso->guest)
			return dso;
	}
	return NULL;
}

/* The kernel's names take long to load: one thread begins with it while others count. */
static void count_slice(void *context, size_t job, size_t thread)
{
	struct report *report = context;
	struct report_state *state = report->state;

	if (job == 0) {
		const struct dso *kernel = kernel_of(profile_timeline(state->profile));

		if (kernel && profile_totals(state->profile)->in_kernel)
			(void)resolver_reason(profile_resolver(state->profile), kernel);
		return;
	}
	if (!state->workers[thread])
		state->workers[thread] = counting_new(&state->plan);
	if (replay_needs_order(state->profile))
		counting_all(state->workers[thread]);
	else
		counting_slice(state->workers[thread], job - 1);
}

/* What the workers counted becomes one: their sites are those of the first. */
static void join_workers(struct report *report)
{
	struct report_state *state = report->state;

	state->sites = xcalloc(state->worker_count, sizeof(*state->sites));
	if (!state->workers[0])
		state->workers[0] = counting_new(&state->plan);
	report->stacks = &state->workers[0]->table;
	report->stacks->by_addr = state->options->by_addr;
	for (size_t i = 1; i < state->worker_count; i++) {
		if (state->workers[i])
			state->sites[i] = stack_join(report->stacks, &state->workers[i]->table);
	}
	if (!state->plan.wants_names)
		lookup_name(state->profile, report->stacks, state->worker_count);
	stack_settle(report->stacks);
}

static void finish_event(struct report *report, size_t number)
{
	struct report_state *state = report->state;
	struct report_event *event = &report->events[number];

	event->hist = hist_new(&event->hist_options, report->stacks);
	for (size_t i = 0; i < state->worker_count; i++) {
		const struct counting_event *counted;

		if (!state->workers[i])
			continue;
		counted = &state->workers[i]->events[number];
		event->sample_count += counted->sample_count;
		event->whole_period += counted->whole_period;
		for (size_t k = 0; k < event->member_count; k++) {
			event->totals[k].period += counted->totals[k].period;
			event->totals[k].count += counted->totals[k].count;
		}
		hist_take(event->hist, &counted->bundles, &state->workers[i]->table,
			  state->sites[i]);
	}
	hist_finish(event->hist, event->totals[0].period, state->worker_count);
}

int report_new(struct profile *profile, const struct report_options *options,
	       struct report **ret_report, struct strobe_err *err)
{
	_cleanup_(report_freep) struct report *report = xnew(struct report);
	struct report_state *state = xnew(struct report_state);
	int r;

	report->state = state;
	state->profile = profile;
	state->options = options;
	state->worker_count = pool_threads();
	state->workers = xcalloc(state->worker_count, sizeof(*state->workers));
	report->lost_samples = profile_totals(profile)->lost_samples;
	r = plan(report, err);
	if (r < 0)
		return r;
	if (state->plan.wants_trace) /* a set of tracepoints serves one thread */
		state->worker_count = 1;
	pool_run(state->worker_count,
		 replay_needs_order(profile) ? 2 : profile_slice_count(profile) + 1, count_slice,
		 report);
	join_workers(report);
	for (size_t i = 0; i < report->event_count; i++) {
		finish_event(report, i);
		show_members(report, &report->events[i]);
	}
	*ret_report = take(report);
	return 0;
}

static void state_free(struct report_state *state)
{
	for (size_t i = 0; i < state->worker_count; i++) {
		counting_free(state->workers[i]);
		if (state->sites)
			free(state->sites[i]);
	}
	free(state->workers);
	free(state->sites);
	if (state->plan.has_parent)
		regfree(&state->plan.parent);
	if (state->plan.has_ignore)
		regfree(&state->plan.ignore);
	free(state->plan.places);
	free(state);
}

bool report_is_empty(const struct report *report)
{
	for (size_t i = 0; i < report->event_count; i++) {
		if (report->events[i].sample_count > 0 || report->events[i].whole_period > 0)
			return false;
	}
	return true;
}

void report_free(struct report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->event_count; i++) {
		hist_free(report->events[i].hist);
		free(report->events[i].name);
		free(report->events[i].shown);
		free(report->events[i].totals);
	}
	free(report->events);
	state_free(report->state);
	fields_done(&report->fields);
	free(report);
}
