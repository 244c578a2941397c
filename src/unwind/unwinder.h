/*
 * unwinder.h - the chain of calls of one thread at one moment: registers and a copy of its stack
 * become return addresses.
 *
 * It opens nothing. What is mapped at an address, and memory beyond the copy, it asks its caller
 * for. What it found out of an address it remembers, so that a frame costs one look-up and two
 * loads. Each thread that unwinds has an unwinder of its own; call frame information is shared.
 *
 * The stack is hostile: each frame must lie above the one before (but for the frames of signals,
 * which may have a stack of their own), each address must lie in code, and a chain has at most so
 * many frames as the caller wants.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "unwind/unwind-memory.h"
#include "unwind/unwind-registers.h"

struct cfi;
struct unwinder;

enum { UNWIND_FRAMES_MOST = 1 << 16 };

/* What is mapped at an address. */
struct unwind_module {
	const struct cfi *cfi; /* NULL: its file is not known, or has none */
	uint64_t bias;         /* of an address above the file's vaddr */
	const void *owner;     /* the caller's, for unwind_result */
};

/* False if nothing is mapped there that can be run. */
typedef bool unwind_find(void *context, uint64_t addr, struct unwind_module *ret_module);

enum unwind_verdict {
	UNWIND_COMPLETE, /* to the thread's first function */
	/* Not by this layer: */
	UNWIND_STITCHED, /* the same, with outer frames from an earlier stack or from memory */
	UNWIND_GAP,      /* both ends are there, frames between are not */
	/* Others again: */
	UNWIND_TRUNCATED, /* the copy of the stack ended before that */
	UNWIND_NO_CFI,    /* a function had no call frame information: frames may be missing */
	UNWIND_DAMAGED,   /* what came next cannot be a frame */
	UNWIND_CUT,       /* more frames than were wanted */
	UNWIND_VERDICTS,
};

struct unwind_request {
	const struct unwind_machine *machine;
	const struct unwind_registers *registers;
	struct unwind_memory memory;
	bool is_short; /* the copy has all that there was, to the end of the stack's memory */
	/*
	 * What the kernel found by frame pointers at the same moment: the pc, then return
	 * addresses. They are taken behind the copy's last frame, if that is one of theirs, as long
	 * as call frame information says that a function keeps frame pointers.
	 */
	const uint64_t *chain;
	size_t chain_count; /* 0: there is none */
	size_t max;         /* frames, at least 1; no more than UNWIND_FRAMES_MOST are found */
	/* Requests of one number find the same at an address; 0: nothing is to be remembered. */
	uint64_t space;
	unwind_find *find;
	void *context; /* of find */
};

struct unwind_frame {
	uint64_t
		pc; /* the return address; of the first, and of what a signal interrupted, the pc */
	uint64_t cfa;  /* the address of the callee's frame; 0: not known, of the kernel's chain */
	uint64_t home; /* where in memory the return address was found; 0: not there */
	bool exact;    /* no call: what is at the pc itself was to be executed next */
};

/* Stands in a chain for frames that are not known. */
static inline struct unwind_frame unwind_frame_gap(void)
{
	return (struct unwind_frame){ .exact = true };
}

struct unwind_result {
	enum unwind_verdict verdict;
	uint64_t needed;   /* TRUNCATED: a copy that would have had the next frame has at least so
			      many bytes; 0: it is on another stack */
	uint64_t missing;  /* TRUNCATED: the address that could not be read */
	const void *owner; /* NO_CFI: of the first module without */
	const struct unwind_frame *frames; /* innermost first; until the next stack */
	size_t count;
	size_t placed; /* of them, those before any that only the kernel's chain had */
};

struct unwinder *unwinder_new(void);
void unwinder_free(struct unwinder *unwinder);
CLEANUP(unwinder_free, struct unwinder)

/* Spaces are no longer what they were. */
void unwinder_forget(struct unwinder *unwinder);

struct unwind_result unwinder_walk(struct unwinder *unwinder, const struct unwind_request *request);
