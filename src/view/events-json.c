/* events-json.c - see events-json.h. */
#include "view/events-json.h"

#include <stddef.h>

#include "base/json.h"
#include "base/str.h"
#include "data/events.h"
#include "format/tracepoint.h"
#include "view/event-json.h"

static void add_fields(struct json *json, const struct event_desc *event,
		       const struct tracepoint_set *tracepoints)
{
	const struct tracepoint *tracepoint = NULL;
	const struct tracepoint_field *field;

	if (event->attr.type == PERF_TYPE_TRACEPOINT && tracepoints)
		tracepoint = tracepoint_set_find(tracepoints, event->attr.config);
	if (!tracepoint)
		return;
	json_begin_list(json, "trace_fields");
	for (size_t i = 0; (field = tracepoint_field_at(tracepoint, i)); i++)
		json_text(json, NULL, tracepoint_field_name(field));
	json_end_list(json);
}

void events_json_print(const struct events *events, const struct tracepoint_set *tracepoints,
		       FILE *out)
{
	struct str text = { 0 };
	struct json json = { .out = &text };

	json_begin(&json, NULL);
	json_text(&json, "schema", "strobe.evlist/1");
	json_begin_list(&json, "events");
	for (size_t i = 0; i < events_count(events); i++) {
		json_begin(&json, NULL);
		event_json_add(&json, events_at(events, i));
		add_fields(&json, events_at(events, i), tracepoints);
		json_end(&json);
	}
	json_end_list(&json);
	json_end(&json);
	str_add_char(&text, '\n');
	(void)fwrite(text.text, 1, text.size, out);
	str_done(&text);
}
