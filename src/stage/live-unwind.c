/* live-unwind.c - see live-unwind.h. */
#include "stage/live-unwind.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/str.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/stage.h"
#include "model/timeline.h"
#include "object/cfi.h"
#include "object/elf-file.h"
#include "stage/stitch.h"
#include "stage/told.h"
#include "unwind/stack-shares.h"
#include "unwind/unwinder.h"

enum { RECORD_MOST = UINT16_MAX & ~7 }; /* bytes: the size has 16 bits */

struct live_unwind {
	struct stage stage;
	struct live_unwind_options options;
	struct mapped_cfi mapped;
	struct unwinder *unwinder;
	struct stitch stitch;
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
	if (live_of(stage)->options.keeps_registers)
		return;
	attr->sample_type &= ~(uint64_t)PERF_SAMPLE_REGS_USER;
	attr->sample_regs_user = 0;
}

static void open_mapping(void *context, uint32_t pid, const struct map *map)
{
	struct live_unwind *live = context;

	mapped_cfi_see(&live->mapped, pid, map);
}

static void settle(struct stage *stage)
{
	struct live_unwind *live = live_of(stage);
	const struct told *told = live->options.told;

	if (told_has_forgotten(told)) {
		mapped_cfi_forget(&live->mapped, told_timeline(told));
		stitch_forget(&live->stitch);
	}
	if (told_has_forgotten(told) || told_is_new(told))
		unwinder_forget(live->unwinder);
	told_each_mapping(told, open_mapping, live);
}

static const struct map *map_at(const struct live_unwind *live, uint64_t addr)
{
	return timeline_map(told_timeline(live->options.told), live->sample.pid,
			    PERF_RECORD_MISC_USER, addr, live->sample.time);
}

static bool find_module(void *context, uint64_t addr, struct unwind_module *ret_module)
{
	const struct live_unwind *live = context;
	const struct map *map = map_at(live, addr);
	uint64_t vaddr = 0;

	if (!map || !(map->prot & PROT_EXEC))
		return false;
	*ret_module = (struct unwind_module){ .cfi = mapped_cfi_find(&live->mapped, map->dso),
					      .owner = map->dso };
	if (ret_module->cfi && !elf_file_offset_to_vaddr(cfi_file(ret_module->cfi),
							 addr - map->start + map->pgoff, &vaddr))
		ret_module->cfi = NULL;
	ret_module->bias = addr - vaddr;
	return true;
}

static uint64_t space_of(const struct live_unwind *live)
{
	struct timeline_epoch epoch =
		timeline_epoch(told_timeline(live->options.told), live->sample.pid,
			       PERF_RECORD_MISC_USER, live->sample.time);

	return epoch.from != epoch.until ? epoch.id + 1 : 0;
}

static void count(struct live_unwind *live, const struct unwind_result *result, uint64_t begin_addr)
{
	const struct dso *owner = result->owner;

	stack_shares_add(live->shares, live->sample.tid, begin_addr, result,
			 owner ? owner->short_name : NULL);
}

/* No frames where no copy could be made, as of threads of the kernel. */
static struct unwind_result unwind(struct live_unwind *live, size_t most)
{
	const struct sample *sample = &live->sample;
	const struct sample_regs *regs = &sample->regs_user;
	struct unwind_registers registers;
	struct unwind_request request = {
		.machine = unwind_registers_machine(live->options.arch, regs->abi),
		.registers = &registers,
		.memory.stack = sample->stack,
		.memory.stack_size = sample->stack_size,
		.is_short = sample->stack_size < sample->stack_room,
		.max = most,
		.find = find_module,
		.context = live,
	};
	struct unwind_result result = { 0 };

	if (!request.machine || most == 0 || !sample->stack ||
	    !unwind_registers_take(request.machine, regs->mask, regs->values, regs->count,
				   &registers))
		return result;
	request.memory.stack_addr = registers.values[request.machine->sp];
	request.space = space_of(live);
	result = unwinder_walk(live->unwinder, &request);
	stitch_take(&live->stitch, sample->tid, most, &result);
	count(live, &result, request.memory.stack_addr);
	return result;
}

static void add_u64(struct str *out, uint64_t value)
{
	str_add_bytes(out, &value, sizeof(value));
}

static void add_chain(const struct live_unwind *live, const struct unwind_result *result,
		      struct str *out)
{
	const struct sample *sample = &live->sample;
	bool only_pc = result->count == 0 &&
		       (sample->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;

	add_u64(out, sample->callchain_count +
			     (result->count || only_pc ? 1 + result->count + only_pc : 0));
	str_add_bytes(out, sample->callchain, sample->callchain_count * sizeof(uint64_t));
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
	const void *gone =
		live->options.keeps_registers ? sample->stack_field : sample->registers_field;

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

static void add_sample(struct live_unwind *live, const struct perf_event_header *header,
		       struct str *out)
{
	size_t start = out->size, most = room_for_frames(live, header);
	struct unwind_result result;
	struct perf_event_header *made;

	if (live->options.max_stack && live->options.max_stack < most)
		most = live->options.max_stack;
	result = unwind(live, most);
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
		if (events_decode(told_events(live->options.told), &record, &event, &live->sample) <
		    0)
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
	live->options = *options;
	live->mapped = (struct mapped_cfi){ .open = options->open,
					    .context = options->context,
					    .vdso = options->vdso,
					    .vdso_size = options->vdso_size };
	live->unwinder = unwinder_new();
	live->shares = stack_shares_new();
	return live;
}

void live_unwind_free(struct live_unwind *live)
{
	if (!live)
		return;
	mapped_cfi_done(&live->mapped);
	unwinder_free(live->unwinder);
	stitch_forget(&live->stitch);
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
