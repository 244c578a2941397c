/* report.c - see report.h. */
#include "analyze/report.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/blocks.h"
#include "analyze/counting.h"
#include "analyze/data-places.h"
#include "analyze/hierarchy.h"
#include "analyze/inlining.h"
#include "analyze/profile.h"
#include "analyze/replay.h"
#include "analyze/report-events.h"
#include "analyze/report-plan.h"
#include "analyze/sources.h"
#include "analyze/visits.h"
#include "base/mem.h"
#include "base/pool.h"
#include "data/events.h"
#include "model/timeline.h"

/* What a sample counts depends on those before it. */
static bool needs_order(const struct report_state *state)
{
	return state->plan.stitch_lbr || replay_needs_order(state->profile);
}

/*
 * Names take long to load, and who waits for them waits for all: one thread begins with the
 * kernel's while others count. What else there is in the recording shows in its first half.
 */
static void count_slice(void *context, size_t job, size_t thread)
{
	struct report *report = context;
	struct report_state *state = report->state;

	if (job == 0) {
		const struct dso *kernel = timeline_kernel_dso(profile_timeline(state->profile));

		if (kernel && profile_totals(state->profile)->in_kernel)
			(void)resolver_reason(profile_resolver(state->profile), kernel);
		return;
	}
	if (!state->workers[thread])
		state->workers[thread] = counting_new(&state->plan);
	if (needs_order(state))
		counting_all(state->workers[thread]);
	else
		counting_slice(state->workers[thread], job - 1);
	if (job == profile_slice_count(state->profile) / 2)
		sites_load_names(report->sites, profile_resolver(state->profile),
				 state->plan.wants_chain);
}

struct extending {
	const struct report *report;
	const struct inlining *inlining;
};

static void extend_worker(void *context, size_t job, size_t thread)
{
	const struct extending *extending = context;
	const struct report *report = extending->report;
	struct counting *worker = report->state->workers[job];

	for (size_t i = 0; worker && i < report->event_count; i++)
		inlining_extend(extending->inlining, &worker->events[i].stacks,
				&worker->events[i].bundles);
}

/* Call chains get links for functions that were put into others. */
static struct inlining *find_inlines(struct report *report)
{
	struct report_state *state = report->state;
	struct extending extending = { .report = report };
	struct inlining *inlining = NULL;

	if (state->plan.wants_chain)
		inlining = inlining_new(report->sites, profile_resolver(state->profile),
					state->sources, state->worker_count);
	extending.inlining = inlining;
	if (inlining)
		pool_run(state->worker_count, state->worker_count, extend_worker, &extending);
	return inlining;
}

/* Names come last: each place is named once. */
static void settle_sites(struct report *report)
{
	struct report_state *state = report->state;
	_cleanup_(inlining_freep) struct inlining *inlining = NULL;

	for (size_t i = 0; i < state->worker_count; i++) {
		if (state->workers[i])
			counting_end(state->workers[i]);
	}
	if (!state->plan.wants_names)
		sites_name(report->sites, profile_resolver(state->profile), state->worker_count);
	inlining = find_inlines(report);
	if (state->sources)
		sources_settle(state->sources, report->sites);
	if (state->sources && inlining)
		inlining_tell(inlining, state->sources);
	if (state->data)
		data_places_settle(state->data, report->sites);
	sites_settle(report->sites, state->options->links,
		     state->options->links == SITES_BY_FUNCTION ? NULL : state->sources,
		     state->worker_count);
}

/* As in perf: where hardly ever two threads ran at a time, latency says what overhead says. */
static void settle_latency(struct report *report)
{
	struct report_state *state = report->state;
	uint64_t alone = 0, all = 0;

	if (report->fields.latency_is_asked)
		return;
	for (size_t i = 0; i < state->worker_count; i++) {
		for (size_t k = 0; state->workers[i] && k < report->event_count; k++) {
			alone += state->workers[i]->events[k].alone_count;
			all += state->workers[i]->events[k].timed_count;
		}
	}
	if (all == 0 || alone * 100 / all >= 99)
		fields_drop_latency(&report->fields);
}

/* What all workers counted of one table goes into a histogram. */
static void fill(const struct report *report, size_t number, struct hist *hist)
{
	struct report_state *state = report->state;

	for (size_t i = 0; i < state->worker_count; i++) {
		if (state->workers[i])
			hist_take(hist, &state->workers[i]->events[number].bundles,
				  &state->workers[i]->events[number].stacks);
	}
	hist_finish(hist, report->events[number].totals[0].period, state->worker_count,
		    state->seats);
}

static void add_totals(struct report_event *event, const struct counting_event *counted)
{
	event->sample_count += counted->sample_count;
	event->whole_period += counted->whole_period;
	for (size_t k = 0; k < event->member_count; k++) {
		event->totals[k].period += counted->totals[k].period;
		event->totals[k].count += counted->totals[k].count;
		event->totals[k].latency += counted->totals[k].latency;
	}
}

/* What all rows together have. */
static void add_extras(struct extras *extras, const struct bundles *bundles)
{
	for (size_t i = 0; i < bundles->all.count; i++) {
		const struct bundle *bundle = &bundles->all.items[i];

		if (bundle->member == 0)
			extras_add(extras, &bundles->contexts.items[bundle->context].item, bundle);
	}
}

static void finish_event(struct report *report, size_t number)
{
	struct report_state *state = report->state;
	struct report_event *event = &report->events[number];

	for (size_t i = 0; i < state->worker_count; i++) {
		if (!state->workers[i])
			continue;
		add_totals(event, &state->workers[i]->events[number]);
		if (event->hist_options.extras)
			add_extras(&event->extras, &state->workers[i]->events[number].bundles);
	}
	fields_of_events(&report->fields, event->event->index, event->member_count, &event->fields);
	event->hist = hist_new(&event->hist_options, report->sites);
	fill(report, number, event->hist);
	if (!state->options->hierarchy)
		return;
	event->hierarchy = hierarchy_new(&event->hist_options, report->sites);
	for (size_t i = 0; i < hierarchy_level_count(event->hierarchy); i++)
		fill(report, number, hierarchy_level(event->hierarchy, i));
	hierarchy_settle(event->hierarchy, event->hist);
}

static void finish_events(struct report *report)
{
	struct report_state *state = report->state;

	state->seats = xcalloc(state->worker_count, sizeof(*state->seats));
	for (size_t i = 0; i < report->event_count; i++) {
		finish_event(report, i);
		report_events_show(report, &report->events[i]);
	}
	for (size_t i = 0; i < state->worker_count; i++)
		visits_seats_done(&state->seats[i]);
	free(take(state->seats));
}

int report_new_empty(struct profile *profile, const struct report_options *options,
		     struct report **ret_report, struct strobe_err *err)
{
	_cleanup_(report_freep) struct report *report = xnew(struct report);
	struct report_state *state = xnew(struct report_state);
	int r;

	report->state = state;
	report->sites = sites_new();
	state->plan.sites = report->sites;
	state->profile = profile;
	state->options = options;
	state->worker_count = pool_threads();
	state->workers = xcalloc(state->worker_count, sizeof(*state->workers));
	r = report_plan(report, err);
	if (r < 0)
		return r;
	if (state->plan.wants_trace) /* equal texts are one only within a thread */
		state->worker_count = 1;
	*ret_report = take(report);
	return 0;
}

static void find_ipc(struct report *report)
{
	_cleanup_(blocks_freep) struct blocks *blocks = NULL;

	if (!fields_have_key(&report->fields.order, "ipc_lbr"))
		return;
	blocks = blocks_find(report);
	for (size_t i = 0; i < report->event_count; i++) {
		struct report_event *event = &report->events[i];

		ipc_table_fill(&event->ipc, report->state->profile, &blocks->events[i]);
		event->hist_options.style.ipc = &event->ipc;
	}
}

void report_finish(struct report *report)
{
	report->lost_samples = profile_totals(report->state->profile)->lost_samples;
	settle_sites(report);
	settle_latency(report);
	finish_events(report);
}

int report_new(struct profile *profile, const struct report_options *options,
	       struct report **ret_report, struct strobe_err *err)
{
	_cleanup_(report_freep) struct report *report = NULL;
	int r = report_new_empty(profile, options, &report, err);

	if (r == 0)
		r = onoff_find(profile, &options->onoff, &report->state->plan.onoff, err);
	if (r < 0)
		return r;
	*ret_report = take(report);
	pool_run((*ret_report)->state->worker_count,
		 needs_order((*ret_report)->state) ? 2 : profile_slice_count(profile) + 1,
		 count_slice, *ret_report);
	find_ipc(*ret_report);
	report_finish(*ret_report);
	return 0;
}

static void state_free(struct report_state *state)
{
	for (size_t i = 0; i < state->worker_count; i++) {
		counting_free(state->workers[i]);
	}
	counting_free(state->open);
	sites_free(state->open_sites);
	free(state->workers);
	sources_free(state->sources);
	data_places_free(state->data);
	sockets_done(&state->plan.sockets);
	onoff_done(&state->plan.onoff);
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

double report_percent(const struct report_event *event, const struct hist_entry *entry,
		      enum measure measure, size_t member)
{
	const struct report_number *total = &event->totals[member];

	return hist_percent(hist_measure(entry, measure, member),
			    measure_is_latency(measure) ? total->latency : total->period);
}

double report_average(const struct hist_entry *entry, size_t weight, size_t member)
{
	const struct hist_number *self = &entry->self[member];
	const struct extras *extras = hist_extras(entry, member);

	if (!extras || self->count == 0)
		return 0.0;
	return (double)extras->weights[weight] / (double)self->count;
}

double report_class_percent(const struct report_event *event, const struct hist_entry *entry,
			    enum data_src_kind kind, size_t i)
{
	const struct extras *extras = hist_extras(entry, 0);

	return hist_percent(extras ? extras->classes[kind][i] : 0, event->totals[0].period);
}

uint64_t report_weight(const struct report *report, const struct hist_entry *entry)
{
	return report->children ? entry->whole[0] : entry->self[0].period;
}

bool report_is_light(const struct report *report, const struct report_event *event,
		     const struct hist_entry *entry, double percent_limit)
{
	return hist_percent(report_weight(report, entry), event->totals[0].period) < percent_limit;
}

static void free_tables(struct report_event *event)
{
	hierarchy_free(event->hierarchy);
	hist_free(event->hist);
	fields_done_some(&event->fields);
	free(event->name);
	free(event->shown);
}

void report_reopen(struct report *report)
{
	for (size_t i = 0; i < report->event_count; i++) {
		struct report_event *event = &report->events[i];

		free_tables(event);
		event->hierarchy = NULL;
		event->hist = NULL;
		event->name = NULL;
		event->shown = NULL;
		event->fields = (struct fields){ 0 };
		event->extras = (struct extras){ 0 };
		event->shown_count = 0;
		event->sample_count = event->whole_period = 0;
		memset(event->totals, 0, event->member_count * sizeof(*event->totals));
	}
}

void report_free(struct report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->event_count; i++) {
		free_tables(&report->events[i]);
		free(report->events[i].totals);
		ipc_table_done(&report->events[i].ipc);
	}
	free(report->events);
	state_free(report->state);
	sites_free(report->sites);
	fields_done(&report->fields);
	free(report);
}
