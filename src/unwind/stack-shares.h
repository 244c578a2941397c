/*
 * stack-shares.h - how much of a recording's copied stacks could be unwound: a verdict for each
 * stack, counted, and what would have helped.
 *
 * How large a copy would have done is known from other stacks: one of the same thread that is
 * complete tells how high the thread's stack begins.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/unwinder.h"

struct stack_shares;

struct stack_shares *stack_shares_new(void);
void stack_shares_free(struct stack_shares *shares);

/* A stack that was unwound. */
struct stack_shares_one {
	enum unwind_verdict verdict;
	uint32_t tid;
	uint64_t begin;  /* of the copy: an address */
	uint64_t end;    /* the highest address that was looked at */
	uint64_t needed; /* TRUNCATED: at least so many bytes, 0: no copy would do */
	const char
		*no_cfi; /* the name of the first object without call frame information; or NULL */
};
/* Any thread may add. */
void stack_shares_add(struct stack_shares *shares, const struct stack_shares_one *one);

enum { STACK_SHARES_OBJECTS = 3 };

/* What was added so far. */
struct stack_shares_sum {
	uint64_t count;                                               /* of all stacks; of those: */
	uint64_t complete, stitched, truncated, no_cfi, damaged, cut; /* see enum unwind_verdict */
	/* Copies of this many bytes would have held all truncated stacks; 0 if there are none. */
	uint64_t size_needed;
	bool needs_more; /* of some it is not known how large they are: more than that may do */
	struct {
		const char *name;        /* lives as long as the shares */
		uint64_t count;          /* stacks */
	} objects[STACK_SHARES_OBJECTS]; /* without call frame information, the heaviest first; the
					    names of others are NULL */
};
void stack_shares_get(struct stack_shares *shares, struct stack_shares_sum *ret_sum);
