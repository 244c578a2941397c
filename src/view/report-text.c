/* report-text.c - see report-text.h. */
#include "view/report-text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hist.h"
#include "analyze/report.h"
#include "analyze/sortkey.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/str.h"
#include "data/events.h"

enum { PERCENT_WIDTH = 8, NUMBER_WIDTH = 12, ROWS_AT_ONCE = 1024 };

struct table {
	const struct report *report;
	const struct report_event *event;
	const struct report_text *text;
	size_t *widths; /* of the columns */
	struct str line, cell;
};

static const struct field *column_at(const struct table *table, size_t i)
{
	return &table->report->fields.columns.items[i];
}

static size_t column_count(const struct table *table)
{
	return table->report->fields.columns.count;
}

static bool is_percent(enum measure measure)
{
	return measure != MEASURE_SAMPLES && measure != MEASURE_PERIOD;
}

static const char *title_of(const struct table *table, const struct field *field)
{
	if (field->key)
		return field->key->header;
	if (field->measure == MEASURE_OVERHEAD && table->report->fields.self_is_named)
		return "Self";
	return fields_measure_title(field->measure);
}

/* A measure has a cell of this width for each event of a group. */
static size_t member_width(const struct field *field, size_t user)
{
	size_t least = strlen(fields_measure_title(field->measure));
	size_t width = is_percent(field->measure) ? PERCENT_WIDTH : NUMBER_WIDTH;

	if (user)
		width = user;
	return width < least ? least : width;
}

static size_t natural_width(const struct table *table, const struct field *field)
{
	size_t least = strlen(title_of(table, field)), width;

	if (field->key)
		return table->event->hist->widths[field->key->id];
	width = member_width(field, 0) * table->event->shown_count;
	return width < least ? least : width;
}

/* -w gives widths one by one; what is missing or 0 is as wide as it needs to be. */
static void find_widths(struct table *table)
{
	const char *rest = table->text->widths;

	table->widths = xcalloc(column_count(table) + 1, sizeof(*table->widths));
	for (size_t i = 0; i < column_count(table); i++) {
		struct str_part part;

		if (rest && str_split(&rest, ',', &part) && part.size > 0)
			table->widths[i] = strtoul(part.text, NULL, 10);
		if (table->widths[i] == 0)
			table->widths[i] = natural_width(table, column_at(table, i));
	}
}

/* Adds @text to the line, filled up with blanks or cut. */
static void add_cell(struct table *table, const char *text, size_t width, bool right, bool open)
{
	size_t size = strlen(text);

	/* Names are cut, numbers are not. */
	if (size > width && !right)
		size = width;
	if (right && size < width)
		str_add_repeat(&table->line, ' ', width - size);
	str_add_bytes(&table->line, text, size);
	if (!right && !open)
		str_add_repeat(&table->line, ' ', width - size);
}

static void add_separator(struct table *table, size_t i)
{
	const char *separator = table->text->separator;

	if (!separator)
		str_add(&table->line, "  ");
	else if (i > 0)
		str_add(&table->line, separator);
}

static void flush_line(struct table *table, FILE *out)
{
	(void)fwrite(str_text(&table->line), 1, table->line.size, out);
	str_clear(&table->line);
}

static void print_titles(struct table *table, FILE *out)
{
	str_add(&table->line, "# ");
	for (size_t i = 0; i < column_count(table); i++) {
		const struct field *field = column_at(table, i);

		if (i > 0)
			add_separator(table, i);
		add_cell(table, title_of(table, field), table->widths[i], !field->key, false);
	}
	str_add_char(&table->line, '\n');
	if (!table->text->separator) {
		str_add(&table->line, "# ");
		for (size_t i = 0; i < column_count(table); i++) {
			if (i > 0)
				add_separator(table, i);
			str_add_repeat(&table->line, '.', table->widths[i]);
		}
		str_add(&table->line, "\n#\n");
	}
	flush_line(table, out);
}

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

/* As in perf, what a separator stands behind is for programs, and has no color. */
static void add_percent(struct table *table, double percent, size_t width)
{
	bool color = table->text->color && !table->text->separator;

	if (color)
		str_add(&table->line, callgraph_color(percent));
	str_add_char(&table->line, ' ');
	str_add_hundredths(&table->line, percent, width);
	str_add_char(&table->line, '%');
	if (color)
		str_add(&table->line, callgraph_color_end(percent));
}

static void add_measure(struct table *table, const struct hist_entry *entry,
			const struct field *field, size_t width, bool is_last)
{
	bool aligned = !table->text->separator;
	size_t begin = table->line.size;

	for (size_t i = 0; i < table->event->shown_count; i++) {
		size_t member = table->event->shown[i];
		uint64_t value = hist_measure(entry, field->measure, member);

		if (is_percent(field->measure)) {
			add_percent(table, percent_of(value, table->event->totals[member].period),
				    aligned ? width - 2 : 1);
			continue;
		}
		str_add_char(&table->line, ' ');
		str_add_decimal(&table->line, value, aligned ? width - 1 : 1, ' ');
	}
	if (!aligned && !is_last && table->line.size - begin < width)
		str_add_repeat(&table->line, ' ', width - (table->line.size - begin));
}

/* The separator must not occur in what it separates. */
static void hide_separator(struct str *cell, const char *separator)
{
	if (!separator || !separator[0])
		return;
	for (size_t i = 0; i < cell->size; i++) {
		if (cell->text[i] == separator[0])
			cell->text[i] = '.';
	}
}

static void add_key(struct table *table, const struct hist_entry *entry, const struct sortkey *key,
		    size_t width, bool is_last)
{
	str_clear(&table->cell);
	key->print(&entry->item, &table->cell, &table->event->hist_options.style);
	hide_separator(&table->cell, table->text->separator);
	if (key->uncut && width < table->cell.size)
		width = table->cell.size;
	add_cell(table, str_text(&table->cell), width, key->right, key->open && is_last);
}

static void add_row(struct table *table, const struct hist_entry *entry)
{
	for (size_t i = 0; i < column_count(table); i++) {
		const struct field *field = column_at(table, i);
		bool is_last = i + 1 == column_count(table);
		size_t width = table->widths[i];

		add_separator(table, i);
		if (field->key)
			add_key(table, entry, field->key, width, is_last);
		else
			add_measure(table, entry, field,
				    table->event->shown_count > 1 ? member_width(field, 0) : width,
				    is_last);
	}
	str_add_char(&table->line, '\n');
}

/* Rows are made by several threads, some at a time by each, and written in their order. */
struct rows {
	struct table *tables; /* one for each thread */
	struct callgraph graph;
	FILE *out;
};

static void add_rows(void *context, size_t job, size_t thread)
{
	const struct rows *rows = context;
	struct table *table = &rows->tables[thread];
	const struct hist *hist = table->event->hist;
	size_t end = (job + 1) * ROWS_AT_ONCE;

	for (size_t i = job * ROWS_AT_ONCE; i < end && i < hist->entry_count; i++) {
		struct hist_entry *entry = hist->entries[i];
		uint64_t period =
			table->report->children ? entry->children[0] : entry->self[0].period;

		if (percent_of(period, table->event->totals[0].period) < table->text->percent_limit)
			continue;
		add_row(table, entry);
		callgraph_print(&rows->graph, entry, period, &table->line);
	}
}

static int write_rows(void *context, size_t job, size_t thread)
{
	const struct rows *rows = context;

	flush_line(&rows->tables[thread], rows->out);
	return 0;
}

static struct callgraph graph_of(const struct table *table)
{
	return (struct callgraph){
		.stacks = table->report->stacks,
		.style = table->event->hist_options.chains ? table->text->style : CALLGRAPH_NONE,
		.value = table->text->value,
		.separator = table->text->separator,
		.most = table->text->most,
		.first_is_known = table->text->chains_first_known,
		.show_dso = table->text->long_names,
		.color = table->text->color,
		.total = table->event->whole_period,
		.min_percent = table->text->chain_percent,
	};
}

static void print_rows(const struct table *table, FILE *out)
{
	size_t threads = pool_threads(), count = table->event->hist->entry_count;
	struct rows rows = { xcalloc(threads, sizeof(*table)), graph_of(table), out };

	for (size_t i = 0; i < threads; i++) {
		rows.tables[i] = *table;
		rows.tables[i].line = rows.tables[i].cell = (struct str){ 0 };
	}
	(void)pool_run_ordered(threads, (count + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, add_rows,
			       write_rows, &rows);
	for (size_t i = 0; i < threads; i++) {
		str_done(&rows.tables[i].line);
		str_done(&rows.tables[i].cell);
	}
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

static void print_heading(struct table *table, FILE *out)
{
	const struct report_event *event = table->event;
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
	if (table->report->memory)
		str_addf(&table->line, "\n# Total weight : %" PRIu64, period);
	else
		str_addf(&table->line, "\n# Event count (approx.): %" PRIu64, period);
	if (table->report->memory && table->report->fields.sort_text)
		str_addf(&table->line, "\n# Sort order   : %s", table->report->fields.sort_text);
	str_add(&table->line, "\n#\n");
	flush_line(table, out);
}

static void print_event(const struct report *report, const struct report_event *event,
			const struct report_text *text, FILE *out)
{
	struct table table = { .report = report, .event = event, .text = text };

	find_widths(&table);
	if (!text->quiet) {
		print_heading(&table, out);
		print_titles(&table, out);
	}
	print_rows(&table, out);
	(void)fputs("\n\n", out);
	free(table.widths);
	str_done(&table.line);
	str_done(&table.cell);
}

/* Columns that would say the same in each row. */
static void print_elided(const struct report *report, FILE *out)
{
	for (size_t i = 0; i < report->fields.elided_count; i++)
		(void)fprintf(out, "# %s: %s\n", report->fields.elided[i].name,
			      report->fields.elided[i].value);
}

void report_text_print(const struct report *report, const struct report_text *text, FILE *out)
{
	if (!text->quiet && !text->header_was_shown)
		(void)fputs("# To display the perf.data header info, please use "
			    "--header/--header-only options.\n#\n",
			    out);
	if (report_is_empty(report))
		return;
	if (!text->quiet)
		print_elided(report, out);
	if (!text->quiet)
		(void)fprintf(out, "#\n# Total Lost Samples: %" PRIu64 "\n#\n",
			      report->lost_samples);
	for (size_t i = 0; i < report->event_count; i++) {
		if (report->events[i].sample_count > 0 || text->show_empty)
			print_event(report, &report->events[i], text, out);
	}
	if (!text->quiet && text->tip)
		(void)fprintf(out, "#\n# (%s)\n#\n", text->tip);
}
