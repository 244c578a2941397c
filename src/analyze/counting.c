/* counting.c - see counting.h. */
#include "analyze/counting.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/branch-links.h"
#include "analyze/counting-state.h"
#include "analyze/filter.h"
#include "analyze/hist.h"
#include "analyze/lbr-stitch.h"
#include "analyze/profile.h"
#include "analyze/replay.h"
#include "analyze/report.h"
#include "analyze/sample-item.h"
#include "base/mem.h"
#include "data/events.h"
#include "format/branch-flags.h"
#include "model/timeline.h"

struct counting *counting_new(const struct counting_plan *plan)
{
	struct counting *counting = xnew(struct counting);

	counting->state = xnew(struct counting_state);
	counting->state->plan = plan;
	counting->state->items.plan = plan;
	counting->events = xcalloc(plan->event_count + 1, sizeof(*counting->events));
	for (size_t i = 0; i < plan->event_count; i++) {
		bundles_init(&counting->events[i].bundles, plan->fields, plan->style,
			     plan->options->only_with_parent);
		counting->events[i].totals =
			xcalloc(plan->member_count, sizeof(*counting->events[i].totals));
		counting->events[i].stacks.marked = plan->branch_links;
	}
	if (plan->stitch_lbr)
		counting->state->stitch = lbr_stitch_new(profile_file(plan->profile));
	lookup_init(&counting->state->lookup, plan->profile, plan->sites, plan->wants_names);
	return counting;
}

void counting_end(struct counting *counting)
{
	struct counting_state *state = counting->state;

	for (size_t i = 0; i < state->plan->event_count; i++) {
		struct counting_event *event = &counting->events[i];

		index_done(&event->stacks.index);
		index_done(&event->bundles.bundle_of);
		free(take(event->by_site.items));
	}
	user_stack_done(&state->user_stack);
	lookup_done(&state->lookup);
	lbr_stitch_free(take(state->stitch));
	free(take(state->chain.items));
	free(take(state->sites.items));
	free(take(state->branches.items));
	free(take(state->marks.items));
	free(take(state->questions.items));
	verdicts_done(&state->parents);
	verdicts_done(&state->ignored);
	repeats_done(&state->repeats);
}

void counting_free(struct counting *counting)
{
	struct counting_state *state;

	if (!counting)
		return;
	counting_end(counting);
	state = counting->state;
	for (size_t i = 0; i < state->plan->event_count; i++) {
		bundles_done(&counting->events[i].bundles);
		stack_table_done(&counting->events[i].stacks);
		free(counting->events[i].totals);
	}
	free(counting->events);
	kept_done(&counting->kept);
	sample_item_done(&state->items);
	free(state);
	free(counting);
}

/* The @i-th link of a sample's chain. */
static const struct lookup_question *link_at(const struct counting_state *state,
					     const struct counting_pending *pending, size_t i)
{
	return &state->questions.items[pending->question + 1 + i];
}

/* In a chain from the outside in, perf takes the outermost caller that matches. */
static const struct function *find_parent(struct counting_state *state,
					  const struct counting_pending *pending)
{
	for (size_t i = 0; i < pending->link_count; i++) {
		size_t at = state->plan->outermost_first ? pending->link_count - 1 - i : i;
		uint32_t site = link_at(state, pending, at)->site;
		struct place place = sites_get(state->plan->sites, site);

		if (verdicts_match(&state->parents, &state->plan->parent, site, place.function))
			return place.function;
	}
	return NULL;
}

/* What an ignored function called does not count: the outermost such link, or SIZE_MAX. */
static size_t find_ignored(struct counting_state *state, const struct counting_pending *pending)
{
	for (size_t i = state->plan->has_ignore ? pending->link_count : 0; i-- > 0;) {
		uint32_t site = link_at(state, pending, i)->site;
		struct place place = sites_get(state->plan->sites, site);

		if (verdicts_match(&state->ignored, &state->plan->ignore, site, place.function))
			return i;
	}
	return SIZE_MAX;
}

static struct stack row_of(const struct counting_state *state,
			   const struct counting_pending *pending)
{
	struct stack row = { .sites = state->sites.items + pending->row,
			     .count = (uint32_t)pending->row_count };

	if (state->plan->branch_links)
		row.marks = state->marks.items + pending->row;
	return row;
}

static void add_to_row(struct counting_state *state, const struct counting_pending *pending,
		       size_t link)
{
	grow(&state->sites);
	state->sites.items[state->sites.count++] = link_at(state, pending, link)->site;
	if (!state->plan->branch_links)
		return;
	grow(&state->marks);
	state->marks.items[state->marks.count++] =
		state->branches.items[pending->question + 1 + link];
}

/* The stack of the links from @begin on. */
static void make_row(struct counting_state *state, struct counting_pending *pending, size_t begin)
{
	size_t end = pending->link_count, most = pending->most_links;

	if (end - begin > most) {
		if (state->plan->outermost_first)
			begin = end - most;
		else
			end = begin + most;
	}
	grow(&state->sites); /* of no links, a row is at some place too */
	grow(&state->marks);
	pending->row = state->sites.count;
	for (size_t i = begin; i < end; i++) {
		uint32_t site = link_at(state, pending, i)->site;

		if (state->plan->options->hide_unresolved &&
		    !sites_get(state->plan->sites, site).function)
			continue;
		add_to_row(state, pending, i);
	}
	pending->row_count = state->sites.count - pending->row;
	pending->row_hash = stack_hash(row_of(state, pending));
}

/* What belongs to a bundle's stack, or else to its site: see bundles_add(). */
uint32_t *counting_first(struct counting_event *event, const struct bundle *bundle)
{
	if (bundle->stack != BUNDLES_NO_STACK)
		return stack_word(&event->stacks, bundle->stack);
	while (event->by_site.count <= bundle->site) {
		grow(&event->by_site);
		memset(event->by_site.items + event->by_site.count, 0,
		       (event->by_site.capacity - event->by_site.count) * sizeof(uint32_t));
		event->by_site.count = event->by_site.capacity;
	}
	return &event->by_site.items[bundle->site];
}

static uint32_t site_at(struct counting_state *state, const struct profile_sample *sample,
			uint64_t addr)
{
	struct lookup_question question =
		lookup_ask(sample, lookup_branch_mode(sample->cpumode, addr), addr);

	lookup_all(&state->lookup, &question, 1);
	return question.site;
}

static void add_branches(struct counting *counting, struct counting_event *event,
			 const struct profile_sample *sample, struct bundle *bundle)
{
	struct counting_state *state = counting->state;
	struct item item = sample_item_make(&state->items, sample);

	bundle->period = 1;
	for (size_t i = 0; i < sample->sample.branch_count; i++) {
		const struct sample_branch *branch = &sample->sample.branches[i];
		struct branch_item ends = {
			.from = sample_item_branch(&state->items, sample, branch->from),
			.to = sample_item_branch(&state->items, sample, branch->to),
			.cycles = branch_flags_cycles(branch->flags),
			.flags = branch->flags & BRANCH_FLAGS_OUTCOME,
		};

		if (state->plan->options->hide_unresolved &&
		    !(ends.from.place.function && ends.to.place.function))
			continue;
		item.branch = &ends;
		item.weight = ends.cycles ? ends.cycles : 1; /* what a branch cost */
		bundle->site = site_at(state, sample, branch->to);
		event->totals[bundle->member].period++;
		bundle->context = bundles_find_context(&event->bundles, &item, bundle->first);
		bundles_add(&event->bundles, counting_first(event, bundle), bundle);
	}
}

/* Whether the last context is this sample's too, as its thread's name tells, and not older. */
static bool is_last_context(const struct counting_state *state, const struct counting_event *event,
			    uint32_t number, const struct profile_sample *sample)
{
	const struct bundles *bundles = &event->bundles;

	return bundles->by_comm && state->comm == sample->comm && state->event == number &&
	       !sample->unnamed &&
	       !instant_before(sample_item_instant(sample),
			       bundles->contexts.items[state->context].first);
}

/* Most samples are of the thread name before them, and that says all of their context. */
static uint32_t context_of(struct counting_state *state, struct counting_event *event,
			   uint32_t number, const struct profile_sample *sample,
			   const struct function *parent)
{
	struct memory_item memory;
	struct item item;

	if (is_last_context(state, event, number, sample))
		return state->context;
	item = sample_item_make(&state->items, sample);
	item.parent = parent;
	if (state->plan->memory) {
		memory = sample_item_memory(&state->items, sample);
		item.memory = &memory;
	}
	state->context = bundles_find_context(&event->bundles, &item, sample_item_instant(sample));
	state->comm = sample->comm;
	state->event = number;
	return state->context;
}

/* What it adds to its entry. */
static uint64_t weight_of(const struct counting_plan *plan, const struct profile_sample *sample)
{
	if (plan->memory)
		return sample->sample.weight ? sample->sample.weight : 1;
	return sample->sample.period;
}

/* Not what filter_drops() leaves out, but what is no part of the rows. */
static bool is_hidden(const struct counting_plan *plan, const struct profile_sample *sample,
		      const struct place *place, uint32_t parallelism)
{
	const struct report_options *options = plan->options;
	uint32_t socket = (uint32_t)sockets_of(&plan->sockets, sample->sample.cpu);

	if (options->filter && filter_hides(options->filter, sample, place))
		return true;
	return (options->parallelism.count > 0 &&
		!filter_has_id(&options->parallelism, parallelism)) ||
	       (options->sockets.count > 0 && !filter_has_id(&options->sockets, socket));
}

static const struct counting_place *place_of(const struct counting_state *state,
					     const struct counting_pending *pending)
{
	return &state->plan->places[pending->sample.event->index];
}

static struct counting_event *event_of(struct counting *counting,
				       const struct counting_pending *pending)
{
	return &counting->events[place_of(counting->state, pending)->event];
}

/* Counts in what percentages are of; false if the sample counts in nothing else. */
static bool count_whole(struct counting *counting, struct counting_pending *pending)
{
	const struct counting_state *state = counting->state;
	const struct counting_place *to = place_of(state, pending);
	struct counting_event *event = &counting->events[to->event];
	uint64_t period = weight_of(state->plan, &pending->sample);
	uint32_t parallelism = sample_item_parallelism(state->plan, &pending->sample);
	struct place place = { 0 };
	bool hidden;

	if (state->plan->wants_names)
		place = sites_get(state->plan->sites,
				  state->questions.items[pending->question].site);
	if (state->plan->options->hide_unresolved && !place.function)
		return false;
	event->timed_count++;
	event->alone_count += parallelism <= 1;
	hidden = is_hidden(state->plan, &pending->sample, &place, parallelism);
	if (to->member == 0)
		event->whole_period += period;
	if (hidden && state->plan->options->relative)
		return false;
	pending->period = period;
	pending->latency = parallelism ? (period << HIST_LATENCY_SHIFT) / parallelism : 0;
	event->sample_count++;
	event->totals[to->member].count++;
	event->totals[to->member].latency += pending->latency;
	if (!state->plan->branches)
		event->totals[to->member].period += period;
	else if (hidden) /* the others are counted one by one */
		event->totals[to->member].period += pending->sample.sample.branch_count;
	return !hidden;
}

/* First step: places are known. */
static void prepare(struct counting *counting, struct counting_pending *pending)
{
	struct counting_state *state = counting->state;
	const struct profile_sample *sample = &pending->sample;
	struct bundle *bundle = &pending->bundle;
	size_t ignored;

	pending->counts = count_whole(counting, pending);
	*bundle = (struct bundle){
		.site = state->questions.items[pending->question].site,
		.stack = BUNDLES_NO_STACK,
		.cpumode = (uint8_t)sample->cpumode,
		.member = place_of(state, pending)->member,
		.first = sample_item_instant(sample),
		.pid = sample->sample.pid,
		.tid = sample->sample.tid,
		.level = sample_item_level(sample->cpumode),
		.period = pending->period,
		.count = 1,
		.latency = pending->latency,
	};
	if (!pending->counts || !state->plan->wants_chain || state->plan->branches)
		return;
	pending->parent = state->plan->has_parent ? find_parent(state, pending) : NULL;
	ignored = find_ignored(state, pending);
	if (ignored != SIZE_MAX) {
		bundle->site = link_at(state, pending, ignored)->site;
		bundle->level = sample_item_level(link_at(state, pending, ignored)->cpumode);
	}
	make_row(state, pending, ignored != SIZE_MAX ? ignored : 0);
	stack_expect(&event_of(counting, pending)->stacks, pending->row_hash);
}

/* Then: the stack. */
static void intern(struct counting *counting, struct counting_pending *pending)
{
	struct counting_state *state = counting->state;
	struct counting_event *event = event_of(counting, pending);

	if (state->plan->wants_chain && !state->plan->branches)
		pending->bundle.stack = stack_intern_hashed(&event->stacks, pending->row_hash,
							    row_of(state, pending));
	bundles_expect(&event->bundles, counting_first(event, &pending->bundle));
}

/* At last: the bundle. */
static void add(struct counting *counting, struct counting_pending *pending)
{
	struct counting_state *state = counting->state;
	struct counting_event *event = event_of(counting, pending);
	struct bundle *bundle = &pending->bundle;
	uint32_t number;

	if (state->plan->branches) {
		add_branches(counting, event, &pending->sample, bundle);
		return;
	}
	bundle->context = context_of(state, event, place_of(state, pending)->event,
				     &pending->sample, pending->parent);
	number = bundles_add(&event->bundles, counting_first(event, bundle), bundle);
	if (pending->repeat.span)
		repeats_keep(&state->repeats, &pending->repeat, number);
}

void counting_flush(struct counting *counting)
{
	struct counting_state *state = counting->state;
	struct counting_pending *pending = state->pending, *end = pending + state->pending_count,
				*p;

	lookup_all(&state->lookup, state->questions.items, state->questions.count);
	for (p = pending; p < end; p++)
		prepare(counting, p);
	for (p = pending; p < end; p++)
		stack_expect_row(&event_of(counting, p)->stacks, p->row_hash);
	for (p = pending; p < end; p++) {
		if (p->counts)
			intern(counting, p);
	}
	for (p = pending; p < end; p++) {
		if (p->counts)
			add(counting, p);
	}
	state->pending_count = state->questions.count = state->sites.count = 0;
	state->branches.count = state->marks.count = 0;
}

static void ask(struct counting_state *state, const struct profile_sample *sample,
		struct chain_link link)
{
	grow(&state->questions);
	state->questions.items[state->questions.count++] =
		lookup_ask(sample, link.cpumode, link.addr);
	if (!state->plan->branch_links)
		return;
	grow(&state->branches);
	state->branches.items[state->branches.count++] = link.branch;
}

/* As in perf, a copied stack may have as many frames more as a chain may have. */
static void read_chain(struct counting_state *state, struct counting_pending *pending)
{
	const size_t most = state->plan->max_stack;

	state->chain.count = 0;
	pending->most_links = most;
	if (!state->plan->wants_chain)
		return;
	chain_read(&pending->sample, 0, &state->chain);
	if (state->stitch)
		lbr_stitch_add(state->stitch, &pending->sample, 0, &state->chain);
	user_stack_add_leaf_caller(&state->user_stack, &state->lookup, &pending->sample,
				   &state->chain);
	if (state->chain.count <= most && user_stack_add(&state->user_stack, &state->lookup,
							 &pending->sample, most, &state->chain))
		pending->most_links = SIZE_MAX;
	if (state->plan->branch_links && branch_links_add(&pending->sample, most, &state->chain))
		pending->most_links = SIZE_MAX;
}

int counting_take(void *context, const struct profile_sample *sample)
{
	struct counting *counting = context;
	struct counting_state *state = counting->state;
	const struct filter *filter = state->plan->options->filter;
	struct counting_pending *pending = &state->pending[state->pending_count];

	if (!state->plan->places[sample->event->index].wanted ||
	    (filter && filter_drops(filter, sample)) ||
	    !onoff_covers(&state->plan->onoff, sample_item_instant(sample)))
		return 0;
	if (state->plan->branches && sample->sample.branch_count == 0)
		return 0;
	if (sample != &pending->sample)
		pending->sample = *sample;
	pending->record = *sample->record;
	pending->sample.record = &pending->record;
	pending->repeat = state->repeat;
	pending->question = state->questions.count;
	ask(state, sample,
	    (struct chain_link){ .addr = sample->sample.ip, .cpumode = sample->cpumode });
	read_chain(state, pending);
	for (size_t i = 0; i < state->chain.count; i++)
		ask(state, sample, state->chain.items[i]);
	pending->link_count = state->chain.count;
	if (++state->pending_count == COUNTING_BATCH)
		counting_flush(counting);
	return 0;
}

void counting_changed(struct counting *counting)
{
	lookup_forget(&counting->state->lookup);
	user_stack_forget(&counting->state->user_stack);
	counting->state->comm = NULL;
}

void counting_hand_over(struct counting *from, struct counting *to)
{
	lbr_stitch_free(to->state->stitch);
	to->state->stitch = take(from->state->stitch);
}

size_t counting_event_count(const struct counting *counting)
{
	return counting->state->plan->event_count;
}

size_t counting_bundle_count(const struct counting *counting)
{
	size_t count = 0;

	for (size_t i = 0; i < counting_event_count(counting); i++)
		count += counting->events[i].bundles.all.count;
	return count;
}

size_t counting_member_count(const struct counting *counting)
{
	return counting->state->plan->member_count;
}

void counting_rename(const struct counting *counting, struct item *item, uint64_t moment)
{
	const struct timeline *timeline = profile_timeline(counting->state->plan->profile);
	const char *thread = item->tid ? timeline_last_comm(timeline, item->tid, moment) : NULL;
	const char *process = item->pid ? timeline_last_comm(timeline, item->pid, moment) : NULL;

	if (thread)
		item->thread_comm = thread;
	if (process)
		item->process_comm = process;
}

struct resolver *counting_resolver(const struct counting *counting)
{
	return profile_resolver(counting->state->plan->profile);
}

struct sources *counting_sources(const struct counting *counting)
{
	return counting->state->plan->style->sources;
}

void counting_all(struct counting *counting)
{
	(void)replay_all(counting->state->plan->profile, counting_take, NULL, counting);
	counting_flush(counting);
}
