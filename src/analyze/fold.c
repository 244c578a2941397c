/* fold.c - see fold.h. */
#include "analyze/fold.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/counting.h"
#include "analyze/report.h"
#include "analyze/sites.h"
#include "analyze/sources.h"
#include "analyze/trace-key.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/dso.h"

enum {
	/* As much as perf lets it decay. */
	DECAY_KEPT = 7,
	DECAY_OF = 8,
	/* A part of an average sample that is not worth its memory: what was sampled once has
	 * become that after 26 times. */
	LIGHT_OF = 32,
	/* A part of all samples: addresses without a name that are hit, or called from, more often
	 * stay apart. */
	NAMELESS_OF = 16384,
	/* Outermost places that are left of a stack that is cut. */
	CUT_OUTERMOST = 2,
};

struct folding {
	const struct counting *from;
	struct sites *from_sites, *into_sites;
	struct counting *into;
	struct fold_options options;
	struct hash *dsos;
	/* Numbers in from -> numbers in into, + 1; 0: not asked for yet. */
	uint32_t *sites;
	float *shares;   /* by number in from: of the samples of an event, where it is coarse */
	bool *is_merged; /* by number in from: it became one with others */
	uint64_t cut_count;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} row;
	struct {
		branch_mark *items;
		size_t count, capacity;
	} marks; /* of the row, where stacks have some */
};

static uint64_t worth(const struct folding *folding, uint64_t number)
{
	if (!folding->options.decay)
		return number;
	return number / DECAY_OF * DECAY_KEPT + number % DECAY_OF * DECAY_KEPT / DECAY_OF;
}

/* Where a function begins stands for all of it, but for what was put into it; data are told apart
 * by address. */
static struct place begin_of(const struct folding *folding, const struct place *place)
{
	struct place begin = *place;

	if (!place->function || place->function->is_object || kept_is_nameless(place))
		return begin;
	begin.object_addr = resolver_frames_begin(counting_resolver(folding->from), place);
	begin.addr -= place->object_addr - begin.object_addr;
	return begin;
}

/* Addresses that are not told apart any more. */
static bool is_lumped(const struct folding *folding, uint32_t site, const struct place *place)
{
	if (!folding->options.coarse)
		return false;
	if (!place->map || kept_is_nameless(place))
		return true;
	return folding->options.by_function && !place->function &&
	       folding->shares[site] < 1.0F / NAMELESS_OF;
}

static struct place lump(struct folding *folding, const struct place *place)
{
	return place->map ? kept_nameless(&folding->into->kept, place, folding->dsos)
			  : (struct place){ 0 };
}

static uint32_t fold_site(struct folding *folding, uint32_t site)
{
	uint32_t *number = &folding->sites[site];

	if (*number == 0) {
		struct place old = sites_get(folding->from_sites, site);
		struct place place;

		folding->is_merged[site] = is_lumped(folding, site, &old);
		if (folding->options.by_function)
			old = begin_of(folding, &old);
		place = folding->is_merged[site]
				? lump(folding, &old)
				: kept_place(&folding->into->kept, &old, folding->dsos);
		*number = sites_add(folding->into_sites, &place) + 1;
	}
	return *number - 1;
}

/* How much each site has to do with. */
static void find_shares(struct folding *folding)
{
	for (size_t i = 0; i < counting_event_count(folding->from); i++) {
		const struct counting_event *event = &folding->from->events[i];
		double whole = 0;

		for (size_t k = 0; k < event->bundles.all.count; k++)
			whole += (double)event->bundles.all.items[k].period;
		for (size_t k = 0; k < event->bundles.all.count && whole > 0; k++) {
			const struct bundle *bundle = &event->bundles.all.items[k];
			const float share = (float)((double)bundle->period / whole);
			struct stack stack = { 0 };

			if (bundle->stack != BUNDLES_NO_STACK)
				stack = stack_at(&event->stacks, bundle->stack);
			folding->shares[bundle->site] += share;
			for (uint32_t n = 0; n < stack.count; n++)
				folding->shares[stack.sites[n]] += share;
		}
	}
}

static void add_to_row(struct folding *folding, uint32_t site, branch_mark mark)
{
	grow(&folding->row);
	folding->row.items[folding->row.count++] = site;
	grow(&folding->marks);
	folding->marks.items[folding->marks.count++] = mark;
}

static void fold_row(struct folding *folding, struct stack old)
{
	folding->row.count = folding->marks.count = 0;
	for (uint32_t i = 0; i < old.count; i++) {
		uint32_t site = fold_site(folding, old.sites[i]);

		if (!old.marks && folding->is_merged[old.sites[i]] && folding->row.count > 0 &&
		    folding->row.items[folding->row.count - 1] == site)
			continue;
		add_to_row(folding, site, old.marks ? old.marks[i] : 0);
	}
}

/* What is left of a row: the innermost place, a gap as in stacks that were not unwound wholly, and
 * the outermost ones. */
static bool cut_row(struct folding *folding)
{
	const struct place gap = { 0 };
	size_t count = folding->row.count;
	uint32_t outermost[CUT_OUTERMOST];
	branch_mark marks[CUT_OUTERMOST];

	if (count <= CUT_OUTERMOST + 2)
		return false;
	memcpy(outermost, folding->row.items + count - CUT_OUTERMOST, sizeof(outermost));
	memcpy(marks, folding->marks.items + count - CUT_OUTERMOST, sizeof(marks));
	folding->row.count = folding->marks.count = 1;
	add_to_row(folding, sites_add(folding->into_sites, &gap), 0);
	for (size_t i = 0; i < CUT_OUTERMOST; i++)
		add_to_row(folding, outermost[i], marks[i]);
	return true;
}

static uint32_t fold_stack(struct folding *folding, const struct counting_event *from,
			   struct counting_event *into, const struct bundle *bundle)
{
	struct stack old;

	if (bundle->stack == BUNDLES_NO_STACK)
		return bundle->stack;
	old = stack_at(&from->stacks, bundle->stack);
	fold_row(folding, old);
	if (bundle->count < folding->options.cut_below && cut_row(folding))
		folding->cut_count += bundle->count;
	return stack_intern(&into->stacks, (struct stack){
						   .sites = folding->row.items,
						   .marks = old.marks ? folding->marks.items : NULL,
						   .count = (uint32_t)folding->row.count,
					   });
}

static struct spot fold_spot(struct folding *folding, struct spot spot)
{
	struct sources *sources = counting_sources(folding->into);

	spot.place = kept_place(&folding->into->kept, &spot.place, folding->dsos);
	spot.source = sources ? sources_find(sources, &spot.place) : NULL;
	return spot;
}

static uint32_t fold_context(struct folding *folding, struct bundles *bundles, struct item item,
			     struct instant first)
{
	struct kept *kept = &folding->into->kept;
	struct branch_item branch;
	struct memory_item memory;

	item.comm = kept_text(kept, item.comm);
	item.thread_comm = kept_text(kept, item.thread_comm);
	item.process_comm = kept_text(kept, item.process_comm);
	item.trace = kept_text(kept, item.trace);
	item.traced = trace_key_keep(item.traced, &kept->texts);
	item.cgroup = kept_text(kept, item.cgroup);
	if (item.parent)
		(void)hash_add(folding->dsos, item.parent->dso->id, NULL);
	if (item.branch) {
		branch = *item.branch;
		branch.from = fold_spot(folding, branch.from);
		branch.to = fold_spot(folding, branch.to);
		item.branch = &branch;
	}
	if (item.memory) {
		memory = *item.memory;
		memory.spot = fold_spot(folding, memory.spot);
		item.memory = &memory;
	}
	return bundles_find_context(bundles, &item, first);
}

static void decay_totals(const struct folding *folding, const struct counting_event *from,
			 struct counting_event *into)
{
	into->sample_count = worth(folding, from->sample_count);
	into->whole_period = worth(folding, from->whole_period);
	into->alone_count = from->alone_count;
	into->timed_count = from->timed_count;
	for (size_t i = 0; i < counting_member_count(folding->from); i++) {
		into->totals[i].period = worth(folding, from->totals[i].period);
		into->totals[i].count = worth(folding, from->totals[i].count);
		into->totals[i].latency = worth(folding, from->totals[i].latency);
	}
}

/* What is worth less is given up. */
static uint64_t light_period(const struct folding *folding, const struct counting_event *event)
{
	uint64_t period = 0, count = 0;

	for (size_t i = 0; i < counting_member_count(folding->from); i++) {
		period += event->totals[i].period;
		count += event->totals[i].count;
	}
	return folding->options.decay && count > 0 ? period / count / LIGHT_OF + 1 : 0;
}

static void take_off(uint64_t *from, uint64_t number)
{
	*from -= number < *from ? number : *from;
}

static void give_up(struct counting_event *event, const struct bundle *bundle)
{
	struct report_number *total = &event->totals[bundle->member];

	take_off(&total->period, bundle->period);
	take_off(&total->count, bundle->count);
	take_off(&total->latency, bundle->latency);
	if (bundle->member == 0)
		take_off(&event->whole_period, bundle->period);
}

static void fold_bundles(struct folding *folding, const struct counting_event *event,
			 struct counting_event *into)
{
	const struct bundles *from = &event->bundles;
	const uint64_t light = light_period(folding, event);
	uint32_t *contexts = xcalloc(from->contexts.count + 1, sizeof(*contexts));

	for (size_t i = 0; i < from->all.count; i++) {
		struct bundle bundle = from->all.items[i];
		uint32_t *context = &contexts[bundle.context];

		bundle.period = worth(folding, bundle.period);
		bundle.count = worth(folding, bundle.count);
		bundle.latency = worth(folding, bundle.latency);
		if (bundle.period < light) {
			give_up(into, &bundle);
			continue;
		}
		if (*context == 0) {
			const struct bundles_context *old = &from->contexts.items[bundle.context];
			struct item item = old->item;

			/* Of those before, others may have the numbers now. */
			if (bundle.context >= event->folded_count)
				counting_rename(folding->from, &item, bundle.first.moment);
			*context = fold_context(folding, &into->bundles, item, old->first) + 1;
		}
		bundle.context = *context - 1;
		bundle.site = fold_site(folding, bundle.site);
		bundle.stack = fold_stack(folding, event, into, &bundle);
		bundles_add(&into->bundles, counting_first(into, &bundle), &bundle);
	}
	free(contexts);
}

static void fold_event(struct folding *folding, size_t number)
{
	const struct counting_event *from = &folding->from->events[number];
	struct counting_event *into = &folding->into->events[number];

	decay_totals(folding, from, into);
	fold_bundles(folding, from, into);
	into->folded_count = into->bundles.contexts.count;
}

uint64_t fold_rare(const struct counting *counting, size_t most)
{
	size_t of_size[64] = { 0 }; /* bundles, by the highest bit of their counts */
	size_t count = 0;
	unsigned bit = 64;

	for (size_t i = 0; i < counting_event_count(counting); i++) {
		const struct bundles *bundles = &counting->events[i].bundles;

		for (size_t k = 0; k < bundles->all.count; k++)
			of_size[63 - __builtin_clzll(bundles->all.items[k].count | 1)]++;
	}
	while (bit > 0 && count + of_size[bit - 1] <= most)
		count += of_size[--bit];
	return bit < 64 ? UINT64_C(1) << bit : UINT64_MAX;
}

uint64_t fold(const struct counting *from, struct sites *from_sites, struct counting *into,
	      struct sites *into_sites, const struct fold_options *options, struct hash *dsos)
{
	struct folding folding = {
		.from = from,
		.from_sites = from_sites,
		.into = into,
		.into_sites = into_sites,
		.options = *options,
		.dsos = dsos,
		.sites = xcalloc(sites_end(from_sites) + 1, sizeof(uint32_t)),
		.shares = xcalloc(sites_end(from_sites) + 1, sizeof(float)),
		.is_merged = xcalloc(sites_end(from_sites) + 1, sizeof(bool)),
	};

	into->kept.exact = options->exact;
	if (options->coarse)
		find_shares(&folding);
	for (size_t i = 0; i < counting_event_count(from); i++)
		fold_event(&folding, i);
	free(folding.sites);
	free(folding.shares);
	free(folding.is_merged);
	free(folding.row.items);
	free(folding.marks.items);
	return folding.cut_count;
}
