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

static bool is_there(const struct unwind_frame *frame, const struct unwind_machine *machine,
		     struct thread_memory *memory)
{
	return frame->home != 0 && !frame->exact &&
	       thread_memory_is(memory, frame->home, machine->address_size, machine->address_mask,
				frame->pc);
}

/* How many of a stack's frames are outside of an address and still there. */
static size_t count_there(const struct outer_stack *stack, uint64_t outside,
			  const struct unwind_machine *machine, struct thread_memory *memory)
{
	size_t count = 0;

	/* What one called is there only if it is there itself. */
	for (size_t i = 0; i < stack->count; i++) {
		if (stack->frames[i].home >= outside)
			count = is_there(&stack->frames[i], machine, memory) ? count + 1 : 0;
	}
	return count;
}

static void add_frame(struct outer *outer, const struct unwind_frame *frame)
{
	grow(&outer->frames);
	outer->frames.items[outer->frames.count++] = *frame;
}

/* Inner frames, a gap, outer frames. */
static void join(struct outer *outer, const struct unwind_frame *inner, size_t inner_count,
		 const struct unwind_frame *outermost, size_t outer_count,
		 struct unwind_result *result)
{
	const struct unwind_frame gap = unwind_frame_gap();

	outer->frames.count = 0;
	for (size_t i = 0; i < inner_count; i++)
		add_frame(outer, &inner[i]);
	add_frame(outer, &gap);
	for (size_t i = 0; i < outer_count; i++)
		add_frame(outer, &outermost[i]);
	result->frames = outer->frames.items;
	result->count = outer->frames.count;
	result->verdict = UNWIND_GAP;
}

void outer_bridge(struct outer *outer, uint32_t tid, const struct unwind_machine *machine,
		  struct thread_memory *memory, size_t most, struct unwind_result *result)
{
	const struct hash_entry *entry = hash_find(&outer->stack_of, tid);
	const struct outer_stack *stack = entry ? &outer->stacks.items[entry->index - 1] : NULL;
	size_t count = stack ? count_there(stack, result->missing, machine, memory) : 0;

	if (count > 0 && result->count + 1 + count <= most)
		join(outer, result->frames, result->count, &stack->frames[stack->count - count],
		     count, result);
}

void outer_cut(struct outer *outer, size_t most, struct unwind_result *result)
{
	size_t count = most / OUTER_SHARE;

	if (result->count > most)
		join(outer, result->frames, most - count - 1,
		     &result->frames[result->count - count], count, result);
}

void outer_forget(struct outer *outer)
{
	hash_done(&outer->stack_of);
	free(outer->stacks.items);
	free(outer->frames.items);
	*outer = (struct outer){ 0 };
}
