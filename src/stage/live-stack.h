/*
 * live-stack.h - from one sample's registers and copy of its stack to a chain of calls, while its
 * thread still runs.
 *
 * Where the copy ends too early, the kernel's chain goes on, if the sample has one and it is sound.
 * Then outer frames come from earlier stacks of the thread (stitch.h);
 * else from its memory, if the outermost frame that the copy has is still where it was; else there
 * is a gap (outer.h).
 */
#pragma once

#include <stddef.h>

#include "stage/mapped-cfi.h"
#include "stage/outer.h"
#include "stage/stitch.h"
#include "stage/thread-memory.h"
#include "unwind/unwinder.h"

struct sample;
struct told;

struct live_stack_options {
	const struct told *told; /* borrowed */
	const char *arch;        /* of this machine, as uname -m says it; borrowed */
	size_t max_stack;        /* frames; 0: as many as there is room for */
	mapped_cfi_open *open;
	thread_memory_read *read; /* NULL: copies are all there is */
	void *context;            /* of both */
	const void *vdso;
	size_t vdso_size;
};

struct live_stack {
	const struct told *told;
	const char *arch;
	size_t max_stack;
	struct mapped_cfi mapped;
	struct unwinder *unwinder;
	struct stitch stitch;
	struct thread_memory memory;
	struct outer outer;
	struct {
		struct unwind_frame *items;
		size_t count, capacity;
	} kept;                      /* of a stack that is walked again */
	const struct sample *sample; /* that is at hand */
};

void live_stack_init(struct live_stack *stack, const struct live_stack_options *options);
void live_stack_done(struct live_stack *stack);
/* A round of records was told of. */
void live_stack_settle(struct live_stack *stack);
/*
 * At most @room frames, which are borrowed until the next; none where no copy could be made, as of
 * threads of the kernel. *ret_begin: where the copy begins.
 */
struct unwind_result live_stack_walk(struct live_stack *stack, const struct sample *sample,
				     size_t room, uint64_t *ret_begin);
