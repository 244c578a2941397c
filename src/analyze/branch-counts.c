/* branch-counts.c - see branch-counts.h. */
#include "analyze/branch-counts.h"

#include <stddef.h>

#include "data/sample.h"
#include "format/branch-flags.h"

/*
 * A mark is
 *
 *	to     bit 0   2 predicted   3 aborted    8-12 kind + 1   13 crosses 4K   14 crosses 2M
 *	from   bit 1   16-31 cycles  32-39 repeats   40-62 their cycles
 *
 * or BRANCH_MARK_CALL.
 */
enum {
	TO = 1 << 0,
	FROM = 1 << 1,
	PREDICTED = 1 << 2,
	ABORTED = 1 << 3,
	CROSSES_4K = 1 << 13,
	CROSSES_2M = 1 << 14,
	KIND_AT = 8,
	KIND_MASK = 0x1f,
	CYCLES_AT = 16,
	REPEATS_AT = 32,
	REPEATS_MOST = 0xff,
	REPEAT_CYCLES_AT = 40,
	REPEAT_CYCLES_MOST = 0x7fffff,
	PAGE_BITS = 12,
	LARGE_PAGE_BITS = 21,
};

/* Numbers of kinds: conditional branches are two, by where they went; then the other types. */
enum {
	KIND_FORWARD = 0,
	KIND_BACKWARD = 1,
	KIND_CROSSES_4K = BRANCH_TYPES,
	KIND_CROSSES_2M,
	KIND_COUNT,
};

static unsigned kind_of(const struct sample_branch *branch, unsigned type)
{
	if (type != BRANCH_TYPE_COND)
		return type;
	return branch->to > branch->from ? KIND_FORWARD : KIND_BACKWARD;
}

/* As in perf, of branches of a known type alone. */
static branch_mark crossing(const struct sample_branch *branch)
{
	if (branch->from >> LARGE_PAGE_BITS != branch->to >> LARGE_PAGE_BITS)
		return CROSSES_2M;
	return branch->from >> PAGE_BITS != branch->to >> PAGE_BITS ? CROSSES_4K : 0;
}

branch_mark branch_counts_mark_to(const struct sample_branch *branch)
{
	unsigned type = branch_flags_type(branch->flags);
	branch_mark mark = TO;

	if (branch->flags & BRANCH_FLAG_PREDICTED)
		mark |= PREDICTED;
	if (branch->flags & BRANCH_FLAG_ABORT)
		mark |= ABORTED;
	if (type)
		mark |= (branch_mark)(kind_of(branch, type) + 1) << KIND_AT | crossing(branch);
	return mark;
}

branch_mark branch_counts_mark_from(const struct sample_branch *branch, uint64_t repeats,
				    uint64_t repeat_cycles)
{
	if (repeats > REPEATS_MOST)
		repeats = REPEATS_MOST;
	if (repeat_cycles > REPEAT_CYCLES_MOST)
		repeat_cycles = REPEAT_CYCLES_MOST;
	return FROM | (branch_mark)branch_flags_cycles(branch->flags) << CYCLES_AT |
	       repeats << REPEATS_AT | repeat_cycles << REPEAT_CYCLES_AT;
}

static void add_target(struct branch_counts *counts, branch_mark mark, uint64_t times)
{
	unsigned kind = mark >> KIND_AT & KIND_MASK;

	counts->to += times;
	counts->predicted += mark & PREDICTED ? times : 0;
	counts->aborts += mark & ABORTED ? times : 0;
	if (kind)
		counts->kinds |= UINT32_C(1) << (kind - 1);
	if (mark & CROSSES_4K)
		counts->kinds |= UINT32_C(1) << KIND_CROSSES_4K;
	if (mark & CROSSES_2M)
		counts->kinds |= UINT32_C(1) << KIND_CROSSES_2M;
}

static void add_origin(struct branch_counts *counts, branch_mark mark, uint64_t times)
{
	uint64_t repeats = mark >> REPEATS_AT & REPEATS_MOST;

	counts->from += times;
	counts->cycles += (mark >> CYCLES_AT & UINT16_MAX) * times;
	counts->loops += repeats ? times : 0;
	counts->repeats += repeats * times;
	counts->repeat_cycles += (mark >> REPEAT_CYCLES_AT) * times;
}

void branch_counts_add(struct branch_counts *counts, branch_mark mark, uint64_t times)
{
	if (mark & TO)
		add_target(counts, mark, times);
	else if (mark & FROM)
		add_origin(counts, mark, times);
	else if (mark == BRANCH_MARK_CALL)
		counts->calls += times;
}

void branch_counts_join(struct branch_counts *counts, const struct branch_counts *more)
{
	counts->to += more->to;
	counts->predicted += more->predicted;
	counts->aborts += more->aborts;
	counts->from += more->from;
	counts->cycles += more->cycles;
	counts->loops += more->loops;
	counts->repeats += more->repeats;
	counts->repeat_cycles += more->repeat_cycles;
	counts->calls += more->calls;
	counts->kinds |= more->kinds;
}

const char *branch_counts_kind(unsigned kind)
{
	switch (kind) {
	case KIND_FORWARD:
		return "COND_FWD";
	case KIND_BACKWARD:
		return "COND_BWD";
	case KIND_CROSSES_4K:
		return "CROSS_4K";
	case KIND_CROSSES_2M:
		return "CROSS_2M";
	default:
		return kind < BRANCH_TYPES ? branch_flags_type_name(kind) : NULL;
	}
}

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

double branch_counts_predicted_percent(const struct branch_counts *counts)
{
	return percent_of(counts->predicted, counts->to);
}

double branch_counts_abort_percent(const struct branch_counts *counts)
{
	return percent_of(counts->aborts, counts->to);
}

uint64_t branch_counts_cycles(const struct branch_counts *counts)
{
	return counts->from ? counts->cycles / counts->from : 0;
}

uint64_t branch_counts_repeats(const struct branch_counts *counts)
{
	return counts->loops ? counts->repeats / counts->loops : 0;
}

uint64_t branch_counts_repeat_cycles(const struct branch_counts *counts)
{
	return counts->repeats ? counts->repeat_cycles / counts->repeats : 0;
}
