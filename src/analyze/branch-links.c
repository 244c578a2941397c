/* branch-links.c - see branch-links.h. */
#include "analyze/branch-links.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>

#include "analyze/branch-counts.h"
#include "analyze/chain.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "base/mem.h"
#include "data/events.h"
#include "data/sample.h"
#include "format/branch-flags.h"

enum {
	BRANCHES_MOST = 127, /* more than hardware has */
	CALL_SIZE_MOST = 8,  /* bytes of a call: so far behind it its return address may be */
};

/* A branch on the way, and how often the loop that it ends went round again. */
struct step {
	const struct sample_branch *branch;
	uint64_t repeats, repeat_cycles;
};

struct steps {
	struct step items[BRANCHES_MOST];
	size_t count;
};

static bool same_way(const struct step *left, const struct step *right, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (left[i].branch->from != right[i].branch->from ||
		    left[i].branch->to != right[i].branch->to)
			return false;
	}
	return true;
}

static uint64_t cycles_of(const struct step *steps, size_t count)
{
	uint64_t cycles = 0;

	for (size_t i = 0; i < count; i++)
		cycles += branch_flags_cycles(steps[i].branch->flags) + steps[i].repeat_cycles;
	return cycles;
}

/* Where the steps from @begin on repeat the @size that are there: takes out all but the first. */
static bool take_out(struct steps *steps, size_t begin, size_t size)
{
	struct step *body = &steps->items[begin];
	size_t repeats = 0, after;

	while (begin + (repeats + 2) * size <= steps->count &&
	       same_way(body, body + (repeats + 1) * size, size))
		repeats++;
	if (repeats == 0)
		return false;
	body[size - 1].repeat_cycles += cycles_of(body + size, repeats * size);
	body[size - 1].repeats += repeats;
	after = begin + (repeats + 1) * size;
	memmove(body + size, &steps->items[after], (steps->count - after) * sizeof(*body));
	steps->count -= repeats * size;
	return true;
}

/* The shortest loops first, so that what goes on in a loop is out before it is compared. */
static void take_out_loops(struct steps *steps)
{
	for (size_t size = 1; size <= steps->count / 2; size++) {
		for (size_t i = 0; i + 2 * size <= steps->count; i++)
			(void)take_out(steps, i, size);
	}
}

static void read_steps(const struct sample *sample, size_t max, struct steps *steps)
{
	steps->count = sample->branch_count;
	if (steps->count > max)
		steps->count = max;
	if (steps->count > BRANCHES_MOST)
		steps->count = BRANCHES_MOST;
	for (size_t i = 0; i < steps->count; i++)
		steps->items[i] = (struct step){ .branch = &sample->branches[i] };
}

/* Links of the chain that need not be told again. */
static size_t count_told(const struct chain *chain, const struct steps *steps)
{
	size_t told = chain->count > 0 ? 1 : 0; /* the sample's own place */

	for (size_t i = 0; i < steps->count && told < chain->count; i++) {
		uint64_t from = steps->items[i].branch->from, back = chain->items[told].addr;

		if (from < back && back - from <= CALL_SIZE_MOST)
			told++;
	}
	return told;
}

static void set_links(struct chain_link *links, const struct step *step, uint16_t cpumode)
{
	const struct sample_branch *branch = step->branch;

	links[0] = (struct chain_link){ branch->to, lookup_branch_mode(cpumode, branch->to),
					branch_counts_mark_to(branch) };
	links[1] = (struct chain_link){ branch->from, lookup_branch_mode(cpumode, branch->from),
					branch_counts_mark_from(branch, step->repeats,
								step->repeat_cycles) };
}

bool branch_links_add(const struct profile_sample *sample, size_t max, struct chain *chain)
{
	struct steps steps;
	size_t told, rest, links;

	if (sample->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)
		return false; /* the branches are the chain */
	read_steps(&sample->sample, max, &steps);
	if (steps.count == 0)
		return false;
	told = count_told(chain, &steps);
	take_out_loops(&steps);
	links = 2 * steps.count;
	rest = chain->count - told;
	while (chain->capacity < links + rest)
		chain->items = xgrow(chain->items, &chain->capacity, sizeof(*chain->items));
	memmove(chain->items + links, chain->items + told, rest * sizeof(*chain->items));
	for (size_t i = 0; i < steps.count; i++)
		set_links(chain->items + 2 * i, &steps.items[i], sample->cpumode);
	chain->count = links + rest;
	return true;
}
