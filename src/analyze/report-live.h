/*
 * report-live.h - a report of a stream: it counts what is handed out (live.h), and can be shown at
 * any time.
 *
 *	report_live_new
 *	report_live_take, _changed, _settled, _forget	while the stream goes on
 *	report_live_finish, report_live_reopen		around showing it
 *
 * It is a report like another (report.h), to report_free().
 */
#pragma once

struct hash;
struct profile;
struct profile_sample;
struct report;
struct report_options;
struct strobe_err;

/* options->fields.stream is true. */
int report_live_new(struct profile *profile, const struct report_options *options,
		    struct report **ret_report, struct strobe_err *err);

/* As the handlers of a replay: @report is a struct report. */
int report_live_take(void *report, const struct profile_sample *sample);
void report_live_changed(void *report);
int report_live_settled(void *report);
/* Lets go of all that is borrowed from the timeline, but for dsos, which are added to @dsos. Not
 * while the report is finished. */
void report_live_forget(void *report, struct hash *dsos);

/* As report_finish(), of what was counted so far; names of threads are what they are now. */
void report_live_finish(struct report *report);
/* Undoes it: counting goes on. */
void report_live_reopen(struct report *report);

/* What was counted so far is worth a little less; nothing at all. Not while it is finished. */
void report_live_decay(struct report *report);
void report_live_clear(struct report *report);
