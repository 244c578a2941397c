/* user-stack.c - see user-stack.h. */
#include "analyze/user-stack.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

#include "analyze/chain.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "model/timeline.h"
#include "symbol/resolve.h"
#include "unwind/stack-shares.h"
#include "unwind/unwinder.h"

/* Registers by the kernel's numbers, of x86: those between SS and R8 are never recorded. */
#define X86_GAP UINT64_C(0xf000)
#define X86_R8 UINT64_C(0xff0000)

/* Whose memory it is that is asked for. */
struct sampled {
	struct profile *profile;
	const struct profile_sample *sample;
};

void user_stack_done(struct user_stack *stack)
{
	unwinder_free(stack->unwinder);
	*stack = (struct user_stack){ 0 };
}

void user_stack_forget(struct user_stack *stack)
{
	if (stack->unwinder)
		unwinder_forget(stack->unwinder);
}

static const struct map *map_at(const struct sampled *sampled, uint64_t addr)
{
	return timeline_map(profile_timeline(sampled->profile), sampled->sample->sample.pid,
			    PERF_RECORD_MISC_USER, addr, sampled->sample->moment);
}

static bool find_module(void *context, uint64_t addr, struct unwind_module *ret_module)
{
	const struct sampled *sampled = context;
	const struct map *map = map_at(sampled, addr);
	uint64_t vaddr = 0;

	if (!map || !(map->prot & PROT_EXEC))
		return false;
	ret_module->owner = map->dso;
	ret_module->cfi = resolver_cfi(profile_resolver(sampled->profile), map, addr, &vaddr);
	ret_module->bias = addr - vaddr;
	return true;
}

/* A recording without its end has no features: then the registers tell. */
static const char *find_arch(const struct datafile *file, const struct sample_regs *regs)
{
	size_t size;
	const void *bytes = datafile_feature(file, FEATURE_ARCH, &size);
	const char *arch;

	if (bytes && feature_string_decode(bytes, size, datafile_header(file)->foreign, &arch) == 0)
		return arch;
	if ((regs->mask & X86_GAP) == 0 && (regs->mask & X86_R8) != 0)
		return "x86_64";
	return regs->abi == PERF_SAMPLE_REGS_ABI_64 ? "aarch64" : "arm";
}

static bool has_copy(const struct profile_sample *sample)
{
	return sample->sample.regs_user.count > 0 && sample->sample.stack_size > 0;
}

/* Where the user's part of a recorded chain begins; chain->count if it has none. */
static size_t find_user_part(const struct chain *chain)
{
	size_t i = 0;

	while (i < chain->count && chain->items[i].cpumode != PERF_RECORD_MISC_USER)
		i++;
	return i;
}

/* In place of what the kernel found of the user's part. */
static void add_to_chain(const struct unwind_result *result, struct chain *chain)
{
	chain->count = find_user_part(chain);
	for (size_t i = 0; i < result->count; i++) {
		const struct unwind_frame *frame = &result->frames[i];

		grow(chain);
		chain->items[chain->count++] =
			(struct chain_link){ frame->pc - !frame->exact, PERF_RECORD_MISC_USER };
	}
}

static void count(const struct sampled *sampled, const struct unwind_request *request,
		  const struct unwind_result *result)
{
	const struct dso *owner = result->owner;

	stack_shares_add(profile_stack_shares(sampled->profile), sampled->sample->sample.tid,
			 request->memory.stack_addr, result, owner ? owner->short_name : NULL);
}

static uint64_t space_number(struct lookup *lookup, const struct profile_sample *sample)
{
	const struct lookup_question question =
		lookup_ask(sample, PERF_RECORD_MISC_USER, sample->sample.ip);
	uint64_t id;

	return lookup_epoch(lookup, &question, &id) ? id + 1 : 0;
}

/* What the walk needs besides registers and stack; false if the machine is not known. */
static bool prepare(struct user_stack *stack, struct sampled *sampled,
		    struct unwind_request *request)
{
	const struct sample_regs *regs = &sampled->sample->sample.regs_user;

	if (!stack->unwinder) {
		stack->unwinder = unwinder_new();
		stack->arch = find_arch(profile_file(sampled->profile), regs);
	}
	request->machine = unwind_registers_machine(stack->arch, regs->abi);
	request->find = find_module;
	request->context = sampled;
	return request->machine != NULL;
}

bool user_stack_add(struct user_stack *stack, struct lookup *lookup,
		    const struct profile_sample *sample, size_t max, struct chain *chain)
{
	const struct sample_regs *regs = &sample->sample.regs_user;
	struct sampled sampled = { lookup->profile, sample };
	struct unwind_registers registers;
	struct unwind_request request = {
		.registers = &registers,
		.memory.stack = sample->sample.stack,
		.memory.stack_size = sample->sample.stack_size,
		.is_short = sample->sample.stack_size < sample->sample.stack_room,
		.max = max,
	};
	struct unwind_result result;

	if (!has_copy(sample))
		return false;
	if (!prepare(stack, &sampled, &request) ||
	    !unwind_registers_take(request.machine, regs->mask, regs->values, regs->count,
				   &registers))
		return false;
	request.memory.stack_addr = registers.values[request.machine->sp];
	request.chain = sample_user_chain(&sample->sample, &request.chain_count);
	request.space = space_number(lookup, sample);
	result = unwinder_walk(stack->unwinder, &request);
	add_to_chain(&result, chain);
	count(&sampled, &request, &result);
	stack->verdict = result.verdict;
	return true;
}

static void insert(struct chain *chain, size_t at, uint64_t addr)
{
	grow(chain);
	memmove(&chain->items[at + 1], &chain->items[at],
		(chain->count - at) * sizeof(*chain->items));
	chain->items[at] = (struct chain_link){ addr, PERF_RECORD_MISC_USER };
	chain->count++;
}

/* There is no stack, so that whatever the caller needs of it ends the walk. */
static void add_caller(struct user_stack *stack, struct lookup *lookup,
		       const struct profile_sample *sample, size_t leaf, struct chain *chain)
{
	const struct sample_regs *regs = &sample->sample.regs_user;
	struct sampled sampled = { lookup->profile, sample };
	struct unwind_registers registers = { 0 };
	struct unwind_request request = { .registers = &registers, .max = 2 };
	struct unwind_result result;

	if (!prepare(stack, &sampled, &request) || request.machine->link < 0)
		return;
	(void)unwind_registers_take(request.machine, regs->mask, regs->values, regs->count,
				    &registers);
	registers.pc = chain->items[leaf].addr;
	registers.known &= UINT64_C(1) << request.machine->link;
	if (!registers.known)
		return;
	unwind_registers_set(&registers, request.machine->sp, 0);
	request.space = space_number(lookup, sample);
	result = unwinder_walk(stack->unwinder, &request);
	if (result.count == 2 &&
	    (leaf + 1 == chain->count || result.frames[1].pc != chain->items[leaf + 1].addr))
		insert(chain, leaf + 1, result.frames[1].pc - !result.frames[1].exact);
}

void user_stack_add_leaf_caller(struct user_stack *stack, struct lookup *lookup,
				const struct profile_sample *sample, struct chain *chain)
{
	size_t leaf;

	if (sample->sample.regs_user.count == 0 || sample->sample.stack_size > 0)
		return;
	leaf = find_user_part(chain);
	if (leaf < chain->count)
		add_caller(stack, lookup, sample, leaf, chain);
}
