/* attr-bits.c - see attr-bits.h. */
#include "format/attr-bits.h"

#include "data/attr.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct bit_name {
	uint64_t bit;
	const char *name;
};

static const struct bit_name SAMPLE_TYPES[] = {
	{ PERF_SAMPLE_IP, "IP" },
	{ PERF_SAMPLE_TID, "TID" },
	{ PERF_SAMPLE_TIME, "TIME" },
	{ PERF_SAMPLE_ADDR, "ADDR" },
	{ PERF_SAMPLE_READ, "READ" },
	{ PERF_SAMPLE_CALLCHAIN, "CALLCHAIN" },
	{ PERF_SAMPLE_ID, "ID" },
	{ PERF_SAMPLE_CPU, "CPU" },
	{ PERF_SAMPLE_PERIOD, "PERIOD" },
	{ PERF_SAMPLE_STREAM_ID, "STREAM_ID" },
	{ PERF_SAMPLE_RAW, "RAW" },
	{ PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ PERF_SAMPLE_REGS_USER, "REGS_USER" },
	{ PERF_SAMPLE_STACK_USER, "STACK_USER" },
	{ PERF_SAMPLE_IDENTIFIER, "IDENTIFIER" },
	{ PERF_SAMPLE_REGS_INTR, "REGS_INTR" },
	{ PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ PERF_SAMPLE_WEIGHT, "WEIGHT" },
	{ PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ PERF_SAMPLE_AUX, "AUX" },
	{ PERF_SAMPLE_CGROUP, "CGROUP" },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
};

static const struct bit_name READ_FORMATS[] = {
	{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
	{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
	{ PERF_FORMAT_ID, "ID" },
	{ PERF_FORMAT_GROUP, "GROUP" },
	{ PERF_FORMAT_LOST, "LOST" },
};

static const struct bit_name BRANCH_TYPES[] = {
	{ PERF_SAMPLE_BRANCH_USER, "USER" },
	{ PERF_SAMPLE_BRANCH_KERNEL, "KERNEL" },
	{ PERF_SAMPLE_BRANCH_HV, "HV" },
	{ PERF_SAMPLE_BRANCH_ANY, "ANY" },
	{ PERF_SAMPLE_BRANCH_ANY_CALL, "ANY_CALL" },
	{ PERF_SAMPLE_BRANCH_ANY_RETURN, "ANY_RETURN" },
	{ PERF_SAMPLE_BRANCH_IND_CALL, "IND_CALL" },
	{ PERF_SAMPLE_BRANCH_ABORT_TX, "ABORT_TX" },
	{ PERF_SAMPLE_BRANCH_IN_TX, "IN_TX" },
	{ PERF_SAMPLE_BRANCH_NO_TX, "NO_TX" },
	{ PERF_SAMPLE_BRANCH_COND, "COND" },
	{ PERF_SAMPLE_BRANCH_CALL_STACK, "CALL_STACK" },
	{ PERF_SAMPLE_BRANCH_IND_JUMP, "IND_JUMP" },
	{ PERF_SAMPLE_BRANCH_CALL, "CALL" },
	{ PERF_SAMPLE_BRANCH_NO_FLAGS, "NO_FLAGS" },
	{ PERF_SAMPLE_BRANCH_NO_CYCLES, "NO_CYCLES" },
	{ PERF_SAMPLE_BRANCH_TYPE_SAVE, "TYPE_SAVE" },
	{ PERF_SAMPLE_BRANCH_HW_INDEX, "HW_INDEX" },
	{ PERF_SAMPLE_BRANCH_PRIV_SAVE, "PRIV_SAVE" },
	{ ATTR_BRANCH_COUNTERS, "COUNTERS" },
};

static const struct {
	const struct bit_name *items;
	size_t count;
} sets[] = {
	[ATTR_BITS_SAMPLE_TYPE] = { SAMPLE_TYPES, COUNT(SAMPLE_TYPES) },
	[ATTR_BITS_READ_FORMAT] = { READ_FORMATS, COUNT(READ_FORMATS) },
	[ATTR_BITS_BRANCH_TYPE] = { BRANCH_TYPES, COUNT(BRANCH_TYPES) },
};

const char *attr_bits_next(enum attr_bits_set set, uint64_t bits, size_t *i)
{
	while (*i < sets[set].count) {
		const struct bit_name *name = &sets[set].items[(*i)++];

		if (bits & name->bit)
			return name->name;
	}
	return NULL;
}

#define FLAG(name)                                                                                 \
	{                                                                                          \
#name, attr->name                                                                  \
	}

const char *attr_bits_flag(const struct attr *attr, size_t *i, unsigned *ret_value)
{
	const struct {
		const char *name;
		unsigned value;
	} flags[] = {
		FLAG(disabled),
		FLAG(inherit),
		FLAG(pinned),
		FLAG(exclusive),
		FLAG(exclude_user),
		FLAG(exclude_kernel),
		FLAG(exclude_hv),
		FLAG(exclude_idle),
		FLAG(mmap),
		FLAG(comm),
		FLAG(freq),
		FLAG(inherit_stat),
		FLAG(enable_on_exec),
		FLAG(task),
		FLAG(watermark),
		FLAG(precise_ip),
		FLAG(mmap_data),
		FLAG(sample_id_all),
		FLAG(exclude_host),
		FLAG(exclude_guest),
		FLAG(exclude_callchain_kernel),
		FLAG(exclude_callchain_user),
		FLAG(mmap2),
		FLAG(comm_exec),
		FLAG(use_clockid),
		FLAG(context_switch),
		FLAG(write_backward),
		FLAG(namespaces),
		FLAG(ksymbol),
		FLAG(bpf_event),
		FLAG(aux_output),
		FLAG(cgroup),
		FLAG(text_poke),
		FLAG(build_id),
		FLAG(inherit_thread),
		FLAG(remove_on_exec),
		FLAG(sigtrap),
		FLAG(defer_callchain),
		FLAG(defer_output),
	};

	for (; *i < COUNT(flags); (*i)++) {
		if (flags[*i].value == 0)
			continue;
		*ret_value = flags[*i].value;
		return flags[(*i)++].name;
	}
	return NULL;
}
