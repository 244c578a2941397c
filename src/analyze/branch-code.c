/* branch-code.c - see branch-code.h. */
#include "analyze/branch-code.h"

#include <linux/perf_event.h>

#include "analyze/code.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "base/str.h"
#include "data/events.h"
#include "format/branch-flags.h"

enum {
	BLOCK_MAX = 16 * 1024, /* bytes; what is longer ran not straight */
	NEXT_BRANCH = 128,     /* bytes that are searched for it, where it is missing */
	BUFFER_SIZE = BLOCK_MAX + INSN_SIZE_MAX,
};

/* Code that was copied. */
struct branch_block {
	uint64_t start;
	uint16_t cpumode;
	size_t size; /* with the whole instruction at its end; 0: there is none */
	struct insn_reader *reader;
	uint8_t bytes[BUFFER_SIZE];
};

struct branch_walk {
	struct profile *profile;
	struct code *code;
	const struct profile_sample *sample;
	branch_code_each *each;
	void *context;
	const struct function *function; /* that was named last */
	uint64_t cycle_count;
	struct str text;
	struct branch_block block;
};

static bool is_kernel(uint64_t addr)
{
	return addr >> 63;
}

static struct place place_in(const struct branch_walk *walk, uint64_t addr)
{
	return lookup_here(walk->profile, walk->sample, walk->block.cpumode, addr);
}

static void set_mode(struct branch_walk *walk, uint64_t addr)
{
	walk->block.cpumode = is_kernel(addr) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* Fills the block with [start, end] and the whole instruction at @end; false if it cannot. */
static bool copy_block(struct branch_walk *walk, uint64_t start, uint64_t end)
{
	struct branch_block *block = &walk->block;
	struct place place;

	if (start == 0 || end == 0 || end - start > BLOCK_MAX - INSN_SIZE_MAX)
		return false;
	block->start = start;
	set_mode(walk, start);
	place = place_in(walk, start);
	block->size = code_copy(walk->code, &place, block->bytes, end - start + INSN_SIZE_MAX,
				&block->reader);
	return block->size > 0;
}

static void name_function(struct branch_walk *walk, uint64_t addr)
{
	struct branch_code_line line = { .kind = BRANCH_CODE_FUNCTION,
					 .place = place_in(walk, addr) };

	if (!line.place.function || line.place.function == walk->function)
		return;
	walk->function = line.place.function;
	walk->each(walk->context, &line);
}

/* The instruction at @addr of the block, as a line of its own. */
static struct branch_code_line read_line(struct branch_walk *walk, uint64_t addr)
{
	struct branch_block *block = &walk->block;
	size_t offset = (size_t)(addr - block->start);
	struct branch_code_line line = {
		.kind = BRANCH_CODE_INSN,
		.place = place_in(walk, addr),
		.bytes = block->bytes + offset,
	};

	str_clear(&walk->text);
	(void)insn_read(block->reader, line.bytes, block->size - offset, addr, &line.insn,
			&walk->text);
	line.text = str_text(&walk->text);
	return line;
}

static void add_jump(struct branch_walk *walk, uint64_t addr, const struct sample_branch *branch,
		     unsigned insn_count)
{
	struct branch_code_line line = read_line(walk, addr);

	line.kind = BRANCH_CODE_JUMP;
	line.branch = branch;
	line.number = (size_t)(branch - walk->sample->sample.branches);
	line.insn_count = insn_count;
	walk->cycle_count += branch_flags_cycles(branch->flags);
	line.cycle_count = walk->cycle_count;
	walk->each(walk->context, &line);
}

/* The block up to the jump that ends it. */
static void add_stretch(struct branch_walk *walk, const struct sample_branch *branch)
{
	const struct branch_code_line mismatch = { .kind = BRANCH_CODE_MISMATCH };
	const struct branch_block *block = &walk->block;
	unsigned insn_count = 0;
	uint64_t addr = block->start;

	while (addr - block->start < block->size && addr != branch->from) {
		struct branch_code_line line;

		name_function(walk, addr);
		line = read_line(walk, addr);
		walk->each(walk->context, &line);
		if (line.insn.size == 0)
			break;
		insn_count++;
		addr += line.insn.size;
	}
	if (addr == branch->from && addr - block->start < block->size) {
		name_function(walk, addr);
		add_jump(walk, addr, branch, insn_count + 1);
	} else {
		walk->each(walk->context, &mismatch);
	}
}

/* Between the oldest branch and the youngest. */
static void add_stretches(struct branch_walk *walk, size_t count)
{
	const struct sample_branch *branches = walk->sample->sample.branches;

	for (size_t i = count - 1; i-- > 0;) {
		uint64_t start = branches[i + 1].to;

		/* Where only one side of entering the kernel is recorded, the next branch ends it.
		 */
		if (start && branches[i].from && i > 0 &&
		    is_kernel(start) != is_kernel(branches[i].from))
			i--;
		if (is_kernel(start) == is_kernel(branches[i].from) &&
		    copy_block(walk, start, branches[i].from))
			add_stretch(walk, &branches[i]);
	}
}

/* One instruction alone: the sample's own, where the way to it is not known. */
static void add_last(struct branch_walk *walk)
{
	uint64_t ip = walk->sample->sample.ip;
	struct branch_code_line line;

	if (!copy_block(walk, ip, ip))
		return;
	line = read_line(walk, ip);
	walk->each(walk->context, &line);
}

/* From the youngest branch to the sample. */
static void add_end(struct branch_walk *walk)
{
	const struct sample *sample = &walk->sample->sample;
	const struct branch_code_line not_reached = { .kind = BRANCH_CODE_NOT_REACHED };
	uint64_t start = sample->branches[0].to, addr = start, end = sample->ip;
	uint64_t filter = walk->sample->event->attr.branch_sample_type;

	if (end < start) /* a branch is missing: what follows is all that is known */
		end = start + NEXT_BRANCH;
	set_mode(walk, start);
	name_function(walk, start); /* also where its code is not there */
	if (is_kernel(start) != is_kernel(end) || !copy_block(walk, start, end)) {
		add_last(walk);
		return;
	}
	while (addr <= end && addr - start < walk->block.size) {
		struct branch_code_line line = read_line(walk, addr);

		walk->each(walk->context, &line);
		if (line.insn.size == 0)
			return;
		if (line.insn.departs && addr != sample->ip &&
		    (filter == 0 || filter & PERF_SAMPLE_BRANCH_ANY)) {
			walk->each(walk->context, &not_reached);
			return;
		}
		addr += line.insn.size;
	}
}

void branch_code_walk(struct profile *profile, struct code *code,
		      const struct profile_sample *sample, size_t max_blocks,
		      branch_code_each *each, void *context)
{
	struct branch_walk walk = {
		.profile = profile,
		.code = code,
		.sample = sample,
		.each = each,
		.context = context,
	};
	const struct sample_branch *branches = sample->sample.branches;
	size_t count = sample->sample.branch_count;

	if (max_blocks && count > max_blocks + 1)
		count = max_blocks + 1;
	if (count == 0)
		return;
	if (copy_block(&walk, branches[count - 1].from, branches[count - 1].from)) {
		name_function(&walk, branches[count - 1].from);
		add_jump(&walk, branches[count - 1].from, &branches[count - 1], 0);
	}
	add_stretches(&walk, count);
	if (branches[0].from != sample->sample.ip && !(branches[0].flags & BRANCH_FLAG_ABORT))
		add_end(&walk);
	str_done(&walk.text);
}
