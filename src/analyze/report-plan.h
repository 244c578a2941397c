/*
 * report-plan.h - the steps before a report's samples are counted: which events stand in which
 * table, what the report is of, and what its columns and options make of that. For report.c.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/counting.h"
#include "analyze/event-switch.h"
#include "analyze/sortkey.h"

struct report;
struct report_event;
struct strobe_err;

struct report_state {
	struct profile *profile;
	const struct report_options *options;
	struct counting_plan plan;
	struct sortkey_style style;
	struct sources *sources;    /* NULL where nothing shows lines */
	struct data_places *data;   /* NULL where nothing shows types of data */
	struct counting **workers;  /* one for each thread */
	struct visits_seats *seats; /* so are these */
	size_t worker_count;
	/* Of a stream, while it is shown: what goes on counting; see report-live.h. */
	struct counting *open;
	struct sites *open_sites;
	struct event_switch event_switch; /* instead of plan.onoff, with the record asked last */
	uint64_t switched_at;
	bool switch_takes;
	size_t fold_at;        /* so many bundles are folded */
	bool coarse;           /* that alone did not help */
	uint64_t rename_count; /* of the resolver, when sites were last named */
};

/* Fills in all of the report but what is counted; report->state is set. */
int report_plan(struct report *report, struct strobe_err *err);
