/* stat-metric-only.c - see stat-metric-only.h. */
#include "view/stat-metric-only.h"

#include <string.h>

#include "analyze/stat.h"
#include "base/mem.h"
#include "base/str.h"
#include "view/stat-number.h"
#include "view/stat-where.h"

enum { COLUMN_WIDTH = 20 };

void stat_metric_only_name(struct str *out, const struct stat_row *row, size_t metric)
{
	const char *unit = row->metrics[metric].unit;

	if (str_after(unit, "of all"))
		str_addf(out, "%s %s", row->event->name, unit);
	else
		str_add(out, unit);
}

const struct stat_row *stat_metric_only_columns(const struct stat_table *table, size_t event)
{
	const struct stat_row *most = NULL;

	for (size_t place = 0; place < table->place_count; place++) {
		const struct stat_row *row = table->by_place[place * table->event_count + event];

		if (row && (!most || row->metric_count > most->metric_count))
			most = row;
	}
	return most;
}

bool stat_metric_only_shows(const struct stat_metric *metric)
{
	return !strstr(metric->unit, "/sec") && strcmp(metric->unit, "CPUs utilized") != 0;
}

static void add_titles(struct str *out, const struct stat_row *row)
{
	for (size_t i = 0; i < row->metric_count; i++) {
		_cleanup_(str_done) struct str name = { 0 };

		if (!stat_metric_only_shows(&row->metrics[i]))
			continue;
		stat_metric_only_name(&name, row, i);
		str_addf(out, "%*s ", COLUMN_WIDTH, str_text(&name));
	}
}

void stat_metric_only_titles(struct str *out, const struct stat_table *table, bool is_interval)
{
	if (!is_interval && table->place_count > 0)
		str_add_repeat(out, ' ', stat_where_width(table->places[0].by));
	for (size_t event = 0; event < table->event_count; event++) {
		const struct stat_row *columns = stat_metric_only_columns(table, event);

		if (columns)
			add_titles(out, columns);
	}
	str_add_char(out, '\n');
}

static void add_values(struct str *out, const struct stat_row *row, const struct stat_row *columns)
{
	for (size_t i = 0; columns && i < columns->metric_count; i++) {
		_cleanup_(str_done) struct str value = { 0 };

		if (!stat_metric_only_shows(&columns->metrics[i]))
			continue;
		if (row && i < row->metric_count && row->metrics[i].is_known)
			stat_number_add_metric(&value, &row->metrics[i], true);
		str_addf(out, "%*s ", COLUMN_WIDTH, str_text(&value));
	}
}

void stat_metric_only_rows(struct str *out, const struct stat_table *table, const char *prefix)
{
	for (size_t place = 0; place < table->place_count; place++) {
		str_add(out, prefix);
		stat_where_add_text(out, &table->places[place]);
		for (size_t event = 0; event < table->event_count; event++) {
			size_t at = place * table->event_count + event;

			add_values(out, table->by_place[at],
				   stat_metric_only_columns(table, event));
		}
		str_add_char(out, '\n');
	}
}
