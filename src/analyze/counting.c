/* counting.c - see counting.h. */
#include "analyze/counting.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "analyze/chain.h"
#include "analyze/filter.h"
#include "analyze/hist.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/replay.h"
#include "analyze/report.h"
#include "analyze/sortkey.h"
#include "analyze/sources.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strings.h"
#include "data/events.h"
#include "data/record.h"
#include "format/tracepoint.h"
#include "model/parallelism.h"
#include "model/timeline.h"

struct counting_state {
	const struct counting_plan *plan;
	struct lookup lookup;
	struct chain chain;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} sites; /* of the chain, link by link */
	struct strings traces;
	struct str text;
	/* The last context of a name, where contexts are told apart by nothing else; see bundles.h.
	 */
	const char *comm;
	uint32_t event, context;
};

struct counting *counting_new(const struct counting_plan *plan)
{
	struct counting *counting = xnew(struct counting);

	counting->state = xnew(struct counting_state);
	counting->state->plan = plan;
	counting->events = xcalloc(plan->event_count + 1, sizeof(*counting->events));
	for (size_t i = 0; i < plan->event_count; i++) {
		bundles_init(&counting->events[i].bundles, plan->fields, plan->style,
			     plan->options->only_with_parent);
		counting->events[i].totals =
			xcalloc(plan->member_count, sizeof(*counting->events[i].totals));
	}
	lookup_init(&counting->state->lookup, plan->profile, &counting->table, plan->wants_names);
	return counting;
}

void counting_free(struct counting *counting)
{
	struct counting_state *state;

	if (!counting)
		return;
	state = counting->state;
	for (size_t i = 0; i < state->plan->event_count; i++) {
		bundles_done(&counting->events[i].bundles);
		free(counting->events[i].totals);
	}
	free(counting->events);
	stack_table_done(&counting->table);
	lookup_done(&state->lookup);
	free(state->chain.items);
	free(state->sites.items);
	strings_done(&state->traces);
	str_done(&state->text);
	free(state);
	free(counting);
}

static char level_of(uint16_t cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_USER:
		return '.';
	default:
		return 'H';
	}
}

static bool matches(const regex_t *regex, const struct place *place)
{
	return place->function && regexec(regex, place->function->name, 0, NULL, 0) == 0;
}

/* In a chain from the outside in, perf takes the outermost caller that matches. */
static const struct function *find_parent(const struct counting_state *state)
{
	for (size_t i = 0; i < state->sites.count; i++) {
		size_t at = state->plan->outermost_first ? state->sites.count - 1 - i : i;
		const struct place *place = lookup_place(&state->lookup, state->sites.items[at]);

		if (matches(&state->plan->parent, place))
			return place->function;
	}
	return NULL;
}

/* What an ignored function called does not count: the outermost such link, or SIZE_MAX. */
static size_t find_ignored(const struct counting_state *state)
{
	for (size_t i = state->plan->has_ignore ? state->sites.count : 0; i-- > 0;) {
		if (matches(&state->plan->ignore,
			    lookup_place(&state->lookup, state->sites.items[i])))
			return i;
	}
	return SIZE_MAX;
}

static void read_chain(struct counting_state *state, const struct profile_sample *sample)
{
	chain_read(sample, 0, &state->chain);
	state->sites.count = 0;
	for (size_t i = 0; i < state->chain.count; i++) {
		grow(&state->sites);
		state->sites.items[state->sites.count++] =
			lookup_site(&state->lookup, sample, state->chain.items[i].cpumode,
				    state->chain.items[i].addr);
	}
}

/* The stack of the links from @begin on. */
static uint32_t intern_chain(struct counting *counting, size_t begin)
{
	struct counting_state *state = counting->state;
	size_t end = state->sites.count, most = state->plan->max_stack, kept = begin;
	uint32_t *sites = state->sites.items;

	if (begin == end)
		return stack_intern(&counting->table, NULL, 0);
	if (end - begin > most) {
		if (state->plan->outermost_first)
			begin = kept = end - most;
		else
			end = begin + most;
	}
	if (!state->plan->options->hide_unresolved)
		return stack_intern(&counting->table, sites + begin, end - begin);
	for (size_t i = begin; i < end; i++) {
		if (lookup_place(&state->lookup, sites[i])->function)
			sites[kept++] = sites[i];
	}
	return stack_intern(&counting->table, sites + begin, kept - begin);
}

static const char *trace_of(struct counting_state *state, const struct profile_sample *sample)
{
	const struct tracepoint_set *formats = state->plan->options->tracepoints;
	const struct tracepoint *tracepoint;

	if (!formats || sample->event->attr.type != PERF_TYPE_TRACEPOINT)
		return NULL;
	tracepoint = tracepoint_set_find(formats, sample->event->attr.config);
	if (!tracepoint || !sample->sample.raw)
		return NULL;
	str_clear(&state->text);
	if (state->plan->options->raw_traces)
		tracepoint_print_raw(tracepoint, sample->sample.raw, sample->sample.raw_size,
				     &state->text);
	else
		tracepoint_print(tracepoint, sample->sample.raw, sample->sample.raw_size,
				 sample->sample.cpu, &state->text);
	return strings_keep(&state->traces, str_text(&state->text));
}

/* Until a thread is told its name, it goes by the first that it will get. */
static const char *comm_of(const struct counting_state *state, const struct profile_sample *sample)
{
	const char *first;

	if (!sample->unnamed)
		return sample->comm;
	first = timeline_first_comm(profile_timeline(state->plan->profile), sample->sample.pid,
				    sample->sample.tid);
	return first ? first : sample->comm;
}

static const char *last_comm_of(const struct timeline *timeline, uint32_t tid,
				const struct profile_sample *sample)
{
	const char *last = tid ? timeline_last_comm(timeline, tid, sample->moment) : NULL;

	return last ? last : sample->comm;
}

static struct instant instant_of(const struct profile_sample *sample)
{
	return (struct instant){ sample->moment, sample->record->offset };
}

/* How many threads ran then; 0 where that is not known. */
static uint32_t parallelism_of(const struct counting_plan *plan,
			       const struct profile_sample *sample)
{
	return plan->parallelism ? parallelism_at(plan->parallelism, instant_of(sample)) : 0;
}

/* All but its spot. */
static struct item item_of(struct counting_state *state, const struct profile_sample *sample)
{
	const struct timeline *timeline = profile_timeline(state->plan->profile);
	uint64_t quantum = state->plan->options->time_quantum_ns;
	struct item item = {
		.comm = comm_of(state, sample),
		.thread_comm = last_comm_of(timeline, sample->sample.tid, sample),
		.process_comm = last_comm_of(timeline, sample->sample.pid, sample),
		.pid = sample->sample.pid,
		.tid = sample->sample.tid,
		.cpu = sample->sample.cpu,
		.time_ns = quantum ? sample->sample.time / quantum * quantum : sample->sample.time,
		.weight = sample->sample.weight,
		.transaction = sample->sample.transaction,
		.addr = sample->sample.addr,
		.weight_2 = sample->sample.weight_2,
		.weight_3 = sample->sample.weight_3,
		.code_page_size = sample->sample.code_page_size,
		.parallelism = parallelism_of(state->plan, sample),
		.socket = sockets_of(&state->plan->sockets, sample->sample.cpu),
	};

	if (state->plan->wants_trace)
		item.trace = trace_of(state, sample);
	if (sample->sample.cgroup != 0) {
		item.cgroup = timeline_cgroup(timeline, sample->sample.cgroup);
		if (!item.cgroup)
			item.cgroup = "unknown";
	}
	return item;
}

static struct spot with_source(const struct counting_state *state, struct spot spot)
{
	if (state->plan->style->sources)
		spot.source = sources_find(state->plan->style->sources, &spot.place);
	return spot;
}

/* The mode is not recorded with a branch: it is the one that has something there. */
static struct spot branch_spot(const struct counting_state *state,
			       const struct profile_sample *sample, uint64_t addr)
{
	static const uint16_t modes[] = { PERF_RECORD_MISC_USER, PERF_RECORD_MISC_KERNEL };
	struct profile *profile = state->plan->profile;
	uint32_t pid = sample->sample.pid;
	struct place place = { .addr = addr };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		const struct map *map = timeline_map(profile_timeline(profile), pid, modes[i], addr,
						     sample->moment);

		if (map) {
			place = resolver_find(profile_resolver(profile), pid, map, addr);
			return with_source(state, hist_spot(&place, level_of(modes[i])));
		}
	}
	return with_source(state, hist_spot(&place, 'H'));
}

/* What the sample read or wrote, as its mode sees memory. */
static struct memory_item memory_of(const struct counting_state *state,
				    const struct profile_sample *sample)
{
	struct profile *profile = state->plan->profile;
	uint64_t addr = sample->sample.addr;
	uint32_t pid = sample->sample.pid;
	const struct map *map =
		timeline_map(profile_timeline(profile), pid, sample->cpumode, addr, sample->moment);
	struct place place = resolver_find(profile_resolver(profile), pid, map, addr);

	return (struct memory_item){
		.spot = { place, addr, NULL, level_of(sample->cpumode) },
		.data_src = sample->sample.data_src,
		.phys_addr = sample->sample.phys_addr,
		.page_size = sample->sample.data_page_size,
		.user = sample->cpumode == PERF_RECORD_MISC_USER,
	};
}

static void add_branches(struct counting *counting, struct counting_event *event,
			 const struct profile_sample *sample, struct bundle *bundle)
{
	struct counting_state *state = counting->state;
	struct item item = item_of(state, sample);

	bundle->period = 1;
	for (size_t i = 0; i < sample->sample.branch_count; i++) {
		const struct sample_branch *branch = &sample->sample.branches[i];
		struct branch_item ends = {
			.from = branch_spot(state, sample, branch->from),
			.to = branch_spot(state, sample, branch->to),
			.cycles = (uint16_t)(branch->flags >> 4),
			.flags = branch->flags & 15,
		};

		if (state->plan->options->hide_unresolved &&
		    !(ends.from.place.function && ends.to.place.function))
			continue;
		item.branch = &ends;
		bundle->site = lookup_site(&state->lookup, sample, sample->cpumode, branch->to);
		event->totals[bundle->member].period++;
		bundle->context = bundles_context(&event->bundles, &item);
		bundles_add(&event->bundles, bundle);
	}
}

/* Most samples are of the thread name before them, and that says all of their context. */
static uint32_t context_of(struct counting_state *state, struct counting_event *event,
			   uint32_t number, const struct profile_sample *sample,
			   const struct function *parent)
{
	bool by_comm = event->bundles.by_comm;
	struct memory_item memory;
	struct item item;

	if (by_comm && state->comm == sample->comm && state->event == number && !sample->unnamed)
		return state->context;
	item = item_of(state, sample);
	item.parent = parent;
	if (state->plan->memory) {
		memory = memory_of(state, sample);
		item.memory = &memory;
	}
	state->context = bundles_context(&event->bundles, &item);
	state->comm = sample->comm;
	state->event = number;
	return state->context;
}

static void add_sample(struct counting *counting, const struct counting_place *to,
		       const struct profile_sample *sample, struct bundle *bundle)
{
	struct counting_state *state = counting->state;
	struct counting_event *event = &counting->events[to->event];
	const struct function *parent = NULL;

	if (state->plan->wants_chain) {
		size_t ignored;

		read_chain(state, sample);
		if (state->plan->has_parent)
			parent = find_parent(state);
		ignored = find_ignored(state);
		if (ignored != SIZE_MAX) {
			bundle->site = state->sites.items[ignored];
			bundle->level = level_of(state->chain.items[ignored].cpumode);
		}
		bundle->stack = intern_chain(counting, ignored != SIZE_MAX ? ignored : 0);
	}
	bundle->context = context_of(state, event, to->event, sample, parent);
	bundles_add(&event->bundles, bundle);
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

static int take_sample(void *context, const struct profile_sample *sample)
{
	struct counting *counting = context;
	struct counting_state *state = counting->state;
	const struct filter *filter = state->plan->options->filter;
	const struct counting_place *to = &state->plan->places[sample->event->index];
	struct counting_event *event = &counting->events[to->event];
	uint64_t period = weight_of(counting->state->plan, sample);
	const struct place *place;
	struct bundle bundle;
	uint32_t site, parallelism;
	uint64_t latency;
	bool hidden;

	if (!to->wanted || (filter && filter_drops(filter, sample)) ||
	    !onoff_covers(&state->plan->onoff, instant_of(sample)))
		return 0;
	if (state->plan->branches && sample->sample.branch_count == 0)
		return 0;
	site = lookup_site(&state->lookup, sample, sample->cpumode, sample->sample.ip);
	place = lookup_place(&state->lookup, site);
	if (state->plan->options->hide_unresolved && !place->function)
		return 0;
	parallelism = parallelism_of(state->plan, sample);
	event->timed_count++;
	event->alone_count += parallelism <= 1;
	hidden = is_hidden(state->plan, sample, place, parallelism);
	if (to->member == 0)
		event->whole_period += period;
	if (hidden && state->plan->options->relative)
		return 0;
	event->sample_count++;
	event->totals[to->member].count++;
	latency = parallelism ? (period << HIST_LATENCY_SHIFT) / parallelism : 0;
	event->totals[to->member].latency += latency;
	if (!state->plan->branches)
		event->totals[to->member].period += period;
	if (hidden)
		return 0;
	bundle = (struct bundle){
		.site = site,
		.stack = BUNDLES_NO_STACK,
		.cpumode = sample->cpumode,
		.member = to->member,
		.first = instant_of(sample),
		.pid = sample->sample.pid,
		.tid = sample->sample.tid,
		.level = level_of(sample->cpumode),
		.period = period,
		.count = 1,
		.latency = latency,
	};
	if (state->plan->branches)
		add_branches(counting, event, sample, &bundle);
	else
		add_sample(counting, to, sample, &bundle);
	return 0;
}

void counting_slice(struct counting *counting, size_t slice)
{
	(void)replay_slice(counting->state->plan->profile, slice, take_sample, counting);
}

void counting_all(struct counting *counting)
{
	(void)replay_all(counting->state->plan->profile, take_sample, NULL, counting);
}
