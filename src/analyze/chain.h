/*
 * chain.h - a sample's call chain as it was recorded: addresses, and what each is an address of.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/branch-counts.h"

struct profile_sample;

struct chain_link {
	uint64_t addr;
	uint16_t cpumode;   /* PERF_RECORD_MISC_* */
	branch_mark branch; /* 0 of what was called, or recorded as a caller */
};

/* Starts as { 0 }; used again from sample to sample. */
struct chain {
	struct chain_link *items;
	size_t count, capacity;
};

/*
 * Innermost first, without the PERF_CONTEXT_* marks, at most @max links (0: all). What
 * was recorded as a copy of the stack is not among them: user-stack.h unwinds it.
 */
void chain_read(const struct profile_sample *sample, size_t max, struct chain *chain);

/* Whether the user's part of the chain is the sample's branch stack (--call-graph lbr). */
bool chain_has_call_stack(const struct profile_sample *sample);
