/* script-text.c - see script-text.h. */
#include "view/script-text.h"

#include <inttypes.h>

#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/record-owner.h"
#include "analyze/sample-metrics.h"
#include "analyze/stack.h"
#include "analyze/stat.h"
#include "base/str.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "format/tracepoint.h"
#include "model/timeline.h"
#include "view/branch-text.h"
#include "view/insn-text.h"
#include "view/record-text.h"
#include "view/script-start.h"
#include "view/stat-number.h"
#include "view/value-text.h"

enum { FLAGS_WIDTH = 24 };

/* A line that an event's text ends itself stays. */
static void add_trace(const struct tracepoint *tracepoint, const struct sample *sample,
		      struct str *out)
{
	size_t begin = out->size;

	tracepoint_print(tracepoint, sample->raw, sample->raw_size, out);
	bool ends = out->size > begin && out->text[out->size - 1] == '\n';

	if (ends)
		str_cut(out, out->size - 1);
	str_one_line(out, begin);
	if (ends)
		str_add_char(out, '\n');
}

static struct place_text_fields place_fields(const struct script_text *text, enum script_kind kind)
{
	return (struct place_text_fields){
		.symbol = script_text_shows(text, kind, SCRIPT_SYM),
		.offset = script_text_shows(text, kind, SCRIPT_SYMOFF),
		.dso = script_text_shows(text, kind, SCRIPT_DSO),
		.dso_offset = script_text_shows(text, kind, SCRIPT_DSOFF),
		.kernel_path = text->kernel_path,
	};
}

/* Of kinds of events that there are none of, nothing is shown. */
static bool shows_of_some_event(const struct script_text *text, enum script_field field)
{
	const struct events *events = datafile_events(profile_file(text->profile));

	for (size_t i = 0; i < events_count(events); i++) {
		if (script_text_shows(text, script_fields_kind(&events_at(events, i)->attr), field))
			return true;
	}
	return false;
}

bool script_text_needs_order(const struct script_text *text)
{
	return text->times != SCRIPT_TIMES_ABSOLUTE || shows_of_some_event(text, SCRIPT_DATA_SRC) ||
	       shows_of_some_event(text, SCRIPT_SRCCODE);
}

static void begin(struct script_text_worker *worker, const struct script_text *text)
{
	if (shows_of_some_event(text, SCRIPT_BRCNTR))
		branch_events_find(&worker->branch_events, profile_file(text->profile));
	if (shows_of_some_event(text, SCRIPT_METRIC))
		worker->metrics = sample_metrics_new(datafile_events(profile_file(text->profile)),
						     text->event_names);
	code_init(&worker->code, text->profile);
	source_text_init(&worker->source, text->profile, text->source_path);
	for (size_t i = 0; i < SCRIPT_KIND_COUNT; i++) {
		enum script_kind kind = (enum script_kind)i;

		worker->places[i] = (struct place_text){
			.fields = place_fields(text, kind),
			.frames = text->frames,
		};
		if (!script_text_shows(text, kind, SCRIPT_SRCLINE))
			continue;
		worker->places[i].fields.source = &worker->source;
		worker->places[i].frames.lines = true;
	}
}

void script_text_init(struct script_text_worker *worker, const struct script_text *text)
{
	*worker = (struct script_text_worker){ .times.mode = text->times };
	begin(worker, text);
}

void script_text_begin(const struct script_text *text, struct str *out)
{
	struct branch_events events = { 0 };

	if (!shows_of_some_event(text, SCRIPT_BRCNTR) || text->verbose)
		return;
	branch_events_find(&events, profile_file(text->profile));
	if (events.count > 0)
		str_add(out, "# Branch counter abbr list:\n");
	for (size_t i = 0; i < events.count; i++)
		str_addf(out, "# %s = %c\n", text->event_names[events.items[i].event->index],
			 events.items[i].letter);
	if (events.count > 0)
		str_add(out, "# '-' No event occurs\n# '+' Event occurrences may be lost due to "
			     "branch counter saturated\n");
	branch_events_done(&events);
}

static void forget_places(struct script_text_worker *worker)
{
	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++)
		place_text_done(&worker->places[kind]);
}

void script_text_changed(struct script_text_worker *worker)
{
	forget_places(worker);
}

void script_text_done(struct script_text_worker *worker)
{
	code_done(&worker->code);
	source_text_done(&worker->source);
	branch_events_done(&worker->branch_events);
	sample_metrics_free(take(worker->metrics));
	forget_places(worker);
}

void script_text_forget(struct script_text_worker *worker, const struct script_text *text)
{
	script_text_done(worker);
	begin(worker, text);
}

static void add_chain(struct place_text *places, const struct script_text_where *where,
		      struct str *out)
{
	str_add_char(out, '\n');
	for (size_t i = 0; i < where->count; i++)
		place_text_line(places, where->lookup, &where->chain[i], out);
}

static void add_addr(const struct script_text *text, enum script_kind kind,
		     const struct profile_sample *sample, struct str *out)
{
	str_add_hexadecimal(out, sample->sample.addr, 16, ' ');
	if (script_fields_explain_addr(&sample->event->attr)) {
		struct place_text_fields fields = place_fields(text, kind);
		struct place place =
			lookup_here(text->profile, sample, sample->cpumode, sample->sample.addr);

		place_text_add(&fields, &place, out);
	}
}

/* The fields between the event and the address. */
static void add_values(const struct script_text *text, struct script_text_worker *worker,
		       enum script_kind kind, const struct profile_sample *sample, struct str *out)
{
	const struct sample *s = &sample->sample;

	if (script_text_shows(text, kind, SCRIPT_TRACE) && s->raw && text->tracepoints) {
		const struct tracepoint *tracepoint =
			tracepoint_set_find(text->tracepoints, sample->event->attr.config);

		if (tracepoint)
			add_trace(tracepoint, s, out);
	}
	if (script_text_shows(text, kind, SCRIPT_ADDR))
		add_addr(text, kind, sample, out);
	if (script_text_shows(text, kind, SCRIPT_DATA_SRC))
		value_text_data_src(s->data_src, &worker->data_src_width, out);
	if (script_text_shows(text, kind, SCRIPT_WEIGHT))
		str_addf(out, "%16" PRIu64, s->weight);
	if (script_text_shows(text, kind, SCRIPT_INS_LAT))
		str_addf(out, "%16" PRIu16, s->weight_2);
	if (script_text_shows(text, kind, SCRIPT_RETIRE_LAT))
		str_addf(out, "%16" PRIu16, s->weight_3);
	if (script_text_shows(text, kind, SCRIPT_CGROUP)) {
		const char *path = timeline_cgroup(profile_timeline(text->profile), s->cgroup);

		size_t begin = out->size;

		str_addf(out, " %s", path ? path : "unknown");
		str_one_line(out, begin);
	}
}

static void add_branches(const struct script_text *text, enum script_kind kind,
			 const struct profile_sample *sample, struct str *out)
{
	struct place_text_fields fields = place_fields(text, kind);
	enum branch_text_style style;

	if (script_text_shows(text, kind, SCRIPT_BRSTACK))
		style = BRANCH_TEXT_ADDRESSES;
	else if (script_text_shows(text, kind, SCRIPT_BRSTACKSYM))
		style = BRANCH_TEXT_SYMBOLS;
	else if (script_text_shows(text, kind, SCRIPT_BRSTACKOFF))
		style = BRANCH_TEXT_OFFSETS;
	else
		return;
	branch_text_add(text->profile, sample, style, &fields, out);
}

static void add_code(const struct script_text *text, struct script_text_worker *worker,
		     enum script_kind kind, const struct profile_sample *sample, struct str *out)
{
	const struct insn_text_fields own = {
		.bytes = script_text_shows(text, kind, SCRIPT_INSN),
		.length = script_text_shows(text, kind, SCRIPT_INSNLEN),
		.text = script_text_shows(text, kind, SCRIPT_DISASM),
	};
	const struct insn_text_fields branches = {
		.bytes = script_text_shows(text, kind, SCRIPT_BRSTACKINSN),
		.length = script_text_shows(text, kind, SCRIPT_BRSTACKINSNLEN),
		.text = script_text_shows(text, kind, SCRIPT_BRSTACKDISASM),
		.line = script_text_shows(text, kind, SCRIPT_SRCLINE) ? &worker->source : NULL,
		.code = script_text_shows(text, kind, SCRIPT_SRCCODE) ? &worker->source : NULL,
		.counters = script_text_shows(text, kind, SCRIPT_BRCNTR) ? &worker->branch_events
									 : NULL,
		.event_names = text->verbose ? text->event_names : NULL,
	};

	if (own.bytes || own.length || own.text) {
		struct place place =
			lookup_here(text->profile, sample, sample->cpumode, sample->sample.ip);

		insn_text_add(&worker->code, &place, &own, out);
	}
	if (branches.bytes || branches.length || branches.text)
		insn_text_branches(text->profile, &worker->code, sample, text->max_blocks,
				   &branches, out);
}

static const uint64_t code_fields =
	UINT64_C(1) << SCRIPT_INSN | UINT64_C(1) << SCRIPT_INSNLEN | UINT64_C(1) << SCRIPT_DISASM |
	UINT64_C(1) << SCRIPT_BRSTACKINSN | UINT64_C(1) << SCRIPT_BRSTACKINSNLEN |
	UINT64_C(1) << SCRIPT_BRSTACKDISASM;

/* The fields behind the address and its chain. */
static void add_details(const struct script_text *text, struct script_text_worker *worker,
			enum script_kind kind, const struct profile_sample *sample, struct str *out)
{
	const struct sample *s = &sample->sample;
	bool is_bpf = sample->event->attr.type == PERF_TYPE_SOFTWARE &&
		      sample->event->attr.config == PERF_COUNT_SW_BPF_OUTPUT;

	if (script_text_shows(text, kind, SCRIPT_IREGS))
		value_text_registers(text->arch, &s->regs_intr, out);
	if (script_text_shows(text, kind, SCRIPT_UREGS))
		value_text_registers(text->arch, &s->regs_user, out);
	add_branches(text, kind, sample, out);
	if (is_bpf && script_text_shows(text, kind, SCRIPT_BPF_OUTPUT))
		value_text_bytes(s->raw, s->raw_size, out);
	if (text->fields->shown[kind] & code_fields)
		add_code(text, worker, kind, sample, out);
	if (script_text_shows(text, kind, SCRIPT_PHYS_ADDR))
		str_addf(out, "%16" PRIx64, s->phys_addr);
	if (script_text_shows(text, kind, SCRIPT_DATA_PAGE_SIZE))
		value_text_page_size(s->data_page_size, out);
	if (script_text_shows(text, kind, SCRIPT_CODE_PAGE_SIZE))
		value_text_page_size(s->code_page_size, out);
}

/* Where it hit: on the line itself, or a call chain below. */
static void add_own_place(const struct script_text *text, struct place_text *places,
			  enum script_kind kind, const struct profile_sample *sample,
			  const struct script_text_where *where, struct str *out)
{
	if (!script_text_shows(text, kind, SCRIPT_IP))
		return;
	if (where->chain) {
		add_chain(places, where, out);
		return;
	}
	str_add_char(out, ' ');
	str_add_hexadecimal(out, sample->sample.ip, 16, ' ');
	place_text_add(&places->fields, where->place, out);
}

/* "FROM => TO", and the instruction: of a traced branch nothing else is printed. */
static void add_traced_branch(const struct script_text *text, struct script_text_worker *worker,
			      enum script_kind kind, const struct profile_sample *sample,
			      const struct script_text_where *where, struct str *out)
{
	struct place_text *places = &worker->places[kind];
	const struct source_text *source = places->fields.source;

	if (!where->chain) /* its line then stands behind both ends */
		places->fields.source = NULL;
	add_own_place(text, places, kind, sample, where, out);
	places->fields.source = source;
	if (script_text_shows(text, kind, SCRIPT_ADDR) ||
	    (sample->sample.has & PERF_SAMPLE_ADDR && !text->fields->set[kind])) {
		str_add(out, " => ");
		add_addr(text, kind, sample, out);
	}
	if (source && !where->chain) {
		str_add(out, "\n  ");
		source_text_line(source, where->place, out);
	}
	add_code(text, worker, kind, sample, out);
}

static void add_source_code(const struct script_text *text, struct script_text_worker *worker,
			    const struct profile_sample *sample, struct str *out)
{
	struct place place = lookup_here(text->profile, sample, sample->cpumode, sample->sample.ip);

	source_text_code(&worker->source, sample->sample.tid, &place, out);
}

/* What the counts of its group say, on lines of their own. */
static void add_metrics(const struct script_text *text, struct script_text_worker *worker,
			enum script_kind kind, const struct profile_sample *sample, struct str *out)
{
	const struct stat_table *table = sample_metrics_take(worker->metrics, sample);
	const struct script_start start = {
		.comm = sample->comm,
		.sample = &sample->sample,
		.type = PERF_RECORD_SAMPLE,
	};

	for (size_t i = 0; table && i < table->count; i++) {
		const struct stat_row *row = &table->items[i];

		for (size_t k = 0; k < row->metric_count; k++) {
			if (!row->metrics[k].is_known)
				continue;
			script_start_add(text, worker, kind, &start, out);
			str_add(out, "\tmetric: ");
			stat_number_add_metric(out, &row->metrics[k], true);
			str_addf(out, " %s\n", row->metrics[k].unit);
		}
	}
}

void script_text_sample(const struct script_text *text, struct script_text_worker *worker,
			const struct profile_sample *sample, const struct script_text_where *where,
			struct str *out)
{
	enum script_kind kind = script_fields_kind(&sample->event->attr);
	const struct sample *s = &sample->sample;
	const struct script_start start = {
		.comm = sample->comm,
		.chain_follows = where->chain && script_text_shows(text, kind, SCRIPT_IP),
		.sample = s,
		.type = PERF_RECORD_SAMPLE,
	};

	if (text->fields->suppressed[kind])
		return;
	script_start_add(text, worker, kind, &start, out);
	if (script_text_shows(text, kind, SCRIPT_PERIOD)) {
		str_add_decimal(out, s->period, 10, ' ');
		str_add_char(out, ' ');
	}
	if (script_text_shows(text, kind, SCRIPT_EVENT)) {
		str_add_right(out, text->event_names[sample->event->index],
			      (size_t)text->name_width);
		str_add(out, ": ");
	}
	/* What kind of branch it was, which takes a decoded hardware trace: of others, blanks. */
	if (script_text_shows(text, kind, SCRIPT_FLAGS))
		str_add_repeat(out, ' ', FLAGS_WIDTH);
	if (script_fields_trace_branches(&sample->event->attr)) {
		add_traced_branch(text, worker, kind, sample, where, out);
	} else {
		add_values(text, worker, kind, sample, out);
		add_own_place(text, &worker->places[kind], kind, sample, where, out);
		add_details(text, worker, kind, sample, out);
	}
	str_add_char(out, '\n');
	if (script_text_shows(text, kind, SCRIPT_SRCCODE))
		add_source_code(text, worker, sample, out);
	if (script_text_shows(text, kind, SCRIPT_METRIC))
		add_metrics(text, worker, kind, sample, out);
}

void script_text_record(const struct script_text *text, struct script_text_worker *worker,
			const struct record *record, const struct sample *trailer,
			const struct event_desc *event, uint64_t moment, struct str *out)
{
	enum script_kind kind = event ? script_fields_kind(&event->attr) : SCRIPT_HARDWARE;
	struct sample shown = record_owner_trailer(record, trailer);
	struct str comm = { 0 };
	bool pads = text->hides_chains || !event || !script_text_shows(text, kind, SCRIPT_IP) ||
		    !(event->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	struct script_start start = {
		.chain_follows = !pads,
		.sample = &shown,
		.type = record->header->type,
	};

	if (record->header->type == RECORD_FINISHED_ROUND) { /* happens to no thread */
		record_text(record, out);
		return;
	}
	record_owner_name(profile_timeline(text->profile), record, trailer, moment, &comm);
	start.comm = str_text(&comm);
	script_start_add(text, worker, kind, &start, out);
	str_done(&comm);
	record_text(record, out);
}
