/*
 * counting-state.h - what a worker of a report has under way; for counting.c and counting-slice.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/bundles.h"
#include "analyze/chain.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/repeats.h"
#include "analyze/sample-item.h"
#include "analyze/user-stack.h"
#include "analyze/verdicts.h"
#include "data/record.h"

struct counting_plan;
struct function;
struct lbr_stitch;

enum { COUNTING_BATCH = 32 }; /* samples */

/* A sample that waits to be counted with others. */
struct counting_pending {
	struct profile_sample sample;
	struct record record; /* the sample's */
	size_t question;      /* its own place; those of its chain follow */
	size_t link_count;
	size_t most_links; /* of which so many count */
	/* When its places are known, unless it does not count: */
	bool counts;
	uint64_t period, latency;
	struct bundle bundle;
	const struct function *parent;
	size_t row, row_count; /* its stack, among the sites */
	uint64_t row_hash;
	struct repeats_sample repeat; /* span 0: it is not remembered */
};

/*
 * Nearly all that is looked up for a sample is far away in memory. So samples are taken in batches,
 * and each step is done for all of a batch: what the next step needs is then under way for all.
 */
struct counting_state {
	const struct counting_plan *plan;
	struct lookup lookup;
	struct chain chain;
	struct lbr_stitch *stitch; /* NULL: chains are not stitched */
	struct user_stack user_stack;
	struct counting_pending pending[COUNTING_BATCH];
	size_t pending_count;
	struct {
		struct lookup_question *items;
		size_t count, capacity;
	} questions;
	struct {
		branch_mark *items;
		size_t count, capacity;
	} branches; /* one for each question, where branches are links */
	struct {
		uint32_t *items;
		size_t count, capacity;
	} sites; /* of the stacks */
	struct {
		branch_mark *items;
		size_t count, capacity;
	} marks; /* of these sites, where branches are links */
	struct sample_item items;
	struct verdicts parents, ignored;
	struct repeats repeats;
	struct repeats_sample repeat; /* of the sample that is taken next */
	/* The last context of a name, where contexts are told apart by nothing else; see bundles.h.
	 */
	const char *comm;
	uint32_t event, context;
};
