/*
 * live-unwind.h - a stage that turns copies of user stacks into call chains while they are
 * recorded.
 *
 * What comes out is an ordinary recording with call chains: the fields of copies and registers are
 * empty. Where rings fill up faster than stacks can be unwound, samples stay as they are for a
 * time, copies and all. Behind a sample whose stack is not complete a record tells why
 * (data/record.h: RECORD_UPDATE_STACK). The addresses of callers are those of the last byte of
 * their calls, as they are where copies are unwound later, so that both read the same.
 */
#pragma once

#include <stdbool.h>

#include "base/mem.h"
#include "stage/live-stack.h"

struct live_unwind;
struct stack_sum;
struct stage;

struct live_unwind_options {
	struct live_stack_options stack; /* told stands before it among the stages */
	bool keeps_registers;            /* the user asked for them: only copies go */
};

struct live_unwind *live_unwind_new(const struct live_unwind_options *options);
void live_unwind_free(struct live_unwind *live);
CLEANUP(live_unwind_free, struct live_unwind)

/* Borrowed. */
struct stage *live_unwind_stage(struct live_unwind *live);
/* What became of the stacks so far. Names live as long as this does. */
void live_unwind_sum(struct live_unwind *live, struct stack_sum *ret_sum);
