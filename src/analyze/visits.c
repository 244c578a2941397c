/* visits.c - see visits.h. */
#include "analyze/visits.h"

#include <assert.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/branch-counts.h"
#include "analyze/extras.h"
#include "analyze/sites.h"
#include "analyze/stack.h"
#include "base/mem.h"

/*
 * The entry of a site, while the bundles of one context are gone through. A site has two: as the
 * place of a sample, and as a caller.
 */
struct seat {
	uint32_t round; /* 0: never taken */
	uint32_t number;
};

/* A seat that was taken. */
struct taken {
	uint32_t seat, number;
};

struct visits_state {
	struct visits_seats *seats; /* borrowed, of the thread at hand */
	uint32_t site_end;
	struct {
		struct taken *items;
		size_t count, capacity;
	} taken;              /* of all contexts, one after another */
	size_t *taken_begins; /* of each context, and the end */
	uint32_t *tree_of;    /* by entry: + 1 */
	/* Of the bundle at hand, where branches are counted: those of the last n links in order
	 * of output, by n. */
	struct {
		struct branch_counts *items;
		size_t count, capacity;
	} branches;
	/* Of the part at hand: */
	const struct visits_part *part;
	uint32_t first; /* number of its first bundle among those of all parts */
};

void visits_sort(struct visits_part *part, size_t context_count)
{
	const struct bundles *bundles = part->bundles;
	size_t *next = xcalloc(context_count + 2, sizeof(*next));

	part->begins = next;
	part->order = xcalloc(bundles->all.count + 1, sizeof(*part->order));
	/* Each context's place is that of the one before, until it was filled. */
	for (size_t i = 0; i < bundles->all.count; i++) {
		uint32_t context = part->contexts[bundles->all.items[i].context];

		if (context + 2 <= context_count)
			next[context + 2]++;
	}
	for (size_t i = 2; i <= context_count; i++)
		next[i] += next[i - 1];
	for (size_t i = 0; i < bundles->all.count; i++)
		part->order[next[part->contexts[bundles->all.items[i].context] + 1]++] =
			(uint32_t)i;
}

void visits_part_done(struct visits_part *part)
{
	free(part->contexts);
	free(part->order);
	free(part->begins);
}

void visits_init(struct visits *visits, const struct visits_part *parts, size_t part_count,
		 const struct entries_kind *kind, size_t share, size_t share_count)
{
	*visits = (struct visits){
		.parts = parts,
		.part_count = part_count,
		.share = share,
		.share_count = share_count,
		.entries = { .kind = kind },
		.state = xnew(struct visits_state),
	};
	visits->state->site_end = sites_end(kind->sites);
}

void visits_end(struct visits *visits)
{
	struct visits_state *state = visits->state;

	free(state->taken.items);
	free(state->taken_begins);
	free(state->tree_of);
	free(state->branches.items);
	*state = (struct visits_state){ 0 };
}

void visits_done(struct visits *visits)
{
	visits_end(visits);
	entries_done(&visits->entries);
	free(visits->trees.items);
	free(visits->state);
}

void visits_seats_done(struct visits_seats *seats)
{
	zeros_free(seats->items, seats->count, sizeof(*seats->items));
	free(seats->heavy);
	*seats = (struct visits_seats){ 0 };
}

static const struct hist_options *options_of(const struct visits *visits)
{
	return visits->entries.kind->options;
}

static size_t context_count(const struct visits *visits)
{
	return visits->entries.kind->contexts.contexts.count;
}

static void sit_down(struct visits *visits, struct visits_seats *seats)
{
	size_t count = (size_t)visits->state->site_end * (options_of(visits)->children ? 2 : 1);

	visits->state->seats = seats;
	if (seats->count >= count)
		return;
	visits_seats_done(seats);
	seats->items = xzeros(count, sizeof(*seats->items));
	seats->heavy = xcalloc(count / 64 + 1, sizeof(*seats->heavy));
	seats->count = count;
}

/* All seats are free. */
static void begin_context(struct visits_seats *seats)
{
	if (++seats->round > 0)
		return;
	memset(seats->items, 0, seats->count * sizeof(*seats->items));
	seats->round = 1;
}

static struct seat *seat_of(const struct visits *visits, uint32_t site, bool is_caller)
{
	return &visits->state->seats->items[(is_caller ? visits->state->site_end : 0) + site];
}

/* What one bundle is at the beginning of its way. */
static struct entries_visit visit_of(const struct visits *visits, const struct bundle *bundle)
{
	return (struct entries_visit){
		.first = bundle->first,
		.context = visits->state->part->contexts[bundle->context],
		.site = bundle->site,
		.pid = bundle->pid,
		.tid = bundle->tid,
		.member = bundle->member,
		.level = bundle->level,
	};
}

/* A site as the keys see it: entries_hash_spot(). */
static uint32_t spot_of(const struct visits *visits, uint32_t site, bool in_memory)
{
	return entries_spot(visits->entries.kind, site, in_memory);
}

static bool is_own(const struct visits *visits, uint32_t spot)
{
	return ((uint64_t)spot * visits->share_count) >> 32 == visits->share;
}

static struct hist_entry *entry_at(struct visits *visits, const struct entries_visit *visit)
{
	struct visits_state *state = visits->state;
	struct seat *seat = seat_of(visits, visit->site, visit->is_caller);

	if (seat->round != state->seats->round) {
		seat->round = state->seats->round;
		seat->number = entries_find(&visits->entries, visit);
		if (options_of(visits)->chains) {
			grow(&state->taken);
			state->taken.items[state->taken.count++] =
				(struct taken){ (uint32_t)(seat - state->seats->items),
						seat->number };
		}
	}
	return visits->entries.items[seat->number];
}

static struct stack stack_of(const struct visits *visits, const struct bundle *bundle)
{
	if (bundle->stack == BUNDLES_NO_STACK)
		return (struct stack){ 0 };
	return stack_at(visits->state->part->stacks, bundle->stack);
}

/* The index in a row of the @i-th link in order of output. */
static uint32_t link_at(const struct visits *visits, struct stack stack, uint32_t i)
{
	return options_of(visits)->outermost_first ? stack.count - 1 - i : i;
}

static void add_details(struct hist_details *details, const struct bundle *bundle)
{
	details->latency += bundle->latency;
	switch (bundle->cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		details->sys += bundle->period;
		break;
	case PERF_RECORD_MISC_USER:
		details->us += bundle->period;
		break;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		details->guest_sys += bundle->period;
		break;
	case PERF_RECORD_MISC_GUEST_USER:
		details->guest_us += bundle->period;
		break;
	default:
		break;
	}
}

static void add_number(struct hist_number *number, const struct bundle *bundle)
{
	number->period += bundle->period;
	number->count += bundle->count;
	if (number->details)
		add_details(number->details, bundle);
}

/* Adds up the branches of a bundle's chain, from its end on. */
static void sum_branches(struct visits *visits, const struct bundle *bundle)
{
	struct visits_state *state = visits->state;
	struct stack stack = stack_of(visits, bundle);
	struct branch_counts sum = { 0 };

	state->branches.count = 0;
	for (uint32_t i = stack.count;; i--) {
		grow(&state->branches);
		state->branches.items[state->branches.count++] = sum;
		if (i == 0)
			return;
		assert(stack.marks); /* all stacks have them where branches are counted */
		branch_counts_add(&sum, stack.marks[link_at(visits, stack, i - 1)], bundle->count);
	}
}

/* Those of the last @depth links. */
static const struct branch_counts *branches_behind(const struct visits *visits, uint32_t depth)
{
	return &visits->state->branches.items[depth];
}

/* Counts the bundle for an entry; @depth: links from there to the chain's end. */
static void count_at(const struct visits *visits, struct hist_entry *entry,
		     const struct entries_visit *visit, const struct bundle *bundle, uint32_t depth)
{
	entries_name(visits->entries.kind, entry, visit);
	entry->whole[bundle->member] += bundle->period;
	if (options_of(visits)->latency)
		entry->self[bundle->member].details->whole_latency += bundle->latency;
	if (bundle->member != 0)
		return;
	if (options_of(visits)->chains && depth > entry->depth)
		entry->depth = depth;
	if (options_of(visits)->branch_counts)
		branch_counts_join(entry->self[0].details->branches,
				   branches_behind(visits, depth));
}

/*
 * Counts a bundle once for each entry that is somewhere in its chain. As in perf: of callers, all
 * that is mapped counts as user's, the rest as what was before.
 */
static void count_callers(struct visits *visits, struct entries_visit *visit,
			  const struct bundle *bundle, uint32_t number)
{
	struct stack stack = stack_of(visits, bundle);

	visit->is_caller = true;
	for (uint32_t i = 0; i < stack.count; i++) {
		uint32_t site = stack.sites[link_at(visits, stack, i)];
		uint32_t spot = spot_of(visits, site, true);
		struct hist_entry *entry;

		if (spot & 1)
			visit->level = '.';
		if (!is_own(visits, spot))
			continue;
		visit->site = site;
		entry = entry_at(visits, visit);
		if (entry->last_bundle == number)
			continue;
		entry->last_bundle = number;
		count_at(visits, entry, visit, bundle, stack.count - i);
	}
}

static void count_self(struct visits *visits, const struct entries_visit *visit,
		       const struct bundle *bundle, uint32_t number)
{
	const struct bundles *bundles = visits->state->part->bundles;
	struct hist_entry *entry = entry_at(visits, visit);
	struct hist_number *self;

	entry->last_bundle = number;
	self = entries_self(&visits->entries, entry, bundle->member);
	add_number(self, bundle);
	if (options_of(visits)->extras)
		extras_add(self->details->extras, &bundles->contexts.items[bundle->context].item,
			   bundle);
	count_at(visits, entry, visit, bundle, stack_of(visits, bundle).count);
}

/* Its own place, as the keys see it: the end of a branch is an address in memory, too. */
static bool has_own_place(const struct visits *visits, const struct bundle *bundle)
{
	const struct bundles *bundles = visits->state->part->bundles;

	return is_own(visits, spot_of(visits, bundle->site,
				      bundles->contexts.items[bundle->context].item.branch));
}

static void count_bundle(struct visits *visits, const struct bundle *bundle, uint32_t number)
{
	struct entries_visit visit = visit_of(visits, bundle);

	if (options_of(visits)->branch_counts)
		sum_branches(visits, bundle);
	if (has_own_place(visits, bundle))
		count_self(visits, &visit, bundle, number);
	if (options_of(visits)->children)
		count_callers(visits, &visit, bundle, number);
}

/* Asks for the seats of a bundle that will be visited soon. */
static void expect_seats(const struct visits *visits, const struct bundle *bundle)
{
	struct stack stack = stack_of(visits, bundle);

	__builtin_prefetch(seat_of(visits, bundle->site, false));
	for (uint32_t i = 0; options_of(visits)->children && i < stack.count; i++) {
		if (is_own(visits, spot_of(visits, stack.sites[i], true)))
			__builtin_prefetch(seat_of(visits, stack.sites[i], true));
	}
}

/* For the entry that sits there. */
static void expect_entry(const struct visits *visits, uint32_t site, bool is_caller)
{
	const struct seat *seat = seat_of(visits, site, is_caller);

	if (seat->round == visits->state->seats->round)
		__builtin_prefetch(visits->entries.items[seat->number]);
}

/* And then for the entries that sit there. */
static void expect_entries(const struct visits *visits, const struct bundle *bundle)
{
	struct stack stack = stack_of(visits, bundle);

	expect_entry(visits, bundle->site, false);
	for (uint32_t i = 0; options_of(visits)->children && i < stack.count; i++) {
		if (is_own(visits, spot_of(visits, stack.sites[i], true)))
			expect_entry(visits, stack.sites[i], true);
	}
}

/* The bundle that is @ahead of the @i-th of all, if there is one. */
static const struct bundle *bundle_ahead(const struct visits *visits, size_t i, size_t ahead)
{
	const struct bundles *bundles = visits->state->part->bundles;

	if (ahead >= bundles->all.count - i)
		return NULL;
	return &bundles->all.items[visits->state->part->order[i + ahead]];
}

static void expect(const struct visits *visits, size_t i)
{
	enum { LATER = 16, SOON = 6 };
	const struct bundle *later = bundle_ahead(visits, i, LATER),
			    *soon = bundle_ahead(visits, i, SOON);

	if (later)
		expect_seats(visits, later);
	if (soon)
		expect_entries(visits, soon);
}

typedef void each_bundle(struct visits *visits, const struct bundle *bundle, uint32_t number);

/* Those of a context, in all parts. */
static void walk_context(struct visits *visits, size_t context, bool expects, each_bundle *each)
{
	struct visits_state *state = visits->state;

	state->first = 1;
	for (size_t i = 0; i < visits->part_count; i++) {
		const struct visits_part *part = &visits->parts[i];

		state->part = part;
		for (size_t k = part->begins[context]; k < part->begins[context + 1]; k++) {
			if (expects)
				expect(visits, k);
			each(visits, &part->bundles->all.items[part->order[k]],
			     state->first + part->order[k]);
		}
		state->first += (uint32_t)part->bundles->all.count;
	}
}

void visits_count(struct visits *visits, struct visits_seats *seats)
{
	struct visits_state *state = visits->state;

	sit_down(visits, seats);
	state->taken_begins = xcalloc(context_count(visits) + 1, sizeof(*state->taken_begins));
	for (size_t i = 0; i < context_count(visits); i++) {
		begin_context(seats);
		walk_context(visits, i, true, count_bundle);
		state->taken_begins[i + 1] = state->taken.count;
	}
	index_done(&visits->entries.index);
}

/* In a graph, nothing is shown of an entry that weighs less than what a branch must. */
static bool has_tree(const struct visits *visits, const struct hist_entry *entry, uint64_t least)
{
	return options_of(visits)->mode != CALLTREE_GRAPH || entry->whole[0] >= least;
}

static struct visits_chains *chains_of(struct visits *visits, uint32_t entry)
{
	uint32_t *tree = &visits->state->tree_of[entry];

	if (*tree == 0) {
		grow(&visits->trees);
		visits->trees.items[visits->trees.count++] =
			(struct visits_chains){ .entry = entries_at(&visits->entries, entry) };
		*tree = (uint32_t)visits->trees.count;
	}
	return &visits->trees.items[*tree - 1];
}

/* The chain of a bundle from the @from-th link (in order of output) on, once for each entry. */
static void add_chain(struct visits *visits, const struct bundle *bundle, uint32_t number,
		      struct stack stack, uint32_t from, const struct seat *seat)
{
	struct visits_chains *chains;
	uint32_t first = link_at(visits, stack, from);

	if (seat->round != visits->state->seats->round || stack.count == from)
		return;
	chains = chains_of(visits, seat->number);
	if (chains->last_bundle == number)
		return;
	chains->last_bundle = number;
	grow_room(chains);
	chains->items[chains->count++] = (struct calltree_chain){
		.sites = stack.sites + first,
		.marks = stack.marks ? stack.marks + first : NULL,
		.count = stack.count - from,
		.sample_count = (uint32_t)bundle->count,
		.period = bundle->period,
	};
}

static bool is_heavy(const struct visits_seats *seats, size_t seat)
{
	return seats->heavy[seat / 64] >> seat % 64 & 1;
}

static void gather_bundle(struct visits *visits, const struct bundle *bundle, uint32_t number)
{
	const struct visits_seats *seats = visits->state->seats;
	struct stack stack = stack_of(visits, bundle);

	if (bundle->member != 0)
		return;
	if (is_heavy(seats, bundle->site))
		add_chain(visits, bundle, number, stack, 0, &seats->items[bundle->site]);
	for (uint32_t i = 0; options_of(visits)->children && i < stack.count; i++) {
		size_t seat =
			(size_t)visits->state->site_end + stack.sites[link_at(visits, stack, i)];

		if (is_heavy(seats, seat))
			add_chain(visits, bundle, number, stack, i, &seats->items[seat]);
	}
}

/* Puts those of a context that have trees back in their seats. */
static void seat_heavy(struct visits *visits, size_t context, uint64_t least)
{
	const struct visits_state *state = visits->state;
	struct visits_seats *seats = state->seats;

	begin_context(seats);
	for (size_t i = state->taken_begins[context]; i < state->taken_begins[context + 1]; i++) {
		struct taken taken = state->taken.items[i];

		if (!has_tree(visits, entries_at(&visits->entries, taken.number), least))
			continue;
		seats->items[taken.seat].round = seats->round;
		seats->items[taken.seat].number = taken.number;
		seats->heavy[taken.seat / 64] |= UINT64_C(1) << taken.seat % 64;
	}
}

void visits_gather(struct visits *visits, struct visits_seats *seats, uint64_t least)
{
	struct visits_state *state = visits->state;

	sit_down(visits, seats);
	state->tree_of = xcalloc(visits->entries.count + 1, sizeof(*state->tree_of));
	for (size_t i = 0; i < context_count(visits); i++) {
		seat_heavy(visits, i, least);
		walk_context(visits, i, false, gather_bundle);
	}
	for (size_t i = 0; i < state->taken.count; i++)
		seats->heavy[state->taken.items[i].seat / 64] = 0;
}
