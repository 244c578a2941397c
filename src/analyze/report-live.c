/* report-live.c - see report-live.h. */
#include "analyze/report-live.h"

#include "analyze/counting.h"
#include "analyze/data-places.h"
#include "analyze/fold.h"
#include "analyze/onoff.h"
#include "analyze/profile.h"
#include "analyze/report-plan.h"
#include "analyze/report.h"
#include "analyze/sites.h"
#include "analyze/sources.h"
#include "base/hash.h"
#include "base/mem.h"
#include "data/record.h"

enum {
	FOLD_AT = 64 << 10, /* bundles more than there were after the last time */
	CUT_AT = 2 * FOLD_AT,
};

int report_live_new(struct profile *profile, const struct report_options *options,
		    struct report **ret_report, struct strobe_err *err)
{
	_cleanup_(report_freep) struct report *report = NULL;
	struct report_state *state;
	int r = report_new_empty(profile, options, &report, err);

	if (r == 0)
		r = onoff_switch(profile, &options->onoff, &report->state->event_switch, err);
	if (r < 0)
		return r;
	state = report->state;
	state->switched_at = UINT64_MAX;
	/* Samples come one after another, and who knows what is still there at the end. */
	state->worker_count = 1;
	state->plan.wants_names = true;
	state->fold_at = FOLD_AT;
	state->workers[0] = counting_new(&state->plan);
	*ret_report = take(report);
	return 0;
}

/* A record that stands for several samples switches once, and then counts as a whole or not. */
static bool is_on(struct report_state *state, const struct profile_sample *sample)
{
	if (state->switched_at != sample->record->offset)
		state->switch_takes = event_switch_takes(&state->event_switch, sample->event);
	state->switched_at = sample->record->offset;
	return state->switch_takes;
}

int report_live_take(void *context, const struct profile_sample *sample)
{
	struct report *report = context;
	struct report_state *state = report->state;

	return is_on(state, sample) ? counting_take(state->workers[0], sample) : 0;
}

void report_live_changed(void *context)
{
	struct report *report = context;
	struct report_state *state = report->state;
	struct resolver *resolver = profile_resolver(state->profile);

	counting_changed(state->workers[0]);
	if (state->rename_count != resolver_rename_count(resolver))
		sites_name_again(report->sites, resolver);
	state->rename_count = resolver_rename_count(resolver);
}

/* Counting begins anew, in memory of its own; the caller gets what it was done in before. */
static struct counting *begin(struct report *report, struct sites **ret_sites)
{
	struct report_state *state = report->state;
	struct counting *before = state->workers[0];

	*ret_sites = report->sites;
	report->sites = state->plan.sites = sites_new();
	state->workers[0] = counting_new(&state->plan);
	return before;
}

static void discard(struct counting *counting, struct sites *sites)
{
	counting_free(counting);
	sites_free(sites);
}

static void fold_all(struct report *report, const struct fold_options *options, struct hash *dsos)
{
	struct report_state *state = report->state;
	struct sites *sites;
	struct counting *counting;

	counting_flush(state->workers[0]);
	counting = begin(report, &sites);
	if (state->sources)
		sources_forget(state->sources);
	if (state->data)
		data_places_forget(state->data);
	report->cut_count += fold(counting, sites, state->workers[0], report->sites, options, dsos);
	counting_hand_over(counting, state->workers[0]);
	discard(counting, sites);
}

/* Nothing that is shown depends on where in a function a sample was. */
static bool is_by_function(const struct report_state *state)
{
	return !state->options->long_names && !state->sources && !state->data;
}

static struct fold_options usual(const struct report_state *state)
{
	return (struct fold_options){ .by_function = is_by_function(state),
				      .coarse = state->coarse };
}

/*
 * There are many bundles: those that differ only where nothing that is shown does become one. If
 * that is not enough, it is addresses in no mapping that grow without end: what walking frame
 * pointers finds in programs that have none. If that is not, there is no end of distinct stacks:
 * those that are hardly ever seen are cut.
 */
static void fold_many(struct report *report)
{
	struct report_state *state = report->state;
	struct hash ignored = { 0 };
	struct fold_options options = usual(state);

	fold_all(report, &options, &ignored);
	if (!state->coarse && counting_bundle_count(state->workers[0]) > FOLD_AT / 2) {
		state->coarse = true;
		options = usual(state);
		fold_all(report, &options, &ignored);
	}
	if (counting_bundle_count(state->workers[0]) > CUT_AT) {
		options.cut_below = fold_rare(state->workers[0], FOLD_AT);
		fold_all(report, &options, &ignored);
	}
	hash_done(&ignored);
	state->fold_at = counting_bundle_count(state->workers[0]) + FOLD_AT;
}

int report_live_settled(void *context)
{
	struct report *report = context;
	const struct report_state *state = report->state;

	counting_flush(state->workers[0]);
	if (counting_bundle_count(state->workers[0]) > (state->fold_at))
		fold_many(report);
	return 0;
}

void report_live_forget(void *context, struct hash *dsos)
{
	const struct report *report = context;
	const struct fold_options options = usual(report->state);

	fold_all(context, &options, dsos);
}

/* What is shown is a copy, to which nothing can be added. */
void report_live_finish(struct report *report)
{
	const struct fold_options options = { .exact = true };
	struct report_state *state = report->state;
	struct hash ignored = { 0 };

	counting_flush(state->workers[0]);
	state->open = begin(report, &state->open_sites);
	(void)fold(state->open, state->open_sites, state->workers[0], report->sites, &options,
		   &ignored);
	hash_done(&ignored);
	report_finish(report);
}

void report_live_reopen(struct report *report)
{
	struct report_state *state = report->state;

	report_reopen(report);
	discard(state->workers[0], report->sites);
	state->workers[0] = take(state->open);
	report->sites = state->plan.sites = take(state->open_sites);
}

void report_live_decay(struct report *report)
{
	struct fold_options options = usual(report->state);
	struct hash ignored = { 0 };

	options.decay = true;
	fold_all(report, &options, &ignored);
	hash_done(&ignored);
}

void report_live_clear(struct report *report)
{
	struct sites *sites;
	struct counting *counting = begin(report, &sites);

	discard(counting, sites);
}
