/* outer.c - see outer.h. */
#include "stage/outer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "stage/thread-memory.h"

enum { FRAMES_KEPT = 64, OUTER_SHARE = 8 };

struct outer_stack {
	size_t count;
	struct unwind_frame frames[FRAMES_KEPT]; /* the outermost, as in a result */
};

void outer_remember(struct outer *outer, uint32_t tid, const struct unwind_result *result)
{
	struct hash_entry *entry = hash_add(&outer->stack_of, tid, NULL);
	size_t count = result->count < FRAMES_KEPT ? result->count : FRAMES_KEPT;
	struct outer_stack *stack;

	if (entry->index == 0) {
		grow(&outer->stacks);
		entry->index = ++outer->stacks.count;
	}
	stack = &outer->stacks.items[entry->index - 1];
	stack->count = count;
	for (size_t i = 0; i < count; i++)
		stack->frames[i] = result->frames[result->count - count + i];
}

/* Where a frame's function is now. False if it is not known to be there. */
static bool is_there(const struct unwind_frame *frame, const struct outer_place *place,
		     uint64_t *ret_pc)
{
	uint64_t pc;

	if (frame->home == 0 || frame->exact ||
	    !thread_memory_word(place->memory, frame->home, place->machine->address_size, &pc))
		return false;
	*ret_pc = pc & place->machine->address_mask;
	return *ret_pc == frame->pc || place->is_same_function(place->context, frame->pc, *ret_pc);
}

/* What is outside of an address and still there. */
static void find_there(struct outer *outer, const struct outer_stack *stack, uint64_t outside,
		       const struct outer_place *place)
{
	outer->there.count = 0;
	for (size_t i = 0; i < stack->count; i++) {
		struct unwind_frame frame = stack->frames[i];
		uint64_t pc = 0;
		bool there;

		if (frame.home < outside)
			continue;
		there = is_there(&frame, place, &pc);
		/* What one called is there only if it is there itself, and where it was. */
		if (pc != frame.pc)
			outer->there.count = 0;
		if (!there)
			continue;
		frame.pc = pc;
		grow(&outer->there);
		outer->there.items[outer->there.count++] = frame;
	}
}

static void add_frame(struct outer *outer, const struct unwind_frame *frame)
{
	grow(&outer->frames);
	outer->frames.items[outer->frames.count++] = *frame;
}

/* Inner frames, a gap unless it is stitched, outer frames. */
static void join(struct outer *outer, const struct unwind_frame *inner, size_t inner_count,
		 const struct unwind_frame *outermost, size_t outer_count,
		 enum unwind_verdict verdict, struct unwind_result *result)
{
	const struct unwind_frame gap = unwind_frame_gap();

	outer->frames.count = 0;
	for (size_t i = 0; i < inner_count; i++)
		add_frame(outer, &inner[i]);
	if (verdict == UNWIND_GAP)
		add_frame(outer, &gap);
	for (size_t i = 0; i < outer_count; i++)
		add_frame(outer, &outermost[i]);
	result->frames = outer->frames.items;
	result->count = outer->frames.count;
	result->verdict = verdict;
}

/*
 * Behind which of the outermost frames those stand that follow the stack's last frame; 0 if its
 * last frame is not among them.
 */
static size_t find_last(const struct unwind_frame *outermost, size_t count,
			const struct unwind_result *result)
{
	const struct unwind_frame *last = &result->frames[result->count - 1];

	for (size_t i = count; i > 0; i--) {
		const struct unwind_frame *frame = &outermost[i - 1];

		if (frame->pc == last->pc &&
		    (i == 1 || result->count < 2 || frame[-1].pc == last[-1].pc))
			return i;
	}
	return 0;
}

void outer_bridge(struct outer *outer, uint32_t tid, const struct outer_place *place,
		  struct unwind_result *result)
{
	const struct hash_entry *entry = hash_find(&outer->stack_of, tid);
	size_t count, last = 0;

	if (!entry)
		return;
	find_there(outer, &outer->stacks.items[entry->index - 1], result->missing, place);
	count = outer->there.count;
	if (count == 0 || result->count + 1 + count > place->most)
		return;
	/* Those that the kernel's chain had may be among them. */
	if (result->placed < result->count) {
		last = find_last(outer->there.items, count, result);
		if (last == 0)
			return;
	}
	join(outer, result->frames, result->count, outer->there.items + last, count - last,
	     last ? UNWIND_STITCHED : UNWIND_GAP, result);
}

void outer_cut(struct outer *outer, size_t most, struct unwind_result *result)
{
	size_t count = most / OUTER_SHARE;

	if (result->count > most)
		join(outer, result->frames, most - count - 1,
		     &result->frames[result->count - count], count, UNWIND_GAP, result);
}

void outer_forget(struct outer *outer)
{
	hash_done(&outer->stack_of);
	free(outer->stacks.items);
	free(outer->frames.items);
	free(outer->there.items);
	*outer = (struct outer){ 0 };
}
