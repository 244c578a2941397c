/* unwinder.c - see unwinder.h. */
#include "unwind/unwinder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "object/cfi.h"
#include "object/elf-file.h"
#include "unwind/unwind-frame.h"

enum { CACHE_SIZE = 1 << 15, ENTRY_SIZE = 64 };

/* Above the stack pointer; what is farther away is on no stack. */
#define STACK_MOST (UINT64_C(256) << 20)

enum kind {
	NOWHERE,   /* no code */
	NO_CFI,    /* code of which nothing is known */
	LAST,      /* a function without a caller */
	PLAIN,     /* what nearly all functions are, see struct rule */
	ELABORATE, /* anything else: the whole row is needed */
};

/* A row of which all that is needed are stack pointer, frame pointer and two loads. */
struct rule {
	uint8_t kind;
	bool cfa_by_fp, fp_is_saved;
	int32_t cfa_offset;           /* of the stack or frame pointer */
	int32_t ra_offset, fp_offset; /* of the CFA */
};

struct slot {
	uint64_t space, addr;
	struct rule rule;
};

struct unwinder {
	struct slot *cache;
	struct {
		struct unwind_frame *items;
		size_t count, capacity;
	} frames;
};

/* One stack while it is walked. */
struct ascent {
	struct unwinder *unwinder;
	const struct unwind_request *request;
	struct unwind_memory memory;
	struct unwind_registers registers;
	bool keeps_all;   /* registers beyond stack and frame pointer are followed, too */
	bool interrupted; /* the pc is no return address */
	bool was_signal;  /* the last frame was that of a signal */
	bool by_pointer;  /* so was it found */
	uint64_t cfa;     /* of the last frame */
	uint64_t home;    /* see struct unwind_frame */
	bool at_frame;    /* the last frame is one that its frame pointer leads to */
	struct unwind_result result;
};

struct unwinder *unwinder_new(void)
{
	struct unwinder *unwinder = xnew(struct unwinder);

	unwinder->cache = xcalloc(CACHE_SIZE, sizeof(*unwinder->cache));
	return unwinder;
}

void unwinder_free(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	free(unwinder->cache);
	free(unwinder->frames.items);
	free(unwinder);
}

void unwinder_forget(struct unwinder *unwinder)
{
	memset(unwinder->cache, 0, CACHE_SIZE * sizeof(*unwinder->cache));
}

static bool is_small(int64_t offset)
{
	return offset == (int32_t)offset;
}

static struct rule rule_of(const struct unwind_machine *machine, const struct cfi_row *row)
{
	const struct cfi_rule *ra = &row->registers[row->return_column];
	const struct cfi_rule *fp = &row->registers[machine->fp];
	struct rule rule = { .kind = ELABORATE };

	if (ra->kind == CFI_UNDEFINED)
		return (struct rule){ .kind = LAST };
	if (row->signal_frame || row->cfa.kind != CFI_REGISTER || !is_small(row->cfa_offset) ||
	    (row->cfa.reg != machine->sp && row->cfa.reg != machine->fp) ||
	    ra->kind != CFI_OFFSET || !is_small(ra->offset) ||
	    row->registers[machine->sp].kind != CFI_SAME ||
	    (fp->kind != CFI_SAME && (fp->kind != CFI_OFFSET || !is_small(fp->offset))))
		return rule;
	rule.kind = PLAIN;
	rule.cfa_by_fp = row->cfa.reg == machine->fp;
	rule.cfa_offset = (int32_t)row->cfa_offset;
	rule.ra_offset = (int32_t)ra->offset;
	rule.fp_is_saved = fp->kind == CFI_OFFSET;
	rule.fp_offset = rule.fp_is_saved ? (int32_t)fp->offset : 0;
	return rule;
}

/* Where the pc is to be looked up: a call may be the last instruction of its function. */
static uint64_t code_addr(const struct ascent *ascent)
{
	return ascent->registers.pc - !ascent->interrupted;
}

static bool find_module(const struct ascent *ascent, uint64_t addr,
			struct unwind_module *ret_module)
{
	return ascent->request->find(ascent->request->context, addr, ret_module);
}

/* Signals return to the first instruction of a function that was never called. */
static bool find_signal_row(const struct ascent *ascent, const struct unwind_module *module,
			    struct cfi_row *ret_row)
{
	return !ascent->interrupted &&
	       cfi_find(module->cfi, ascent->registers.pc - module->bias, ret_row) == 0 &&
	       ret_row->signal_frame;
}

static struct rule find_row(const struct ascent *ascent, struct cfi_row *ret_row)
{
	struct unwind_module module = { 0 };
	uint64_t addr = code_addr(ascent);

	if (!find_module(ascent, addr, &module))
		return (struct rule){ .kind = NOWHERE };
	if (!module.cfi || (cfi_find(module.cfi, addr - module.bias, ret_row) < 0 &&
			    !find_signal_row(ascent, &module, ret_row)))
		return (struct rule){ .kind = NO_CFI };
	if (ret_row->return_column >= CFI_REGISTERS)
		return (struct rule){ .kind = NO_CFI };
	return rule_of(ascent->request->machine, ret_row);
}

static struct rule find_rule(struct ascent *ascent)
{
	uint64_t space = ascent->request->space, addr = code_addr(ascent);
	struct slot *slot = &ascent->unwinder->cache[hash_u64(addr ^ space << 48) % CACHE_SIZE];
	struct cfi_row row;

	if (space != 0 && slot->space == space && slot->addr == addr)
		return slot->rule;
	if (space == 0)
		return find_row(ascent, &row);
	*slot = (struct slot){ .space = space, .addr = addr, .rule = find_row(ascent, &row) };
	return slot->rule;
}

/* Why memory was not there. */
static void take_fault(struct ascent *ascent)
{
	const struct unwind_memory *memory = &ascent->memory;
	uint64_t end = memory->stack_addr + memory->stack_size;
	bool beyond = memory->missing >= memory->stack_addr &&
		      memory->missing + ascent->request->machine->address_size > end &&
		      memory->missing - memory->stack_addr < STACK_MOST;

	ascent->result.verdict = UNWIND_TRUNCATED;
	ascent->result.missing = memory->missing;
	if (beyond && !ascent->request->is_short)
		ascent->result.needed = memory->missing + ascent->request->machine->address_size -
					memory->stack_addr;
	else if (!ascent->was_signal)
		ascent->result.verdict = UNWIND_DAMAGED;
}

/* False at the end of the chain. */
static bool take_frame(struct ascent *ascent, uint64_t cfa, bool may_stay)
{
	uint64_t before = ascent->registers.values[ascent->request->machine->sp];

	if (cfa < before || (cfa == before && !may_stay)) {
		ascent->result.verdict = UNWIND_DAMAGED;
		return false;
	}
	return true;
}

static void restore_fp(struct ascent *ascent, uint64_t cfa, int64_t offset)
{
	const struct unwind_machine *machine = ascent->request->machine;
	struct unwind_registers *registers = &ascent->registers;
	uint64_t fp;

	if (unwind_frame_is_over(machine, registers, cfa, offset))
		return;
	if (unwind_memory_get(&ascent->memory, cfa + (uint64_t)offset, machine->address_size, &fp))
		unwind_registers_set(registers, machine->fp, fp);
	else
		registers->known &= ~(UINT64_C(1) << machine->fp);
}

static bool step_plain(struct ascent *ascent, const struct rule *rule)
{
	const struct unwind_machine *machine = ascent->request->machine;
	const size_t size = machine->address_size;
	struct unwind_registers *registers = &ascent->registers;
	uint64_t base = registers->values[rule->cfa_by_fp ? machine->fp : machine->sp];
	uint64_t cfa = base + (uint64_t)(int64_t)rule->cfa_offset;
	uint64_t home = cfa + (uint64_t)(int64_t)rule->ra_offset;
	uint64_t pc;

	if (size == 4)
		cfa = (uint32_t)cfa;
	if (rule->cfa_by_fp && !unwind_registers_know(registers, machine->fp)) {
		ascent->result.verdict = UNWIND_DAMAGED;
		return false;
	}
	if (!take_frame(ascent, cfa, false))
		return false;
	if (!unwind_memory_get(&ascent->memory, home, size, &pc)) {
		take_fault(ascent);
		return false;
	}
	registers->known &= UINT64_C(1) << machine->fp;
	if (rule->fp_is_saved)
		restore_fp(ascent, cfa, rule->fp_offset);
	unwind_registers_set(registers, machine->sp, cfa);
	registers->pc = pc & machine->address_mask;
	ascent->cfa = cfa;
	ascent->home = home;
	ascent->interrupted = ascent->was_signal = false;
	return true;
}

/* Where a row says that the return address is; 0: not in memory, or only an expression tells. */
static uint64_t home_of(const struct cfi_row *row, uint64_t cfa)
{
	const struct cfi_rule *ra = &row->registers[row->return_column];

	return ra->kind == CFI_OFFSET ? cfa + (uint64_t)ra->offset : 0;
}

/* 1, 0 at the end of the chain, -EAGAIN: registers are needed that were not followed. */
static int step_elaborate(struct ascent *ascent)
{
	const struct unwind_machine *machine = ascent->request->machine;
	struct unwind_registers callers = ascent->registers;
	struct cfi_row row;
	uint64_t cfa = 0;
	int r;

	if (find_row(ascent, &row).kind < LAST) /* it was found before */
		return 0;
	r = unwind_frame(machine, &row, &callers, &ascent->memory, &cfa);
	if (r == -EAGAIN && !ascent->keeps_all)
		return r;
	if (r == -EFAULT)
		take_fault(ascent);
	else if (r < 0)
		ascent->result.verdict = UNWIND_DAMAGED;
	if (r <= 0)
		return 0;
	if (!row.signal_frame &&
	    !take_frame(ascent, cfa, ascent->interrupted && machine->link >= 0))
		return 0;
	if (!unwind_registers_know(&callers, machine->sp)) {
		ascent->result.verdict = UNWIND_DAMAGED;
		return 0;
	}
	ascent->unwinder->frames.items[ascent->unwinder->frames.count - 1].exact |=
		row.signal_frame;
	ascent->registers = callers;
	ascent->cfa = cfa;
	ascent->home = home_of(&row, cfa);
	ascent->interrupted = ascent->was_signal = row.signal_frame;
	return 1;
}

/* What a program begins with was called by nobody; much of it is written by hand, and says nothing.
 */
static bool is_entry(const struct ascent *ascent, const struct unwind_module *module)
{
	const struct elf_file *file = module->cfi ? cfi_file(module->cfi) : NULL;
	uint64_t entry = file ? elf_file_entry(file) : 0;

	return entry != 0 && code_addr(ascent) - module->bias - entry < ENTRY_SIZE;
}

static bool step_without_row(struct ascent *ascent)
{
	const struct unwind_machine *machine = ascent->request->machine;
	struct unwind_module module = { 0 };
	bool found = find_module(ascent, code_addr(ascent), &module);
	struct unwind_registers *registers = &ascent->registers;
	uint64_t cfa;

	if (found && is_entry(ascent, &module))
		return false;
	if (!ascent->result.owner)
		ascent->result.owner = module.owner;
	ascent->result.verdict = UNWIND_NO_CFI;
	if (ascent->interrupted && unwind_frame_by_link(machine, registers, &cfa) > 0) {
		ascent->home = 0;
	} else {
		ascent->at_frame = true;
		if (unwind_frame_by_pointer(machine, registers, &ascent->memory, &cfa) < 0)
			return false;
		ascent->home = cfa - machine->address_size;
	}
	ascent->cfa = cfa;
	ascent->interrupted = ascent->was_signal = false;
	return true;
}

static void add_frame(struct ascent *ascent)
{
	struct unwinder *unwinder = ascent->unwinder;

	grow(&unwinder->frames);
	unwinder->frames.items[unwinder->frames.count++] = (struct unwind_frame){
		.pc = ascent->registers.pc,
		.cfa = ascent->cfa,
		.home = ascent->home,
		.exact = ascent->interrupted,
	};
}

/* What the kernel takes every function for. */
static bool keeps_frame_pointer(const struct unwind_machine *machine, const struct rule *rule)
{
	return rule->kind == PLAIN && rule->cfa_by_fp && rule->fp_is_saved &&
	       rule->cfa_offset + rule->fp_offset == 0 &&
	       rule->cfa_offset + rule->ra_offset == machine->address_size;
}

/* 1 to go on, 0 at the end, -EAGAIN as step_elaborate(). */
static int step(struct ascent *ascent, const struct rule *rule)
{
	switch ((enum kind)rule->kind) {
	case LAST:
		return 0;
	case PLAIN:
		ascent->at_frame = keeps_frame_pointer(ascent->request->machine, rule);
		return ascent->keeps_all ? step_elaborate(ascent) : step_plain(ascent, rule);
	case ELABORATE:
		return step_elaborate(ascent);
	case NOWHERE:
	case NO_CFI:
		break;
	}
	return step_without_row(ascent);
}

static void take_lost(struct ascent *ascent)
{
	ascent->result.verdict = ascent->by_pointer ? UNWIND_NO_CFI : UNWIND_DAMAGED;
}

/* To the chain's end, or -EAGAIN. */
static int follow(struct ascent *ascent)
{
	size_t count;
	int r;

	for (count = 0; count == 0 || ascent->registers.pc != 0; count++) {
		struct rule rule = find_rule(ascent);

		if (count > 0 && rule.kind == NOWHERE) {
			take_lost(ascent);
			return 0;
		}
		if (count == ascent->request->max || count == UNWIND_FRAMES_MOST) {
			ascent->result.verdict = UNWIND_CUT;
			return 0;
		}
		add_frame(ascent);
		ascent->at_frame = false;
		ascent->by_pointer = rule.kind == NOWHERE || rule.kind == NO_CFI;
		r = step(ascent, &rule);
		if (r <= 0)
			return r;
	}
	return 0;
}

/*
 * Where in the kernel's chain the return address of the frame is that the frame pointer has now; 0:
 * nowhere. It went from frame to frame by what the copy has.
 */
static size_t find_in_chain(const struct ascent *ascent, size_t first)
{
	const struct unwind_request *request = ascent->request;
	const size_t size = request->machine->address_size;
	struct unwind_memory memory = request->memory;
	uint64_t fp = request->registers->values[request->machine->fp], pc;

	memory.read = NULL;
	for (size_t i = first; i < request->chain_count; i++) {
		if (fp == ascent->registers.values[request->machine->fp])
			return i;
		if (!unwind_memory_get(&memory, fp + size, size, &pc) || pc != request->chain[i] ||
		    !unwind_memory_get(&memory, fp, size, &fp))
			return 0;
	}
	return 0;
}

/* A frame of the chain, of which there is nothing but the address. False: it is the last. */
static bool step_chain(struct ascent *ascent, const struct rule *rule)
{
	struct unwind_module module = { 0 };

	if (keeps_frame_pointer(ascent->request->machine, rule))
		return true;
	if (rule->kind == LAST && ascent->result.verdict == UNWIND_TRUNCATED)
		ascent->result.verdict = UNWIND_COMPLETE;
	if (rule->kind != NO_CFI ||
	    (find_module(ascent, code_addr(ascent), &module) && is_entry(ascent, &module)))
		return false;
	if (!ascent->result.owner)
		ascent->result.owner = module.owner;
	ascent->result.verdict = UNWIND_NO_CFI;
	return true;
}

/* Goes on behind the copy, as long as the kernel's chain is sound. */
static void follow_chain(struct ascent *ascent)
{
	const struct unwind_request *request = ascent->request;
	/* At the first instruction of a function newer kernels add the caller. */
	size_t at = find_in_chain(ascent, 1);

	if (at == 0)
		at = find_in_chain(ascent, 2);
	if (at == 0)
		return;
	ascent->cfa = ascent->home = 0;
	ascent->interrupted = false;
	for (; at < request->chain_count; at++) {
		struct rule rule;

		ascent->registers.pc = request->chain[at] & request->machine->address_mask;
		rule = find_rule(ascent);
		if (rule.kind == NOWHERE)
			return;
		if (ascent->unwinder->frames.count == request->max) {
			ascent->result.verdict = UNWIND_CUT;
			return;
		}
		add_frame(ascent);
		if (!step_chain(ascent, &rule))
			return;
	}
}

static int try(struct ascent *ascent, struct unwinder *unwinder,
	       const struct unwind_request *request, bool keeps_all)
{
	ascent->unwinder = unwinder;
	ascent->request = request;
	ascent->memory = request->memory;
	ascent->registers = *request->registers;
	ascent->keeps_all = keeps_all;
	ascent->interrupted = true;
	ascent->was_signal = ascent->by_pointer = ascent->at_frame = false;
	ascent->cfa = ascent->registers.values[request->machine->sp];
	ascent->home = 0;
	ascent->result = (struct unwind_result){ .verdict = UNWIND_COMPLETE };
	unwinder->frames.count = 0;
	return follow(ascent);
}

struct unwind_result unwinder_walk(struct unwinder *unwinder, const struct unwind_request *request)
{
	struct ascent ascent;

	if (try(&ascent, unwinder, request, false) == -EAGAIN)
		(void)try(&ascent, unwinder, request, true);
	ascent.result.placed = unwinder->frames.count;
	if (ascent.at_frame && (ascent.result.verdict == UNWIND_TRUNCATED || ascent.by_pointer) &&
	    unwind_registers_know(&ascent.registers, request->machine->fp))
		follow_chain(&ascent);
	ascent.result.frames = unwinder->frames.items;
	ascent.result.count = unwinder->frames.count;
	return ascent.result;
}
