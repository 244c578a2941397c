/*
 * user-stack.h - one worker's way from copies of user stacks (--call-graph dwarf) to call chains:
 * each is unwound as its process was at the sample's time, by the files that were mapped then. And
 * from sampled registers to what a chain of frame pointers lacks.
 *
 * Not for several threads at a time; the profile is. What becomes of each stack is counted in the
 * profile's shares.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chain;
struct lookup;
struct profile;
struct profile_sample;
struct unwind_machine;
struct unwinder;

/* Starts as { 0 }. */
struct user_stack {
	struct unwinder *unwinder;
	const char *arch; /* the recorder's; borrowed from the file */
	unsigned verdict; /* enum unwind_verdict: of the last stack that was added */
};

void user_stack_done(struct user_stack *stack);
/* What is mapped where has changed. */
void user_stack_forget(struct user_stack *stack);

/*
 * Adds the frames of the sample's copied stack to its chain, innermost first, at most @max, in
 * place of what the kernel found by frame pointers (--call-graph auto). True if there was one. The
 * addresses of callers are those of the last byte of their calls.
 */
bool user_stack_add(struct user_stack *stack, struct lookup *lookup,
		    const struct profile_sample *sample, size_t max, struct chain *chain);

/*
 * Where a function keeps its return address in a register (arm64), a chain of frame pointers lacks
 * the caller of one that calls nobody, or has no frame yet. That register is sampled; whether it
 * still holds the address, call frame information tells. Adds the caller behind the innermost frame
 * of the user's part if it is missing there.
 */
void user_stack_add_leaf_caller(struct user_stack *stack, struct lookup *lookup,
				const struct profile_sample *sample, struct chain *chain);
