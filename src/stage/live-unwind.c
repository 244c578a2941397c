/* live-unwind.c - see live-unwind.h. */
#include "stage/live-unwind.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/stack-sum.h"
#include "base/str.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/stage.h"
#include "model/timeline.h"
#include "stage/told.h"
#include "unwind/stack-shares.h"

enum { RECORD_MOST = UINT16_MAX & ~7 }; /* bytes: the size has 16 bits */
enum { FILL_HIGH = 90, FILL_LOW = 70 }; /* percent of a ring */
enum { STORE_NS = 500000000 };          /* at least so long */

struct live_unwind {
	struct stage stage;
	const struct told *told;
	bool keeps_registers;
	struct live_stack stack;
	struct stack_shares *shares;
	bool was_high;           /* at the last round */
	bool stores;             /* rings fill up faster than stacks can be unwound */
	uint64_t stores_from_ns; /* since they did last */
	uint64_t latest_ns;      /* of the samples so far */
	struct {
		uint64_t count, from_ns, until_ns;
	} stored;
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

/* Samples keep the fields, which are empty but for copies that are stored. */
static void change_attr(struct stage *stage, struct attr *attr)
{
	if (has_copies(attr))
		attr->exclude_callchain_user = 0;
}

/* Storing takes less time than unwinding. */
static void begin_storing(struct live_unwind *live)
{
	live->stores = true;
	live->stores_from_ns = live->latest_ns;
}

/* The kernel wakes a reader where a ring is half full; once it may have been late. */
static void fill(struct stage *stage, unsigned percent)
{
	struct live_unwind *live = live_of(stage);

	if (percent >= FILL_HIGH && live->was_high)
		begin_storing(live);
	else if (percent < FILL_LOW && live->latest_ns > live->stores_from_ns + STORE_NS)
		live->stores = false;
	live->was_high = percent >= FILL_HIGH;
}

static void look(struct stage *stage, const struct perf_event_header *header)
{
	if (header->type == PERF_RECORD_LOST)
		begin_storing(live_of(stage));
}

static void settle(struct stage *stage)
{
	live_stack_settle(&live_of(stage)->stack);
}

static void add_u64(struct str *out, uint64_t value)
{
	str_add_bytes(out, &value, sizeof(value));
}

static void add_chain(const struct live_unwind *live, const struct unwind_result *result,
		      struct str *out)
{
	const struct sample *sample = &live->sample;
	size_t kernels = sample_kernel_chain(sample);
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

/* What is behind the chain, without registers and copy. */
static void add_rest(const struct live_unwind *live, const struct perf_event_header *header,
		     struct str *out)
{
	const struct sample *sample = &live->sample;

	add_span(out, sample->callchain + sample->callchain_count, sample->registers_field);
	if (live->keeps_registers)
		add_span(out, sample->registers_field, sample->stack_field);
	else
		add_u64(out, PERF_SAMPLE_REGS_ABI_NONE);
	add_u64(out, 0); /* bytes of the copy */
	add_span(out, sample->stack_end, (const char *)header + header->size);
}

/* How many frames fit, if each of the record's other fields stays. */
static size_t room_for_frames(const struct live_unwind *live,
			      const struct perf_event_header *header)
{
	const struct sample *sample = &live->sample;
	size_t gone =
		(size_t)((const char *)sample->stack_end - (const char *)sample->registers_field);
	/* The chain's mark and number; what is left of the fields that go. */
	size_t rest = header->size - gone + 4 * sizeof(uint64_t);

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
	if (result.count > 0 && result.verdict != UNWIND_COMPLETE)
		sample_add_verdict(&live->sample, result.verdict, out);
}

static void store(struct live_unwind *live, const struct perf_event_header *header, struct str *out)
{
	uint64_t time_ns = live->sample.time;

	if (live->stored.count++ == 0 || time_ns < live->stored.from_ns)
		live->stored.from_ns = time_ns;
	if (time_ns > live->stored.until_ns)
		live->stored.until_ns = time_ns;
	str_add_bytes(out, header, header->size);
}

static void take_sample(struct live_unwind *live, const struct perf_event_header *header,
			struct str *out)
{
	if (live->sample.time > live->latest_ns)
		live->latest_ns = live->sample.time;
	if (live->stores)
		store(live, header, out);
	else
		add_sample(live, header, out);
}

static void take_record(struct stage *stage, const struct perf_event_header *header,
			struct str *out)
{
	struct live_unwind *live = live_of(stage);
	const struct record record = { .header = header };
	const struct event_desc *event = NULL;

	/* What cannot be read stays as it is: the reader says so. */
	if (header->type == PERF_RECORD_SAMPLE &&
	    events_decode(told_events(live->told), &record, &event, &live->sample) == 0 &&
	    has_copies(&event->attr))
		take_sample(live, header, out);
	else
		str_add_bytes(out, header, header->size);
}

struct live_unwind *live_unwind_new(const struct live_unwind_options *options)
{
	struct live_unwind *live = xnew(struct live_unwind);

	live->stage = (struct stage){ .change_attr = change_attr,
				      .fill = fill,
				      .look = look,
				      .settle = settle,
				      .pass = take_record };
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

void live_unwind_sum(struct live_unwind *live, struct stack_sum *ret_sum)
{
	stack_shares_get(live->shares, ret_sum);
	ret_sum->stored = live->stored.count;
	ret_sum->stored_from_ns = live->stored.from_ns;
	ret_sum->stored_until_ns = live->stored.until_ns;
}
