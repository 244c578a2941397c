/* outer.c - see outer.h. */
#include "stage/outer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "stage/thread-memory.h"

enum {
	FRAMES_KEPT = 64,
	OUTER_SHARE = 8,
	INNERMOST = 8, /* frames that come and go */
	COMPARED = 8,  /* whole stacks before the last one */
	/* Frames that are there for as long as the thread: the C library's and the function that it
	 * calls, main() or the thread's. */
	FIRST_PROGRAM = 4,
	FIRST_THREAD = 3,
};

struct outer_stack {
	size_t count;          /* frames */
	size_t first, lasting; /* the outermost of them that are always there; that stay long */
	struct unwind_frame frames[FRAMES_KEPT]; /* the outermost, as in a result */
	uint8_t shared[COMPARED]; /* frames that a stack and the one before both had */
	size_t compared;          /* stacks so far */
};

static struct outer_stack *stack_of(struct outer *outer, uint32_t tid)
{
	struct hash_entry *entry = hash_add(&outer->stack_of, tid, NULL);

	if (entry->index == 0) {
		grow(&outer->stacks);
		outer->stacks.items[outer->stacks.count] = (struct outer_stack){ 0 };
		entry->index = ++outer->stacks.count;
	}
	return &outer->stacks.items[entry->index - 1];
}

static bool is_same_function(const struct outer_place *place, uint64_t pc, uint64_t other)
{
	uint64_t start, other_start;

	return pc == other ||
	       (place->find_function(place->context, pc, &start) &&
		place->find_function(place->context, other, &other_start) && start == other_start);
}

/* Where it called from may be another place by now. */
static bool is_same_frame(const struct unwind_frame *frame, const struct unwind_frame *other,
			  const struct outer_place *place)
{
	return frame->home == other->home && frame->exact == other->exact &&
	       is_same_function(place, frame->pc, other->pc);
}

/* How many of the outermost frames two stacks share; what one called elsewhere is something else.
 */
static size_t count_shared(const struct outer_stack *stack, const struct unwind_result *result,
			   const struct outer_place *place)
{
	size_t shared = 0;

	while (shared < stack->count && shared < result->count) {
		const struct unwind_frame *frame = &stack->frames[stack->count - 1 - shared];
		const struct unwind_frame *other = &result->frames[result->count - 1 - shared];

		if (!is_same_frame(frame, other, place))
			break;
		shared++;
		if (frame->pc != other->pc)
			break;
	}
	return shared;
}

/* Of a whole stack, what is always there. Its innermost frame is not. */
static size_t count_first(size_t count, bool is_first_thread)
{
	size_t first = is_first_thread ? FIRST_PROGRAM : FIRST_THREAD;

	if (count > first)
		return first;
	return count ? count - 1 : 0;
}

void outer_remember(struct outer *outer, const struct outer_place *place, bool is_later,
		    const struct unwind_result *result)
{
	struct outer_stack *stack = stack_of(outer, place->tid);
	size_t count = result->count < FRAMES_KEPT ? result->count : FRAMES_KEPT;
	size_t shared;

	if (is_later && stack->count > 0)
		return;
	shared = count_shared(stack, result, place);
	/* Another program since then, or a stack that is not the thread's own. */
	if (shared == 0)
		stack->compared = 0;
	else
		stack->shared[stack->compared++ % COMPARED] = (uint8_t)shared;
	stack->first = count_first(result->count, place->is_first_thread);
	stack->lasting = result->count > INNERMOST && !is_later ? result->count - INNERMOST : 0;
	stack->count = count;
	for (size_t i = 0; i < count; i++)
		stack->frames[i] = result->frames[result->count - count + i];
}

/* How many of a stack's outermost frames others have as well. */
static size_t count_trusted(const struct outer_stack *stack)
{
	size_t trusted = stack->lasting < stack->count ? stack->lasting : stack->count;
	size_t compared = stack->compared < COMPARED ? stack->compared : COMPARED;

	for (size_t i = 0; i < compared; i++) {
		if (stack->shared[i] < trusted)
			trusted = stack->shared[i];
	}
	return trusted > stack->first ? trusted : stack->first;
}

/* Where a frame's function is now. False if it is not known to be there. */
static bool is_there(const struct unwind_frame *frame, const struct outer_place *place,
		     uint64_t *ret_pc)
{
	return !frame->exact && thread_memory_pc(place->memory, place->machine, frame, ret_pc) &&
	       is_same_function(place, frame->pc, *ret_pc);
}

/* What is outside of an address and still there. */
static void find_there(struct outer *outer, const struct outer_stack *stack, uint64_t outside,
		       const struct outer_place *place)
{
	outer->there.count = 0;
	for (size_t i = stack->count - count_trusted(stack); i < stack->count; i++) {
		struct unwind_frame frame = stack->frames[i];
		uint64_t pc = 0;
		bool there;

		if (frame.home < outside)
			continue;
		there = is_there(&frame, place, &pc);
		/* What one called is there only if it is there itself, and where it was. */
		if (!there || pc != frame.pc)
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

/* Which call it was in is not known. */
static void set_begin(const struct outer_place *place, struct unwind_frame *frame)
{
	frame->exact = place->find_function(place->context, frame->pc, &frame->pc);
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

void outer_bridge(struct outer *outer, const struct outer_place *place,
		  struct unwind_result *result)
{
	const struct hash_entry *entry = hash_find(&outer->stack_of, place->tid);
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
	} else {
		set_begin(place, outer->there.items);
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
