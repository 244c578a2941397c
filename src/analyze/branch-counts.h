/*
 * branch-counts.h - what is known of the branches that went to or from a link of a call chain
 * (--branch-history): a mark says it of one branch, counts add marks up.
 */
#pragma once

#include <stdint.h>

struct sample_branch;

/* 0: the link is no end of a branch, but a caller. */
typedef uint64_t branch_mark;

/* The link is told by a branch stack that is a call chain (--call-graph lbr). */
#define BRANCH_MARK_CALL ((branch_mark)1 << 63)
/* A branch went there. */
branch_mark branch_counts_mark_to(const struct sample_branch *branch);
/*
 * A branch came from there. It ended the body of a loop that went round @repeats times more, in
 * @repeat_cycles; what is too large for a mark (255, 2^23) is as large as there is room for.
 */
branch_mark branch_counts_mark_from(const struct sample_branch *branch, uint64_t repeats,
				    uint64_t repeat_cycles);

struct branch_counts {
	uint64_t to, predicted, aborts; /* branches that went there; of those */
	uint64_t from, cycles;          /* branches that came from there; what they took */
	uint64_t loops, repeats;        /* those that ended a loop; how often these went round */
	uint64_t repeat_cycles;         /* and what that took */
	uint64_t calls;                 /* links with BRANCH_MARK_CALL */
	uint32_t kinds;                 /* of branches that went there: bits of numbers of kinds */
};

/* Counts @times branches of one mark. */
void branch_counts_add(struct branch_counts *counts, branch_mark mark, uint64_t times);
void branch_counts_join(struct branch_counts *counts, const struct branch_counts *more);

/* What the branches with bit @kind are: "COND_FWD", "RET", "CROSS_4K"; NULL past the last. */
const char *branch_counts_kind(unsigned kind);

/* Averages, and a share of all; 0 of nothing. */
double branch_counts_predicted_percent(const struct branch_counts *counts);
double branch_counts_abort_percent(const struct branch_counts *counts);
uint64_t branch_counts_cycles(const struct branch_counts *counts);        /* of a branch */
uint64_t branch_counts_repeats(const struct branch_counts *counts);       /* of a loop */
uint64_t branch_counts_repeat_cycles(const struct branch_counts *counts); /* of a time round */
