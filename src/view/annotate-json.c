/* annotate-json.c - see annotate-json.h. */
#include "view/annotate-json.h"

#include "analyze/hist.h"
#include "analyze/listing.h"
#include "analyze/profile.h"
#include "analyze/report.h"
#include "data/datafile.h"
#include "data/events.h"
#include "model/timeline.h"
#include "view/event-json.h"
#include "view/place-json.h"
#include "view/recording-json.h"

static void write_text(struct annotate_json *json)
{
	(void)fwrite(str_text(&json->text), 1, json->text.size, json->out);
	str_clear(&json->text);
}

void annotate_json_begin(struct annotate_json *json)
{
	json->json = (struct json){ .out = &json->text };
	json_begin(&json->json, NULL);
	json_text(&json->json, "schema", "strobe.annotate/1");
	json_begin(&json->json, "recording");
	recording_json_basics(&json->json, profile_file(json->profile));
	json_end(&json->json);
	json_begin_list(&json->json, "events");
}

/* What holds of one of the members of a group, or of the only event. */
static void add_numbers(struct annotate_json *json, const struct report_event *event,
			const struct function_hits *function, const struct hist_entry *entry,
			size_t member)
{
	json_u64(&json->json, "samples", entry->self[member].count);
	json_u64(&json->json, "period", entry->self[member].period);
	json_double(&json->json, "percent",
		    function_hits_percent(json->share, event, function, entry, member));
}

static void add_members(struct annotate_json *json, const struct report_event *event,
			const struct function_hits *function, const struct hist_entry *entry)
{
	if (event->member_count == 1)
		return;
	json_begin_list(&json->json, "members");
	for (size_t i = 0; i < event->shown_count; i++) {
		json_begin(&json->json, NULL);
		add_numbers(json, event, function, entry, event->shown[i]);
		json_end(&json->json);
	}
	json_end_list(&json->json);
}

void annotate_json_begin_event(struct annotate_json *json, const struct report_event *event)
{
	const struct events *events = datafile_events(profile_file(json->profile));

	json_begin(&json->json, NULL);
	json_text(&json->json, "name", event->name);
	json_u64(&json->json, "samples", event->sample_count);
	json_u64(&json->json, "period", event->totals[0].period);
	if (event->member_count > 1) {
		json_begin_list(&json->json, "members");
		for (size_t i = 0; i < event->shown_count; i++) {
			json_begin(&json->json, NULL);
			event_json_name(&json->json,
					events_at(events, event->event->index + event->shown[i]));
			json_end(&json->json);
		}
		json_end_list(&json->json);
	}
	json_begin_list(&json->json, "functions");
}

static void add_source(struct json *json, const struct listing_row *row)
{
	_cleanup_(str_done) struct str text = { 0 };

	str_add_bytes(&text, row->text.text, row->text.size);
	json_text(json, "file", row->file);
	json_u64(json, "line", row->line);
	json_text(json, "source", str_text(&text));
}

static void add_insn(struct annotate_json *to, const struct report_event *event,
		     const struct function_hits *function, const struct listing_row *row)
{
	_cleanup_(str_done) struct str text = { 0 };
	struct json *json = &to->json;

	str_add_bytes(&text, row->text.text, row->text.size);
	json_addr(json, "addr", row->addr);
	json_hex(json, "bytes", row->bytes, row->size);
	json_text(json, "instruction", str_text(&text));
	if (row->has_target)
		json_addr(json, "target", row->target);
	if (row->file) {
		json_text(json, "file", row->file);
		json_u64(json, "line", row->line);
	}
	if (row->entry) {
		add_numbers(to, event, function, row->entry, 0);
		add_members(to, event, function, row->entry);
	}
}

void annotate_json_function(struct annotate_json *to, const struct report_event *event,
			    const struct function_hits *function, const struct listing *listing,
			    const char *no_code)
{
	struct json *json = &to->json;
	const struct map *map = function->begin.map;

	json_begin(json, NULL);
	json_text(json, "symbol", function->begin.function->name);
	place_json_dso(json, "dso", map, map->dso->name);
	json_addr(json, "addr", function->begin.function->start);
	json_u64(json, "size", function->begin.function->end - function->begin.function->start);
	json_u64(json, "samples", function->totals[0].count);
	json_u64(json, "period", function->totals[0].period);
	if (listing->count == 0)
		json_text(json, "no_code", no_code);
	json_begin_list(json, "rows");
	for (size_t i = 0; i < listing->count; i++) {
		json_begin(json, NULL);
		if (listing->items[i].is_source)
			add_source(json, &listing->items[i]);
		else
			add_insn(to, event, function, &listing->items[i]);
		json_end(json);
	}
	json_end_list(json);
	json_end(json);
	write_text(to);
}

void annotate_json_end_event(struct annotate_json *json)
{
	json_end_list(&json->json);
	json_end(&json->json);
}

void annotate_json_end(struct annotate_json *json)
{
	json_end_list(&json->json);
	recording_json_losses(&json->json, "losses", json->profile);
	json_end(&json->json);
	str_add_char(&json->text, '\n');
	write_text(json);
	str_done(&json->text);
}
