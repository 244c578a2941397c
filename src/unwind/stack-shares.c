/* stack-shares.c - see stack-shares.h. */
#include "unwind/stack-shares.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/stack-sum.h"
#include "base/strings.h"

/* Bits of an address: stacks that are not as near to each other as that are different ones. */
enum { NEAR = 28 };

/*
 * A thread's stack (it has another one after exec, and may have one for signals): where it ends, as
 * complete stacks have it, and where truncated ones began.
 */
struct thread {
	uint64_t top;    /* 0: not known */
	uint64_t lowest; /* UINT64_MAX: none was truncated */
	uint64_t needed; /* of those, at least so many bytes */
};

struct stack_shares {
	pthread_mutex_t lock;
	uint64_t counts[UNWIND_VERDICTS];
	struct hash thread_of; /* by number and place: its index + 1 */
	struct {
		struct thread *items;
		size_t count, capacity;
	} threads;
	struct strings names; /* of objects without call frame information */
	struct {
		uint64_t *items;
		size_t count, capacity;
	} name_counts;
};

struct stack_shares *stack_shares_new(void)
{
	struct stack_shares *shares = xnew(struct stack_shares);

	pthread_mutex_init(&shares->lock, NULL);
	return shares;
}

void stack_shares_free(struct stack_shares *shares)
{
	if (!shares)
		return;
	pthread_mutex_destroy(&shares->lock);
	hash_done(&shares->thread_of);
	free(shares->threads.items);
	strings_done(&shares->names);
	free(shares->name_counts.items);
	free(shares);
}

static struct thread *thread_of(struct stack_shares *shares, uint32_t tid, uint64_t begin)
{
	uint64_t key = hash_u64(tid ^ hash_u64(begin >> NEAR));
	struct hash_entry *entry = hash_add(&shares->thread_of, key, NULL);

	if (entry->index == 0) {
		grow(&shares->threads);
		shares->threads.items[shares->threads.count++] =
			(struct thread){ .lowest = UINT64_MAX };
		entry->index = shares->threads.count;
	}
	return &shares->threads.items[entry->index - 1];
}

static void add_name(struct stack_shares *shares, const char *name)
{
	uint32_t id = strings_intern(&shares->names, name);

	while (shares->name_counts.count <= id) {
		grow(&shares->name_counts);
		shares->name_counts.items[shares->name_counts.count++] = 0;
	}
	shares->name_counts.items[id]++;
}

static void add_to_thread(struct thread *thread, uint64_t begin, const struct unwind_result *result)
{
	uint64_t end = result->count ? result->frames[result->count - 1].cfa : 0;

	if (result->needed > 0 && result->verdict >= UNWIND_GAP) {
		if (begin < thread->lowest)
			thread->lowest = begin;
		if (result->needed > thread->needed)
			thread->needed = result->needed;
	}
	if (result->verdict != UNWIND_TRUNCATED && end > thread->top)
		thread->top = end;
}

void stack_shares_add(struct stack_shares *shares, uint32_t tid, uint64_t begin,
		      const struct unwind_result *result, const char *no_cfi)
{
	pthread_mutex_lock(&shares->lock);
	shares->counts[result->verdict]++;
	if (result->verdict <= UNWIND_TRUNCATED)
		add_to_thread(thread_of(shares, tid, begin), begin, result);
	if (result->verdict == UNWIND_NO_CFI && no_cfi)
		add_name(shares, no_cfi);
	pthread_mutex_unlock(&shares->lock);
}

static void add_need(struct stack_sum *sum, const struct thread *thread)
{
	uint64_t needed = thread->needed;

	if (needed == 0)
		return;
	if (thread->top > thread->lowest + needed)
		needed = thread->top - thread->lowest;
	else if (thread->top <= thread->lowest)
		sum->needs_more = true;
	if (needed > sum->size_needed)
		sum->size_needed = needed;
}

void stack_shares_get(struct stack_shares *shares, struct stack_sum *ret_sum)
{
	pthread_mutex_lock(&shares->lock);
	*ret_sum = (struct stack_sum){
		.complete = shares->counts[UNWIND_COMPLETE],
		.stitched = shares->counts[UNWIND_STITCHED],
		.gap = shares->counts[UNWIND_GAP],
		.truncated = shares->counts[UNWIND_TRUNCATED],
		.no_cfi = shares->counts[UNWIND_NO_CFI],
		.damaged = shares->counts[UNWIND_DAMAGED],
		.cut = shares->counts[UNWIND_CUT],
	};
	for (size_t i = 0; i < UNWIND_VERDICTS; i++)
		ret_sum->count += shares->counts[i];
	for (size_t i = 0; i < shares->threads.count; i++)
		add_need(ret_sum, &shares->threads.items[i]);
	for (size_t i = 0; i < shares->name_counts.count; i++)
		stack_sum_add_object(ret_sum, strings_text(&shares->names, (uint32_t)i),
				     shares->name_counts.items[i]);
	pthread_mutex_unlock(&shares->lock);
}
