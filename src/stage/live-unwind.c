/* live-unwind.c - see live-unwind.h. */
#include "stage/live-unwind.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/str.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/stage.h"
#include "model/timeline.h"
#include "stage/told.h"
#include "unwind/stack-shares.h"

enum { RECORD_MOST = UINT16_MAX & ~7 }; /* bytes: the size has 16 bits */

struct live_unwind {
	struct stage stage;
	const struct told *told;
	bool keeps_registers;
	struct live_stack stack;
	struct stack_shares *shares;
	struct sample sample; /* that is at hand */
};

static struct live_unwind *live_of(struct stage *stage)
{
	return (struct live_unwind *)stage;
}

static bool has_copies(const struct attr *attr)
{
	const uint64_t wanted = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
				PERF_SAMPLE_STACK_USER | PERF_SAMPLE_TIME | PERF_SAMPLE_TID;

	return (attr->sample_type & wanted) == wanted;
}

static void change_attr(struct stage *stage, struct attr *attr)
{
	if (!has_copies(attr))
		return;
	attr->sample_type &= ~(uint64_t)PERF_SAMPLE_STACK_USER;
	attr->sample_stack_user = 0;
	attr->exclude_callchain_user = 0;
	if (live_of(stage)->keeps_registers)
		return;
	attr->sample_type &= ~(uint64_t)PERF_SAMPLE_REGS_USER;
	attr->sample_regs_user = 0;
}

static void settle(struct stage *stage)
{
	live_stack_settle(&live_of(stage)->stack);
}

static void add_u64(struct str *out, uint64_t value)
{
	str_add_bytes(out, &value, sizeof(value));
}

/* The chain up to the user's part, which the kernel may have walked as well. */
static size_t count_kernels_part(const struct sample *sample)
{
	size_t count;
	const uint64_t *user = sample_user_chain(sample, &count);

	return user ? (size_t)(user - sample->callchain) - 1 : sample->callchain_count;
}

static void add_chain(const struct live_unwind *live, const struct unwind_result *result,
		      struct str *out)
{
	const struct sample *sample = &live->sample;
	size_t kernels = count_kernels_part(sample);
	bool only_pc = result->count == 0 &&
		       (sample->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;

	add_u64(out, kernels + (result->count || only_pc ? 1 + result->count + only_pc : 0));
	str_add_bytes(out, sample->callchain, kernels * sizeof(uint64_t));
	if (result->count || only_pc)
		add_u64(out, (uint64_t)PERF_CONTEXT_USER);
	if (only_pc)
		add_u64(out, sample->ip);
	for (size_t i = 0; i < result->count; i++)
		add_u64(out, result->frames[i].pc - !result->frames[i].exact);
}

static void add_span(struct str *out, const void *begin_at, const void *end)
{
	str_add_bytes(out, begin_at, (size_t)((const char *)end - (const char *)begin_at));
}

/* What is behind the chain, but for the registers and the copy. */
static void add_rest(const struct live_unwind *live, const struct perf_event_header *header,
		     struct str *out)
{
	const struct sample *sample = &live->sample;
	const void *gone = live->keeps_registers ? sample->stack_field : sample->registers_field;

	add_span(out, sample->callchain + sample->callchain_count, gone);
	add_span(out, sample->stack_end, (const char *)header + header->size);
}

/* How many frames fit, if each of the record's other fields stays. */
static size_t room_for_frames(const struct live_unwind *live,
			      const struct perf_event_header *header)
{
	const struct sample *sample = &live->sample;
	size_t gone =
		(size_t)((const char *)sample->stack_end - (const char *)sample->registers_field);
	size_t rest = header->size - gone + 2 * sizeof(uint64_t);

	return rest < RECORD_MOST ? (RECORD_MOST - rest) / sizeof(uint64_t) : 0;
}

static struct unwind_result unwind(struct live_unwind *live, const struct perf_event_header *header)
{
	const struct sample *sample = &live->sample;
	uint64_t begin = 0;
	struct unwind_result result =
		live_stack_walk(&live->stack, sample, room_for_frames(live, header), &begin);
	const struct dso *owner = result.owner;

	if (result.count > 0)
		stack_shares_add(live->shares, sample->tid, begin, &result,
				 owner ? owner->short_name : NULL);
	return result;
}

static void add_sample(struct live_unwind *live, const struct perf_event_header *header,
		       struct str *out)
{
	size_t start = out->size;
	struct unwind_result result = unwind(live, header);
	struct perf_event_header *made;

	add_span(out, header, live->sample.callchain - 1);
	add_chain(live, &result, out);
	add_rest(live, header, out);
	made = (struct perf_event_header *)(void *)(out->text + start);
	made->size = (uint16_t)(out->size - start);
}

static void take_record(struct stage *stage, const struct perf_event_header *header,
			struct str *out)
{
	struct live_unwind *live = live_of(stage);
	const struct record record = { .header = header };
	const struct event_desc *event = NULL;

	if (header->type == PERF_RECORD_SAMPLE) {
		/* Nothing can be made of what cannot be read. */
		if (events_decode(told_events(live->told), &record, &event, &live->sample) < 0)
			return;
		if (has_copies(&event->attr)) {
			add_sample(live, header, out);
			return;
		}
	}
	str_add_bytes(out, header, header->size);
}

struct live_unwind *live_unwind_new(const struct live_unwind_options *options)
{
	struct live_unwind *live = xnew(struct live_unwind);

	live->stage =
		(struct stage){ .change_attr = change_attr, .settle = settle, .pass = take_record };
	live->told = options->stack.told;
	live->keeps_registers = options->keeps_registers;
	live_stack_init(&live->stack, &options->stack);
	live->shares = stack_shares_new();
	return live;
}

void live_unwind_free(struct live_unwind *live)
{
	if (!live)
		return;
	live_stack_done(&live->stack);
	stack_shares_free(live->shares);
	free(live);
}

struct stage *live_unwind_stage(struct live_unwind *live)
{
	return &live->stage;
}

struct stack_shares *live_unwind_shares(struct live_unwind *live)
{
	return live->shares;
}
