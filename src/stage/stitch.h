/*
 * stitch.h - stacks that are longer than their copy get their outer frames from earlier stacks of
 * the same thread.
 *
 * A frame is known by its address and its return address, and by those of the next frames further
 * in. Behind the last frame that a copy has there stands what stood behind the same frame when it
 * was seen last, and so on, to the thread's first function or to what was never seen. So small
 * copies do for deep recursion. It is what is most likely, since equal addresses mean that the
 * frames further out have the same sizes, and not what is certain: the verdict says so.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct unwind_frame;
struct unwind_result;

/* Starts as { 0 }. */
struct stitch {
	struct hash link_of; /* by thread and frame: the index of its link */
	struct {
		struct stitch_link *items;
		size_t count, capacity;
	} links;
	struct {
		struct unwind_frame *items;
		size_t count, capacity;
	} frames; /* of the stack at hand */
};

/*
 * Takes a thread's stack; to one that is truncated it adds what is known, up to @most frames: its
 * verdict is UNWIND_STITCHED if that leads to the thread's first function, UNWIND_CUT if it leads
 * to more frames. Frames are borrowed until the next of any thread.
 */
void stitch_take(struct stitch *stitch, uint32_t tid, size_t most, struct unwind_result *result);
/* Nothing was ever seen. */
void stitch_forget(struct stitch *stitch);
