/* stat-csv.c - see stat-csv.h. */
#include "view/stat-csv.h"

#include "analyze/stat.h"
#include "base/str.h"
#include "view/stat-metric-only.h"
#include "view/stat-number.h"
#include "view/stat-where.h"

/* Those between the place and the metric, but for cgroup and deviation: value to percent. */
enum { FIELDS = 5 };

static void add_prefix(struct str *out, const struct stat_lines *lines,
		       const struct stat_place *place)
{
	if (lines->is_interval)
		str_addf(out, "%6llu.%09llu%s", (unsigned long long)(lines->time_ns / 1000000000),
			 (unsigned long long)(lines->time_ns % 1000000000), lines->separator);
	else if (lines->is_summary)
		str_addf(out, "%16s%s", "summary", lines->separator);
	stat_where_add_csv(out, place, lines->separator);
}

static void add_metric(struct str *out, const struct stat_lines *lines,
		       const struct stat_metric *metric)
{
	str_add(out, lines->separator);
	if (metric && metric->is_known)
		stat_number_add_metric(out, metric, false);
	str_add(out, lines->separator);
	if (metric && metric->is_known)
		str_add(out, metric->unit);
}

static void add_row(struct str *out, const struct stat_lines *lines, const struct stat_row *row)
{
	const char *separator = lines->separator, *missing = stat_number_missing(row);
	int skipped = FIELDS + (row->event->cgroup != NULL) + (lines->run_count > 1);

	add_prefix(out, lines, row->place);
	if (missing)
		str_add(out, missing);
	else
		stat_number_add(out, row->value, stat_number_digits(row), 0, "");
	str_addf(out, "%s%s%s%s", separator, row->event->unit ? row->event->unit : "", separator,
		 row->event->name);
	if (row->event->cgroup)
		str_addf(out, "%s%s", separator, row->event->cgroup);
	if (lines->run_count > 1)
		str_addf(out, "%s%.2f%%", separator, row->error_percent);
	str_addf(out, "%s%.0f%s%.2f", separator, row->running_ns, separator,
		 stat_number_running(row));
	add_metric(out, lines, row->metric_count > 0 ? &row->metrics[0] : NULL);
	str_add_char(out, '\n');
	for (size_t i = 1; i < row->metric_count; i++) {
		add_prefix(out, lines, row->place);
		for (int field = 1; field < skipped; field++)
			str_add(out, separator);
		add_metric(out, lines, &row->metrics[i]);
		str_add_char(out, '\n');
	}
}

void stat_csv_begin(struct str *out, const struct stat_lines *lines, const struct stat_table *table)
{
	if (!lines->metric_only || table->place_count == 0)
		return;
	if (lines->is_interval)
		str_addf(out, "time%s", lines->separator);
	for (const char *c = stat_where_csv_title(table->places[0].by); *c; c++)
		if (*c == ',')
			str_add(out, lines->separator);
		else
			str_add_char(out, *c);
	for (size_t event = 0; event < table->event_count; event++) {
		const struct stat_row *row = stat_metric_only_columns(table, event);

		for (size_t i = 0; row && i < row->metric_count; i++) {
			if (!stat_metric_only_shows(&row->metrics[i]))
				continue;
			stat_metric_only_name(out, row, i);
			str_add(out, lines->separator);
		}
	}
	str_add_char(out, '\n');
}

static void add_metrics(struct str *out, const struct stat_lines *lines,
			const struct stat_table *table, size_t place)
{
	add_prefix(out, lines, &table->places[place]);
	for (size_t event = 0; event < table->event_count; event++) {
		const struct stat_row *row = table->by_place[place * table->event_count + event];
		const struct stat_row *columns = stat_metric_only_columns(table, event);

		for (size_t i = 0; columns && i < columns->metric_count; i++) {
			if (!stat_metric_only_shows(&columns->metrics[i]))
				continue;
			if (row && i < row->metric_count && row->metrics[i].is_known)
				stat_number_add_metric(out, &row->metrics[i], false);
			str_add(out, lines->separator);
		}
	}
	str_add_char(out, '\n');
}

void stat_csv_rows(struct str *out, const struct stat_lines *lines, const struct stat_table *table)
{
	for (size_t place = 0; lines->metric_only && place < table->place_count; place++)
		add_metrics(out, lines, table, place);
	for (size_t i = 0; !lines->metric_only && i < table->count; i++)
		add_row(out, lines, &table->items[i]);
}
