/* stack-verdicts.c - see stack-verdicts.h. */
#include "analyze/stack-verdicts.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/record.h"
#include "data/stackinfo.h"
#include "unwind/unwinder.h"

struct stack_verdict {
	uint64_t time_ns;
	uint32_t tid, verdict;
	size_t next; /* of the same key, + 1 */
};

static uint64_t key_of(uint32_t tid, uint64_t time_ns)
{
	return hash_u64(time_ns ^ hash_u64(tid));
}

static void add(struct stack_verdicts *verdicts, struct stack_verdict verdict)
{
	struct hash_entry *entry =
		hash_add(&verdicts->by_key, key_of(verdict.tid, verdict.time_ns), NULL);

	verdict.next = entry->index;
	grow(verdicts);
	verdicts->items[verdicts->count++] = verdict;
	entry->index = verdicts->count;
}

static int take_sum(struct stack_verdicts *verdicts, const struct record_event_update *update,
		    bool foreign)
{
	struct stack_sum *sum = &verdicts->sum;
	int r = stackinfo_decode(update->body, update->header.size - sizeof(*update), foreign, sum);

	for (size_t i = 0; r == 0 && i < STACK_SUM_OBJECTS && sum->objects[i].name; i++)
		sum->objects[i].name = strings_keep(&verdicts->names, sum->objects[i].name);
	return r;
}

int stack_verdicts_add(struct stack_verdicts *verdicts, const struct record *record, bool foreign)
{
	const struct record_event_update *update = (const void *)record->header;
	const struct record_stack_update *told = (const void *)record->header;

	if (record->header->type != RECORD_EVENT_UPDATE ||
	    !record_fits(record->header, sizeof(*update)))
		return -ENOENT;
	if (update->kind == RECORD_UPDATE_STACKS)
		return take_sum(verdicts, update, foreign);
	if (update->kind != RECORD_UPDATE_STACK)
		return -ENOENT;
	if (!record_fits(record->header, sizeof(*told)))
		return -EBADMSG;
	add(verdicts, (struct stack_verdict){ .time_ns = told->time_ns,
					      .tid = told->tid,
					      .verdict = told->verdict });
	return 0;
}

unsigned stack_verdicts_find(const struct stack_verdicts *verdicts, uint32_t tid, uint64_t time_ns)
{
	const struct hash_entry *entry;

	if (verdicts->count == 0)
		return UNWIND_COMPLETE;
	entry = hash_find(&verdicts->by_key, key_of(tid, time_ns));
	for (size_t i = entry ? entry->index : 0; i > 0; i = verdicts->items[i - 1].next) {
		const struct stack_verdict *verdict = &verdicts->items[i - 1];

		if (verdict->tid == tid && verdict->time_ns == time_ns)
			return verdict->verdict;
	}
	return UNWIND_COMPLETE;
}

void stack_verdicts_forget(struct stack_verdicts *verdicts, uint64_t before_ns)
{
	struct stack_verdicts kept = { 0 };

	if (verdicts->count == 0)
		return;
	for (size_t i = 0; i < verdicts->count; i++) {
		if (verdicts->items[i].time_ns >= before_ns)
			add(&kept, verdicts->items[i]);
	}
	free(verdicts->items);
	hash_done(&verdicts->by_key);
	kept.sum = verdicts->sum;
	kept.names = verdicts->names;
	*verdicts = kept;
}

void stack_verdicts_done(struct stack_verdicts *verdicts)
{
	free(verdicts->items);
	hash_done(&verdicts->by_key);
	strings_done(&verdicts->names);
	*verdicts = (struct stack_verdicts){ 0 };
}

const char *stack_verdicts_name(unsigned verdict)
{
	static const char *const names[UNWIND_VERDICTS] = {
		[UNWIND_STITCHED] = "stitched",   [UNWIND_GAP] = "gap",
		[UNWIND_TRUNCATED] = "truncated", [UNWIND_NO_CFI] = "no_cfi",
		[UNWIND_DAMAGED] = "damaged",     [UNWIND_CUT] = "cut",
	};

	return verdict < UNWIND_VERDICTS ? names[verdict] : NULL;
}
