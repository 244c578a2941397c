/* call-summary-json.c - see call-summary-json.h. */
#include "view/call-summary-json.h"

#include "base/json.h"
#include "base/str.h"
#include "format/callnames.h"
#include "format/callspec.h"
#include "format/calltables.h"
#include "view/call-summary-text.h"

static void add_errors(struct json *json, const struct call_summary_row *row)
{
	json_begin_list(json, "errors");
	for (size_t i = 0; i < row->error_count; i++) {
		const struct call_summary_error *error = &row->errors[i];

		json_begin(json, NULL);
		json_i64(json, "errno", error->error);
		json_text(json, "error", callnames_find(&calltables_errno, (uint64_t)error->error));
		json_u64(json, "count", error->count);
		json_end(json);
	}
	json_end_list(json);
}

static void add_row(struct json *json, const struct call_summary_row *row, bool has_cpu)
{
	json_begin(json, NULL);
	json_text(json, "name", row->spec->name);
	json_u64(json, "count", row->count);
	json_u64(json, "failed", row->failed);
	json_u64(json, "total_ns", row->total_ns);
	if (row->ns.count > 0) {
		json_u64(json, "min_ns", (uint64_t)row->ns.min);
		json_double(json, "mean_ns", row->ns.mean);
		json_u64(json, "max_ns", (uint64_t)row->ns.max);
		json_double(json, "error_percent", moments_error_percent(&row->ns));
	}
	if (has_cpu)
		json_u64(json, "cpu_ns", row->total_ns - row->off_ns);
	add_errors(json, row);
	json_end(json);
}

static void add_owner(struct json *json, const struct call_summary_text *text,
		      const struct call_summary_owner *owner)
{
	if (text->mode == CALL_SUMMARY_THREAD) {
		json_text(json, "comm", owner->name);
		json_i64(json, "tid", (int32_t)owner->key);
	}
	json_u64(json, "records", owner->event_count);
	if (text->runtime)
		json_u64(json, "runtime_ns", owner->runtime_ns);
}

void call_summary_json(const struct call_summary_text *text, const struct call_summary *summary,
		       struct str *out)
{
	for (size_t i = 0; i < call_summary_count(summary); i++) {
		const struct call_summary_owner *owner = call_summary_at(summary, i);
		struct json json = { .out = out };

		json_begin(&json, NULL);
		json_text(&json, "type", "summary");
		add_owner(&json, text, owner);
		json_begin_list(&json, "calls");
		for (size_t at = 0; at < owner->row_count; at++) {
			if (text->most_rows && at == text->most_rows)
				break;
			add_row(&json, &owner->rows[at], text->has_cpu);
		}
		json_end_list(&json);
		json_end(&json);
		str_add_char(out, '\n');
	}
}
