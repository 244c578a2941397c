/*
 * outer.h - stacks of which the middle is missing: between the last frame that a copy has and the
 * thread's outer frames, which are those of its last whole stack that are still there.
 *
 * A frame is still there where memory still has its return address at the same place, or another
 * one in the same function: then it has called something else meanwhile. But memory is read a
 * moment after the sample, and what a thread does again and again for a short time was there before
 * and is there then, and was not in between. So only those frames count that all of the last whole
 * stacks have, and of these not the innermost ones, which come and go: what called the thread's
 * work changes slowly, so nearly always something is left, main() at least.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "unwind/unwinder.h"

struct thread_memory;
struct unwind_machine;

/* Whose stack it is. */
struct outer_place {
	uint32_t tid;
	bool is_first_thread; /* of its process: the program starts there */
	const struct unwind_machine *machine;
	struct thread_memory *memory;
	size_t most; /* frames */
	/* Where the function begins that a return address is in; false if that is not known. */
	bool (*find_function)(void *context, uint64_t pc, uint64_t *ret_start);
	void *context;
};

/* Starts as { 0 }. */
struct outer {
	struct hash stack_of; /* by thread: its index + 1 */
	struct {
		struct outer_stack *items;
		size_t count, capacity;
	} stacks;
	struct {
		struct unwind_frame *items;
		size_t count, capacity;
	} frames; /* of the stack at hand */
	struct {
		struct unwind_frame *items;
		size_t count, capacity;
	} there; /* of the outer stack, what is still there */
};

/*
 * A thread's whole stack: to its first function. @is_later: it was read in memory that the thread
 * may have been changing, so its outermost frames alone are of use, and only as long as there is no
 * other.
 */
void outer_remember(struct outer *outer, const struct outer_place *place, bool is_later,
		    const struct unwind_result *result);
/*
 * Adds to a truncated stack a gap and what is known of the frames further out: its verdict is
 * UNWIND_GAP then. Where its last frames, which the kernel's chain had, are among those, there is
 * no gap: UNWIND_STITCHED. Frames are borrowed until the next.
 */
void outer_bridge(struct outer *outer, const struct outer_place *place,
		  struct unwind_result *result);
/*
 * Leaves frames out of the middle of a stack that has no gap yet, if there are more than @most (at
 * least 1): UNWIND_GAP. Borrowed as well.
 */
void outer_cut(struct outer *outer, size_t most, struct unwind_result *result);
void outer_forget(struct outer *outer);
