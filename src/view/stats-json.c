/* stats-json.c - see stats-json.h. */
#include "view/stats-json.h"

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/str.h"
#include "data/events.h"
#include "data/stats.h"
#include "view/event-json.h"

static void add_event(struct json *json, const struct event_desc *event,
		      const struct stats_event *counts)
{
	json_begin(json, NULL);
	event_json_name(json, event);
	json_u64(json, "samples", counts->sample_count);
	json_u64(json, "lost_records", counts->lost_count);
	json_u64(json, "lost_samples_records", counts->lost_sample_count);
	json_u64(json, "throttle_records", counts->throttle_count);
	json_end(json);
}

void stats_json_print(const struct stats *stats, FILE *out)
{
	struct str text = { 0 };
	struct json json = { .out = &text };

	json_begin(&json, NULL);
	json_text(&json, "schema", "strobe.stats/1");
	json_u64(&json, "total", stats->total);
	json_begin(&json, "types");
	for (uint32_t type = 0; type < STATS_TYPES; type++) {
		if (stats->types[type] > 0)
			json_u64(&json, record_type_name(type), stats->types[type]);
	}
	json_end(&json);
	json_u64(&json, "unknown_records", stats->unknown_count);
	json_u64(&json, "unknown_event_samples", stats->unknown_id_count);
	json_begin_list(&json, "events");
	for (size_t i = 0; i < events_count(stats->events); i++)
		add_event(&json, events_at(stats->events, i), &stats->by_event[i]);
	json_end_list(&json);
	json_end(&json);
	str_add_char(&text, '\n');
	(void)fwrite(text.text, 1, text.size, out);
	str_done(&text);
}
