/* attr-text.c - see attr-text.h. */
#include "format/attr-text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/attr.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct bit_name {
	uint64_t bit;
	const char *name;
};

static const char *const TYPES[] = {
	"PERF_TYPE_HARDWARE",
	"PERF_TYPE_SOFTWARE",
	"PERF_TYPE_TRACEPOINT",
	"PERF_TYPE_HW_CACHE",
	"cpu", /* raw events are the CPU's own */
	"PERF_TYPE_BREAKPOINT",
};

static const char *const HARDWARE[] = {
	"CPU_CYCLES",
	"INSTRUCTIONS",
	"CACHE_REFERENCES",
	"CACHE_MISSES",
	"BRANCH_INSTRUCTIONS",
	"BRANCH_MISSES",
	"BUS_CYCLES",
	"STALLED_CYCLES_FRONTEND",
	"STALLED_CYCLES_BACKEND",
	"REF_CPU_CYCLES",
};

static const char *const SOFTWARE[] = {
	"CPU_CLOCK",        "TASK_CLOCK",      "PAGE_FAULTS",     "CONTEXT_SWITCHES",
	"CPU_MIGRATIONS",   "PAGE_FAULTS_MIN", "PAGE_FAULTS_MAJ", "ALIGNMENT_FAULTS",
	"EMULATION_FAULTS", "DUMMY",           "BPF_OUTPUT",      "CGROUP_SWITCHES",
};

static const char *const CACHES[] = { "L1D", "L1I", "LL", "DTLB", "ITLB", "BPU", "NODE" };
static const char *const CACHE_OPS[] = { "READ", "WRITE", "PREFETCH" };
static const char *const CACHE_RESULTS[] = { "ACCESS", "MISS" };

/* In the order in which they are printed. */
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

/* What is being written. */
struct attr_line {
	struct str *out;
	const char *equals;
	bool begun;
};

static void begin_field(struct attr_line *fields, const char *name)
{
	str_addf(fields->out, "%s%s%s", fields->begun ? ", " : "", name, fields->equals);
	fields->begun = true;
}

static void add_number(struct attr_line *fields, const char *name, uint64_t value)
{
	if (!value)
		return;
	begin_field(fields, name);
	str_addf(fields->out, "%" PRIu64, value);
}

static void add_hex(struct attr_line *fields, const char *name, uint64_t value)
{
	if (!value)
		return;
	begin_field(fields, name);
	str_addf(fields->out, "%#" PRIx64, value);
}

/* Bits without a name are left out, as perf does, unless there is nothing else. */
static void add_bits(struct attr_line *fields, const char *name, uint64_t value,
		     const struct bit_name *names, size_t count)
{
	bool any = false;

	if (!value)
		return;
	begin_field(fields, name);
	for (size_t i = 0; i < count; i++) {
		if (!(value & names[i].bit))
			continue;
		str_addf(fields->out, "%s%s", any ? "|" : "", names[i].name);
		any = true;
	}
	if (!any)
		str_addf(fields->out, "%#" PRIx64, value);
}

static const char *name_at(const char *const *names, size_t count, uint64_t index)
{
	return index < count ? names[index] : NULL;
}

static void add_cache(struct str *out, uint32_t config)
{
	const char *cache = name_at(CACHES, COUNT(CACHES), config & 0xff);
	const char *op = name_at(CACHE_OPS, COUNT(CACHE_OPS), config >> 8 & 0xff);
	const char *result = name_at(CACHE_RESULTS, COUNT(CACHE_RESULTS), config >> 16 & 0xff);

	if (cache && op && result)
		str_addf(out,
			 "PERF_COUNT_HW_CACHE_RESULT_%s | PERF_COUNT_HW_CACHE_OP_%s | "
			 "PERF_COUNT_HW_CACHE_%s",
			 result, op, cache);
}

/* The upper half of a generic event's config is the type of the PMU it is for (hybrid CPUs). */
static void add_generic(struct str *out, const struct attr *attr)
{
	_cleanup_(str_done) struct str text = { 0 };
	const char *name;

	if (attr->type == PERF_TYPE_HW_CACHE) {
		add_cache(&text, (uint32_t)attr->config);
	} else {
		name = name_at(HARDWARE, COUNT(HARDWARE), (uint32_t)attr->config);
		if (name)
			str_addf(&text, "PERF_COUNT_HW_%s", name);
	}
	if (text.size == 0)
		return;
	if (attr->config >> 32 == PERF_TYPE_RAW)
		str_addf(out, " (cpu/%s/)", str_text(&text));
	else
		str_addf(out, " (%s)", str_text(&text));
}

static void add_config(struct attr_line *fields, const struct attr *attr, const char *tracepoint)
{
	const char *name;

	begin_field(fields, "config");
	str_addf(fields->out, "%#" PRIx64, attr->config);
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		add_generic(fields->out, attr);
		break;
	case PERF_TYPE_SOFTWARE:
		name = name_at(SOFTWARE, COUNT(SOFTWARE), attr->config);
		if (name)
			str_addf(fields->out, " (PERF_COUNT_SW_%s)", name);
		break;
	case PERF_TYPE_TRACEPOINT:
		if (tracepoint)
			str_addf(fields->out, " (%s)", tracepoint);
		break;
	default:
		break;
	}
}

static void add_type(struct attr_line *fields, uint32_t type)
{
	const char *name = name_at(TYPES, COUNT(TYPES), type);

	begin_field(fields, "type");
	str_addf(fields->out, "%" PRIu32, type);
	if (name)
		str_addf(fields->out, " (%s)", name);
}

#define FLAG(name)                                                                                 \
	{                                                                                          \
#name, attr->name                                                                  \
	}

static void add_flags(struct attr_line *fields, const struct attr *attr)
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

	for (size_t i = 0; i < COUNT(flags); i++)
		add_number(fields, flags[i].name, flags[i].value);
}

static void add_aux_action(struct attr_line *fields, uint32_t action)
{
	add_number(fields, "aux_start_paused", action & 1);
	add_number(fields, "aux_pause", action >> 1 & 1);
	add_number(fields, "aux_resume", action >> 2 & 1);
}

void attr_text_add(struct str *out, const struct attr *attr, const char *equals,
		   const char *tracepoint)
{
	struct attr_line fields = { .out = out, .equals = equals };

	add_type(&fields, attr->type);
	begin_field(&fields, "size");
	str_addf(out, "%" PRIu32, attr->size);
	add_config(&fields, attr, tracepoint);
	add_number(&fields, "{ sample_period, sample_freq }", attr->sample_period);
	add_bits(&fields, "sample_type", attr->sample_type, SAMPLE_TYPES, COUNT(SAMPLE_TYPES));
	add_bits(&fields, "read_format", attr->read_format, READ_FORMATS, COUNT(READ_FORMATS));
	add_flags(&fields, attr);
	add_number(&fields, "{ wakeup_events, wakeup_watermark }", attr->wakeup_events);
	add_number(&fields, "bp_type", attr->bp_type);
	add_hex(&fields, "{ bp_addr, config1 }", attr->config1);
	add_hex(&fields, "{ bp_len, config2 }", attr->config2);
	add_bits(&fields, "branch_sample_type", attr->branch_sample_type, BRANCH_TYPES,
		 COUNT(BRANCH_TYPES));
	add_hex(&fields, "sample_regs_user", attr->sample_regs_user);
	add_number(&fields, "sample_stack_user", attr->sample_stack_user);
	if (attr->clockid) {
		begin_field(&fields, "clockid");
		str_addf(out, "%" PRId32, attr->clockid);
	}
	add_hex(&fields, "sample_regs_intr", attr->sample_regs_intr);
	add_number(&fields, "aux_watermark", attr->aux_watermark);
	add_number(&fields, "sample_max_stack", attr->sample_max_stack);
	add_number(&fields, "aux_sample_size", attr->aux_sample_size);
	add_number(&fields, "sig_data", attr->sig_data);
	add_aux_action(&fields, attr->aux_action);
}
