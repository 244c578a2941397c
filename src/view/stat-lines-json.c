/* stat-lines-json.c - perf's JSON: see stat-csv.h. */
#include <math.h>

#include "analyze/stat.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "view/stat-csv.h"
#include "view/stat-metric-only.h"
#include "view/stat-number.h"
#include "view/stat-where.h"

static void add_text(struct str *out, const char *key, const char *text)
{
	str_addf(out, "\"%s\" : ", key);
	json_text(&(struct json){ .out = out }, NULL, text);
}

static void add_prefix(struct str *out, const struct stat_lines *lines,
		       const struct stat_place *place)
{
	str_add_char(out, '{');
	if (lines->is_interval)
		str_addf(out, "\"interval\" : %llu.%09llu, ",
			 (unsigned long long)(lines->time_ns / 1000000000),
			 (unsigned long long)(lines->time_ns % 1000000000));
	stat_where_add_json(out, place);
}

/* perf has 0 and "" where nothing is known. */
static void add_metric(struct str *out, const struct stat_metric *metric)
{
	if (!metric || !metric->is_known || !isfinite(metric->value)) {
		str_add(out, "\"metric-value\" : null, \"metric-unit\" : null");
		return;
	}
	str_addf(out, "\"metric-value\" : %f, ", metric->value);
	add_text(out, "metric-unit", metric->unit);
}

static void add_row(struct str *out, const struct stat_lines *lines, const struct stat_row *row)
{
	const char *missing = stat_number_missing(row);

	add_prefix(out, lines, row->place);
	if (missing)
		str_addf(out, "\"counter-value\" : \"%s\", ", missing);
	else
		str_addf(out, "\"counter-value\" : \"%f\", ", row->value);
	add_text(out, "unit", row->event->unit ? row->event->unit : "");
	str_add(out, ", ");
	add_text(out, "event", row->event->name);
	str_add(out, ", ");
	if (row->event->cgroup) {
		add_text(out, "cgroup", row->event->cgroup);
		str_add(out, ", ");
	}
	if (lines->run_count > 1)
		str_addf(out, "\"variance\" : %.2f, ", row->error_percent);
	str_addf(out, "\"event-runtime\" : %.0f, \"pcnt-running\" : %.2f, ", row->running_ns,
		 stat_number_running(row));
	add_metric(out, row->metric_count > 0 ? &row->metrics[0] : NULL);
	if (row->state == STAT_NOT_SUPPORTED && row->event->reason) {
		str_add(out, ", ");
		add_text(out, "reason", row->event->reason);
	}
	str_add(out, "}\n");
	for (size_t i = 1; i < row->metric_count; i++) {
		add_prefix(out, lines, row->place);
		add_metric(out, &row->metrics[i]);
		str_add(out, "}\n");
	}
}

/* {"interval" : 1.0, "GHz" : "2.1", ...} */
static void add_metrics(struct str *out, const struct stat_lines *lines,
			const struct stat_table *table, size_t place)
{
	size_t begin;

	add_prefix(out, lines, &table->places[place]);
	begin = out->size;
	for (size_t event = 0; event < table->event_count; event++) {
		const struct stat_row *row = table->by_place[place * table->event_count + event];

		for (size_t i = 0; row && i < row->metric_count; i++) {
			_cleanup_(str_done) struct str name = { 0 }, value = { 0 };

			if (!row->metrics[i].is_known || !stat_metric_only_shows(&row->metrics[i]))
				continue;
			stat_metric_only_name(&name, row, i);
			stat_number_add_metric(&value, &row->metrics[i], false);
			str_add(out, out->size > begin ? ", " : "");
			add_text(out, str_text(&name), str_text(&value));
		}
	}
	/* The place alone ends in a comma. */
	if (out->size == begin && out->text[begin - 1] == ' ')
		str_cut(out, begin - 2);
	str_add(out, "}\n");
}

void stat_lines_json(struct str *out, const struct stat_lines *lines,
		     const struct stat_table *table)
{
	for (size_t place = 0; lines->metric_only && place < table->place_count; place++)
		add_metrics(out, lines, table, place);
	for (size_t i = 0; !lines->metric_only && i < table->count; i++)
		add_row(out, lines, &table->items[i]);
}
