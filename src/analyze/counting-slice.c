/*
 * counting-slice.c - counts the samples of a slice: those that repeat one before them by the bundle
 * that it went to, and only the others as counting.h has it.
 */
#include <linux/perf_event.h>

#include "analyze/counting-state.h"
#include "analyze/counting.h"
#include "analyze/filter.h"
#include "analyze/replay.h"
#include "analyze/report.h"
#include "data/datafile.h"

/*
 * Whether samples that are alike for repeats.h are counted alike: nothing but names of threads and
 * what is in their chains tells them apart, and none is left out.
 */
static bool counts_repeats(const struct counting *counting)
{
	const struct counting_plan *plan = counting->state->plan;
	const struct report_options *options = plan->options;

	return plan->event_count > 0 && counting->events[0].bundles.by_comm &&
	       !(options->filter && !filter_is_empty(options->filter)) && !plan->onoff.is_set &&
	       !plan->branches && !plan->branch_links && !plan->memory && !plan->wants_trace &&
	       !plan->has_ignore && !plan->parallelism && options->sockets.count == 0;
}

/* False if the sample is so early that its context gets its name from it. */
static bool count_again(struct counting *counting, const struct repeats_sample *sample,
			uint32_t number)
{
	const struct counting_place *to = &counting->state->plan->places[sample->event];
	struct counting_event *event = &counting->events[to->event];
	const struct bundle *bundle = &event->bundles.all.items[number];
	const struct bundle one = {
		.first = sample->at,
		.pid = sample->pid,
		.tid = sample->tid,
		.level = sample_item_level(bundle->cpumode),
		.period = sample->period,
		.count = 1,
	};

	if (instant_before(sample->at, event->bundles.contexts.items[bundle->context].first))
		return false;
	event->timed_count++;
	event->alone_count++;
	if (to->member == 0)
		event->whole_period += sample->period;
	event->sample_count++;
	event->totals[to->member].count++;
	event->totals[to->member].period += sample->period;
	bundles_add_to(&event->bundles, number, &one);
	return true;
}

/* What is to be counted of a batch. */
static void expect_repeat(const struct counting *counting, const struct repeats_sample *sample)
{
	const struct counting_state *state = counting->state;
	uint32_t number = repeats_guess(&state->repeats, sample);

	if (number != INDEX_NONE)
		__builtin_prefetch(&counting->events[state->plan->places[sample->event].event]
					    .bundles.all.items[number]);
}

/* @repeat: how it is remembered; NULL: it is not. */
static void take_new(struct counting *counting, const struct record *record,
		     const struct repeats_sample *repeat)
{
	struct counting_state *state = counting->state;
	struct profile_sample *sample = &state->pending[state->pending_count].sample;

	if (repeat)
		state->repeat = *repeat;
	if (profile_decode(state->plan->profile, record, sample) == 0)
		(void)counting_take(counting, sample);
	state->repeat.span = 0;
}

static void take_batch(struct counting *counting, const struct record *records,
		       const struct repeats_sample *samples, size_t count)
{
	struct repeats *repeats = &counting->state->repeats;

	for (size_t i = 0; i < count; i++)
		repeats_expect_seen(repeats, &samples[i]);
	for (size_t i = 0; i < count; i++)
		expect_repeat(counting, &samples[i]);
	for (size_t i = 0; i < count; i++) {
		uint32_t number = samples[i].span ? repeats_find(repeats, &samples[i]) : INDEX_NONE;

		if (number == INDEX_NONE)
			take_new(counting, &records[i], &samples[i]);
		else if (!count_again(counting, &samples[i], number))
			take_new(counting, &records[i], NULL);
	}
}

static void count_slice(struct counting *counting, const struct profile_slice *slice)
{
	struct counting_state *state = counting->state;
	struct datafile_cursor cursor = { profile_file(state->plan->profile), slice->begin };
	struct repeats_sample samples[COUNTING_BATCH];
	struct record records[COUNTING_BATCH];
	size_t count = 0;

	while (cursor.offset < slice->end && datafile_next(&cursor, &records[count])) {
		if (records[count].header->type != PERF_RECORD_SAMPLE)
			continue;
		repeats_read(&state->repeats, &records[count], &samples[count]);
		repeats_expect(&state->repeats, &samples[count]);
		if (++count < COUNTING_BATCH)
			continue;
		take_batch(counting, records, samples, count);
		count = 0;
	}
	take_batch(counting, records, samples, count);
}

void counting_slice(struct counting *counting, size_t slice)
{
	struct counting_state *state = counting->state;
	struct profile *profile = state->plan->profile;

	if (!state->repeats.profile && counts_repeats(counting))
		repeats_init(&state->repeats, profile, state->plan->wants_chain);
	if (state->repeats.profile)
		count_slice(counting, profile_slice(profile, slice));
	else
		(void)replay_slice(profile, slice, counting_take, counting);
	counting_flush(counting);
}
