/* script-text.c - see script-text.h. */
#include "view/script-text.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/stack.h"
#include "base/str.h"
#include "data/events.h"
#include "data/record.h"
#include "format/registers.h"
#include "format/tracepoint.h"
#include "model/timeline.h"
#include "view/branch-text.h"
#include "view/record-text.h"

#define NSEC_PER_SEC UINT64_C(1000000000)

static bool shows(const struct script_text *text, enum script_kind kind, enum script_field field)
{
	return script_fields_has(text->fields, kind, field);
}

/* The letters of PERF_RECORD_MISC_* bits, which differ from record type to record type. */
static void add_misc(uint32_t type, uint16_t misc, struct str *out)
{
	static const char mode[] = "-KUHGg??"; /* by PERF_RECORD_MISC_CPUMODE_MASK */
	size_t start = out->size;
	char letter = mode[misc & PERF_RECORD_MISC_CPUMODE_MASK];

	if (letter != '-')
		str_add_char(out, letter);
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (misc & PERF_RECORD_MISC_MMAP_DATA)
			str_add_char(out, 'M');
		break;
	case PERF_RECORD_COMM:
		if (misc & PERF_RECORD_MISC_COMM_EXEC)
			str_add_char(out, 'E');
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (misc & PERF_RECORD_MISC_SWITCH_OUT)
			str_add_char(out, 'S');
		if (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
			str_add_char(out, 'p');
		break;
	}
	if (out->size - start < 6)
		str_add_repeat(out, ' ', 6 - (out->size - start));
}

static void add_right(struct str *out, const char *text, size_t width)
{
	size_t size = strlen(text);

	if (size < width)
		str_add_repeat(out, ' ', width - size);
	str_add_bytes(out, text, size);
}

/* "%*d " */
static void add_id(struct str *out, uint32_t id, size_t width)
{
	if ((int32_t)id < 0)
		str_addf(out, "%*" PRId32, (int)width, (int32_t)id);
	else
		str_add_decimal(out, id, width, ' ');
}

static void add_time(const struct script_text *text, uint64_t time_ns, struct str *out)
{
	str_add_decimal(out, time_ns / NSEC_PER_SEC, 5, ' ');
	str_add_char(out, '.');
	if (text->nanoseconds)
		str_add_decimal(out, time_ns % NSEC_PER_SEC, 9, '0');
	else
		str_add_decimal(out, time_ns % NSEC_PER_SEC / 1000, 6, '0');
	str_add(out, ": ");
}

/* "comm  pid/tid [cpu] time: ", as far as the fields are shown. */
static void add_start(const struct script_text *text, enum script_kind kind, const char *comm,
		      bool chain_follows, const struct sample *sample, uint32_t type,
		      struct str *out)
{
	bool pid = shows(text, kind, SCRIPT_PID), tid = shows(text, kind, SCRIPT_TID);

	if (shows(text, kind, SCRIPT_COMM)) {
		add_right(out, comm, chain_follows ? 0 : 16);
		str_add_char(out, ' ');
	}
	if (pid && tid) {
		str_addf(out, "%7" PRId32 "/%-7" PRId32 " ", (int32_t)sample->pid,
			 (int32_t)sample->tid);
	} else if (pid || tid) {
		add_id(out, pid ? sample->pid : sample->tid, 7);
		str_add_char(out, ' ');
	}
	if (shows(text, kind, SCRIPT_CPU) && (int32_t)sample->cpu < 0) {
		str_addf(out, "[%03" PRId32 "] ", (int32_t)sample->cpu);
	} else if (shows(text, kind, SCRIPT_CPU)) {
		str_add_char(out, '[');
		str_add_decimal(out, sample->cpu, 3, '0');
		str_add(out, "] ");
	}
	if (shows(text, kind, SCRIPT_MISC))
		add_misc(type, sample->misc, out);
	if (shows(text, kind, SCRIPT_TIME))
		add_time(text, sample->time, out);
}

static struct place_text_fields place_fields(const struct script_text *text, enum script_kind kind)
{
	return (struct place_text_fields){
		.symbol = shows(text, kind, SCRIPT_SYM),
		.offset = shows(text, kind, SCRIPT_SYMOFF),
		.dso = shows(text, kind, SCRIPT_DSO),
		.dso_offset = shows(text, kind, SCRIPT_DSOFF),
		.kernel_path = text->kernel_path,
	};
}

void script_text_init(struct script_text_worker *worker, const struct script_text *text)
{
	*worker = (struct script_text_worker){ 0 };
	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++)
		worker->places[kind].fields = place_fields(text, (enum script_kind)kind);
}

void script_text_done(struct script_text_worker *worker)
{
	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++)
		place_text_done(&worker->places[kind]);
}

static void add_chain(struct place_text *places, const struct script_text_where *where,
		      struct str *out)
{
	str_add_char(out, '\n');
	for (size_t i = 0; i < where->count; i++) {
		uint32_t site = where->sites[i];

		place_text_line(places, site, &where->table->sites.items[site].place, out);
	}
}

static void add_registers(const struct script_text *text, const struct sample_regs *regs,
			  struct str *out)
{
	size_t i = 0;

	str_addf(out, " ABI:%" PRIu64 " ", regs->abi);
	for (unsigned bit = 0; bit < REGISTERS_MAX && i < regs->count; bit++) {
		const char *name = registers_name(text->arch, bit);

		if (regs->mask >> bit & 1)
			str_addf(out, "%5s:0x%" PRIx64 " ", name ? name : "unknown",
				 regs->values[i++]);
	}
}

static void add_page_size(uint64_t size, struct str *out)
{
	static const char units[] = "BKMGTPE";
	size_t unit = 0;

	if (size == 0) {
		str_add(out, " N/A");
		return;
	}
	for (; size >= 1024 && unit + 2 < sizeof(units); size /= 1024)
		unit++;
	str_addf(out, " %" PRIu64 "%c", size, units[unit]);
}

/* Sixteen bytes to a line, in hex and as text, below the line of the sample. */
static void add_bpf_output(const void *raw, size_t size, struct str *out)
{
	const unsigned char *bytes = raw;
	enum { PER_LINE = 16 };

	str_add_char(out, '\n');
	for (size_t line = 0; line < size; line += PER_LINE) {
		size_t count = size - line < PER_LINE ? size - line : PER_LINE;

		str_addf(out, "%s %04zx:", line == 0 ? "      BPF output:" : "                 ",
			 line);
		for (size_t i = 0; i < PER_LINE; i++) {
			if (i < count)
				str_addf(out, " %02x", bytes[line + i]);
			else
				str_add(out, "   ");
		}
		str_add(out, "  ");
		for (size_t i = 0; i < count; i++) {
			unsigned char c = bytes[line + i];

			str_add_char(out, c >= ' ' && c < 0x7f ? (char)c : '.');
		}
		str_add_char(out, '\n');
	}
}

/* Whether the address of the data is one that a mapping may explain. */
static bool explains_addr(const struct attr *attr)
{
	if (attr->type == PERF_TYPE_SOFTWARE)
		return attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
		       attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	/* Every branch: the address is where it goes. */
	return attr->type == PERF_TYPE_HARDWARE &&
	       attr->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS && !attr->freq &&
	       attr->sample_period == 1;
}

static void add_addr(const struct script_text *text, enum script_kind kind,
		     const struct profile_sample *sample, struct str *out)
{
	str_add_hexadecimal(out, sample->sample.addr, 16, ' ');
	if (explains_addr(&sample->event->attr)) {
		struct place_text_fields fields = place_fields(text, kind);
		struct place place =
			lookup_here(text->profile, sample, sample->cpumode, sample->sample.addr);

		place_text_add(&fields, &place, out);
	}
}

/* The fields between the event and the address. */
static void add_values(const struct script_text *text, enum script_kind kind,
		       const struct profile_sample *sample, struct str *out)
{
	const struct sample *s = &sample->sample;

	if (shows(text, kind, SCRIPT_TRACE) && s->raw && text->tracepoints) {
		const struct tracepoint *tracepoint =
			tracepoint_set_find(text->tracepoints, sample->event->attr.config);

		if (tracepoint)
			tracepoint_print(tracepoint, s->raw, s->raw_size, s->cpu, out);
	}
	if (shows(text, kind, SCRIPT_ADDR))
		add_addr(text, kind, sample, out);
	if (shows(text, kind, SCRIPT_WEIGHT))
		str_addf(out, "%16" PRIu64, s->weight);
	if (shows(text, kind, SCRIPT_INS_LAT))
		str_addf(out, "%16" PRIu16, s->weight_2);
	if (shows(text, kind, SCRIPT_RETIRE_LAT))
		str_addf(out, "%16" PRIu16, s->weight_3);
	if (shows(text, kind, SCRIPT_CGROUP)) {
		const char *path = timeline_cgroup(profile_timeline(text->profile), s->cgroup);

		str_addf(out, " %s", path ? path : "unknown");
	}
}

static void add_branches(const struct script_text *text, enum script_kind kind,
			 const struct profile_sample *sample, struct str *out)
{
	struct place_text_fields fields = place_fields(text, kind);
	enum branch_text_style style;

	if (shows(text, kind, SCRIPT_BRSTACK))
		style = BRANCH_TEXT_ADDRESSES;
	else if (shows(text, kind, SCRIPT_BRSTACKSYM))
		style = BRANCH_TEXT_SYMBOLS;
	else if (shows(text, kind, SCRIPT_BRSTACKOFF))
		style = BRANCH_TEXT_OFFSETS;
	else
		return;
	branch_text_add(text->profile, sample, style, &fields, out);
}

/* The fields behind the address and its chain. */
static void add_details(const struct script_text *text, enum script_kind kind,
			const struct profile_sample *sample, struct str *out)
{
	const struct sample *s = &sample->sample;
	bool is_bpf = sample->event->attr.type == PERF_TYPE_SOFTWARE &&
		      sample->event->attr.config == PERF_COUNT_SW_BPF_OUTPUT;

	if (shows(text, kind, SCRIPT_IREGS))
		add_registers(text, &s->regs_intr, out);
	if (shows(text, kind, SCRIPT_UREGS))
		add_registers(text, &s->regs_user, out);
	add_branches(text, kind, sample, out);
	if (is_bpf && shows(text, kind, SCRIPT_BPF_OUTPUT))
		add_bpf_output(s->raw, s->raw_size, out);
	if (shows(text, kind, SCRIPT_PHYS_ADDR))
		str_addf(out, "%16" PRIx64, s->phys_addr);
	if (shows(text, kind, SCRIPT_DATA_PAGE_SIZE))
		add_page_size(s->data_page_size, out);
	if (shows(text, kind, SCRIPT_CODE_PAGE_SIZE))
		add_page_size(s->code_page_size, out);
}

void script_text_sample(const struct script_text *text, struct script_text_worker *worker,
			const struct profile_sample *sample, const struct script_text_where *where,
			struct str *out)
{
	enum script_kind kind = script_fields_kind(&sample->event->attr);
	const struct sample *s = &sample->sample;
	struct place_text *places = &worker->places[kind];

	if (text->fields->suppressed[kind])
		return;
	add_start(text, kind, sample->comm, where->sites && shows(text, kind, SCRIPT_IP), s,
		  PERF_RECORD_SAMPLE, out);
	if (shows(text, kind, SCRIPT_PERIOD)) {
		str_add_decimal(out, s->period, 10, ' ');
		str_add_char(out, ' ');
	}
	if (shows(text, kind, SCRIPT_EVENT)) {
		add_right(out, text->event_names[sample->event->index], (size_t)text->name_width);
		str_add(out, ": ");
	}
	add_values(text, kind, sample, out);
	if (shows(text, kind, SCRIPT_IP) && where->sites) {
		add_chain(places, where, out);
	} else if (shows(text, kind, SCRIPT_IP)) {
		str_add_char(out, ' ');
		str_add_hexadecimal(out, s->ip, 16, ' ');
		place_text_add(&places->fields, where->place, out);
	}
	add_details(text, kind, sample, out);
	str_add_char(out, '\n');
}

/* The thread that a record tells about, where it names one itself. */
static uint32_t thread_of(const struct record *record, const struct sample *trailer)
{
	uint32_t ids[4];

	if (!record_fits(record->header, sizeof(*record->header) + sizeof(ids)))
		return trailer->tid;
	memcpy(ids, record->header + 1, sizeof(ids));
	switch (record->header->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
		return ids[1];
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: /* pid, ppid, tid, ptid */
		return ids[2];
	default:
		return trailer->tid;
	}
}

static void add_comm(const struct timeline *timeline, uint32_t tid, struct instant at,
		     struct str *out)
{
	const char *comm =
		tid == 0 || tid == UINT32_MAX ? "swapper" : timeline_comm_at(timeline, tid, at);

	if (comm)
		str_add(out, comm);
	else
		str_addf(out, ":%" PRId32, (int32_t)tid);
}

void script_text_record(const struct script_text *text, const struct record *record,
			const struct sample *trailer, const struct event_desc *event,
			uint64_t moment, struct str *out)
{
	enum script_kind kind = event ? script_fields_kind(&event->attr) : SCRIPT_HARDWARE;
	struct sample shown = *trailer;
	struct instant at = { moment, record->offset };
	struct str comm = { 0 };
	bool pads = text->hides_chains || !event || !shows(text, kind, SCRIPT_IP) ||
		    !(event->attr.sample_type & PERF_SAMPLE_CALLCHAIN);

	if (record->header->type == RECORD_FINISHED_ROUND) { /* happens to no thread */
		record_text(record, out);
		return;
	}
	add_comm(profile_timeline(text->profile), thread_of(record, trailer), at, &comm);
	/* What recorders make up themselves has no trailer: it happened before everything. */
	if (!(trailer->has & PERF_SAMPLE_TID))
		shown.pid = shown.tid = 0;
	if (!(trailer->has & PERF_SAMPLE_CPU))
		shown.cpu = 0;
	shown.misc = record->header->misc;
	add_start(text, kind, str_text(&comm), !pads, &shown, record->header->type, out);
	str_done(&comm);
	record_text(record, out);
}
