/* lbr-stitch.c - see lbr-stitch.h. */
#include "analyze/lbr-stitch.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/chain.h"
#include "analyze/pmu-caps.h"
#include "analyze/profile.h"
#include "base/hash.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/sample.h"

enum {
	REGISTERS_MOST = 1024, /* what a header says that is more is wrong */
	OUTER_MOST = 1024,     /* callers that are remembered of a thread */
	THREADS_MOST = 1 << 14,
};

/* The branch stack of a thread's last sample. */
struct before {
	struct sample_branch *branches; /* as many as there are registers */
	size_t count;
	uint64_t newest; /* its register */
	struct {
		uint64_t *items;
		size_t count, capacity;
	} outer; /* what is known beyond them, outermost first */
};

struct lbr_stitch {
	const struct datafile *file;
	size_t registers;
	bool asked;
	struct hash threads; /* struct before, by number */
};

static void before_free(struct before *before)
{
	free(before->branches);
	free(before->outer.items);
	free(before);
}

static void forget_all(struct lbr_stitch *stitch)
{
	for (struct hash_entry *e = hash_next(&stitch->threads, NULL); e;
	     e = hash_next(&stitch->threads, e))
		before_free(e->pointer);
	hash_done(&stitch->threads);
}

struct lbr_stitch *lbr_stitch_new(const struct datafile *file)
{
	struct lbr_stitch *stitch = xnew(struct lbr_stitch);

	stitch->file = file;
	return stitch;
}

void lbr_stitch_free(struct lbr_stitch *stitch)
{
	if (!stitch)
		return;
	forget_all(stitch);
	free(stitch);
}

static size_t find_registers(const struct datafile *file)
{
	return pmu_caps_number(file, "branches", REGISTERS_MOST);
}

static struct before *before_of(struct lbr_stitch *stitch, uint32_t tid)
{
	struct hash_entry *entry;
	struct before *before;

	if (stitch->threads.count >= THREADS_MOST)
		forget_all(stitch);
	entry = hash_add(&stitch->threads, tid, NULL);
	before = entry->pointer;
	if (!before) {
		entry->pointer = before = xnew(struct before);
		before->branches = xcalloc(stitch->registers, sizeof(*before->branches));
	}
	return before;
}

/*
 * The branch of the stack before that is where the sample's oldest one is: its index, or
 * before->count if what is known of before cannot be what went on beyond.
 */
static size_t find_joint(const struct lbr_stitch *stitch, const struct before *before,
			 const struct sample *sample)
{
	const size_t all = stitch->registers, count = sample->branch_count;
	size_t oldest, at, same = 0;

	oldest = (size_t)(sample->branch_hw_index % all + all - (count - 1)) % all;
	at = (size_t)(before->newest % all + all - oldest) % all;
	if (at >= before->count)
		return before->count;
	while (same <= at && same < count &&
	       memcmp(&before->branches[at - same], &sample->branches[count - 1 - same],
		      sizeof(*before->branches)) == 0)
		same++;
	return same > 0 ? at : before->count;
}

/* What lies beyond the sample's own branches. */
static void find_outer(struct before *before, size_t joint)
{
	if (joint == before->count) {
		before->outer.count = 0;
		return;
	}
	for (size_t i = before->count; i-- > joint + 1;) {
		if (before->outer.count >= OUTER_MOST)
			return;
		grow(&before->outer);
		before->outer.items[before->outer.count++] = before->branches[i].from;
	}
}

static void add_outer(const struct before *before, size_t max, struct chain *chain)
{
	for (size_t i = before->outer.count; i-- > 0 && !(max && chain->count >= max);) {
		grow(chain);
		chain->items[chain->count++] =
			(struct chain_link){ before->outer.items[i], PERF_RECORD_MISC_USER,
					     BRANCH_MARK_CALL };
	}
}

void lbr_stitch_add(struct lbr_stitch *stitch, const struct profile_sample *sample, size_t max,
		    struct chain *chain)
{
	const struct sample *s = &sample->sample;
	struct before *before;

	if (!stitch->asked)
		stitch->registers = find_registers(stitch->file);
	stitch->asked = true;
	if (!chain_has_call_stack(sample) || s->branch_hw_index == UINT64_MAX ||
	    s->branch_count > stitch->registers)
		return;
	before = before_of(stitch, s->tid);
	find_outer(before, find_joint(stitch, before, s));
	add_outer(before, max, chain);
	before->count = s->branch_count;
	before->newest = s->branch_hw_index;
	memcpy(before->branches, s->branches, s->branch_count * sizeof(*before->branches));
}
