/* attr-text.c - see attr-text.h. */
#include "format/attr-text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/attr.h"
#include "format/attr-bits.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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
		     enum attr_bits_set set)
{
	const char *bit;
	bool any = false;

	if (!value)
		return;
	begin_field(fields, name);
	for (size_t i = 0; (bit = attr_bits_next(set, value, &i));) {
		str_addf(fields->out, "%s%s", any ? "|" : "", bit);
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

static void add_flags(struct attr_line *fields, const struct attr *attr)
{
	const char *name;
	unsigned value;

	for (size_t i = 0; (name = attr_bits_flag(attr, &i, &value));)
		add_number(fields, name, value);
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
	add_bits(&fields, "sample_type", attr->sample_type, ATTR_BITS_SAMPLE_TYPE);
	add_bits(&fields, "read_format", attr->read_format, ATTR_BITS_READ_FORMAT);
	add_flags(&fields, attr);
	add_number(&fields, "{ wakeup_events, wakeup_watermark }", attr->wakeup_events);
	add_number(&fields, "bp_type", attr->bp_type);
	add_hex(&fields, "{ bp_addr, config1 }", attr->config1);
	add_hex(&fields, "{ bp_len, config2 }", attr->config2);
	add_bits(&fields, "branch_sample_type", attr->branch_sample_type, ATTR_BITS_BRANCH_TYPE);
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
