/*
 * event-rows.h - the events and metrics that there are, as a command lists them.
 *
 * Texts belong to who made the rows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum event_row_kind {
	EVENT_ROW_HARDWARE,
	EVENT_ROW_CACHE,
	EVENT_ROW_SOFTWARE,
	EVENT_ROW_TOOL,
	EVENT_ROW_PMU,    /* sysfs names it */
	EVENT_ROW_VENDOR, /* a table of the vendor's names it */
	EVENT_ROW_RAW,    /* no name but a form: what may stand between the slashes of a PMU */
	EVENT_ROW_TRACEPOINT,
	EVENT_ROW_SDT, /* a marker in a program, of which perf keeps a copy */
};

enum event_row_state {
	EVENT_ROW_OPENS,     /* or nobody tried */
	EVENT_ROW_FORBIDDEN, /* not for this user */
	EVENT_ROW_MISSING,   /* this machine or this kernel does not count it */
};

struct event_row {
	enum event_row_kind kind;
	enum event_row_state state;
	const char *name;     /* as -e takes it */
	const char *alias;    /* another name for it, or NULL */
	const char *pmu;      /* NULL: none is named */
	const char *text;     /* what it counts; NULL: nobody says */
	const char *encoding; /* "cpu/event=0x3c/": what it stands for; NULL: itself */
	const char *unit;     /* of its counts, or NULL */
	const char *vendor;   /* of VENDOR: "Intel Skylake" */
};

struct metric_row {
	const char *name, *groups, *unit, *formula, *text, *pmu;
};

struct event_rows {
	struct event_row *items;
	size_t count, capacity;
	struct metric_row *metrics;
	size_t metric_count, metric_capacity;
	/* Each group of metrics once, sorted. */
	const char **groups;
	size_t group_count, group_capacity;
};

/* Whether a metric of @groups ("Summary,Pipeline") is one of @group, in any case. */
bool event_rows_in_group(const char *groups, const char *group);
