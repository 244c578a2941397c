/*
 * stack-sum.h - what became of copies of user stacks, as plain values: how many could be unwound to
 * their end, why others could not, and what would have helped.
 *
 * `unwind` counts, `data` keeps it in recordings of stacks that were unwound while recording,
 * `view` prints it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { STACK_SUM_OBJECTS = 3 };

struct stack_sum {
	uint64_t count; /* of all stacks; of those, see enum unwind_verdict: */
	uint64_t complete, stitched, gap, truncated, no_cfi, damaged, cut;
	/* Copies of this many bytes would have held all truncated stacks; 0 if there are none. */
	uint64_t size_needed;
	bool needs_more; /* of some it is not known how large they are: more than that may do */
	/* Beside those: the recorder could not keep up, and stored copies in place of unwinding
	 * them, for a time. */
	uint64_t stored, stored_from_ns, stored_until_ns;
	struct {
		const char *name;     /* whoever filled it in says for how long it lives */
		uint64_t count;       /* stacks */
	} objects[STACK_SUM_OBJECTS]; /* without call frame information, the heaviest first; the
					 names of others are NULL */
};

/* Adds what became of other stacks of the same recording. Names are borrowed from it. */
void stack_sum_add(struct stack_sum *sum, const struct stack_sum *others);
/* Objects without call frame information: those that are not among the heaviest go. */
void stack_sum_add_object(struct stack_sum *sum, const char *name, uint64_t count);
