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
struct stack_sum;

struct stack_shares *stack_shares_new(void);
void stack_shares_free(struct stack_shares *shares);

/*
 * What became of a thread's stack, whose copy began at an address. @no_cfi is the name of the
 * result's owner, or NULL. Any thread may add.
 */
void stack_shares_add(struct stack_shares *shares, uint32_t tid, uint64_t begin,
		      const struct unwind_result *result, const char *no_cfi);

/* What was added so far; names live as long as the shares. */
void stack_shares_get(struct stack_shares *shares, struct stack_sum *ret_sum);
