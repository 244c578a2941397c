/* list-text.c - see list-text.h. */
#include "view/list-text.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "format/event-rows.h"

enum {
	WIDTH = 80,
	NAME_WIDTH = 50, /* of what has its kind behind it on the same line */
};

#define TEXT_INDENT "       "
#define NEXT_INDENT "        "

static const char *const states[] = {
	[EVENT_ROW_OPENS] = "",
	[EVENT_ROW_FORBIDDEN] = "  (not for this user)",
	[EVENT_ROW_MISSING] = "  (not available here)",
};

/* "[TEXT]", in lines of WIDTH columns. */
static void print_text(const char *text, FILE *out)
{
	size_t column = strlen(TEXT_INDENT) + 1;
	struct str_part word;
	bool is_first = true;

	(void)fputs(TEXT_INDENT "[", out);
	while (str_split(&text, ' ', &word)) {
		/* Room for the bracket behind the last. */
		if (!is_first && column + 1 + word.size + !text >= WIDTH) {
			(void)fputs("\n" NEXT_INDENT, out);
			column = strlen(NEXT_INDENT);
		} else if (!is_first) {
			(void)fputc(' ', out);
			column++;
		}
		(void)fprintf(out, "%.*s", (int)word.size, word.text);
		column += word.size;
		is_first = false;
	}
	(void)fputs("]\n", out);
}

/* Behind which heading it stands; NULL: behind none, with its kind on its own line. */
static const char *heading_of(const struct event_row *row)
{
	switch (row->kind) {
	case EVENT_ROW_HARDWARE:
		return "hardware";
	case EVENT_ROW_CACHE:
		return "cache";
	case EVENT_ROW_SOFTWARE:
		return "software";
	case EVENT_ROW_TOOL:
		return "tool";
	case EVENT_ROW_VENDOR:
		return row->vendor;
	default:
		return NULL;
	}
}

static const char *kind_of(const struct event_row *row)
{
	if (row->kind == EVENT_ROW_TRACEPOINT)
		return "Tracepoint event";
	if (row->kind == EVENT_ROW_RAW)
		return "Raw event descriptor";
	return row->kind == EVENT_ROW_SDT ? "SDT event" : "Kernel PMU event";
}

static void print_line(const struct event_row *row, FILE *out)
{
	_cleanup_(str_done) struct str name = { 0 };

	if (row->alias)
		str_addf(&name, "%s OR ", row->alias);
	str_add(&name, row->name);
	(void)fprintf(out, "  %-*s [%s]%s\n", NAME_WIDTH, str_text(&name), kind_of(row),
		      states[row->state]);
}

static void print_described(const struct event_row *row, const struct list_text_options *options,
			    FILE *out)
{
	_cleanup_(str_done) struct str text = { 0 };

	(void)fprintf(out, "  %s%s%s%s\n", row->name, row->alias ? " OR " : "",
		      row->alias ? row->alias : "", states[row->state]);
	if (options->no_text || !row->text)
		return;
	str_add(&text, row->text);
	if (row->pmu)
		str_addf(&text, ". Unit: %s", row->pmu);
	print_text(str_text(&text), out);
}

static void print_event(const struct event_row *row, const struct list_text_options *options,
			FILE *out)
{
	if (heading_of(row))
		print_described(row, options, out);
	else
		print_line(row, out);
	if (options->details && row->encoding)
		(void)fprintf(out, NEXT_INDENT "%s%s%s\n", row->encoding, row->unit ? " in " : "",
			      row->unit ? row->unit : "");
}

static void print_metric(const struct metric_row *metric, const struct list_text_options *options,
			 FILE *out)
{
	(void)fprintf(out, "  %s\n", metric->name);
	if (!options->no_text)
		print_text(metric->text, out);
	if (options->details)
		print_text(metric->formula, out);
}

/* What is in each group; a metric may be in several. */
static void print_groups(const struct event_rows *rows, const struct list_text_options *options,
			 FILE *out)
{
	(void)fputs("\nMetric Groups:\n", out);
	for (size_t i = 0; i < rows->group_count; i++) {
		(void)fprintf(out, "\n%s:\n", rows->groups[i]);
		for (size_t k = 0; k < rows->metric_count; k++)
			if (event_rows_in_group(rows->metrics[k].groups, rows->groups[i]))
				print_metric(&rows->metrics[k], options, out);
	}
}

static void print_metrics(const struct event_rows *rows, const struct list_text_options *options,
			  FILE *out)
{
	(void)fputs("\nMetrics:\n\n", out);
	for (size_t i = 0; i < rows->metric_count; i++)
		print_metric(&rows->metrics[i], options, out);
}

void list_text_print(const struct event_rows *rows, const struct list_text_options *options,
		     FILE *out)
{
	const char *before = NULL;

	for (size_t i = 0; i < rows->count; i++) {
		const char *heading = heading_of(&rows->items[i]);

		if (heading && (!before || strcmp(heading, before) != 0))
			(void)fprintf(out, "\n%s:\n", heading);
		else if (!heading && before)
			(void)fputc('\n', out);
		before = heading;
		print_event(&rows->items[i], options, out);
	}
	if (!rows->metric_count)
		return;
	if (options->groups)
		print_groups(rows, options, out);
	else
		print_metrics(rows, options, out);
}

void list_text_dump(const struct event_rows *rows, FILE *out)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct event_row *row = &rows->items[i];

		if (row->state != EVENT_ROW_OPENS || row->kind == EVENT_ROW_RAW)
			continue;
		(void)fprintf(out, "%s ", row->name);
		/* What sysfs names of a CPU is known without the PMU as well, but not first. */
		if (row->alias && row->kind != EVENT_ROW_PMU)
			(void)fprintf(out, "%s ", row->alias);
	}
	for (size_t i = 0; i < rows->metric_count; i++)
		(void)fprintf(out, "%s ", rows->metrics[i].name);
	(void)fputc('\n', out);
}

void list_text_groups(const struct event_rows *rows, FILE *out)
{
	if (rows->group_count)
		(void)fputs("\nMetric Groups:\n\n", out);
	for (size_t i = 0; i < rows->group_count; i++)
		(void)fprintf(out, "%s\n", rows->groups[i]);
}

void list_text_dump_groups(const struct event_rows *rows, FILE *out)
{
	for (size_t i = 0; i < rows->group_count; i++)
		(void)fprintf(out, "%s ", rows->groups[i]);
	(void)fputc('\n', out);
}
