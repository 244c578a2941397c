/*
 * report-events.h - which events of a recording stand in which table of a report, and what the
 * table is called. For report.c.
 */
#pragma once

struct event_desc;
struct events;
struct report;
struct report_event;
struct strobe_err;

/* The event of that name; -ENOENT: there is none, and what there is. */
int report_events_find(const struct events *events, const char *typed,
		       const struct event_desc **ret_event, struct strobe_err *err);

/* One table for each wanted event, or group of events. */
int report_events_plan(struct report *report, struct strobe_err *err);

/* After counting: which members of a group are shown (those with samples), and the group's name. */
void report_events_show(const struct report *report, struct report_event *group);
