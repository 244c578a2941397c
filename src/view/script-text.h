/*
 * script-text.h - script's text: a line for a sample, with its call chain below; a line for a
 * record.
 *
 * Byte for byte what perf script prints by default, since many tools parse it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/branch-events.h"
#include "analyze/code.h"
#include "analyze/script-fields.h"
#include "analyze/script-times.h"
#include "view/place-text.h"
#include "view/source-text.h"

struct event_desc;
struct lookup;
struct lookup_question;
struct profile;
struct profile_sample;
struct place;
struct record;
struct sample;
struct sample_metrics;
struct str;
struct tracepoint_set;

struct script_text {
	struct profile *profile; /* for the names of branches and threads */
	const struct script_fields *fields;
	size_t max_blocks;              /* of the fields brstackinsn...; 0: all */
	const char *const *event_names; /* by the index of the event */
	int name_width;                 /* of the longest of them */
	bool nanoseconds;               /* --ns */
	bool latency;                   /* -L: short names, CPUs without brackets */
	enum script_times_mode times;
	uint64_t wall_ns;           /* of the field tod: the time of day at time 0 */
	bool hides_chains;          /* -G: no event has call chains */
	bool kernel_path;           /* --show-kernel-path: modules by their paths */
	bool source_path;           /* --full-source-path */
	bool verbose;               /* -v: events of branches by name and number */
	struct place_frames frames; /* of addresses of call chains; ->lines is set as needed */
	const char *arch;           /* of the recorder, as uname -m has it; "" if unknown */
	const struct tracepoint_set *tracepoints; /* NULL if there are no formats */
};

static inline bool script_text_shows(const struct script_text *text, enum script_kind kind,
				     enum script_field field)
{
	return script_fields_has(text->fields, kind, field);
}

/*
 * Whether what is printed of a sample depends on those before it: then one worker must print all,
 * in order of time.
 */
bool script_text_needs_order(const struct script_text *text);

/* What a thread that prints samples has of its own. */
struct script_text_worker {
	struct place_text places[SCRIPT_KIND_COUNT];
	struct code code;
	struct source_text source;
	struct branch_events branch_events;
	struct sample_metrics *metrics; /* NULL: none are shown */
	struct script_times times;
	size_t data_src_width; /* the longest so far: those that follow are as wide */
};
void script_text_init(struct script_text_worker *worker, const struct script_text *text);
/* The timeline has changed: epochs are others now. */
void script_text_changed(struct script_text_worker *worker);
/* What was borrowed from the timeline is gone. */
void script_text_forget(struct script_text_worker *worker, const struct script_text *text);
void script_text_done(struct script_text_worker *worker);

/* What stands before all samples: what letters of the field brcntr mean. */
void script_text_begin(const struct script_text *text, struct str *out);

/* Where a sample was. */
struct script_text_where {
	struct lookup *lookup;
	const struct lookup_question *chain; /* NULL where none is to be printed */
	size_t count;
	const struct place *place; /* then this stands on the line itself */
	unsigned verdict;          /* of the user's stack, see stack_verdicts_name() */
};
void script_text_sample(const struct script_text *text, struct script_text_worker *worker,
			const struct profile_sample *sample, const struct script_text_where *where,
			struct str *out);

/*
 * Adds a record that is no sample: "comm tid [cpu] time: PERF_RECORD_MMAP2 ...". @event (may be
 * NULL) decides on the fields; @moment is for the name of the thread.
 */
void script_text_record(const struct script_text *text, struct script_text_worker *worker,
			const struct record *record, const struct sample *trailer,
			const struct event_desc *event, uint64_t moment, struct str *out);
