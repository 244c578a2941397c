/* stitch.c - see stitch.h. */
#include "stage/stitch.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "unwind/unwinder.h"

enum {
	LINKS_MOST = 1 << 18, /* then all is forgotten: some 30 MB */
	CONTEXT = 2,          /* frames further in that have to be the same */
};

/* A link is one frame's for as long as there are links, so that others can say which it is. */
struct stitch_link {
	uint32_t tid;
	bool is_last; /* a thread's first function: there is no caller */
	struct unwind_frame frame;
	uint64_t context;
	size_t caller; /* the index of its link + 1; 0: not known */
};

/* Of the frames that a frame of a stack called, but not of the innermost, which comes and goes. */
static uint64_t context_of(const struct unwind_frame *frames, size_t at)
{
	uint64_t context = 0;

	for (size_t i = 1; i <= CONTEXT; i++)
		context = hash_u64(context ^ frames[at - i].pc ^ hash_u64(frames[at - i].cfa));
	return context;
}

static uint64_t key_of(uint32_t tid, const struct unwind_frame *frame, uint64_t context)
{
	return hash_u64(context ^ hash_u64(frame->cfa ^ hash_u64(frame->pc ^ hash_u64(tid))));
}

static bool is_of(const struct stitch_link *link, uint32_t tid, const struct unwind_frame *frame,
		  uint64_t context)
{
	return link->tid == tid && link->frame.cfa == frame->cfa && link->frame.pc == frame->pc &&
	       link->context == context;
}

/* The index of a frame's link + 1; 0: another frame has its place. */
static size_t link_of(struct stitch *stitch, uint32_t tid, const struct unwind_frame *frame,
		      uint64_t context)
{
	bool is_new;
	struct hash_entry *entry = hash_add(&stitch->link_of, key_of(tid, frame, context), &is_new);

	if (is_new) {
		entry->index = stitch->links.count;
		grow(&stitch->links);
		stitch->links.items[stitch->links.count++] =
			(struct stitch_link){ .tid = tid, .frame = *frame, .context = context };
	}
	return is_of(&stitch->links.items[entry->index], tid, frame, context) ? entry->index + 1
									      : 0;
}

/* What a signal interrupted stands where it was interrupted, and that is not how it was called. */
static void remember(struct stitch *stitch, uint32_t tid, const struct unwind_result *result)
{
	size_t callee = 0;

	for (size_t i = 1 + CONTEXT; i < result->count; i++) {
		const struct unwind_frame *frame = &result->frames[i];
		size_t link = link_of(stitch, tid, frame, context_of(result->frames, i));

		if (callee) {
			stitch->links.items[callee - 1].caller = link;
			stitch->links.items[callee - 1].is_last = false;
		}
		callee = frame->exact ? 0 : link;
	}
	if (callee && result->verdict == UNWIND_COMPLETE)
		stitch->links.items[callee - 1].is_last = true;
}

/* Of the stack's last frame. */
static const struct stitch_link *find_link(const struct stitch *stitch, uint32_t tid,
					   const struct unwind_result *result)
{
	size_t at = result->count - 1;
	uint64_t context = context_of(result->frames, at);
	const struct unwind_frame *frame = &result->frames[at];
	const struct hash_entry *entry = hash_find(&stitch->link_of, key_of(tid, frame, context));
	const struct stitch_link *link = entry ? &stitch->links.items[entry->index] : NULL;

	return link && is_of(link, tid, frame, context) ? link : NULL;
}

static void add_frame(struct stitch *stitch, const struct unwind_frame *frame)
{
	grow(&stitch->frames);
	stitch->frames.items[stitch->frames.count++] = *frame;
}

/* Each caller lies above, so it ends. */
static void complete(struct stitch *stitch, uint32_t tid, size_t most, struct unwind_result *result)
{
	const struct stitch_link *link = find_link(stitch, tid, result);

	stitch->frames.count = 0;
	for (size_t i = 0; i < result->count; i++)
		add_frame(stitch, &result->frames[i]);
	while (link && !link->is_last && link->caller && stitch->frames.count < most) {
		const struct stitch_link *caller = &stitch->links.items[link->caller - 1];

		if (caller->frame.cfa <= link->frame.cfa)
			break;
		add_frame(stitch, &caller->frame);
		link = caller;
	}
	if (link && link->is_last)
		result->verdict = UNWIND_STITCHED;
	else if (stitch->frames.count == most)
		result->verdict = UNWIND_CUT;
	result->frames = stitch->frames.items;
	result->count = stitch->frames.count;
}

void stitch_take(struct stitch *stitch, uint32_t tid, size_t most, struct unwind_result *result)
{
	if (stitch->links.count > LINKS_MOST)
		stitch_forget(stitch);
	if (result->count <= 1 + CONTEXT)
		return;
	remember(stitch, tid, result);
	if (result->verdict == UNWIND_TRUNCATED && result->needed > 0)
		complete(stitch, tid, most, result);
}

void stitch_forget(struct stitch *stitch)
{
	free(stitch->links.items);
	free(stitch->frames.items);
	hash_done(&stitch->link_of);
	*stitch = (struct stitch){ 0 };
}
