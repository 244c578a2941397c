/* stat-json.c - see stat-json.h. */
#include "view/stat-json.h"

#include <stddef.h>

#include "analyze/stat.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/moments.h"
#include "base/str.h"
#include "view/stat-number.h"
#include "view/stat-where.h"

static const char *const kinds[] = {
	[STAT_BY_ALL] = "all",   [STAT_BY_CPU] = "cpu",         [STAT_BY_SOCKET] = "socket",
	[STAT_BY_DIE] = "die",   [STAT_BY_CLUSTER] = "cluster", [STAT_BY_CACHE] = "cache",
	[STAT_BY_CORE] = "core", [STAT_BY_NODE] = "node",       [STAT_BY_THREAD] = "thread",
};

static void add_number(struct json *json, const char *name, int number)
{
	if (number >= 0)
		json_i64(json, name, number);
}

static void add_place(struct json *json, const struct stat_place *place)
{
	_cleanup_(str_done) struct str name = { 0 };

	if (place->by == STAT_BY_ALL)
		return;
	stat_where_add_name(&name, place);
	json_begin(json, "place");
	json_text(json, "kind", kinds[place->by]);
	json_text(json, "name", str_text(&name));
	json_u64(json, "cpus", place->cpu_count);
	add_number(json, "cpu", place->cpu);
	if (place->by != STAT_BY_THREAD) {
		add_number(json, "socket", place->socket);
		add_number(json, "die", place->die);
		add_number(json, "cluster", place->cluster);
		add_number(json, "core", place->core);
		add_number(json, "node", place->node);
		add_number(json, "cache_level", place->cache_level);
		add_number(json, "cache", place->cache);
	} else {
		json_i64(json, "tid", place->thread->tid);
		json_text(json, "comm", place->thread->comm);
	}
	json_end(json);
}

static void add_metrics(struct json *json, const struct stat_row *row)
{
	json_begin_list(json, "metrics");
	for (size_t i = 0; i < row->metric_count; i++) {
		const struct stat_metric *metric = &row->metrics[i];

		json_begin(json, NULL);
		/* Programs want one unit. */
		json_text(json, "name", metric->factor != 0 ? "/sec" : metric->unit);
		if (metric->is_known)
			json_double(json, "value",
				    metric->value * (metric->factor != 0 ? metric->factor : 1));
		else
			json_null(json, "value");
		json_end(json);
	}
	json_end_list(json);
}

static void add_row(struct json *json, const struct stat_row *row)
{
	static const char *const states[] = {
		[STAT_COUNTED] = "counted",
		[STAT_NOT_COUNTED] = "not_counted",
		[STAT_NOT_SUPPORTED] = "not_supported",
	};

	json_begin(json, NULL);
	add_place(json, row->place);
	json_text(json, "event", row->event->name);
	if (row->event->cgroup)
		json_text(json, "cgroup", row->event->cgroup);
	json_text(json, "state", states[row->state]);
	if (row->state == STAT_COUNTED)
		json_double(json, "value", row->value);
	else
		json_null(json, "value");
	json_text(json, "unit", row->event->unit);
	json_double(json, "error_percent", row->error_percent);
	json_double(json, "enabled_ns", row->enabled_ns);
	json_double(json, "running_ns", row->running_ns);
	json_double(json, "running_percent", stat_number_running(row));
	add_metrics(json, row);
	if (row->state == STAT_NOT_SUPPORTED && row->event->reason)
		json_text(json, "reason", row->event->reason);
	if (row->state == STAT_NOT_SUPPORTED && row->event->hint && *row->event->hint)
		json_text(json, "hint", row->event->hint);
	json_end(json);
}

void stat_json_add(struct str *out, const struct stat_json *options, const struct stat_table *table,
		   const struct moments *wall)
{
	struct json json = { .out = out };

	json_begin(&json, NULL);
	json_text(&json, "schema", "strobe.stat/1");
	json_text(&json, "what", options->what);
	if (options->is_interval)
		json_u64(&json, "time_ns", options->time_ns);
	json_u64(&json, "runs", wall->count);
	json_double(&json, "elapsed_ns", wall->mean);
	json_double(&json, "elapsed_error_ns", moments_mean_error(wall));
	if (options->has_usage) {
		json_u64(&json, "user_ns", options->user_ns);
		json_u64(&json, "system_ns", options->system_ns);
	}
	json_begin_list(&json, "rows");
	for (size_t i = 0; i < table->count; i++)
		add_row(&json, &table->items[i]);
	json_end_list(&json);
	json_end(&json);
	str_add_char(out, '\n');
}
