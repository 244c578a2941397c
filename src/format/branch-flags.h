/*
 * branch-flags.h - what an entry of a branch stack says of its branch, beside the two ends: the
 * bits of struct perf_branch_entry, see perf_event_open(2).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
	BRANCH_FLAG_MISPREDICTED = 1 << 0,
	BRANCH_FLAG_PREDICTED = 1 << 1,
	BRANCH_FLAG_IN_TX = 1 << 2,
	BRANCH_FLAG_ABORT = 1 << 3,
	BRANCH_FLAGS_OUTCOME = 0xf, /* all of these */
};

/* Cycles since the branch before; 0: not known. */
static inline uint16_t branch_flags_cycles(uint64_t flags)
{
	return (uint16_t)(flags >> 4);
}

struct branch_flags {
	bool predicted, mispredicted; /* never both; neither: not known */
	bool not_taken;
	bool in_tx, abort;       /* in a transaction; it ended one */
	unsigned cycles;         /* since the branch before; 0: not known */
	const char *type;        /* "COND", "IND_CALL"; "" if not told. Static */
	const char *speculation; /* "SPEC_WRONG_PATH"; "-" if not told. Static */
};

struct branch_flags branch_flags_decode(uint64_t flags);

/* The type as a number, 0: not told; numbers end below BRANCH_TYPES. */
enum { BRANCH_TYPE_COND = 1, BRANCH_TYPES = 23 };
unsigned branch_flags_type(uint64_t flags);
const char *branch_flags_type_name(unsigned type); /* "COND"; static */
