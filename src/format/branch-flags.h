/*
 * branch-flags.h - what an entry of a branch stack says of its branch, beside the two ends: the
 * bits of struct perf_branch_entry, see perf_event_open(2).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct branch_flags {
	bool predicted, mispredicted; /* never both; neither: not known */
	bool not_taken;
	bool in_tx, abort;       /* in a transaction; it ended one */
	unsigned cycles;         /* since the branch before; 0: not known */
	const char *type;        /* "COND", "IND_CALL"; "" if not told. Static */
	const char *speculation; /* "SPEC_WRONG_PATH"; "-" if not told. Static */
};

struct branch_flags branch_flags_decode(uint64_t flags);
