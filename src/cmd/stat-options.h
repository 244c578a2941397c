/*
 * stat-options.h - what "stat" can be asked for: its options, and where their values land.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/stat.h"
#include "base/opt.h"
#include "collect/control.h"
#include "collect/schedule.h"
#include "collect/target.h"
#include "event/eventlist.h"
#include "event/metric.h"

enum stat_format {
	STAT_FORMAT_TEXT,
	STAT_FORMAT_CSV,
	STAT_FORMAT_LINES, /* -j: perf's JSON */
	STAT_FORMAT_JSON,  /* --format json: docs/json.md */
};

struct stat_config {
	/* What is counted. */
	struct eventlist events;
	const char **event_texts; /* -e, each, for --for-each-cgroup */
	size_t event_text_count, event_text_capacity;
	struct target_request target;
	const char *each_cgroup; /* --for-each-cgroup */
	const char *cpu_type, *pmu_filter;
	const char *metric_names; /* -M */
	struct metric_list metrics;
	bool metric_no_group, topdown, transactions;
	unsigned td_level;
	unsigned detail; /* -d */
	bool null_run;
	bool no_inherit, all_user, all_kernel;

	/* When. */
	struct schedule schedule;
	unsigned interval_ms, interval_count, timeout_ms;
	unsigned repeat;
	bool has_repeat;
	struct control control;
	bool sync;
	bool passes;
	const char *pre, *post;
	/* Of compare. */
	unsigned warmup;
	const char *fail_above;

	/* How it is added up and shown. */
	enum stat_by by;
	int cache_level;
	bool no_scale, no_merge, hybrid_merge;
	enum stat_format format;
	const char *separator;
	bool no_big_num, metric_only, table, summary, no_csv_summary, interval_clear;
	const char *output;
	bool append;
	unsigned log_fd;
	bool quiet;
	unsigned verbose;
	bool is_recorded;
	const char *record_output;
	bool ignored;      /* how it always is */
	const char *input; /* of report */
	bool has_by;       /* -A, --per-...: the recording's way does not matter */
};

enum { STAT_REPEAT_MAX = 100000 };

/* They fill in a struct stat_config. */
extern const struct opt stat_options[];
/* Of "stat report": the same config. */
extern const struct opt stat_options_report[];
