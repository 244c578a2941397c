/* blocks.c - see blocks.h. */
#include "analyze/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/counting.h"
#include "analyze/filter.h"
#include "analyze/hist.h"
#include "analyze/placeinfo.h"
#include "analyze/profile.h"
#include "analyze/replay.h"
#include "analyze/report-plan.h"
#include "analyze/report.h"
#include "analyze/sample-item.h"
#include "analyze/sources.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/pool.h"
#include "data/events.h"
#include "data/sample.h"
#include "format/branch-flags.h"

/* What one thread found of an event. */
struct table {
	struct blocks_event found;
	struct index by_end;
};

struct worker {
	struct sample_item items;
	struct table *tables; /* one for each event of the report */
};

struct search {
	const struct counting_plan *plan;
	size_t event_count;
	struct worker *workers; /* one for each thread; without tables where it did nothing */
};

static uint64_t offset_of(const struct place *place)
{
	return place->object_addr - place->function->start;
}

static uint64_t hash_of(const struct place *end)
{
	return hash_u64(end->object_addr ^ hash_u64((uintptr_t)end->function));
}

static struct block *find(struct table *table, const struct place *end)
{
	uint64_t hash = hash_of(end);
	uint32_t at;

	for (at = index_first(&table->by_end, hash); at != INDEX_NONE;
	     at = index_next(&table->by_end, hash)) {
		struct block *block = &table->found.items[at];

		if (block->end.function == end->function &&
		    block->end.object_addr == end->object_addr)
			return block;
	}
	return NULL;
}

/* Makes one of two blocks with the same end. */
static void join(struct block *to, const struct block *more)
{
	uint64_t old = offset_of(&to->begin), new = offset_of(&more->begin);
	bool is_longer = more->begin_known && (!to->begin_known || new < old);

	to->cycles += more->cycles;
	to->count += more->count;
	if (is_longer) {
		to->begin = more->begin;
		to->begin_known = true;
		to->whole_cycles = to->whole_count = 0;
	}
	if (to->begin_known == more->begin_known && offset_of(&to->begin) == new) {
		to->whole_cycles += more->whole_cycles;
		to->whole_count += more->whole_count;
	}
}

static void add(struct table *table, const struct block *block)
{
	struct block *old = find(table, &block->end);

	if (old) {
		join(old, block);
		return;
	}
	grow(&table->found);
	index_add(&table->by_end, hash_of(&block->end), (uint32_t)table->found.count);
	table->found.items[table->found.count++] = *block;
}

/* @target: where the branch before went, or NULL. */
static void add_branch(struct table *table, const struct place *target, const struct place *end,
		       uint64_t cycles)
{
	bool known = target && target->function == end->function &&
		     target->object_addr < end->object_addr;
	struct block block = {
		.end = *end,
		.begin_known = known,
		.cycles = cycles,
		.count = 1,
		.whole_cycles = cycles,
		.whole_count = 1,
	};

	block.begin = known ? *target : placeinfo_function_begin(end);
	add(table, &block);
}

/* Where not all branches were recorded, code between two of them did not run straight. */
static bool has_all_branches(const struct profile_sample *sample)
{
	return sample->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY;
}

/* As in perf, a stack whose youngest branch has no cycles has none at all. */
static void take_stack(struct worker *worker, struct table *table,
		       const struct profile_sample *sample)
{
	bool straight = has_all_branches(sample), any = false;
	struct place target = { 0 };
	size_t count = sample->sample.branch_count;

	if (count == 0 || branch_flags_cycles(sample->sample.branches[0].flags) == 0)
		return;
	for (size_t i = count; i-- > 0;) {
		const struct sample_branch *branch = &sample->sample.branches[i];
		uint64_t cycles = branch_flags_cycles(branch->flags);
		struct place end = sample_item_branch(&worker->items, sample, branch->from).place;

		table->found.cycles += cycles;
		if (cycles && end.function)
			add_branch(table, any && straight ? &target : NULL, &end, cycles);
		target = sample_item_branch(&worker->items, sample, branch->to).place;
		any = true;
	}
}

static bool is_hidden(const struct search *search, const struct worker *worker,
		      const struct profile_sample *sample)
{
	const struct filter *filter = search->plan->options->filter;
	struct place place = { 0 };

	if (!filter)
		return false;
	if (filter_wants_place(filter))
		place = sample_item_branch(&worker->items, sample, sample->sample.ip).place;
	return filter_drops(filter, sample) || filter_hides(filter, sample, &place);
}

struct taking {
	const struct search *search;
	struct worker *worker;
};

static int take_sample(void *context, const struct profile_sample *sample)
{
	const struct taking *taking = context;
	const struct counting_plan *plan = taking->search->plan;
	const struct counting_place *place = &plan->places[sample->event->index];

	if (place->wanted && onoff_covers(&plan->onoff, sample_item_instant(sample)) &&
	    !is_hidden(taking->search, taking->worker, sample))
		take_stack(taking->worker, &taking->worker->tables[place->event], sample);
	return 0;
}

static void search_slice(void *context, size_t job, size_t thread)
{
	struct search *search = context;
	struct worker *worker = &search->workers[thread];
	struct taking taking = { search, worker };
	struct profile *profile = search->plan->profile;

	if (!worker->tables) {
		worker->items.plan = search->plan;
		worker->tables = xcalloc(search->event_count + 1, sizeof(*worker->tables));
	}
	if (replay_needs_order(profile))
		(void)replay_all(profile, take_sample, NULL, &taking);
	else
		(void)replay_slice(profile, job, take_sample, &taking);
}

static void join_tables(struct table *to, struct table *more)
{
	to->found.cycles += more->found.cycles;
	for (size_t i = 0; i < more->found.count; i++)
		add(to, &more->found.items[i]);
	free(more->found.items);
	index_done(&more->by_end);
}

static int compare(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

static int by_cycles(const void *a, const void *b)
{
	const struct block *left = a, *right = b;
	int r = compare(right->cycles, left->cycles);

	if (r == 0)
		r = compare(left->end.function->start, right->end.function->start);
	if (r == 0)
		r = strcmp(left->end.function->name, right->end.function->name);
	if (r == 0)
		r = compare(left->begin.object_addr, right->begin.object_addr);
	return r ? r : compare(left->end.object_addr, right->end.object_addr);
}

static void settle(struct blocks_event *event, struct sources *sources)
{
	if (event->count > 0)
		qsort(event->items, event->count, sizeof(*event->items), by_cycles);
	for (size_t i = 0; i < event->count; i++) {
		struct block *block = &event->items[i];

		event->average_sum += blocks_average(block);
		block->begin_source = sources_find(sources, &block->begin);
		block->end_source = sources_find(sources, &block->end);
	}
}

struct blocks *blocks_find(const struct report *report)
{
	struct profile *profile = report->state->profile;
	size_t threads = pool_threads();
	struct search search = { &report->state->plan, report->event_count,
				 xcalloc(threads, sizeof(*search.workers)) };
	struct blocks *blocks = xnew(struct blocks);

	pool_run(threads, replay_needs_order(profile) ? 1 : profile_slice_count(profile),
		 search_slice, &search);
	blocks->sources = sources_new(profile, report->state->options->whole_paths);
	blocks->events = xcalloc(report->event_count + 1, sizeof(*blocks->events));
	blocks->event_count = report->event_count;
	for (size_t i = 0; i < report->event_count; i++) {
		struct table all = { 0 };

		for (size_t k = 0; k < threads; k++) {
			if (search.workers[k].tables)
				join_tables(&all, &search.workers[k].tables[i]);
		}
		index_done(&all.by_end);
		blocks->events[i] = all.found;
		settle(&blocks->events[i], blocks->sources);
	}
	for (size_t i = 0; i < threads; i++) {
		sample_item_done(&search.workers[i].items);
		free(search.workers[i].tables);
	}
	free(search.workers);
	return blocks;
}

void blocks_free(struct blocks *blocks)
{
	if (!blocks)
		return;
	for (size_t i = 0; i < blocks->event_count; i++)
		free(blocks->events[i].items);
	free(blocks->events);
	sources_free(blocks->sources);
	free(blocks);
}

uint64_t blocks_average(const struct block *block)
{
	return block->cycles / block->count;
}

double blocks_percent(const struct blocks_event *event, const struct block *block)
{
	return hist_percent(block->cycles, event->cycles);
}

double blocks_average_percent(const struct blocks_event *event, const struct block *block)
{
	return hist_percent(blocks_average(block), event->average_sum);
}
