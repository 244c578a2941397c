/*
 * stat.h - from counts to results: added up by CPU, core, socket or thread, scaled to the time that
 * they were to be counted, averaged over runs.
 *
 *	stat_new	what was counted, and how rows are made of it
 *	stat_add	the counts of one run, or of one interval
 *	stat_rows	what stands in the table now
 *	stat_clear	for the next interval
 *
 * The counts are live ones or a file's: nothing here knows the difference.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/moments.h"
#include "data/attr.h"

struct countset;
struct cpu_places;
struct metric_formula;
struct stat_table;

/* What one row adds up. */
enum stat_by {
	STAT_BY_ALL,
	STAT_BY_CPU,
	STAT_BY_SOCKET,
	STAT_BY_DIE,
	STAT_BY_CLUSTER,
	STAT_BY_CACHE,
	STAT_BY_CORE,
	STAT_BY_NODE,
	STAT_BY_THREAD,
};

struct stat_event {
	const char *name;
	struct attr attr;
	const char *cgroup; /* NULL: none */
	const char *unit;   /* NULL: it is a number */
	double scale;       /* multiply with it; 0: as it is */
	size_t first_alike; /* the first event of the same name that it is added to; its own index
			     */
	size_t leader;      /* of its group; its own index */
	bool per_package;   /* all CPUs of a socket see the same */
	bool percore;       /* by CPU, each shows the sum of its core */
	bool is_tool;       /* needs no counter, and counts for all */
	int refused;        /* negative errno: it is not counted, and that is why: */
	const char *reason, *hint; /* NULL where nothing is known */
};

/* A formula of counts (-M), shown with the first of its events. */
struct stat_formula {
	const char *name, *unit; /* unit: "%", or "" */
	const struct metric_formula *formula;
	const size_t *events; /* indices, for each name of the formula */
	size_t event_count;
};

struct stat_thread {
	pid_t tid;
	const char *comm;
};

/* Borrowed, with all that it points at. */
struct stat_setup {
	const struct stat_event *events;
	size_t event_count;
	const struct stat_formula *formulas;
	size_t formula_count;
	const int *cpus; /* -1: any */
	size_t cpu_count;
	const struct stat_thread *threads; /* the one with tid -1: all */
	size_t thread_count;
	const struct cpu_places *places; /* where rows need them; else empty */
	enum stat_by by;
	bool no_scale; /* counts as they were read */
	bool no_zero;  /* threads that did nothing have no rows */
};

/* Where the counts of a row are from. */
struct stat_place {
	enum stat_by by;
	int cpu, socket, die, cluster, core, node, cache_level, cache; /* those that matter */
	const struct stat_thread *thread;
	unsigned cpu_count; /* that it adds up */
};

enum stat_state {
	STAT_COUNTED,
	STAT_NOT_COUNTED,   /* it never ran */
	STAT_NOT_SUPPORTED, /* it was refused */
};

/* How a metric is to be written. */
enum stat_style {
	STAT_STYLE_RATE,           /* 3 digits behind the point */
	STAT_STYLE_RATIO,          /* 2 */
	STAT_STYLE_PERCENT,        /* 2, and % */
	STAT_STYLE_SHARE,          /* 3, and % */
	STAT_STYLE_TENTHS_PERCENT, /* 1, and % */
	STAT_STYLE_HUNDREDTHS,     /* 2, wider */
};

struct stat_metric {
	char unit[80]; /* "insn per cycle" */
	bool is_known; /* else there is a place for it, and nothing in it */
	enum stat_style style;
	double value;
	double factor; /* of the unit: 1000 of "K/sec"; 0: it has none */
};

struct stat_row {
	const struct stat_event *event;
	const struct stat_place *place;
	enum stat_state state;
	double value;                  /* in its unit; a mean over runs */
	double raw;                    /* the same before unit and scale */
	double error_percent;          /* of the mean; 0 with one run */
	double enabled_ns, running_ns; /* means */
	struct moments moments;        /* of the runs, in its unit */
	struct stat_metric *metrics;
	size_t metric_count;
};

struct stat_table {
	struct stat_row *items; /* in the order in which they are shown */
	size_t count;
	const struct stat_place *places;
	size_t place_count, event_count;
	/* The row of each place and event: [place][event]; NULL where there is none. */
	struct stat_row **by_place;
};

struct stat;

struct stat *stat_new(const struct stat_setup *setup);
void stat_free(struct stat *stat);

/* @wall_ns: the time that it took. */
void stat_add(struct stat *stat, const struct countset *counts, uint64_t wall_ns);
/* Forgets what was added. */
void stat_clear(struct stat *stat);

/* With metrics. Borrowed until the next call of any of these. */
const struct stat_table *stat_rows(struct stat *stat);
/* Rows of events that had a counter for a part of the time only. */
size_t stat_shared_count(const struct stat_table *table);
/* Of the runs, ns. */
const struct moments *stat_wall(const struct stat *stat);
