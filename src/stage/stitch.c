/* stitch.c - see stitch.h. */
#include "stage/stitch.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "unwind/unwinder.h"

enum { LINKS_MOST = 1 << 18 }; /* then all is forgotten: some 30 MB */

struct stitch_link {
	uint32_t tid;
	bool is_last; /* a thread's first function: there is no caller */
	struct unwind_frame frame, caller;
};

static uint64_t key_of(uint32_t tid, const struct unwind_frame *frame)
{
	return hash_u64(frame->cfa ^ hash_u64(frame->pc ^ hash_u64(tid)));
}

static void add_link(struct stitch *stitch, const struct stitch_link *link)
{
	bool is_new;
	struct hash_entry *entry =
		hash_add(&stitch->link_of, key_of(link->tid, &link->frame), &is_new);

	if (is_new) {
		entry->index = stitch->links.count;
		grow(&stitch->links);
		stitch->links.count++;
	}
	stitch->links.items[entry->index] = *link;
}

static const struct stitch_link *find_link(const struct stitch *stitch, uint32_t tid,
					   const struct unwind_frame *frame)
{
	const struct hash_entry *entry = hash_find(&stitch->link_of, key_of(tid, frame));
	const struct stitch_link *link = entry ? &stitch->links.items[entry->index] : NULL;

	return link && link->tid == tid && link->frame.cfa == frame->cfa &&
			       link->frame.pc == frame->pc
		       ? link
		       : NULL;
}

/* What a signal interrupted stands where it was interrupted, and that is not how it was called. */
static void remember(struct stitch *stitch, uint32_t tid, const struct unwind_result *result)
{
	for (size_t i = 1; i < result->count; i++) {
		struct stitch_link link = { .tid = tid, .frame = result->frames[i] };

		link.is_last = i + 1 == result->count;
		if (link.frame.exact || (link.is_last && result->verdict != UNWIND_COMPLETE))
			continue;
		if (!link.is_last)
			link.caller = result->frames[i + 1];
		add_link(stitch, &link);
	}
}

static void add_frame(struct stitch *stitch, const struct unwind_frame *frame)
{
	grow(&stitch->frames);
	stitch->frames.items[stitch->frames.count++] = *frame;
}

/* Each caller lies above, so it ends. */
static void complete(struct stitch *stitch, uint32_t tid, size_t most, struct unwind_result *result)
{
	const struct unwind_frame *last = &result->frames[result->count - 1];
	const struct stitch_link *link = find_link(stitch, tid, last);

	stitch->frames.count = 0;
	for (size_t i = 0; i < result->count; i++)
		add_frame(stitch, &result->frames[i]);
	while (link && !link->is_last && link->caller.cfa > link->frame.cfa &&
	       stitch->frames.count < most) {
		add_frame(stitch, &link->caller);
		link = find_link(stitch, tid, &link->caller);
	}
	if (link && link->is_last)
		result->verdict = UNWIND_STITCHED;
	result->frames = stitch->frames.items;
	result->count = stitch->frames.count;
}

void stitch_take(struct stitch *stitch, uint32_t tid, size_t most, struct unwind_result *result)
{
	if (stitch->links.count > LINKS_MOST)
		stitch_forget(stitch);
	if (result->count == 0)
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
