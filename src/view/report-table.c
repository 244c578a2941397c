/* report-table.c - see report-table.h. */
#include "view/report-table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hist.h"
#include "analyze/report.h"
#include "analyze/sortkey.h"
#include "base/mem.h"
#include "view/callgraph.h"
#include "view/class-columns.h"
#include "view/report-text.h"

enum { PERCENT_WIDTH = 8, NUMBER_WIDTH = 12, AVERAGE_WIDTH = 8 };

const struct field *report_table_column(const struct report_table *table, size_t i)
{
	return &table->event->fields.columns.items[i];
}

size_t report_table_column_count(const struct report_table *table)
{
	return table->event->fields.columns.count;
}

static bool is_percent(enum measure measure)
{
	return measure < MEASURE_SAMPLES;
}

const char *report_table_title(const struct report_table *table, const struct field *field)
{
	if (field->key)
		return field->key->header;
	if (field->measure == MEASURE_OVERHEAD && table->event->fields.self_is_named)
		return "Self";
	return measure_title(field->measure);
}

/* A measure has a cell of this width for each event of a group. */
static size_t member_width(const struct field *field, size_t user)
{
	size_t least = strlen(measure_title(field->measure));
	size_t width = is_percent(field->measure) ? PERCENT_WIDTH : NUMBER_WIDTH, number;

	if (extras_weight_of(field->measure, &number))
		width = AVERAGE_WIDTH;
	if (field->measure == MEASURE_LATENCY_CHILDREN) /* a blank less, as in perf */
		width = least;

	if (user)
		width = user;
	return width < least ? least : width;
}

static size_t natural_width(const struct report_table *table, const struct field *field)
{
	size_t least = strlen(report_table_title(table, field)), width;
	enum data_src_kind kind;

	if (field->key)
		return table->event->hist->widths[field->key->id];
	if (extras_kind_of(field->measure, &kind))
		return class_columns_width(table->event, kind);
	width = member_width(field, 0) * table->event->shown_count;
	return width < least ? least : width;
}

/* -w gives widths one by one; what is missing or 0 is as wide as it needs to be. */
void report_table_init(struct report_table *table)
{
	/* As in perf, -w is not about the columns of a hierarchy. */
	const char *rest = table->event->hierarchy ? NULL : table->text->widths;

	table->widths = xcalloc(report_table_column_count(table) + 1, sizeof(*table->widths));
	for (size_t i = 0; i < report_table_column_count(table); i++) {
		const struct field *field = report_table_column(table, i);
		struct str_part part;
		enum data_src_kind kind;

		if (rest && str_split(&rest, ',', &part) && part.size > 0)
			table->widths[i] = strtoul(part.text, NULL, 10);
		if (table->widths[i] == 0 || (!field->key && extras_kind_of(field->measure, &kind)))
			table->widths[i] = natural_width(table, field);
		else if (!field->key && table->widths[i] < strlen(report_table_title(table, field)))
			table->widths[i] = strlen(report_table_title(table, field));
	}
}

/* Adds @text to the line, filled up with blanks or cut. @open: not filled up behind it. */
static void add_cell(struct report_table *table, const char *text, size_t width, bool right,
		     bool open)
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

void report_table_add_title(struct report_table *table, size_t i, bool right)
{
	const struct field *field = report_table_column(table, i);
	enum data_src_kind kind;

	if (!field->key && extras_kind_of(field->measure, &kind))
		class_columns_add_titles(table->event, kind, &table->line);
	else
		add_cell(table, report_table_title(table, field), table->widths[i], right, false);
}

static bool has_headings(const struct report_table *table, size_t begin, size_t end)
{
	enum data_src_kind kind;

	for (size_t i = begin; i < end; i++) {
		if (extras_kind_of(report_table_column(table, i)->measure, &kind))
			return true;
	}
	return false;
}

void report_table_add_headings(struct report_table *table, size_t begin, size_t end, size_t indent)
{
	enum data_src_kind kind;

	if (!has_headings(table, begin, end))
		return;
	str_add(&table->line, "# ");
	str_add_repeat(&table->line, ' ', indent);
	for (size_t i = begin; i < end; i++) {
		const struct field *field = report_table_column(table, i);

		if (i > begin)
			report_table_add_separator(table, i);
		if (extras_kind_of(field->measure, &kind))
			class_columns_add_heading(table->event, kind,
						  report_table_title(table, field), &table->line);
		else
			str_add_repeat(&table->line, ' ', table->widths[i]);
	}
	if (end < report_table_column_count(table))
		report_table_add_separator(table, end);
	str_add_char(&table->line, '\n');
}

void report_table_add_separator(struct report_table *table, size_t i)
{
	const char *separator = table->text->separator;

	if (!separator)
		str_add(&table->line, "  ");
	else if (i > 0)
		str_add(&table->line, separator);
}

void report_table_flush(struct report_table *table, FILE *out)
{
	(void)fwrite(str_text(&table->line), 1, table->line.size, out);
	str_clear(&table->line);
}

/* As in perf, what a separator stands behind is for programs, and has no color. */
static void add_percent(struct report_table *table, double percent, size_t width)
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

/* What callees weigh is nothing that was added up, unless chains count for all who are in them. */
static bool is_of_children(enum measure measure)
{
	return measure == MEASURE_CHILDREN || measure == MEASURE_LATENCY_CHILDREN;
}

static void fill_up(struct report_table *table, size_t begin, size_t width)
{
	if (table->line.size - begin < width)
		str_add_repeat(&table->line, ' ', width - (table->line.size - begin));
}

void report_table_add_measure(struct report_table *table, const struct hist_entry *entry,
			      const struct field *field, size_t width, bool is_last)
{
	bool aligned = !table->text->separator;
	size_t begin = table->line.size, number;
	enum data_src_kind kind;
	size_t cell = table->event->shown_count > 1 ? member_width(field, 0) : width;

	if (extras_kind_of(field->measure, &kind)) {
		class_columns_add(table->event, kind, entry, &table->line);
		return;
	}
	if (is_of_children(field->measure) && !table->report->children) {
		str_addf(&table->line, " %*s", (int)cell - 1, "N/A");
		fill_up(table, begin, is_last ? 0 : width);
		return;
	}
	for (size_t i = 0; i < table->event->shown_count; i++) {
		size_t member = table->event->shown[i];
		uint64_t value = hist_measure(entry, field->measure, member);

		if (is_percent(field->measure)) {
			add_percent(table,
				    report_percent(table->event, entry, field->measure, member),
				    aligned ? cell - 2 : 1);
			continue;
		}
		str_add_char(&table->line, ' ');
		if (extras_weight_of(field->measure, &number)) {
			str_addf(&table->line, "%*.1f", aligned ? (int)cell - 1 : 1,
				 report_average(entry, number, member));
			continue;
		}
		str_add_decimal(&table->line, value, aligned ? cell - 1 : 1, ' ');
	}
	fill_up(table, begin, aligned || is_last ? 0 : width);
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

void report_table_add_key(struct report_table *table, const struct item *item,
			  const struct sortkey *key, size_t width, bool is_last)
{
	str_clear(&table->cell);
	sortkey_print(key, item, &table->cell, &table->event->hist_options.style);
	str_one_line(&table->cell, 0);
	hide_separator(&table->cell, table->text->separator);
	if (sortkey_is_uncut(key, item) && width < table->cell.size)
		width = table->cell.size;
	add_cell(table, str_text(&table->cell), width, key->right, key->open && is_last);
}

uint64_t report_table_weight(const struct report_table *table, const struct hist_entry *entry)
{
	return report_weight(table->report, entry);
}

bool report_table_is_light(const struct report_table *table, const struct hist_entry *entry)
{
	return report_is_light(table->report, table->event, entry, table->text->percent_limit);
}

void report_table_done(struct report_table *table)
{
	free(table->widths);
	str_done(&table->line);
	str_done(&table->cell);
}
