/* sample-dump.c - see sample-dump.h. */
#include "view/sample-dump.h"

#include <inttypes.h>
#include <linux/perf_event.h>

#include "analyze/profile.h"
#include "data/events.h"
#include "data/record.h"
#include "format/branch-flags.h"
#include "format/registers.h"
#include "model/timeline.h"
#include "view/record-dump.h"

static const char *context_name(uint64_t value)
{
	switch (value) {
	case (uint64_t)PERF_CONTEXT_HV:
		return "PERF_CONTEXT_HV";
	case (uint64_t)PERF_CONTEXT_KERNEL:
		return "PERF_CONTEXT_KERNEL";
	case (uint64_t)PERF_CONTEXT_USER:
		return "PERF_CONTEXT_USER";
	case RECORD_CONTEXT_USER_DEFERRED:
		return "PERF_CONTEXT_USER_DEFERRED";
	case (uint64_t)PERF_CONTEXT_GUEST:
		return "PERF_CONTEXT_GUEST";
	case (uint64_t)PERF_CONTEXT_GUEST_KERNEL:
		return "PERF_CONTEXT_GUEST_KERNEL";
	case (uint64_t)PERF_CONTEXT_GUEST_USER:
		return "PERF_CONTEXT_GUEST_USER";
	default:
		return NULL;
	}
}

static void add_link(struct str *out, size_t i, uint64_t addr)
{
	str_addf(out, "..... %2zu: %016" PRIx64, i, addr);
}

/* The places that LBR saw: where the last call went, and where each came from. */
static size_t add_callstack(struct str *out, const struct sample *sample, size_t first)
{
	add_link(out, first++, sample->branches[0].to);
	str_add_char(out, '\n');
	for (size_t i = 0; i < sample->branch_count; i++) {
		add_link(out, first++, sample->branches[i].from);
		str_add_char(out, '\n');
	}
	return first;
}

/* What the kernel walked of itself, and behind it what LBR saw of the user's part. */
static void add_lbr_chain(struct str *out, const struct sample *sample)
{
	size_t kernel = 0;

	while (kernel < sample->callchain_count &&
	       sample->callchain[kernel] != (uint64_t)PERF_CONTEXT_USER)
		kernel++;
	if (kernel == sample->callchain_count)
		return;
	str_addf(out, "... LBR call chain: nr:%zu\n", kernel + 2 + sample->branch_count);
	for (size_t i = 0; i <= kernel; i++) {
		add_link(out, i, sample->callchain[i]);
		str_add_char(out, '\n');
	}
	(void)add_callstack(out, sample, kernel + 1);
}

static void add_chain(struct str *out, const struct sample *sample)
{
	str_addf(out, "... FP chain: nr:%zu\n", sample->callchain_count);
	for (size_t i = 0; i < sample->callchain_count; i++) {
		const char *name = context_name(sample->callchain[i]);

		add_link(out, i, sample->callchain[i]);
		if (name)
			str_addf(out, " (%s)", name);
		str_add_char(out, '\n');
	}
}

static void add_branches(struct str *out, const struct sample *sample)
{
	str_addf(out, "... branch stack: nr:%zu\n", sample->branch_count);
	for (size_t i = 0; i < sample->branch_count; i++) {
		const struct sample_branch *branch = &sample->branches[i];
		uint64_t flags = branch->flags;

		add_link(out, i, branch->from);
		str_addf(out, " -> %016" PRIx64 " %u cycles %c%c%c%c 0  \n", branch->to,
			 branch_flags_cycles(flags), flags & BRANCH_FLAG_MISPREDICTED ? 'M' : ' ',
			 flags & BRANCH_FLAG_PREDICTED ? 'P' : ' ',
			 flags & BRANCH_FLAG_ABORT ? 'A' : ' ',
			 flags & BRANCH_FLAG_IN_TX ? 'T' : ' ');
	}
}

static bool is_callstack(const struct profile_sample *sample)
{
	return sample->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

static void add_stacks(struct str *out, const struct profile_sample *all)
{
	const struct sample *sample = &all->sample;
	bool callstack = is_callstack(all) && sample->branch_count > 0;

	if (sample->has & PERF_SAMPLE_CALLCHAIN) {
		if (callstack)
			add_lbr_chain(out, sample);
		add_chain(out, sample);
	}
	if (!(sample->has & PERF_SAMPLE_BRANCH_STACK))
		return;
	if (!is_callstack(all)) {
		add_branches(out, sample);
		return;
	}
	str_addf(out, "... branch callstack: nr:%zu\n",
		 sample->branch_count ? sample->branch_count + 1 : 0);
	if (callstack)
		(void)add_callstack(out, sample, 0);
}

static void add_registers(struct str *out, const char *whose, const struct sample_regs *regs,
			  const char *arch)
{
	static const char *const abis[] = { "none", "32-bit", "64-bit" };
	size_t i = 0;

	if (regs->abi == 0)
		return;
	str_addf(out, "... %s regs: mask 0x%" PRIx64 " ABI %s\n", whose, regs->mask,
		 regs->abi < sizeof(abis) / sizeof(abis[0]) ? abis[regs->abi] : "unknown");
	for (unsigned bit = 0; bit < REGISTERS_MAX && i < regs->count; bit++) {
		const char *name = registers_name(arch, bit);

		if (regs->mask >> bit & 1)
			str_addf(out, ".... %-5s 0x%016" PRIx64 "\n", name ? name : "unknown",
				 regs->values[i++]);
	}
}

static void add_page_size(struct str *out, const char *name, uint64_t size)
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	str_addf(out, " .. %s page size: ", name);
	if (size == 0) {
		str_add(out, "N/A\n");
		return;
	}
	for (; size / 1024 > 1 && units[unit + 1]; unit++)
		size /= 1024;
	str_addf(out, "%" PRIu64 "%c\n", size, units[unit]);
}

static void add_measured(struct str *out, const struct sample *sample)
{
	if (sample->has & PERF_SAMPLE_WEIGHT_STRUCT)
		str_addf(out, "... weight: %" PRIu64 ",0x%x,0x%x\n", sample->weight,
			 sample->weight_2, sample->weight_3);
	else if (sample->has & PERF_SAMPLE_WEIGHT)
		str_addf(out, "... weight: %" PRIu64 "\n", sample->weight);
	if (sample->has & PERF_SAMPLE_DATA_SRC)
		str_addf(out, " . data_src: 0x%" PRIx64 "\n", sample->data_src);
	if (sample->has & PERF_SAMPLE_PHYS_ADDR)
		str_addf(out, " .. phys_addr: 0x%" PRIx64 "\n", sample->phys_addr);
	if (sample->has & PERF_SAMPLE_DATA_PAGE_SIZE)
		add_page_size(out, "data", sample->data_page_size);
	if (sample->has & PERF_SAMPLE_CODE_PAGE_SIZE)
		add_page_size(out, "code", sample->code_page_size);
	if (sample->has & PERF_SAMPLE_TRANSACTION)
		str_addf(out, "... transaction: %" PRIx64 "\n", sample->transaction);
}

static void add_read(struct str *out, const struct sample *sample)
{
	uint64_t format = sample->read.format;

	str_add(out, "... sample_read:\n");
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		str_addf(out, "...... time enabled %016" PRIx64 "\n", sample->read.time_enabled);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		str_addf(out, "...... time running %016" PRIx64 "\n", sample->read.time_running);
	if (format & PERF_FORMAT_GROUP)
		str_addf(out, ".... group nr %zu\n", sample->read.count);
	for (size_t i = 0; i < sample->read.count; i++) {
		struct sample_read read = sample_read_at(sample, i);

		str_addf(out, "..... id %016" PRIx64 ", value %016" PRIx64, read.id, read.value);
		if (format & PERF_FORMAT_LOST)
			str_addf(out, ", lost %" PRIu64, read.lost);
		str_add_char(out, '\n');
	}
}

/* The copy's size, and where behind the record's header it lies. */
static void add_stack(struct str *out, const struct profile_sample *all)
{
	const char *stack = all->sample.stack, *body = (const char *)(all->record->header + 1);

	str_addf(out, "... ustack: size %zu, offset %#tx\n", all->sample.stack_size,
		 stack ? stack - body : 0);
}

void sample_dump_add(struct record_dump *dump, const struct profile_sample *all)
{
	const struct sample *sample = &all->sample;
	const struct map *map = timeline_map(profile_timeline(dump->profile), sample->pid,
					     all->cpumode, sample->ip, all->moment);
	struct str *out = &dump->text;

	str_addf(out,
		 "(IP, 0x%x): %" PRId32 "/%" PRId32 ": %#" PRIx64 " period: %" PRIu64
		 " addr: %#" PRIx64 "\n",
		 sample->misc, (int32_t)sample->pid, (int32_t)sample->tid, sample->ip,
		 sample->period, sample->addr);
	add_stacks(out, all);
	if (sample->has & PERF_SAMPLE_REGS_USER)
		add_registers(out, "user", &sample->regs_user, dump->arch);
	if (sample->has & PERF_SAMPLE_REGS_INTR)
		add_registers(out, "intr", &sample->regs_intr, dump->arch);
	if (sample->has & PERF_SAMPLE_STACK_USER)
		add_stack(out, all);
	add_measured(out, sample);
	if (sample->has & PERF_SAMPLE_READ)
		add_read(out, sample);
	str_addf(out, " ... thread: %s:%" PRId32 "\n ...... dso: %s\n", all->comm,
		 (int32_t)sample->tid, map ? map->dso->name : "<not found>");
}
