/* report-text.c - see report-text.h. */
#include "view/report-text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/blocks.h"
#include "analyze/hist.h"
#include "analyze/report.h"
#include "analyze/sortkey.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/str.h"
#include "data/events.h"
#include "view/blocks-text.h"
#include "view/hierarchy-text.h"
#include "view/report-table.h"

enum { ROWS_AT_ONCE = 1024 };

static void print_titles(struct report_table *table, FILE *out)
{
	report_table_add_headings(table, 0, report_table_column_count(table), 0);
	str_add(&table->line, "# ");
	for (size_t i = 0; i < report_table_column_count(table); i++) {
		const struct field *field = report_table_column(table, i);

		if (i > 0)
			report_table_add_separator(table, i);
		report_table_add_title(table, i, !field->key || field->key->traced);
	}
	str_add_char(&table->line, '\n');
	if (!table->text->separator && !table->text->tables_only) {
		str_add(&table->line, "# ");
		for (size_t i = 0; i < report_table_column_count(table); i++) {
			if (i > 0)
				report_table_add_separator(table, i);
			str_add_repeat(&table->line, '.', table->widths[i]);
		}
		str_add(&table->line, "\n#\n");
	}
	report_table_flush(table, out);
}

static void add_row(struct report_table *table, const struct hist_entry *entry,
		    const struct item *item)
{
	for (size_t i = 0; i < report_table_column_count(table); i++) {
		const struct field *field = report_table_column(table, i);
		bool is_last = i + 1 == report_table_column_count(table);
		size_t width = table->widths[i];

		report_table_add_separator(table, i);
		if (field->key)
			report_table_add_key(table, item, field->key, width, is_last);
		else
			report_table_add_measure(table, entry, field, width, is_last);
	}
	str_add_char(&table->line, '\n');
}

/* Rows are made by several threads, some at a time by each, and written in their order. */
struct rows_table {
	_Alignas(MEM_APART) struct report_table table;
};

struct rows {
	struct rows_table *tables; /* one for each thread */
	struct callgraph graph;
	FILE *out;
};

size_t report_text_row_count(const struct report_text *text, const struct hist *hist)
{
	size_t count = hist->entry_count, most = text->most_rows;

	return most && count > most ? most : count;
}

static void add_rows(void *context, size_t job, size_t thread, struct str *text)
{
	const struct rows *rows = context;
	struct report_table *table = &rows->tables[thread].table;
	const struct hist *hist = table->event->hist;
	struct hist_reading reading = { .hist = hist };
	size_t end = (job + 1) * ROWS_AT_ONCE, count = report_text_row_count(table->text, hist);

	table->line = *text;
	for (size_t i = job * ROWS_AT_ONCE; i < end && i < count; i++) {
		struct hist_entry *entry = hist->entries[i];

		hist_expect(hist, i);
		if (report_table_is_light(table, entry))
			continue;
		add_row(table, entry, hist_read(&reading, entry));
		callgraph_print(&rows->graph, entry, report_table_weight(table, entry),
				&table->line);
	}
	*text = table->line;
}

static int write_rows(void *context, const struct str *text)
{
	const struct rows *rows = context;

	(void)fwrite(str_text(text), 1, text->size, rows->out);
	return 0;
}

static struct callgraph graph_of(const struct report_table *table)
{
	return (struct callgraph){
		.sites = table->report->sites,
		.style = table->event->hist_options.chains ? table->text->style : CALLGRAPH_NONE,
		.value = table->text->value,
		.separator = table->text->separator,
		.most = table->text->most,
		.first_is_known = table->text->chains_first_known,
		.show_branches = table->report->branch_history,
		.show_dso = table->text->long_names,
		.color = table->text->color,
		.total = table->event->whole_period,
		.min_percent = table->text->chain_percent,
	};
}

static void print_rows(const struct report_table *table, FILE *out)
{
	size_t threads = pool_threads();
	size_t count = report_text_row_count(table->text, table->event->hist);
	struct rows rows = { xaligned(MEM_APART, threads, sizeof(struct rows_table)),
			     graph_of(table), out };

	for (size_t i = 0; i < threads; i++) {
		rows.tables[i].table = *table;
		rows.tables[i].table.line = rows.tables[i].table.cell = (struct str){ 0 };
	}
	(void)pool_run_texts(threads, (count + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, add_rows,
			     write_rows, &rows);
	for (size_t i = 0; i < threads; i++)
		str_done(&rows.tables[i].table.cell);
	free(rows.tables);
}

/* 29123 samples are "29K ". */
static void add_rounded(struct str *out, uint64_t count)
{
	static const char units[] = " KMGTPE";
	size_t i = 0;

	while (count / 1000 > 0 && units[i + 1]) {
		count /= 1000;
		i++;
	}
	str_addf(out, "%" PRIu64 "%c", count, units[i]);
}

static void print_heading(struct report_table *table, FILE *out)
{
	const struct report_event *event = table->event;
	size_t begin = table->line.size;
	uint64_t period = 0;

	for (size_t i = 0; i < event->member_count; i++)
		period += event->totals[i].period;
	str_add(&table->line, "# Samples: ");
	add_rounded(&table->line, event->sample_count);
	/* As in perf, the first of a group is "events" even where it stands alone. */
	str_addf(&table->line, " of event%s '%s'",
		 event->member_count > 1 || event->event->group_count > 1 ? "s" : "", event->name);
	if (table->text->time_text)
		str_addf(&table->line, " (time slices: %s)", table->text->time_text);
	str_one_line(&table->line, begin);
	if (table->report->memory)
		str_addf(&table->line, "\n# Total weight : %" PRIu64, period);
	else
		str_addf(&table->line, "\n# Event count (approx.): %" PRIu64, period);
	if (table->report->memory && table->report->fields.sort_text)
		str_addf(&table->line, "\n# Sort order   : %s", table->report->fields.sort_text);
	if (table->text->socket >= 0)
		str_addf(&table->line, "\n# Processor Socket: %" PRId64, table->text->socket);
	str_add(&table->line, "\n#\n");
	report_table_flush(table, out);
}

static void print_event(const struct report *report, const struct report_event *event,
			const struct report_text *text, FILE *out)
{
	struct report_table table = { .report = report, .event = event, .text = text };

	report_table_init(&table);
	if (!text->quiet)
		print_heading(&table, out);
	if (text->blocks) {
		blocks_text_print(&text->blocks->events[event - report->events], text, out);
		report_table_done(&table);
		return;
	}
	if (event->hierarchy) {
		struct callgraph graph = graph_of(&table);

		hierarchy_text_print(&table, &graph, out);
	} else {
		if (!text->quiet)
			print_titles(&table, out);
		print_rows(&table, out);
	}
	(void)fputs("\n\n", out);
	report_table_done(&table);
}

/* Columns that would say the same in each row. */
static void print_elided(const struct report *report, FILE *out)
{
	for (size_t i = 0; i < report->fields.elided_count; i++)
		(void)fprintf(out, "# %s: %s\n", report->fields.elided[i].name,
			      report->fields.elided[i].value);
}

void report_text_print_hint(const struct report_text *text, FILE *out)
{
	if (!text->quiet && !text->header_was_shown)
		(void)fputs("# To display the perf.data header info, please use "
			    "--header/--header-only options.\n#\n",
			    out);
}

void report_text_print(const struct report *report, const struct report_text *text, FILE *out)
{
	bool quiet = text->quiet || text->tables_only;

	if (!quiet)
		report_text_print_hint(text, out);
	if (report_is_empty(report))
		return;
	if (!text->quiet)
		print_elided(report, out);
	if (!quiet)
		(void)fprintf(out, "#\n# Total Lost Samples: %" PRIu64 "\n#\n",
			      report->lost_samples);
	for (size_t i = 0; i < report->event_count; i++) {
		if (report->events[i].sample_count > 0 || text->show_empty)
			print_event(report, &report->events[i], text, out);
	}
	if (!quiet && text->tip)
		(void)fprintf(out, "#\n# (%s)\n#\n", text->tip);
}
