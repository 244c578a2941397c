/* chain.c - see chain.h. */
#include "analyze/chain.h"

#include <linux/perf_event.h>
#include <stdbool.h>

#include "analyze/profile.h"
#include "base/mem.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"

/* A call chain while it is made. */
struct builder {
	const struct profile_sample *sample;
	struct chain *chain;
	size_t max;
	uint16_t cpumode;
};

static bool is_mark(uint64_t ip)
{
	return ip >= (uint64_t)PERF_CONTEXT_MAX;
}

/* False if the mark is none that a chain can have: then the whole chain is not to be trusted. */
static bool take_mark(struct builder *builder, uint64_t mark)
{
	switch (mark) {
	case (uint64_t)PERF_CONTEXT_HV:
		builder->cpumode = PERF_RECORD_MISC_HYPERVISOR;
		return true;
	case (uint64_t)PERF_CONTEXT_KERNEL:
		builder->cpumode = PERF_RECORD_MISC_KERNEL;
		return true;
	case (uint64_t)PERF_CONTEXT_USER:
		builder->cpumode = PERF_RECORD_MISC_USER;
		return true;
	default:
		return false;
	}
}

static void add_link(struct builder *builder, uint64_t ip, branch_mark branch)
{
	struct chain *chain = builder->chain;

	if (builder->max && chain->count >= builder->max)
		return;
	grow(chain);
	chain->items[chain->count++] = (struct chain_link){ ip, builder->cpumode, branch };
}

static void add_frame(struct builder *builder, uint64_t ip)
{
	add_link(builder, ip, 0);
}

static bool add_frames(struct builder *builder, const uint64_t *ips, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_mark(ips[i])) {
			add_frame(builder, ips[i]);
		} else if (!take_mark(builder, ips[i])) {
			builder->chain->count = 0;
			return false;
		}
	}
	return true;
}

/* Where the user's part begins: the index of its mark, @count if there is none. */
static size_t find_user_mark(const struct sample *sample)
{
	size_t i = 0;

	while (i < sample->callchain_count && sample->callchain[i] != (uint64_t)PERF_CONTEXT_USER)
		i++;
	return i;
}

/* How much of the chain is addresses: not the number of a part that was walked late. */
static size_t count_addresses(const struct sample *sample)
{
	size_t count = sample->callchain_count;

	if (count >= 2 && sample->callchain[count - 2] == RECORD_CONTEXT_USER_DEFERRED)
		return count - 2;
	return count;
}

/*
 * Where the user's part begins: at the sample's own place, or where the kernel was entered. That
 * the kernel tells behind its mark (at @next), or else the newest call says in which function.
 */
static uint64_t innermost_of(const struct profile_sample *whole, size_t next)
{
	const struct sample *sample = &whole->sample;

	if (whole->cpumode == PERF_RECORD_MISC_USER)
		return sample->ip;
	return next < count_addresses(sample) ? sample->callchain[next] : sample->branches[0].to;
}

/*
 * With --call-graph lbr the branch stack is the user's part of the chain: the innermost place, then
 * from where each call came. The kernel's part may be as short as to be left out. @next: what
 * follows the user's mark.
 */
static void add_branches(struct builder *builder, size_t next)
{
	const struct sample *sample = &builder->sample->sample;

	if (builder->chain->count == 0 && builder->sample->cpumode != PERF_RECORD_MISC_USER) {
		builder->cpumode = builder->sample->cpumode;
		add_link(builder, sample->ip, BRANCH_MARK_CALL);
		builder->cpumode = PERF_RECORD_MISC_USER;
	}
	add_link(builder, innermost_of(builder->sample, next), BRANCH_MARK_CALL);
	for (size_t i = 0; i < sample->branch_count; i++)
		add_link(builder, sample->branches[i].from, BRANCH_MARK_CALL);
}

bool chain_has_call_stack(const struct profile_sample *sample)
{
	return (sample->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) &&
	       sample->sample.branch_count > 0 &&
	       find_user_mark(&sample->sample) < count_addresses(&sample->sample);
}

/*
 * With --call-graph dwarf the user's part is a copy of the stack. Where none could be made, the
 * innermost frame is known all the same, if the sample itself hit it.
 */
static bool hit_user_without_copy(const struct profile_sample *sample)
{
	const struct attr *attr = &sample->event->attr;

	return sample->cpumode == PERF_RECORD_MISC_USER && attr->exclude_callchain_user &&
	       attr->sample_type & PERF_SAMPLE_STACK_USER && attr->sample_type & PERF_SAMPLE_IP &&
	       (sample->sample.stack_size == 0 || sample->sample.regs_user.count == 0);
}

void chain_read(const struct profile_sample *sample, size_t max, struct chain *chain)
{
	struct builder builder = {
		.sample = sample, .chain = chain, .max = max, .cpumode = sample->cpumode
	};
	size_t count = count_addresses(&sample->sample), user = find_user_mark(&sample->sample);
	bool has_call_stack = chain_has_call_stack(sample);

	chain->count = 0;
	if (!add_frames(&builder, sample->sample.callchain, has_call_stack ? user + 1 : count))
		return;
	if (has_call_stack) {
		add_branches(&builder, user + 1);
		return;
	}
	if (chain->count == 0 && hit_user_without_copy(sample))
		add_frame(&builder, sample->sample.ip);
	builder.cpumode = PERF_RECORD_MISC_USER;
	(void)add_frames(&builder, sample->deferred, sample->deferred_count);
}
