/*
 * outer.h - stacks of which the middle is missing: between the last frame that a copy has and the
 * thread's outer frames, which are those of its last whole stack that are still there.
 *
 * A frame is still there where memory still has its return address at the same place, or another
 * one in the same function: then it has called something else meanwhile. What called the thread's
 * work changes slowly, so nearly always something is left: main() at least.
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
	const struct unwind_machine *machine;
	struct thread_memory *memory;
	size_t most; /* frames */
	/* Whether two return addresses are in one function. */
	bool (*is_same_function)(void *context, uint64_t pc, uint64_t other);
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

/* A thread's whole stack: to its first function. */
void outer_remember(struct outer *outer, uint32_t tid, const struct unwind_result *result);
/*
 * Adds to a truncated stack a gap and what is known of the frames further out: its verdict is
 * UNWIND_GAP then. Where its last frames, which the kernel's chain had, are among those, there is
 * no gap: UNWIND_STITCHED. Frames are borrowed until the next.
 */
void outer_bridge(struct outer *outer, uint32_t tid, const struct outer_place *place,
		  struct unwind_result *result);
/*
 * Leaves frames out of the middle of a stack that has no gap yet, if there are more than @most (at
 * least 1): UNWIND_GAP. Borrowed as well.
 */
void outer_cut(struct outer *outer, size_t most, struct unwind_result *result);
void outer_forget(struct outer *outer);
