/* live-unwind.c - see live-unwind.h. */
#include "stage/live-unwind.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "base/str.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/stage.h"
#include "data/writer.h"
#include "model/timeline.h"
#include "object/cfi.h"
#include "object/elf-file.h"
#include "stage/stitch.h"
#include "unwind/stack-shares.h"
#include "unwind/unwinder.h"

enum {
	RECORD_MOST = UINT16_MAX & ~7, /* bytes: the size has 16 bits */
	FORGET_COUNT = 1 << 14,        /* of what was told, before memory is looked after */
};

#define EXEC_NS UINT64_C(1000000)      /* that exec takes at most, as model/processes.c has it */
#define GRACE_NS UINT64_C(10000000000) /* who is gone so long is not asked for any more */

/* What was mapped in this round, and may be opened now. */
struct new_mapping {
	uint32_t pid;
	uint64_t addr, moment;
};

struct live_unwind {
	struct stage stage;
	struct live_unwind_options options;
	struct events *events; /* as they are opened */
	struct timeline *timeline;
	struct mapped_cfi mapped;
	struct unwinder *unwinder;
	struct stitch stitch;
	struct stack_shares *shares;
	uint64_t place;      /* of the last record: an order, as in a file */
	uint64_t highest_ns; /* of all records that were looked at */
	size_t told_count, kept_count;
	struct {
		struct new_mapping *items;
		size_t count, capacity;
	} mappings;
	struct sample sample; /* that is at hand */
};

static struct live_unwind *live_of(struct stage *stage)
{
	return (struct live_unwind *)stage;
}

static void begin(struct stage *stage, const struct writer_event *events, size_t count)
{
	struct live_unwind *live = live_of(stage);

	for (size_t i = 0; i < count; i++)
		(void)events_add(live->events, &events[i].attr, events[i].ids, events[i].id_count);
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

static void look_at_mapping(struct live_unwind *live, const struct perf_event_header *header,
			    uint64_t moment)
{
	const struct record_mmap2 *map = (const void *)header;

	if (header->type != PERF_RECORD_MMAP2 || !record_fits(header, sizeof(*map)) ||
	    !(map->prot & PROT_EXEC) ||
	    (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
		return;
	grow(&live->mappings);
	live->mappings.items[live->mappings.count++] =
		(struct new_mapping){ map->pid, map->start, moment };
}

static void look(struct stage *stage, const struct perf_event_header *header)
{
	struct live_unwind *live = live_of(stage);
	const struct record record = { .header = header, .offset = ++live->place };
	const struct event_desc *event = events_of(live->events, &record);
	struct sample trailer;
	uint64_t time_ns;

	if (!event)
		return;
	if (header->type == PERF_RECORD_SAMPLE) {
		if (sample_time(&event->attr, header, &time_ns) && time_ns > live->highest_ns)
			live->highest_ns = time_ns;
		return;
	}
	if (header->type >= RECORD_HEADER_ATTR ||
	    sample_decode_trailer(&event->attr, header, &trailer) < 0)
		return;
	if (trailer.time > live->highest_ns)
		live->highest_ns = trailer.time;
	if (timeline_add(live->timeline, &record, trailer.time) == 0)
		look_at_mapping(live, header, trailer.time);
}

/* Of long recordings: what has ended goes, see timeline_forget(). */
static void look_after_memory(struct live_unwind *live)
{
	struct hash dsos = { 0 };
	uint64_t now = live->highest_ns;

	if (live->told_count < FORGET_COUNT || live->told_count < live->kept_count)
		return;
	timeline_forget(live->timeline, now > GRACE_NS ? now - GRACE_NS : 0, &dsos);
	mapped_cfi_forget(&live->mapped, live->timeline);
	unwinder_forget(live->unwinder);
	stitch_forget(&live->stitch);
	live->told_count = 0;
	live->kept_count = timeline_size(live->timeline);
	hash_done(&dsos);
}

/* What exec maps is in sight when exec is done: see docs/differences.md. */
static void open_mapping(struct live_unwind *live, const struct new_mapping *mapping)
{
	const uint64_t moments[] = { mapping->moment, mapping->moment + EXEC_NS, live->highest_ns };

	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		const struct map *map =
			timeline_map(live->timeline, mapping->pid, PERF_RECORD_MISC_USER,
				     mapping->addr, moments[i]);

		if (map)
			mapped_cfi_see(&live->mapped, mapping->pid, map);
	}
}

static void settle(struct stage *stage)
{
	struct live_unwind *live = live_of(stage);
	size_t told;

	look_after_memory(live);
	told = timeline_settle_until(live->timeline, live->highest_ns + 1);
	live->told_count += told;
	if (told > 0)
		unwinder_forget(live->unwinder);
	for (size_t i = 0; i < live->mappings.count; i++)
		open_mapping(live, &live->mappings.items[i]);
	live->mappings.count = 0;
}

static const struct map *map_at(const struct live_unwind *live, uint64_t addr)
{
	return timeline_map(live->timeline, live->sample.pid, PERF_RECORD_MISC_USER, addr,
			    live->sample.time);
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
	struct timeline_epoch epoch = timeline_epoch(live->timeline, live->sample.pid,
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
		if (events_decode(live->events, &record, &event, &live->sample) < 0)
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

	live->stage = (struct stage){ begin, change_attr, look, settle, take_record };
	live->options = *options;
	live->events = events_new();
	live->timeline = timeline_new();
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
	events_free(live->events);
	timeline_free(live->timeline);
	mapped_cfi_done(&live->mapped);
	unwinder_free(live->unwinder);
	stitch_forget(&live->stitch);
	stack_shares_free(live->shares);
	free(live->mappings.items);
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
