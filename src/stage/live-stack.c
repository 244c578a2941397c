/* live-stack.c - see live-stack.h. */
#include "stage/live-stack.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "data/sample.h"
#include "model/timeline.h"
#include "object/cfi.h"
#include "object/elf-file.h"
#include "stage/told.h"

enum { FRAMES_CHECKED = 8 };

void live_stack_init(struct live_stack *stack, const struct live_stack_options *options)
{
	*stack = (struct live_stack){
		.told = options->told,
		.arch = options->arch,
		.max_stack = options->max_stack,
		.mapped = { .open = options->open,
			    .context = options->context,
			    .vdso = options->vdso,
			    .vdso_size = options->vdso_size },
		.unwinder = unwinder_new(),
		.memory = { .read = options->read, .context = options->context },
	};
}

void live_stack_done(struct live_stack *stack)
{
	mapped_cfi_done(&stack->mapped);
	unwinder_free(stack->unwinder);
	stitch_forget(&stack->stitch);
	outer_forget(&stack->outer);
	free(stack->kept.items);
}

static void open_mapping(void *context, uint32_t pid, const struct map *map)
{
	struct live_stack *stack = context;

	mapped_cfi_see(&stack->mapped, pid, map);
}

void live_stack_settle(struct live_stack *stack)
{
	const struct told *told = stack->told;

	if (told_has_forgotten(told)) {
		mapped_cfi_forget(&stack->mapped, told_timeline(told));
		stitch_forget(&stack->stitch);
		outer_forget(&stack->outer);
	}
	if (told_has_forgotten(told) || told_is_new(told))
		unwinder_forget(stack->unwinder);
	thread_memory_forget(&stack->memory);
	told_each_mapping(told, open_mapping, stack);
}

static const struct map *map_at(const struct live_stack *stack, uint64_t addr)
{
	return timeline_map(told_timeline(stack->told), stack->sample->pid, PERF_RECORD_MISC_USER,
			    addr, stack->sample->time);
}

static bool find_module(void *context, uint64_t addr, struct unwind_module *ret_module)
{
	const struct live_stack *stack = context;
	const struct map *map = map_at(stack, addr);
	uint64_t vaddr = 0;

	if (!map || !(map->prot & PROT_EXEC))
		return false;
	*ret_module = (struct unwind_module){ .cfi = mapped_cfi_find(&stack->mapped, map->dso),
					      .owner = map->dso };
	if (ret_module->cfi && !elf_file_offset_to_vaddr(cfi_file(ret_module->cfi),
							 addr - map->start + map->pgoff, &vaddr))
		ret_module->cfi = NULL;
	ret_module->bias = addr - vaddr;
	return true;
}

static uint64_t space_of(const struct live_stack *stack)
{
	struct timeline_epoch epoch = timeline_epoch(told_timeline(stack->told), stack->sample->pid,
						     PERF_RECORD_MISC_USER, stack->sample->time);

	return epoch.from != epoch.until ? epoch.id + 1 : 0;
}

/*
 * What the thread does now is what it did then as far as its stack is the same: the outermost frame
 * of the copy is still there, so what called it is there, too.
 */
static bool is_still_there(struct live_stack *stack, const struct unwind_request *request,
			   const struct unwind_result *result)
{
	size_t i = result->placed > FRAMES_CHECKED ? result->placed - FRAMES_CHECKED : 1;
	size_t checked = 0;
	uint64_t pc;

	for (; i < result->placed; i++) {
		const struct unwind_frame *frame = &result->frames[i];

		if (frame->home == 0)
			continue;
		if (!thread_memory_pc(&stack->memory, request->machine, frame, &pc) ||
		    pc != frame->pc)
			return false;
		checked++;
	}
	return checked > 0;
}

static bool find_function(void *context, uint64_t pc, uint64_t *ret_start)
{
	struct unwind_module module;
	struct cfi_row row;

	if (!find_module(context, pc - 1, &module) || !module.cfi ||
	    cfi_find(module.cfi, pc - 1 - module.bias, &row) < 0)
		return false;
	*ret_start = row.function + module.bias;
	return true;
}

/* What was found where may be right only if it has what the kernel saw, too. */
static bool agrees(const struct unwind_result *result, const struct unwind_result *known)
{
	if (result->count < known->count)
		return false;
	for (size_t i = known->placed; i < known->count; i++) {
		if (result->frames[i].pc != known->frames[i].pc)
			return false;
	}
	return true;
}

/*
 * Walks on in memory. False if that does not lead to the thread's first function. Other stacks do
 * not learn from it: it was read when the thread had gone on.
 */
static bool walk_memory(struct live_stack *stack, struct unwind_request *request,
			const struct unwind_result *known, struct unwind_result *ret_result)
{
	struct unwind_result result;

	request->memory.read = thread_memory_get;
	request->memory.context = &stack->memory;
	result = unwinder_walk(stack->unwinder, request);
	request->memory.read = NULL;
	if (result.verdict != UNWIND_COMPLETE || !agrees(&result, known))
		return false;
	result.verdict = UNWIND_STITCHED;
	*ret_result = result;
	return true;
}

/* By earlier stacks. They need to know where frames are: those of the kernel's chain have no place.
 */
static bool stitch(struct live_stack *stack, const struct unwind_request *request,
		   const struct unwind_result *known, struct unwind_result *ret_result)
{
	struct unwind_result result = *known;

	result.count = known->placed;
	if (known->placed < known->count)
		result.verdict = UNWIND_TRUNCATED;
	stitch_take(&stack->stitch, stack->sample->tid, request->max, &result);
	if (known->verdict != UNWIND_TRUNCATED ||
	    (result.verdict != UNWIND_STITCHED && result.verdict != UNWIND_CUT) ||
	    !agrees(&result, known))
		return false;
	*ret_result = result;
	return true;
}

/* Outer frames for a stack that is longer than its copy. Whether it is whole for what memory has
 * now. */
static bool reach_further(struct live_stack *stack, struct unwind_request *request,
			  const struct outer_place *place, struct unwind_result *result)
{
	struct unwind_result known = *result;

	if (stitch(stack, request, &known, result) || known.verdict != UNWIND_TRUNCATED)
		return false;
	if (is_still_there(stack, request, &known)) {
		stack->kept.count = 0;
		for (size_t i = 0; i < known.count; i++) {
			grow(&stack->kept);
			stack->kept.items[stack->kept.count++] = known.frames[i];
		}
		known.frames = stack->kept.items;
		if (walk_memory(stack, request, &known, result))
			return true;
	}
	*result = known;
	outer_bridge(&stack->outer, place, result);
	return false;
}

static struct unwind_result walk(struct live_stack *stack, struct unwind_request *request)
{
	const struct outer_place place = {
		.tid = stack->sample->tid,
		.is_first_thread = stack->sample->tid == stack->sample->pid,
		.machine = request->machine,
		.memory = &stack->memory,
		.most = request->max,
		.find_function = find_function,
		.context = stack,
	};
	struct unwind_result result = unwinder_walk(stack->unwinder, request);
	bool is_later;

	stack->memory.pid = stack->sample->pid;
	is_later = reach_further(stack, request, &place, &result);
	if (result.verdict <= UNWIND_STITCHED)
		outer_remember(&stack->outer, &place, is_later, &result);
	return result;
}

struct unwind_result live_stack_walk(struct live_stack *stack, const struct sample *sample,
				     size_t room, uint64_t *ret_begin)
{
	const struct sample_regs *regs = &sample->regs_user;
	struct unwind_registers registers;
	struct unwind_request request = {
		.machine = unwind_registers_machine(stack->arch, regs->abi),
		.registers = &registers,
		.memory.stack = sample->stack,
		.memory.stack_size = sample->stack_size,
		.is_short = sample->stack_size < sample->stack_room,
		.max = stack->max_stack && stack->max_stack < room ? stack->max_stack
								   : UNWIND_FRAMES_MOST,
		.find = find_module,
		.context = stack,
	};
	struct unwind_result result = { 0 };

	request.chain = sample_user_chain(sample, &request.chain_count);
	if (!request.machine || room == 0 || !sample->stack ||
	    !unwind_registers_take(request.machine, regs->mask, regs->values, regs->count,
				   &registers))
		return result;
	stack->sample = sample;
	request.memory.stack_addr = registers.values[request.machine->sp];
	request.space = space_of(stack);
	result = walk(stack, &request);
	outer_cut(&stack->outer, room, &result);
	*ret_begin = request.memory.stack_addr;
	return result;
}
