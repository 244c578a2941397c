/* script-json.c - see script-json.h. */
#include "view/script-json.h"

#include <inttypes.h>
#include <linux/perf_event.h>

#include "analyze/code-line.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/record-owner.h"
#include "analyze/sample-metrics.h"
#include "analyze/stack-verdicts.h"
#include "analyze/stat.h"
#include "base/json.h"
#include "base/str.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "format/data-src.h"
#include "format/registers.h"
#include "format/tracepoint.h"
#include "model/timeline.h"
#include "view/branch-json.h"
#include "view/header-json.h"
#include "view/insn-json.h"
#include "view/insn-text.h"
#include "view/place-json.h"
#include "view/record-json.h"
#include "view/recording-json.h"
#include "view/script-text.h"
#include "view/tracepoint-json.h"

bool script_json_needs_order(const struct script_text *text)
{
	return text->times != SCRIPT_TIMES_ABSOLUTE;
}

static void begin(struct script_json_worker *worker, const struct script_text *text)
{
	code_init(&worker->code, text->profile);
	source_text_init(&worker->source, text->profile, true);
	if (script_fields_any(text->fields, SCRIPT_BRCNTR))
		branch_events_find(&worker->branch_events, profile_file(text->profile));
	if (script_fields_any(text->fields, SCRIPT_METRIC))
		worker->metrics = sample_metrics_new(datafile_events(profile_file(text->profile)),
						     text->event_names);
}

void script_json_init(struct script_json_worker *worker, const struct script_text *text)
{
	*worker = (struct script_json_worker){ .times.mode = text->times };
	begin(worker, text);
}

void script_json_changed(struct script_json_worker *worker)
{
	for (size_t kind = 0; kind < SCRIPT_KIND_COUNT; kind++)
		place_lines_done(&worker->places[kind]);
}

void script_json_done(struct script_json_worker *worker)
{
	code_done(&worker->code);
	source_text_done(&worker->source);
	branch_events_done(&worker->branch_events);
	sample_metrics_free(take(worker->metrics));
	script_json_changed(worker);
}

void script_json_forget(struct script_json_worker *worker, const struct script_text *text)
{
	script_json_done(worker);
	begin(worker, text);
}

static void end_line(struct json *json)
{
	json_end(json);
	str_add_char(json->out, '\n');
}

void script_json_begin(const struct script_text *text, bool whole, struct str *out)
{
	const struct datafile *file = profile_file(text->profile);
	struct json json = { .out = out };

	json_begin(&json, NULL);
	json_text(&json, "type", "recording");
	json_text(&json, "schema", "strobe.script/1");
	header_json_recording(&json, file, whole);
	json_texts(&json, "events", text->event_names, events_count(datafile_events(file)));
	end_line(&json);
}

void script_json_end(const struct script_text *text, struct str *out)
{
	struct json json = { .out = out };

	json_begin(&json, NULL);
	json_text(&json, "type", "end");
	recording_json_losses(&json, "losses", text->profile);
	end_line(&json);
}

/* A sample, or another record, on its way to a line. */
struct line {
	const struct script_text *text;
	struct script_json_worker *worker;
	enum script_kind kind;
	uint64_t has; /* PERF_SAMPLE_* */
	struct json json;
};

static bool shows(const struct line *line, enum script_field field)
{
	return script_text_shows(line->text, line->kind, field) &&
	       script_fields_are_in(field, line->has);
}

static struct place_text_fields place_fields(const struct line *line)
{
	return (struct place_text_fields){
		.symbol = shows(line, SCRIPT_SYM),
		.offset = shows(line, SCRIPT_SYMOFF),
		.dso = shows(line, SCRIPT_DSO),
		.dso_offset = shows(line, SCRIPT_DSOFF),
		.kernel_path = line->text->kernel_path,
		.resolver = profile_resolver(line->text->profile),
		.source = shows(line, SCRIPT_SRCLINE) ? &line->worker->source : NULL,
	};
}

/* What all records have. @sample: a sample, or a trailer. */
static void add_start(struct line *line, const struct sample *sample, const char *comm)
{
	struct json *json = &line->json;

	if (shows(line, SCRIPT_COMM))
		json_text(json, "comm", comm);
	if (shows(line, SCRIPT_PID))
		json_i64(json, "pid", (int32_t)sample->pid);
	if (shows(line, SCRIPT_TID))
		json_i64(json, "tid", (int32_t)sample->tid);
	if (shows(line, SCRIPT_CPU))
		json_i64(json, "cpu", (int32_t)sample->cpu);
	if (shows(line, SCRIPT_MISC))
		json_addr(json, "misc", sample->misc);
	if (shows(line, SCRIPT_TOD))
		json_u64(json, "time_of_day_ns", line->text->wall_ns + sample->time);
	if (shows(line, SCRIPT_TIME))
		json_u64(json, "time_ns", script_times_next(&line->worker->times, sample->time));
}

static void add_trace(struct line *line, const struct profile_sample *sample)
{
	const struct sample *s = &sample->sample;
	const struct tracepoint *tracepoint = NULL;

	if (s->raw && line->text->tracepoints)
		tracepoint =
			tracepoint_set_find(line->text->tracepoints, sample->event->attr.config);
	if (tracepoint)
		tracepoint_json_add(&line->json, "trace", tracepoint, s->raw, s->raw_size);
}

/* Of what a mapping may explain, also the names. */
static void add_addr(struct line *line, const struct profile_sample *sample)
{
	struct place_text_fields fields = { 0 };
	struct place place = { .addr = sample->sample.addr };

	if (script_fields_explain_addr(&sample->event->attr)) {
		fields = place_fields(line);
		place = lookup_here(line->text->profile, sample, sample->cpumode,
				    sample->sample.addr);
	}
	place_json_add(&line->json, "addr", &place, &fields);
}

static void add_data_src(struct json *json, uint64_t data_src)
{
	static const struct {
		const char *name;
		void (*add)(struct str *out, uint64_t data_src);
	} parts[] = {
		{ "operation", data_src_add_operation }, { "level", data_src_add_level },
		{ "snoop", data_src_add_snoop },         { "tlb", data_src_add_tlb },
		{ "lock", data_src_add_lock },           { "blocked", data_src_add_blocked },
	};
	struct str text = { 0 };
	struct str_part part;

	json_begin(json, "data_src");
	json_addr(json, "value", data_src);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		parts[i].add(&text, data_src);
		part = str_trim(str_text(&text));
		json_bytes(json, parts[i].name, part.text, part.size);
		str_clear(&text);
	}
	json_end(json);
	str_done(&text);
}

/* 0: not known. */
static void add_page_size(struct json *json, const char *name, uint64_t size)
{
	if (size)
		json_u64(json, name, size);
	else
		json_null(json, name);
}

/* What the event measured, and what it touched. */
static void add_values(struct line *line, const struct profile_sample *sample)
{
	const struct sample *s = &sample->sample;
	struct json *json = &line->json;

	if (shows(line, SCRIPT_TRACE))
		add_trace(line, sample);
	if (shows(line, SCRIPT_ADDR))
		add_addr(line, sample);
	if (shows(line, SCRIPT_DATA_SRC))
		add_data_src(json, s->data_src);
	if (shows(line, SCRIPT_WEIGHT))
		json_u64(json, "weight", s->weight);
	if (shows(line, SCRIPT_INS_LAT))
		json_u64(json, "ins_lat", s->weight_2);
	if (shows(line, SCRIPT_RETIRE_LAT))
		json_u64(json, "retire_lat", s->weight_3);
	if (shows(line, SCRIPT_CGROUP))
		json_text(json, "cgroup",
			  timeline_cgroup(profile_timeline(line->text->profile), s->cgroup));
	if (shows(line, SCRIPT_PHYS_ADDR))
		json_addr(json, "phys_addr", s->phys_addr);
	if (shows(line, SCRIPT_DATA_PAGE_SIZE))
		add_page_size(json, "data_page_size", s->data_page_size);
	if (shows(line, SCRIPT_CODE_PAGE_SIZE))
		add_page_size(json, "code_page_size", s->code_page_size);
}

/* How frames of a line are printed. */
struct frame_style {
	struct place_text_fields fields;
	struct place_frames frames;
};

static void make_frames(const void *context, const struct place *place, struct str *out)
{
	const struct frame_style *style = context;
	struct json json = { .out = out };
	struct frames frames = { 0 };

	place_frames_read(&style->frames, place, &frames);
	for (size_t i = 0; i < frames.count; i++)
		place_json_frame(&json, place, &frames.items[i], &style->fields);
	resolver_frames_done(&frames);
}

/* The call chain, or where it hit alone. */
static void add_frames(struct line *line, const struct script_text_where *where)
{
	struct frame_style style = { place_fields(line), line->text->frames };
	struct str *out = line->json.out;

	style.frames.lines = style.fields.source;

	json_begin_list(&line->json, "frames");
	if (!where->chain)
		place_json_add(&line->json, NULL, where->place, &style.fields);
	for (size_t i = 0; where->chain && i < where->count; i++) {
		if (i > 0)
			str_add_char(out, ',');
		place_lines_add(&line->worker->places[line->kind], where->lookup, &where->chain[i],
				make_frames, &style, out);
	}
	json_end_list(&line->json);
}

static void add_registers(struct line *line, const char *name, const struct sample_regs *regs)
{
	struct json *json = &line->json;
	size_t i = 0;

	json_begin(json, name);
	json_u64(json, "abi", regs->abi);
	json_begin(json, "values");
	for (unsigned bit = 0; bit < REGISTERS_MAX && i < regs->count; bit++) {
		const char *known = registers_name(line->text->arch, bit);
		char made[sizeof("63")];

		if (!(regs->mask >> bit & 1))
			continue;
		(void)snprintf(made, sizeof(made), "%u", bit);
		json_addr(json, known ? known : made, regs->values[i++]);
	}
	json_end(json);
	json_end(json);
}

/* NULL: what was counted of branches is not shown. */
static const struct branch_events *counters_of(const struct line *line)
{
	return shows(line, SCRIPT_BRCNTR) ? &line->worker->branch_events : NULL;
}

static void add_branches(struct line *line, const struct profile_sample *sample)
{
	struct place_text_fields fields = place_fields(line);
	bool symbols = shows(line, SCRIPT_BRSTACKSYM), offsets = shows(line, SCRIPT_BRSTACKOFF);

	if (!symbols && !offsets && !shows(line, SCRIPT_BRSTACK))
		return;
	fields.symbol = fields.offset = symbols;
	fields.dso_offset &= fields.dso;
	branch_json_add(&line->json, "branches", line->text->profile, sample,
			&(struct branch_json){ &fields, offsets, counters_of(line),
					       line->text->event_names });
}

static void add_code(struct line *line, const struct profile_sample *sample)
{
	const struct insn_text_fields own = {
		.bytes = shows(line, SCRIPT_INSN),
		.length = shows(line, SCRIPT_INSNLEN),
		.text = shows(line, SCRIPT_DISASM),
	};
	const struct insn_text_fields branches = {
		.bytes = shows(line, SCRIPT_BRSTACKINSN),
		.length = shows(line, SCRIPT_BRSTACKINSNLEN),
		.text = shows(line, SCRIPT_BRSTACKDISASM),
		.counters = counters_of(line),
		.event_names = line->text->event_names,
	};
	struct profile *profile = line->text->profile;

	if (own.bytes || own.length || own.text) {
		struct place place =
			lookup_here(profile, sample, sample->cpumode, sample->sample.ip);

		insn_json_add(&line->json, "insn", &line->worker->code, &place, &own);
	}
	if (branches.bytes || branches.length || branches.text)
		insn_json_branches(&line->json, "branch_insns", profile, &line->worker->code,
				   sample, line->text->max_blocks, &branches);
}

/* The text of the source line; null if it is not known, or not here. */
static void add_source(struct line *line, const struct profile_sample *sample)
{
	struct place place =
		lookup_here(line->text->profile, sample, sample->cpumode, sample->sample.ip);
	struct code_line at;
	struct str_part text;

	if (code_line_find(line->text->profile, &place, &at) &&
	    source_files_line(&line->worker->source.files, at.file, at.line, &text))
		json_bytes(&line->json, "source", text.text, text.size);
	else
		json_null(&line->json, "source");
}

static void add_details(struct line *line, const struct profile_sample *sample)
{
	const struct sample *s = &sample->sample;
	const struct attr *attr = &sample->event->attr;

	if (shows(line, SCRIPT_IREGS))
		add_registers(line, "iregs", &s->regs_intr);
	if (shows(line, SCRIPT_UREGS))
		add_registers(line, "uregs", &s->regs_user);
	add_branches(line, sample);
	if (shows(line, SCRIPT_BPF_OUTPUT) && attr->type == PERF_TYPE_SOFTWARE &&
	    attr->config == PERF_COUNT_SW_BPF_OUTPUT)
		json_hex(&line->json, "bpf_output", s->raw, s->raw_size);
	add_code(line, sample);
	if (shows(line, SCRIPT_SRCCODE))
		add_source(line, sample);
}

/* What the counts of its group say, with the last sample of a reading. */
static void add_metrics(struct line *line, const struct profile_sample *sample)
{
	const struct stat_table *table = sample_metrics_take(line->worker->metrics, sample);
	struct json *json = &line->json;

	if (!table)
		return;
	json_begin_list(json, "metrics");
	for (size_t i = 0; i < table->count; i++) {
		const struct stat_row *row = &table->items[i];

		for (size_t k = 0; k < row->metric_count; k++) {
			const struct stat_metric *metric = &row->metrics[k];

			if (!metric->is_known)
				continue;
			json_begin(json, NULL);
			json_text(json, "event", row->event->name);
			json_text(json, "name", metric->unit);
			json_double(json, "value", metric->value);
			json_end(json);
		}
	}
	json_end_list(json);
}

void script_json_sample(const struct script_text *text, struct script_json_worker *worker,
			const struct profile_sample *sample, const struct script_text_where *where,
			struct str *out)
{
	struct line line = {
		.text = text,
		.worker = worker,
		.kind = script_fields_kind(&sample->event->attr),
		.has = sample->sample.has,
		.json.out = out,
	};
	struct json *json = &line.json;

	json_begin(json, NULL);
	json_text(json, "type", "sample");
	if (shows(&line, SCRIPT_EVENT))
		json_text(json, "event", text->event_names[sample->event->index]);
	add_start(&line, &sample->sample, sample->comm);
	/* A fixed period is not told with each sample, but known. */
	if (script_text_shows(text, line.kind, SCRIPT_PERIOD))
		json_u64(json, "period", sample->sample.period);
	add_values(&line, sample);
	if (shows(&line, SCRIPT_IP)) {
		json_addr(json, "ip", sample->sample.ip);
		add_frames(&line, where);
		if (stack_verdicts_name(where->verdict))
			json_text(json, "stack", stack_verdicts_name(where->verdict));
	}
	add_details(&line, sample);
	if (shows(&line, SCRIPT_METRIC))
		add_metrics(&line, sample);
	end_line(json);
}

void script_json_record(const struct script_text *text, struct script_json_worker *worker,
			const struct record *record, const struct sample *trailer,
			const struct event_desc *event, uint64_t moment, struct str *out)
{
	const char *name = record_type_name(record->header->type);
	struct line line = {
		.text = text,
		.worker = worker,
		.kind = event ? script_fields_kind(&event->attr) : SCRIPT_HARDWARE,
		.has = trailer->has,
		.json.out = out,
	};

	json_begin(&line.json, NULL);
	json_text(&line.json, "type", "record");
	json_text(&line.json, "record", name);
	/* The end of a round happens to no thread. */
	if (record->header->type != RECORD_FINISHED_ROUND) {
		struct sample shown = record_owner_trailer(record, trailer);
		struct str comm = { 0 };

		record_owner_name(profile_timeline(text->profile), record, trailer, moment, &comm);
		add_start(&line, &shown, str_text(&comm));
		str_done(&comm);
	}
	record_json_body(&line.json, record);
	end_line(&line.json);
}
