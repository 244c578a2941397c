/* report-json.c - see report-json.h. */
#include "view/report-json.h"

#include <stdlib.h>

#include "analyze/blocks.h"
#include "analyze/hierarchy.h"
#include "analyze/hist.h"
#include "analyze/profile.h"
#include "analyze/report.h"
#include "analyze/sortkey.h"
#include "analyze/trace-key.h"
#include "analyze/unnamed.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/str.h"
#include "data/datafile.h"
#include "data/events.h"
#include "model/dso.h"
#include "view/blocks-json.h"
#include "view/callgraph-json.h"
#include "view/callgraph.h"
#include "view/event-json.h"
#include "view/header-json.h"
#include "view/recording-json.h"
#include "view/report-text.h"
#include "view/row-json.h"
#include "view/stacks-json.h"

enum { ROWS_AT_ONCE = 1024 };

/* One event's rows, on their way out. */
struct table {
	const struct report *report;
	const struct report_event *event;
	const struct report_text *text;
	struct callgraph graph;
	FILE *out;
};

static bool shows(const struct report *report, enum measure measure)
{
	for (size_t i = 0; i < report->fields.columns.count; i++) {
		if (report->fields.columns.items[i].measure == measure)
			return true;
	}
	return false;
}

static void add_numbers(struct json *json, const struct table *table,
			const struct hist_entry *entry, size_t member)
{
	static const struct {
		enum measure measure;
		const char *name;
	} shares[] = {
		{ MEASURE_LATENCY, "latency_percent" },
		{ MEASURE_LATENCY_CHILDREN, "latency_children_percent" },
		{ MEASURE_SYS, "sys_percent" },
		{ MEASURE_US, "us_percent" },
		{ MEASURE_GUEST_SYS, "guest_sys_percent" },
		{ MEASURE_GUEST_US, "guest_us_percent" },
	};
	const struct report_event *event = table->event;

	json_double(json, "percent", report_percent(event, entry, MEASURE_OVERHEAD, member));
	json_u64(json, "period", entry->self[member].period);
	json_u64(json, "samples", entry->self[member].count);
	if (table->report->children) {
		json_double(json, "children_percent",
			    report_percent(event, entry, MEASURE_CHILDREN, member));
		json_u64(json, "children_period", entry->whole[member]);
	}
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		if (shows(table->report, shares[i].measure))
			json_double(json, shares[i].name,
				    report_percent(event, entry, shares[i].measure, member));
	}
	for (size_t i = 0; i < EXTRAS_WEIGHTS; i++) {
		enum measure measure = (enum measure)(MEASURE_WEIGHT_1 + i);

		if (shows(table->report, measure))
			json_double(json, measure_name(measure), report_average(entry, i, member));
	}
}

/* What accesses met, by class: those that the text has columns of. */
static void add_classes(struct json *json, const struct table *table,
			const struct hist_entry *entry)
{
	static const struct {
		enum measure measure;
		const char *name;
	} kinds[] = {
		{ MEASURE_OP, "op_percent" },         { MEASURE_CACHE, "cache_percent" },
		{ MEASURE_MEMORY, "memory_percent" }, { MEASURE_SNOOP, "snoop_percent" },
		{ MEASURE_DTLB, "dtlb_percent" },
	};
	const struct report_event *event = table->event;
	enum data_src_kind kind;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!shows(table->report, kinds[i].measure) ||
		    !extras_kind_of(kinds[i].measure, &kind))
			continue;
		json_begin(json, kinds[i].name);
		for (size_t k = 0; data_src_class_name(kind, k); k++) {
			if (event->extras.classes[kind][k] > 0)
				json_double(json, data_src_class_name(kind, k),
					    report_class_percent(event, entry, kind, k));
		}
		json_end(json);
	}
}

/* Of a group: the numbers of those that are shown, in the order of the event's members. */
static void add_members(struct json *json, const struct table *table,
			const struct hist_entry *entry)
{
	if (table->event->member_count == 1)
		return;
	json_begin_list(json, "members");
	for (size_t i = 0; i < table->event->shown_count; i++) {
		json_begin(json, NULL);
		add_numbers(json, table, entry, table->event->shown[i]);
		json_end(json);
	}
	json_end_list(json);
}

static bool is_of_level(const struct table *table, const struct sortkey *key, size_t level)
{
	return !table->event->hierarchy || fields_level(&table->event->fields, key) == level;
}

/* Those of tracepoints stand apart: they may be called like anything. */
static void add_fields(struct json *json, const struct table *table, const struct item *item,
		       size_t level)
{
	const struct field_list *columns = &table->event->fields.all_columns;
	bool begun = false;

	for (size_t i = 0; i < columns->count; i++) {
		const struct sortkey *key = columns->items[i].key;

		if (!key || !key->traced || !is_of_level(table, key, level) ||
		    !trace_key_is_there(key->traced, item))
			continue;
		if (!begun)
			json_begin(json, "fields");
		begun = true;
		row_json_key(json, key, item, &table->event->hist_options.style);
	}
	if (begun)
		json_end(json);
}

/* All that a row has but its end. @level: of a hierarchy. */
static void begin_row(struct json *json, const struct table *table, const struct hist *hist,
		      const struct hist_entry *entry, size_t level)
{
	struct item item = hist_item(hist, entry);
	const struct field_list *columns = &table->event->fields.all_columns;

	json_begin(json, NULL);
	add_numbers(json, table, entry, 0);
	add_classes(json, table, entry);
	add_members(json, table, entry);
	for (size_t i = 0; i < columns->count; i++) {
		const struct sortkey *key = columns->items[i].key;

		if (key && !key->traced && is_of_level(table, key, level))
			row_json_key(json, key, &item, &table->event->hist_options.style);
	}
	add_fields(json, table, &item, level);
}

static void add_chains(struct json *json, const struct table *table, struct hist_entry *entry)
{
	callgraph_json_add(json, &table->graph, entry, report_weight(table->report, entry));
}

/* Rows are made by several threads, some at a time by each, and written in their order. */
struct rows {
	const struct table *table;
	bool any;
};

/* Each row has ",\n" before it. */
static void add_rows(void *context, size_t job, size_t thread, struct str *text)
{
	const struct rows *rows = context;
	const struct table *table = rows->table;
	const struct hist *hist = table->event->hist;
	struct json json = { .out = text };
	size_t end = (job + 1) * ROWS_AT_ONCE, count = report_text_row_count(table->text, hist);

	for (size_t i = job * ROWS_AT_ONCE; i < end && i < count; i++) {
		struct hist_entry *entry = hist->entries[i];

		hist_expect(hist, i);
		if (report_is_light(table->report, table->event, entry, table->text->percent_limit))
			continue;
		str_add(json.out, ",\n");
		json.follows = false;
		begin_row(&json, table, hist, entry, 0);
		add_chains(&json, table, entry);
		json_end(&json);
	}
}

static int write_rows(void *context, const struct str *text)
{
	struct rows *rows = context;
	size_t comma = rows->any ? 0 : 1; /* there is none before the first */

	if (text->size > 0) {
		(void)fwrite(text->text + comma, 1, text->size - comma, rows->table->out);
		rows->any = true;
	}
	return 0;
}

static void print_rows(const struct table *table)
{
	size_t threads = pool_threads();
	size_t count = report_text_row_count(table->text, table->event->hist);
	struct rows rows = { .table = table };

	(void)pool_run_texts(threads, (count + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, add_rows,
			     write_rows, &rows);
}

/* No deeper than there are keys. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void add_nodes(struct json *json, const struct table *table,
		      const struct hierarchy_node *const *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct hierarchy_node *node = nodes[i];

		if (report_is_light(table->report, table->event, node->entry,
				    table->text->percent_limit))
			continue;
		begin_row(json, table, node->hist, node->entry, node->level);
		if (node->level == hierarchy_level_count(table->event->hierarchy)) {
			add_chains(json, table, node->entry);
		} else {
			json_begin_list(json, "rows");
			add_nodes(json, table, node->children, node->child_count);
			json_end_list(json);
		}
		json_end(json);
	}
}

static void print_nodes(const struct table *table)
{
	struct str text = { 0 };
	struct json json = { .out = &text };
	size_t count;
	const struct hierarchy_node *const *roots =
		hierarchy_roots(table->event->hierarchy, &count);

	/* One at a time, so that no more than one is kept as text. */
	for (size_t i = 0; i < count; i++) {
		add_nodes(&json, table, &roots[i], 1);
		(void)fwrite(str_text(&text), 1, text.size, table->out);
		str_clear(&text);
	}
	str_done(&text);
}

static void add_event_members(struct json *json, const struct table *table,
			      const struct events *events)
{
	const struct report_event *event = table->event;

	if (event->member_count == 1)
		return;
	json_begin_list(json, "members");
	for (size_t i = 0; i < event->shown_count; i++) {
		const struct report_number *total = &event->totals[event->shown[i]];

		json_begin(json, NULL);
		event_json_name(json, events_at(events, event->event->index + event->shown[i]));
		json_u64(json, "samples", total->count);
		json_u64(json, "period", total->period);
		json_end(json);
	}
	json_end_list(json);
}

static void write_text(struct str *text, FILE *out)
{
	(void)fwrite(str_text(text), 1, text->size, out);
	str_clear(text);
}

static void print_event(const struct table *table, const struct events *events, struct json *json)
{
	json_begin(json, NULL);
	json_text(json, "name", table->event->name);
	json_u64(json, "samples", table->event->sample_count);
	json_u64(json, "period", table->event->totals[0].period);
	add_event_members(json, table, events);
	if (table->text->blocks)
		blocks_json_add(json,
				&table->text->blocks->events[table->event - table->report->events],
				table->text);
	json_begin_list(json, "rows");
	write_text(json->out, table->out);
	if (table->event->hierarchy)
		print_nodes(table);
	else
		print_rows(table);
	json_end_list(json);
	json_end(json);
}

static void add_keys(struct json *json, const struct field_list *columns)
{
	json_begin_list(json, "keys");
	for (size_t i = 0; i < columns->count; i++) {
		if (columns->items[i].key)
			json_text(json, NULL, columns->items[i].key->name);
	}
	json_end_list(json);
}

static void add_unnamed(struct json *json, const struct report_json *options)
{
	json_begin_list(json, "unnamed");
	for (size_t i = 0; i < options->unnamed_count; i++) {
		const struct unnamed *unnamed = &options->unnamed[i];

		json_begin(json, NULL);
		json_text(json, "dso", unnamed->dso->name);
		json_u64(json, "samples", unnamed->count);
		json_double(json, "percent", unnamed->percent);
		json_bool(json, "partly", unnamed->is_gap);
		json_text(json, "reason", reason_text(unnamed->reason));
		json_text(json, "word", reason_word(unnamed->reason));
		json_begin_list(json, "advice");
		for (size_t k = 0; k < unnamed->advice_count; k++)
			json_text(json, NULL, unnamed->advice[k]);
		json_end_list(json);
		json_end(json);
	}
	json_end_list(json);
}

static void add_kind(struct json *json, const struct report *report)
{
	add_keys(json, &report->fields.all_columns);
	json_bool(json, "children", report->children);
	json_bool(json, "branches", report->branches);
	json_bool(json, "memory", report->memory);
}

static void add_head(struct json *json, const struct report *report,
		     const struct report_json *options)
{
	json_text(json, "schema", "strobe.report/1");
	header_json_recording(json, profile_file(options->profile), options->header);
	recording_json_losses(json, "losses", options->profile);
	add_unnamed(json, options);
	stacks_json(json, "stacks", options->stacks);
	add_kind(json, report);
	if (options->text->time_text)
		json_text(json, "time", options->text->time_text);
	json_double(json, "percent_limit", options->text->percent_limit);
}

static struct callgraph graph_of(const struct report *report, const struct report_event *event,
				 const struct report_text *text)
{
	return (struct callgraph){
		.show_branches = report->branch_history,
		.sites = report->sites,
		.resolver = event->hist_options.style.resolver,
		.style = event->hist_options.chains ? text->style : CALLGRAPH_NONE,
		.most = text->most,
		.total = event->whole_period,
		.min_percent = text->chain_percent,
	};
}

static void print_events(struct json *json, const struct report *report,
			 const struct report_text *text, const struct events *events, FILE *out)
{
	json_begin_list(json, "events");
	for (size_t i = 0; i < report->event_count; i++) {
		const struct report_event *event = &report->events[i];
		const struct table table = {
			.report = report,
			.event = event,
			.text = text,
			.graph = graph_of(report, event, text),
			.out = out,
		};

		print_event(&table, events, json);
	}
	json_end_list(json);
}

void report_json_tables(struct json *json, const struct report *report,
			const struct report_text *text, const struct events *events, FILE *out)
{
	add_kind(json, report);
	print_events(json, report, text, events, out);
}

void report_json_print(const struct report *report, const struct report_json *options, FILE *out)
{
	const struct events *events = datafile_events(profile_file(options->profile));
	struct str text = { 0 };
	struct json json = { .out = &text };

	json_begin(&json, NULL);
	add_head(&json, report, options);
	print_events(&json, report, options->text, events, out);
	json_end(&json);
	str_add_char(&text, '\n');
	write_text(&text, out);
	str_done(&text);
}
