/* branch-flags.c - see branch-flags.h. */
#include "format/branch-flags.h"

/* enum perf_branch_... of linux/perf_event.h: PERF_BR_COND, ... */
static const char *const types[] = {
	"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
};
enum { TYPE_EXTENDED = 15 }; /* what it is stands in the field new_type */

/* PERF_BR_NEW_FAULT_ALGN, ...; the last five are the architecture's. */
static const char *const new_types[] = { "FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1",
					 "ARCH_2",     "ARCH_3",     "ARCH_4",     "ARCH_5" };

static const char *const speculated[] = { "-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
					  "SPEC_CORRECT_PATH" };

static unsigned bits(uint64_t flags, unsigned from, unsigned count)
{
	return (unsigned)(flags >> from & ((1U << count) - 1));
}

enum {
	TYPE_COUNT = sizeof(types) / sizeof(types[0]),
	NEW_TYPE_COUNT = sizeof(new_types) / sizeof(new_types[0]),
};

unsigned branch_flags_type(uint64_t flags)
{
	unsigned type = bits(flags, 20, 4), new_type = bits(flags, 26, 4);

	if (type != TYPE_EXTENDED)
		return type;
	return new_type < NEW_TYPE_COUNT ? TYPE_COUNT + new_type : 0;
}

const char *branch_flags_type_name(unsigned type)
{
	return type < TYPE_COUNT ? types[type] : new_types[type - TYPE_COUNT];
}

struct branch_flags branch_flags_decode(uint64_t flags)
{
	bool predicted = flags & BRANCH_FLAG_PREDICTED;

	return (struct branch_flags){
		.predicted = predicted,
		.mispredicted = flags & BRANCH_FLAG_MISPREDICTED && !predicted,
		.not_taken = bits(flags, 33, 1),
		.in_tx = flags & BRANCH_FLAG_IN_TX,
		.abort = flags & BRANCH_FLAG_ABORT,
		.cycles = branch_flags_cycles(flags),
		.type = branch_flags_type_name(branch_flags_type(flags)),
		.speculation = speculated[bits(flags, 24, 2)],
	};
}
