/* stat-text.c - see stat-text.h. */
#include "view/stat-text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stat.h"
#include "base/mem.h"
#include "base/moments.h"
#include "base/str.h"
#include "view/stat-metric-only.h"
#include "view/stat-number.h"
#include "view/stat-where.h"

enum {
	VALUE_WIDTH = 18,
	UNIT_WIDTH = 4, /* at least: "msec" */
	NAME_WIDTH = 32,
	MISSING_NAME_WIDTH = 25, /* that of what was not counted is narrower in perf */
	METRIC_WIDTH = 35,
	BAR_MAX = 60,
};

#define SECOND 1e9

static enum stat_by by_of(const struct stat_table *table)
{
	return table->place_count > 0 ? table->places[0].by : STAT_BY_ALL;
}

static size_t unit_width(const struct stat_table *table)
{
	size_t width = UNIT_WIDTH;

	for (size_t i = 0; i < table->count; i++) {
		const char *unit = table->items[i].event->unit;
		size_t size = unit ? strlen(unit) : 0;

		width = size > width ? size : width;
	}
	return width;
}

static void add_prefix(struct str *out, const struct stat_text *text)
{
	if (text->is_interval)
		str_addf(out, "%6llu.%09llu ", (unsigned long long)(text->time_ns / 1000000000),
			 (unsigned long long)(text->time_ns % 1000000000));
}

void stat_text_begin(struct str *out, const struct stat_text *text, const struct stat_table *table)
{
	if (text->is_interval) {
		enum stat_by by = by_of(table);

		str_addf(out, "#           time%s%s", by == STAT_BY_ALL ? "" : " ",
			 stat_where_title(by));
		if (!text->metric_only)
			str_add(out, "             counts unit events\n");
	} else {
		str_addf(out, "\n Performance counter stats for %s", text->what);
		if (text->run_count > 1)
			str_addf(out, " (%u runs)", text->run_count);
		str_add(out, ":\n\n");
	}
	if (text->metric_only)
		stat_metric_only_titles(out, table, text->is_interval);
}

static void add_value(struct str *out, const struct stat_text *text, const struct stat_row *row,
		      size_t units)
{
	const char *missing = stat_number_missing(row);

	if (missing)
		str_add_right(out, missing, VALUE_WIDTH);
	else
		stat_number_add(out, row->value, stat_number_digits(row), VALUE_WIDTH,
				text->thousands);
	str_addf(out, " %-*s %-*s", (int)units, row->event->unit ? row->event->unit : "",
		 missing ? MISSING_NAME_WIDTH : NAME_WIDTH, row->event->name);
	if (row->event->cgroup)
		str_addf(out, " %s", row->event->cgroup);
}

static void add_metric(struct str *out, const struct stat_metric *metric)
{
	size_t begin = out->size;

	if (!metric || !metric->is_known) {
		str_add_repeat(out, ' ', METRIC_WIDTH);
		return;
	}
	str_add(out, " # ");
	stat_number_add_metric(out, metric, true);
	str_addf(out, " %-*s", METRIC_WIDTH - (int)(out->size - begin) - 1, metric->unit);
}

static void add_uncertainty(struct str *out, const struct stat_text *text,
			    const struct stat_row *row)
{
	/* What was refused has neither. */
	if (text->run_count > 1 && row->error_percent != 0)
		str_addf(out, "  ( +-%6.2f%% )", row->error_percent);
	if (row->running_ns != row->enabled_ns && row->state == STAT_COUNTED)
		str_addf(out, "  (%.2f%%)", stat_number_running(row));
}

static void add_row(struct str *out, const struct stat_text *text, const struct stat_row *row,
		    size_t units)
{
	add_prefix(out, text);
	stat_where_add_text(out, row->place);
	add_value(out, text, row, units);
	add_metric(out, row->metric_count > 0 ? &row->metrics[0] : NULL);
	for (size_t i = 1; i < row->metric_count; i++) {
		str_add_char(out, '\n');
		add_prefix(out, text);
		stat_where_add_text(out, row->place);
		str_add_repeat(out, ' ', VALUE_WIDTH + 2 + units + MISSING_NAME_WIDTH);
		add_metric(out, &row->metrics[i]);
	}
	add_uncertainty(out, text, row);
	str_add_char(out, '\n');
}

void stat_text_rows(struct str *out, const struct stat_text *text, const struct stat_table *table)
{
	size_t units = unit_width(table);

	if (text->metric_only) {
		_cleanup_(str_done) struct str prefix = { 0 };

		add_prefix(&prefix, text);
		stat_metric_only_rows(out, table, str_text(&prefix));
		return;
	}
	for (size_t i = 0; i < table->count; i++)
		add_row(out, text, &table->items[i], units);
}

/* Two digits more than the deviation needs. */
static int precision(double seconds)
{
	if (seconds <= 0 || seconds > 1)
		return 2;
	return (int)lround(ceil(-log10(seconds))) + 2;
}

static void add_table(struct str *out, const struct stat_text *text, double mean, int digits)
{
	str_addf(out, "%*s# Table of individual measurements:\n", 11, "");
	for (unsigned i = 0; i < text->run_count; i++) {
		double run = text->runs_s[i];
		int bar = run > 0 ? 1 + abs((int)(100 * (run - mean) / run) / 5) : 1;

		str_addf(out, " %17.*f (%+.*f) ", digits, run, digits, run - mean);
		str_add_repeat(out, '#', bar < BAR_MAX ? (size_t)bar : BAR_MAX);
		str_add_char(out, '\n');
	}
	str_addf(out, "\n%*s# Final result:\n", 11, "");
}

void stat_text_end(struct str *out, const struct stat_text *text, const struct stat_table *table,
		   const struct moments *wall)
{
	double mean = wall->mean / SECOND, error = moments_mean_error(wall) / SECOND;
	int digits = precision(error);

	if (table->event_count > 0)
		str_add_char(out, '\n');
	if (text->run_count > 1) {
		if (text->runs_s)
			add_table(out, text, mean, digits);
		str_addf(out, " %17.*f +- %.*f seconds time elapsed", digits, mean, digits, error);
		if (error != 0)
			str_addf(out, "  ( +-%6.2f%% )", moments_error_percent(wall));
	} else {
		str_addf(out, " %17.9f seconds time elapsed", mean);
	}
	if (text->has_usage)
		str_addf(out, "\n\n %17.9f seconds user\n %17.9f seconds sys\n",
			 (double)text->user_ns / SECOND, (double)text->system_ns / SECOND);
	str_add(out, "\n\n");
}
