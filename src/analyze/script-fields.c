/* script-fields.c - see script-fields.h. */
#include "analyze/script-fields.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"
#include "data/events.h"

#define BIT(field) (UINT64_C(1) << SCRIPT_##field)

/* What every kind prints by default, and what kinds that sample addresses print. */
#define WHO_AND_WHEN (BIT(COMM) | BIT(TID) | BIT(CPU) | BIT(TIME) | BIT(EVENT))
#define WHERE (BIT(IP) | BIT(SYM) | BIT(SYMOFF) | BIT(DSO))

struct field_info {
	const char *name;
	uint64_t needs;     /* PERF_SAMPLE_* bits, one of which must be there; 0: none */
	const char *option; /* of record, that asks for it; NULL: none */
};

static const struct field_info fields_known[SCRIPT_FIELD_COUNT] = {
	[SCRIPT_COMM] = { "comm", 0, NULL },
	[SCRIPT_TID] = { "tid", PERF_SAMPLE_TID, NULL },
	[SCRIPT_PID] = { "pid", PERF_SAMPLE_TID, NULL },
	[SCRIPT_TIME] = { "time", PERF_SAMPLE_TIME, "-T" },
	[SCRIPT_CPU] = { "cpu", PERF_SAMPLE_CPU, "--sample-cpu" },
	[SCRIPT_EVENT] = { "event", 0, NULL },
	[SCRIPT_TRACE] = { "trace", 0, NULL },
	[SCRIPT_IP] = { "ip", PERF_SAMPLE_IP, NULL },
	[SCRIPT_SYM] = { "sym", 0, NULL },
	[SCRIPT_DSO] = { "dso", 0, NULL },
	[SCRIPT_DSOFF] = { "dsoff", 0, NULL },
	[SCRIPT_ADDR] = { "addr", PERF_SAMPLE_ADDR, "-d" },
	[SCRIPT_SYMOFF] = { "symoff", 0, NULL },
	[SCRIPT_PERIOD] = { "period", PERF_SAMPLE_PERIOD, "-P" },
	[SCRIPT_IREGS] = { "iregs", PERF_SAMPLE_REGS_INTR, "-I" },
	[SCRIPT_UREGS] = { "uregs", PERF_SAMPLE_REGS_USER, "--user-regs" },
	[SCRIPT_BRSTACK] = { "brstack", PERF_SAMPLE_BRANCH_STACK, "-b" },
	[SCRIPT_BRSTACKSYM] = { "brstacksym", PERF_SAMPLE_BRANCH_STACK, "-b" },
	[SCRIPT_BRSTACKOFF] = { "brstackoff", PERF_SAMPLE_BRANCH_STACK, "-b" },
	[SCRIPT_WEIGHT] = { "weight", PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "-W" },
	[SCRIPT_BPF_OUTPUT] = { "bpf-output", 0, NULL },
	[SCRIPT_PHYS_ADDR] = { "phys_addr", PERF_SAMPLE_PHYS_ADDR, "--phys-data" },
	[SCRIPT_MISC] = { "misc", 0, NULL },
	[SCRIPT_DATA_PAGE_SIZE] = { "data_page_size", PERF_SAMPLE_DATA_PAGE_SIZE,
				    "--data-page-size" },
	[SCRIPT_CODE_PAGE_SIZE] = { "code_page_size", PERF_SAMPLE_CODE_PAGE_SIZE,
				    "--code-page-size" },
	[SCRIPT_INS_LAT] = { "ins_lat", PERF_SAMPLE_WEIGHT_STRUCT, "-W" },
	[SCRIPT_CGROUP] = { "cgroup", PERF_SAMPLE_CGROUP, "--all-cgroups" },
	[SCRIPT_RETIRE_LAT] = { "retire_lat", PERF_SAMPLE_WEIGHT_STRUCT, "-W" },
	[SCRIPT_DATA_SRC] = { "data_src", PERF_SAMPLE_DATA_SRC, "-d" },
	[SCRIPT_TOD] = { "tod", PERF_SAMPLE_TIME, "-T" },
	[SCRIPT_SRCLINE] = { "srcline", 0, NULL },
	[SCRIPT_SRCCODE] = { "srccode", 0, NULL },
	[SCRIPT_INSN] = { "insn", 0, NULL },
	[SCRIPT_INSNLEN] = { "insnlen", 0, NULL },
	[SCRIPT_DISASM] = { "disasm", 0, NULL },
	[SCRIPT_BRSTACKINSN] = { "brstackinsn", 0, NULL },
	[SCRIPT_BRSTACKINSNLEN] = { "brstackinsnlen", 0, NULL },
	[SCRIPT_BRSTACKDISASM] = { "brstackdisasm", 0, NULL },
	[SCRIPT_FLAGS] = { "flags", 0, NULL },
	[SCRIPT_CALLINDENT] = { "callindent", 0, NULL },
	[SCRIPT_SYNTH] = { "synth", 0, NULL },
	[SCRIPT_IPC] = { "ipc", 0, NULL },
	[SCRIPT_MACHINE_PID] = { "machine_pid", 0, NULL },
	[SCRIPT_VCPU] = { "vcpu", 0, NULL },
	[SCRIPT_BRCNTR] = { "brcntr", PERF_SAMPLE_BRANCH_STACK, "-j any,counter" },
	[SCRIPT_METRIC] = { "metric", 0, NULL },
};

#define BRANCH_CODE (BIT(BRSTACKINSN) | BIT(BRSTACKINSNLEN) | BIT(BRSTACKDISASM))
#define CODE (BIT(INSN) | BIT(INSNLEN) | BIT(DISASM) | BRANCH_CODE)

struct kind_info {
	const char *prefix; /* in -F; NULL if it has none */
	const char *title;
	uint64_t shown, invalid;
};

static const struct kind_info kinds[SCRIPT_KIND_COUNT] = {
	[SCRIPT_HARDWARE] = { "hw", "hardware", WHO_AND_WHEN | WHERE | BIT(PERIOD),
			      BIT(TRACE) | BIT(BPF_OUTPUT) },
	[SCRIPT_SOFTWARE] = { "sw", "software",
			      WHO_AND_WHEN | WHERE | BIT(PERIOD) | BIT(BPF_OUTPUT), BIT(TRACE) },
	[SCRIPT_TRACEPOINT] = { "trace", "tracepoint", WHO_AND_WHEN | BIT(TRACE), 0 },
	[SCRIPT_CACHE] = { NULL, "hardware-cache", WHO_AND_WHEN | WHERE | BIT(PERIOD),
			   BIT(TRACE) | BIT(BPF_OUTPUT) },
	[SCRIPT_RAW] = { "raw", "raw",
			 WHO_AND_WHEN | WHERE | BIT(PERIOD) | BIT(ADDR) | BIT(WEIGHT) |
				 BIT(DATA_SRC) | BIT(PHYS_ADDR) | BIT(DATA_PAGE_SIZE) |
				 BIT(CODE_PAGE_SIZE) | BIT(INS_LAT) | BIT(RETIRE_LAT),
			 BIT(TRACE) | BIT(BPF_OUTPUT) },
	[SCRIPT_BREAKPOINT] = { "break", "breakpoint", WHO_AND_WHEN | WHERE | BIT(PERIOD),
				BIT(TRACE) | BIT(BPF_OUTPUT) },
	[SCRIPT_SYNTHESIZED] = { "synth", "synth", WHO_AND_WHEN | WHERE | BIT(SYNTH), 0 },
	[SCRIPT_OTHER] = { NULL, "other", WHO_AND_WHEN | WHERE | BIT(PERIOD),
			   BIT(TRACE) | BIT(BPF_OUTPUT) },
};

const char *script_fields_name(size_t i)
{
	return i < SCRIPT_FIELD_COUNT ? fields_known[i].name : NULL;
}

struct script_fields script_fields_default(void)
{
	struct script_fields fields = { 0 };

	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++)
		fields.shown[kind] = kinds[kind].shown;
	return fields;
}

static bool shows_any(const struct script_fields *fields, uint64_t bits)
{
	uint64_t shown = 0;

	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++)
		shown |= fields->shown[kind];
	return shown & bits;
}

/* What costs little, and is no other form of the same. */
static const uint64_t for_programs = WHO_AND_WHEN | WHERE | BIT(PID) | BIT(TRACE) | BIT(ADDR) |
				     BIT(PERIOD) | BIT(IREGS) | BIT(UREGS) | BIT(BRSTACKSYM) |
				     BIT(WEIGHT) | BIT(BPF_OUTPUT) | BIT(PHYS_ADDR) | BIT(MISC) |
				     BIT(DATA_PAGE_SIZE) | BIT(CODE_PAGE_SIZE) | BIT(INS_LAT) |
				     BIT(CGROUP) | BIT(RETIRE_LAT) | BIT(DATA_SRC) | BIT(BRCNTR);

void script_fields_widen(struct script_fields *fields)
{
	fields->by_sample = true;
	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++) {
		if (!fields->set[kind])
			fields->shown[kind] |=
				for_programs & ~kinds[kind].invalid & ~fields->dropped[kind];
	}
}

bool script_fields_are_in(enum script_field field, uint64_t has)
{
	return fields_known[field].needs == 0 || has & fields_known[field].needs;
}

bool script_fields_any(const struct script_fields *fields, enum script_field field)
{
	return shows_any(fields, UINT64_C(1) << field);
}

bool script_fields_any_code(const struct script_fields *fields)
{
	return shows_any(fields, CODE);
}

enum script_kind script_fields_kind(const struct attr *attr)
{
	static const enum script_kind by_type[] = {
		[PERF_TYPE_HARDWARE] = SCRIPT_HARDWARE,
		[PERF_TYPE_SOFTWARE] = SCRIPT_SOFTWARE,
		[PERF_TYPE_TRACEPOINT] = SCRIPT_TRACEPOINT,
		[PERF_TYPE_HW_CACHE] = SCRIPT_CACHE,
		[PERF_TYPE_RAW] = SCRIPT_RAW,
		[PERF_TYPE_BREAKPOINT] = SCRIPT_BREAKPOINT,
	};

	return attr->type < sizeof(by_type) / sizeof(by_type[0]) ? by_type[attr->type]
								 : SCRIPT_OTHER;
}

/* One word of an -F list, and whether it is added, removed or set. */
struct change {
	char sign; /* '+', '-' or 0 */
	enum script_field field;
};

static int parse_word(struct str_part part, struct change *ret_change, struct strobe_err *err)
{
	struct suggest nearest = { 0 };
	_cleanup_(str_done) struct str word = { 0 };

	ret_change->sign = 0;
	if (part.size > 0 && (part.text[0] == '+' || part.text[0] == '-')) {
		ret_change->sign = part.text[0];
		part.text++;
		part.size--;
	}
	str_add_bytes(&word, part.text, part.size);
	nearest.typed = str_text(&word);
	for (size_t i = 0; i < SCRIPT_FIELD_COUNT; i++) {
		ret_change->field = (enum script_field)i;
		if (str_part_is(part, fields_known[i].name))
			return 0;
		suggest_try(&nearest, fields_known[i].name);
	}
	err_set(err, -EINVAL, "unknown field '%s'", str_text(&word));
	if (nearest.name)
		return err_hint(err, -EINVAL, "did you mean '%s'?", nearest.name);
	return err_hint(err, -EINVAL, "'strobe help script' lists them");
}

/* "sw:comm,ip" -> SCRIPT_SOFTWARE, and the rest; SCRIPT_KIND_COUNT where all kinds are meant. */
static size_t parse_kind(const char **text)
{
	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++) {
		const char *rest = kinds[kind].prefix ? str_after(*text, kinds[kind].prefix) : NULL;

		if (rest && rest[0] == ':') {
			*text = rest + 1;
			return kind;
		}
	}
	return SCRIPT_KIND_COUNT;
}

/* One word for one kind; @only if the user named the kind, so that a misfit is an error. */
static int apply(struct script_fields *fields, size_t kind, struct change change, bool only,
		 struct str *remarks, struct strobe_err *err)
{
	uint64_t bit = UINT64_C(1) << change.field;

	if (change.sign == '-') {
		fields->shown[kind] &= ~bit;
		fields->asked[kind] &= ~bit;
		fields->dropped[kind] |= bit;
		return 0;
	}
	if (kinds[kind].invalid & bit) {
		if (only)
			return err_set(err, -EINVAL, "'%s' is no field of %s events",
				       fields_known[change.field].name, kinds[kind].title);
		if (remarks)
			str_addf(remarks, "'%s' not valid for %s events. Ignoring.\n",
				 fields_known[change.field].name, kinds[kind].title);
		return 0;
	}
	fields->shown[kind] |= bit;
	fields->asked[kind] |= bit;
	if (change.field == SCRIPT_DSOFF)
		fields->shown[kind] |= BIT(DSO); /* it is an offset in that */
	return 0;
}

/* A list without signs starts from nothing. */
static void start_over(struct script_fields *fields, size_t first, size_t end, struct str *remarks)
{
	bool overridden = false;

	for (size_t kind = first; kind < end; kind++) {
		overridden |= fields->set[kind];
		fields->shown[kind] = fields->asked[kind] = 0;
		fields->set[kind] = true;
		fields->suppressed[kind] = false;
	}
	if (!overridden || !remarks)
		return;
	if (end - first > 1)
		str_add(remarks, "Overriding previous field request for all events.\n");
	else
		str_addf(remarks, "Overriding previous field request for %s events.\n",
			 kinds[first].title);
}

int script_fields_parse(struct script_fields *fields, const char *text, struct str *remarks,
			struct strobe_err *err)
{
	size_t kind = parse_kind(&text);
	bool only = kind < SCRIPT_KIND_COUNT;
	size_t first = only ? kind : 0, end = only ? kind + 1 : SCRIPT_KIND_COUNT;
	bool with_signs = text[0] == '+' || text[0] == '-';
	struct str_part part;

	if (text[0] == '\0' && !only)
		return err_set(err, -EINVAL, "-F wants at least one field");
	if (!with_signs)
		start_over(fields, first, end, remarks);
	for (size_t k = first; k < end; k++)
		fields->named[k] = only && kind != SCRIPT_SYNTHESIZED;
	if (text[0] == '\0') {
		fields->suppressed[kind] = true;
		return 0;
	}
	while (str_split(&text, ',', &part)) {
		struct change change;
		int r = parse_word(part, &change, err);

		if (r < 0)
			return r;
		if ((change.sign != 0) != with_signs)
			return err_set(err, -EINVAL,
				       "-F takes either fields, or changes with + and -, not both");
		for (size_t k = first; k < end && r == 0; k++)
			r = apply(fields, k, change, only, remarks, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int err_missing(const struct event_desc *event, const struct field_info *info,
		       struct strobe_err *err)
{
	err_set(err, -EINVAL, "the samples of '%s' hold no '%s'",
		event->name ? event->name : "an event", info->name);
	if (info->option)
		return err_hint(err, -EINVAL, "leave '%s' out of -F, or record with %s", info->name,
				info->option);
	return err_hint(err, -EINVAL, "leave '%s' out of -F", info->name);
}

/* Drops what this event has no data for; an error where the user asked for it. */
static int fit_event(struct script_fields *fields, const struct event_desc *event,
		     struct strobe_err *err)
{
	enum script_kind kind = script_fields_kind(&event->attr);

	for (size_t i = 0; i < SCRIPT_FIELD_COUNT; i++) {
		const struct field_info *info = &fields_known[i];
		uint64_t bit = UINT64_C(1) << i;

		if (!(fields->shown[kind] & bit) || info->needs == 0 ||
		    event->attr.sample_type & info->needs)
			continue;
		/* A fixed period is not told with each sample, but known. */
		if (i == SCRIPT_PERIOD && !event->attr.freq)
			continue;
		/* Branches may come from hardware traces: perf asks for no attribute here. */
		if (fields->asked[kind] & bit && info->needs != PERF_SAMPLE_BRANCH_STACK)
			return err_missing(event, info, err);
		if (!fields->by_sample)
			fields->shown[kind] &= ~bit;
	}
	return 0;
}

static bool kind_has_events(size_t kind, const struct event_desc *const *events, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (script_fields_kind(&events[i]->attr) == kind)
			return true;
	}
	return false;
}

static int check_kinds(const struct script_fields *fields, const struct event_desc *const *events,
		       size_t count, struct strobe_err *err)
{
	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++) {
		if (!fields->named[kind] || kind_has_events(kind, events, count))
			continue;
		err_set(err, -EINVAL, "this recording has no %s events", kinds[kind].title);
		return err_hint(err, -EINVAL, "leave -F %s:... out", kinds[kind].prefix);
	}
	return 0;
}

/* Between branches code ran straight on only where every branch was recorded. */
static int check_branch_code(const struct script_fields *fields,
			     const struct event_desc *const *events, size_t count,
			     struct strobe_err *err)
{
	if (!shows_any(fields, BRANCH_CODE))
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (events[i]->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY)
			return 0;
	}
	err_set(err, -EINVAL, "the instructions of branches need a recording of all branches");
	return err_hint(err, -EINVAL, "record with -b");
}

/* Counters of branches: no sample says by itself that it has none. */
static int check_branch_counters(const struct script_fields *fields,
				 const struct event_desc *const *events, size_t count,
				 struct strobe_err *err)
{
	uint64_t asked = 0;

	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++)
		asked |= fields->asked[kind];
	for (size_t i = 0; i < count; i++) {
		if (events[i]->attr.branch_sample_type & ATTR_BRANCH_COUNTERS)
			return 0;
	}
	return asked & BIT(BRCNTR) && count > 0
		       ? err_missing(events[0], &fields_known[SCRIPT_BRCNTR], err)
		       : 0;
}

int script_fields_fit(struct script_fields *fields, const struct event_desc *const *events,
		      size_t count, bool callchains, struct strobe_err *err)
{
	int r = check_kinds(fields, events, count, err);

	if (r == 0)
		r = check_branch_code(fields, events, count, err);
	if (r == 0)
		r = check_branch_counters(fields, events, count, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < count; i++) {
		const struct attr *attr = &events[i]->attr;
		enum script_kind kind = script_fields_kind(attr);

		if (callchains && kind == SCRIPT_TRACEPOINT && !fields->set[kind] &&
		    attr->sample_type & PERF_SAMPLE_CALLCHAIN)
			fields->shown[kind] |= WHERE;
		r = fit_event(fields, events[i], err);
		if (r < 0)
			return r;
	}
	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++) {
		if (!kind_has_events(kind, events, count))
			continue;
		if (fields->shown[kind] & (BIT(SRCLINE) | BIT(SRCCODE)) &&
		    !(fields->shown[kind] & BIT(IP)))
			return err_set(err, -EINVAL,
				       "'srcline' and 'srccode' want the field 'ip' too");
		if (fields->shown[kind] & BIT(SYMOFF) && !(fields->shown[kind] & BIT(SYM))) {
			if (fields->asked[kind] & BIT(SYMOFF))
				return err_set(err, -EINVAL, "'symoff' wants the field 'sym' too");
			fields->shown[kind] &= ~BIT(SYMOFF);
		}
	}
	return 0;
}

bool script_fields_trace_branches(const struct attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE &&
	       attr->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS && !attr->freq &&
	       attr->sample_period == 1;
}

bool script_fields_explain_addr(const struct attr *attr)
{
	return script_fields_trace_branches(attr) ||
	       (attr->type == PERF_TYPE_SOFTWARE &&
		(attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
		 attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		 attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ));
}
