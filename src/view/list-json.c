/* list-json.c - see list-json.h. */
#include "view/list-json.h"

#include "base/json.h"
#include "base/str.h"
#include "format/event-rows.h"

static const char *const kinds[] = {
	[EVENT_ROW_HARDWARE] = "hardware", [EVENT_ROW_CACHE] = "cache",
	[EVENT_ROW_SOFTWARE] = "software", [EVENT_ROW_TOOL] = "tool",
	[EVENT_ROW_PMU] = "pmu",           [EVENT_ROW_VENDOR] = "vendor",
	[EVENT_ROW_RAW] = "raw",           [EVENT_ROW_TRACEPOINT] = "tracepoint",
	[EVENT_ROW_SDT] = "sdt",
};

static const char *const states[] = {
	[EVENT_ROW_OPENS] = "yes",
	[EVENT_ROW_FORBIDDEN] = "forbidden",
	[EVENT_ROW_MISSING] = "no",
};

static void add_if(struct json *json, const char *name, const char *text)
{
	if (text && *text)
		json_text(json, name, text);
}

static void add_event(struct json *json, const struct event_row *row)
{
	json_begin(json, NULL);
	json_text(json, "name", row->name);
	add_if(json, "alias", row->alias);
	json_text(json, "kind", kinds[row->kind]);
	json_text(json, "available", states[row->state]);
	add_if(json, "pmu", row->pmu);
	add_if(json, "cpu", row->vendor);
	add_if(json, "description", row->text);
	add_if(json, "encoding", row->encoding);
	add_if(json, "unit", row->unit);
	json_end(json);
}

static void add_metric(struct json *json, const struct metric_row *metric)
{
	const char *rest = metric->groups;
	struct str_part part;

	json_begin(json, NULL);
	json_text(json, "name", metric->name);
	json_begin_list(json, "groups");
	while (str_split(&rest, ',', &part))
		json_bytes(json, NULL, part.text, part.size);
	json_end_list(json);
	json_text(json, "pmu", metric->pmu);
	add_if(json, "unit", metric->unit);
	json_text(json, "formula", metric->formula);
	json_text(json, "description", metric->text);
	json_end(json);
}

void list_json_print(const struct event_rows *rows, FILE *out)
{
	struct str text = { 0 };
	struct json json = { .out = &text };

	json_begin(&json, NULL);
	json_text(&json, "schema", "strobe.list/1");
	json_begin_list(&json, "events");
	for (size_t i = 0; i < rows->count; i++)
		add_event(&json, &rows->items[i]);
	json_end_list(&json);
	json_begin_list(&json, "metrics");
	for (size_t i = 0; i < rows->metric_count; i++)
		add_metric(&json, &rows->metrics[i]);
	json_end_list(&json);
	json_end(&json);
	str_add_char(&text, '\n');
	(void)fwrite(text.text, 1, text.size, out);
	str_done(&text);
}
