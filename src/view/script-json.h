/*
 * script-json.h - script's output as JSON, an object a line: "strobe.script/1", see docs/json.md.
 *
 *	{"type":"recording","schema":"strobe.script/1",...}
 *	{"type":"sample",...}        samples, and records if they were asked for, in order of time
 *	{"type":"end",...}
 *
 * What is shown is chosen by the same struct script_text.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/branch-events.h"
#include "analyze/code.h"
#include "analyze/script-fields.h"
#include "analyze/script-times.h"
#include "view/place-lines.h"
#include "view/source-text.h"

struct event_desc;
struct profile_sample;
struct record;
struct sample;
struct sample_metrics;
struct script_text;
struct script_text_where;
struct str;

/* Whether what is printed of a sample depends on those before it: see script-text.h. */
bool script_json_needs_order(const struct script_text *text);

/* What a thread that prints samples has of its own. */
struct script_json_worker {
	struct place_lines places[SCRIPT_KIND_COUNT];
	struct code code;
	struct source_text source;
	struct branch_events branch_events;
	struct sample_metrics *metrics; /* NULL: none are shown */
	struct script_times times;
};
void script_json_init(struct script_json_worker *worker, const struct script_text *text);
/* Of a stream: see script_text_changed() and script_text_forget(). */
void script_json_changed(struct script_json_worker *worker);
void script_json_forget(struct script_json_worker *worker, const struct script_text *text);
void script_json_done(struct script_json_worker *worker);

/* The first line. @whole: with all that the header says. */
void script_json_begin(const struct script_text *text, bool whole, struct str *out);
/* The last, when all samples have been read. */
void script_json_end(const struct script_text *text, struct str *out);

void script_json_sample(const struct script_text *text, struct script_json_worker *worker,
			const struct profile_sample *sample, const struct script_text_where *where,
			struct str *out);
/* A record that is no sample. @event may be NULL. */
void script_json_record(const struct script_text *text, struct script_json_worker *worker,
			const struct record *record, const struct sample *trailer,
			const struct event_desc *event, uint64_t moment, struct str *out);
