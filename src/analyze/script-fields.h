/*
 * script-fields.h - which fields script prints: -F and its defaults, for each kind of event.
 *
 * -F FIELD,... sets them for all kinds, -F sw:FIELD,... for one; +FIELD and -FIELD change the
 * defaults. perf keeps one set of fields for each kind (hardware, software, tracepoint, ...), not
 * for each event: a default that one event of a kind has no data for is dropped for the whole kind.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attr;
struct event_desc;
struct str;
struct strobe_err;

enum script_field {
	SCRIPT_COMM,
	SCRIPT_TID,
	SCRIPT_PID,
	SCRIPT_TIME,
	SCRIPT_CPU,
	SCRIPT_EVENT,
	SCRIPT_TRACE,
	SCRIPT_IP,
	SCRIPT_SYM,
	SCRIPT_DSO,
	SCRIPT_DSOFF,
	SCRIPT_ADDR,
	SCRIPT_SYMOFF,
	SCRIPT_PERIOD,
	SCRIPT_IREGS,
	SCRIPT_UREGS,
	SCRIPT_BRSTACK,
	SCRIPT_BRSTACKSYM,
	SCRIPT_BRSTACKOFF,
	SCRIPT_WEIGHT,
	SCRIPT_BPF_OUTPUT,
	SCRIPT_PHYS_ADDR,
	SCRIPT_MISC,
	SCRIPT_DATA_PAGE_SIZE,
	SCRIPT_CODE_PAGE_SIZE,
	SCRIPT_INS_LAT,
	SCRIPT_CGROUP,
	SCRIPT_RETIRE_LAT,
	SCRIPT_DATA_SRC,
	SCRIPT_TOD,
	SCRIPT_SRCLINE,
	SCRIPT_SRCCODE,
	SCRIPT_INSN,
	SCRIPT_INSNLEN,
	SCRIPT_DISASM,
	SCRIPT_BRSTACKINSN,
	SCRIPT_BRSTACKINSNLEN,
	SCRIPT_BRSTACKDISASM,
	SCRIPT_FLAGS,
	SCRIPT_CALLINDENT,
	SCRIPT_SYNTH,
	SCRIPT_IPC,
	SCRIPT_MACHINE_PID,
	SCRIPT_VCPU,
	SCRIPT_BRCNTR,
	SCRIPT_METRIC,
	SCRIPT_FIELD_COUNT
};

/* The kinds of events that -F knows. */
enum script_kind {
	SCRIPT_HARDWARE,
	SCRIPT_SOFTWARE,
	SCRIPT_TRACEPOINT,
	SCRIPT_CACHE,
	SCRIPT_RAW,
	SCRIPT_BREAKPOINT,
	SCRIPT_SYNTHESIZED, /* made by decoders of hardware traces: none of those that strobe reads
			     */
	SCRIPT_OTHER,       /* dynamic PMUs */
	SCRIPT_KIND_COUNT
};

struct script_fields {
	uint64_t shown[SCRIPT_KIND_COUNT]; /* bits 1 << enum script_field */
	uint64_t asked[SCRIPT_KIND_COUNT]; /* bits that the user named: they must be there */
	bool set[SCRIPT_KIND_COUNT];       /* the user chose this kind's fields */
	bool named[SCRIPT_KIND_COUNT];     /* with a prefix of its own: there must be such events */
	bool suppressed[SCRIPT_KIND_COUNT];  /* "-F sw:": no event of this kind is printed */
	uint64_t dropped[SCRIPT_KIND_COUNT]; /* bits that the user took away */
	bool by_sample; /* a default that an event has no data for is not dropped for its kind */
};

struct script_fields script_fields_default(void);
/* The @i-th field; NULL past the end. */
const char *script_fields_name(size_t i);

/*
 * For programs: all that samples may tell, of the kinds whose fields the user did not list. To be
 * called after script_fields_parse() and before script_fields_fit(); what is really there, each
 * sample says.
 */
void script_fields_widen(struct script_fields *fields);
/* Whether a record that has these PERF_SAMPLE_* bits has data for a field. */
bool script_fields_are_in(enum script_field field, uint64_t has);

/*
 * Takes one -F argument. @remarks (may be NULL) gets lines that perf prints to stderr
 * ("'trace' not valid for hardware events. Ignoring."). -EINVAL: not understood.
 */
int script_fields_parse(struct script_fields *fields, const char *text, struct str *remarks,
			struct strobe_err *err);

/*
 * Fits the fields to the events of a recording: drops defaults that have no data, adds stacks
 * to tracepoints that have some. -EINVAL: a field that the user named has no data.
 * @callchains: whether chains are printed.
 */
int script_fields_fit(struct script_fields *fields, const struct event_desc *const *events,
		      size_t count, bool callchains, struct strobe_err *err);

enum script_kind script_fields_kind(const struct attr *attr);

/* Every single branch, from ip to addr: what hardware writes down of a thread's way. */
bool script_fields_trace_branches(const struct attr *attr);
/* Whether the address of an event's data is one that a mapping may explain. */
bool script_fields_explain_addr(const struct attr *attr);

/* Whether some kind of event shows a field. */
bool script_fields_any(const struct script_fields *fields, enum script_field field);
/* Whether some field shows instructions. */
bool script_fields_any_code(const struct script_fields *fields);

static inline bool script_fields_has(const struct script_fields *fields, enum script_kind kind,
				     enum script_field field)
{
	return fields->shown[kind] >> field & 1;
}
