/*
 * chain.h - a sample's call chain as it was recorded: addresses, and what each is an address of.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct profile_sample;

struct chain_link {
	uint64_t addr;
	uint16_t cpumode; /* PERF_RECORD_MISC_* */
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
