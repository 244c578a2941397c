/*
 * stat-record.h - the records of counts that "stat record" writes: what was read of each event, CPU
 * and thread, and when.
 *
 *	STAT_CONFIG, THREAD_MAP, CPU_MAP	in the beginning
 *	STAT ...  STAT_ROUND			again and again: all that was read at one moment
 *
 * Counts go on from round to round: what was counted in between is the difference. Views as in
 * record.h.
 */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat_record_count {
	struct perf_event_header header;
	uint64_t id;     /* of the event's instance */
	int32_t cpu;     /* its number; -1: any */
	uint32_t thread; /* index in the thread map */
	uint64_t value, enabled_ns, running_ns;
};

enum stat_record_round_type {
	STAT_RECORD_INTERVAL = 0,
	STAT_RECORD_FINAL = 1,
};

struct stat_record_round {
	struct perf_event_header header;
	uint64_t type;    /* enum stat_record_round_type */
	uint64_t time_ns; /* since counting began */
};

/* Terms of STAT_CONFIG. */
enum stat_record_term {
	STAT_RECORD_BY = 0, /* enum stat_record_by */
	STAT_RECORD_INTERVAL_MS = 1,
	STAT_RECORD_SCALE = 2, /* counts are scaled to the time that they were wanted */
	STAT_RECORD_CACHE_LEVEL = 3,
	STAT_RECORD_TERMS,
};

/*
 * How counts are added up, as numbers of perf 6.9 and later. Before, there was no CLUSTER (and
 * before 6.5 no CACHE and no fourth term), so that the numbers behind DIE were smaller: CORE 4,
 * THREAD 5, NODE 7.
 */
enum stat_record_by {
	STAT_RECORD_BY_CPU = 0,
	STAT_RECORD_BY_ALL = 1,
	STAT_RECORD_BY_SOCKET = 2,
	STAT_RECORD_BY_DIE = 3,
	STAT_RECORD_BY_CLUSTER = 4,
	STAT_RECORD_BY_CACHE = 5,
	STAT_RECORD_BY_CORE = 6,
	STAT_RECORD_BY_THREAD = 7,
	STAT_RECORD_BY_NODE = 9,
};

struct stat_record_config {
	struct perf_event_header header;
	uint64_t count;
	struct {
		uint64_t term, value;
	} terms[];
};

struct stat_record_threads {
	struct perf_event_header header;
	uint64_t count;
	struct {
		uint64_t tid; /* all ones: all */
		char comm[16];
	} items[];
};

/* What a STAT_CONFIG says; what it does not say is 0. */
struct stat_record_settings {
	enum stat_record_by by;
	uint64_t interval_ms, cache_level;
	bool no_scale;
};

/* False where it does not hold together. */
bool stat_record_settings_decode(const struct perf_event_header *header,
				 struct stat_record_settings *ret_settings);
/* How many threads are there; 0 where it does not hold together. */
size_t stat_record_thread_count(const struct perf_event_header *header);
