/*
 * record.h - the records of perf.data as they lie in the file, in host byte order.
 *
 * A record is a struct perf_event_header (type, misc, size) and a body. Bodies of the kernel's
 * records are described in perf_event_open(2); those from 64 up are written by recorders.
 * The structs below are views: a pointer to one is valid only after record_fits() or the
 * size check in the reader, and strings in it end within the record only where
 * record_string() says so.
 */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Record types that recorders write (enum perf_user_event_type of the kernel's
 * tools/lib/perf/include/perf/event.h), and kernel types younger than Linux 6.1's header.
 */
enum record_type {
	RECORD_CALLCHAIN_DEFERRED = 22, /* Linux 6.18 */
	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_EVENT_TYPE = 65,
	RECORD_HEADER_TRACING_DATA = 66, /* uint32_t size of what follows the record, padded to 8 */
	RECORD_HEADER_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71, /* uint64_t size of what follows the record */
	RECORD_AUXTRACE_ERROR = 72,
	RECORD_THREAD_MAP = 73,
	RECORD_CPU_MAP = 74,
	RECORD_STAT_CONFIG = 75,
	RECORD_STAT = 76,
	RECORD_STAT_ROUND = 77,
	RECORD_EVENT_UPDATE = 78,
	RECORD_TIME_CONV = 79,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_FINISHED_INIT = 82,
	RECORD_COMPRESSED2 = 83,
	RECORD_BPF_METADATA = 84,
	RECORD_SCHEDSTAT_CPU = 85,
	RECORD_SCHEDSTAT_DOMAIN = 86,
};

/*
 * PERF_CONTEXT_USER_DEFERRED: the mark in a call chain before the number of the user's part, which
 * comes in a CALLCHAIN_DEFERRED record. Linux 6.18.
 */
#define RECORD_CONTEXT_USER_DEFERRED ((uint64_t)-640)

/* One record in a datafile; borrowed from it. */
struct record {
	const struct perf_event_header *header; /* 8-byte aligned; header->size bytes are there */
	uint64_t offset; /* where it lies; grows from record to record; an identity, and an order */
};

/* The least that a record of the kernel's with a view below must hold, bytes; SIZE_MAX if it has
 * none. */
size_t record_view_size(uint32_t type);

/* "SAMPLE", "MMAP2", ...: the names of perf report --stats; NULL if unknown. */
const char *record_type_name(uint32_t type);

struct record_mmap {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, size, pgoff;
	char filename[];
};

struct record_mmap2 {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, size, pgoff;
	union {
		struct {
			uint32_t maj, min;
			uint64_t ino, ino_generation;
		};
		struct { /* where header.misc has PERF_RECORD_MISC_MMAP_BUILD_ID */
			uint8_t build_id_size;
			uint8_t reserved_1;
			uint16_t reserved_2;
			uint8_t build_id[20];
		};
	};
	uint32_t prot, flags;
	char filename[];
};

struct record_comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[];
};

struct record_task { /* FORK and EXIT */
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

struct record_lost {
	struct perf_event_header header;
	uint64_t id, lost;
};

/* Those of strobe's own feeds say since when; other readers find what they know in it, too. */
struct record_lost_since {
	struct record_lost lost;
	uint64_t first_ns;
};

struct record_lost_samples {
	struct perf_event_header header;
	uint64_t lost;
};

struct record_throttle { /* THROTTLE and UNTHROTTLE */
	struct perf_event_header header;
	uint64_t time, id, stream_id;
};

struct record_switch_cpu_wide {
	struct perf_event_header header;
	uint32_t next_prev_pid, next_prev_tid;
};

struct record_namespaces {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t count;
	struct {
		uint64_t dev, ino;
	} links[];
};

/* Counts of an event of one thread, when it ends (inherit_stat). */
struct record_read {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t values[]; /* the count, then what the event's read_format has */
};

struct record_ksymbol {
	struct perf_event_header header;
	uint64_t addr;
	uint32_t size;
	uint16_t ksym_type, flags; /* PERF_RECORD_KSYMBOL_TYPE_*, _FLAGS_* */
	char name[];
};

struct record_bpf_event {
	struct perf_event_header header;
	uint16_t type, flags; /* type: PERF_BPF_EVENT_* */
	uint32_t id;
	uint8_t tag[8];
};

struct record_cgroup {
	struct perf_event_header header;
	uint64_t id;
	char path[];
};

struct record_deferred { /* CALLCHAIN_DEFERRED */
	struct perf_event_header header;
	uint64_t cookie, count;
	uint64_t ips[];
};

struct record_text_poke {
	struct perf_event_header header;
	uint64_t addr;
	uint16_t old_size, new_size;
	uint8_t bytes[];
};

/* What an EVENT_UPDATE tells of an event: PERF_EVENT_UPDATE__* of perf/event.h. */
enum record_update {
	RECORD_UPDATE_UNIT = 0,
	RECORD_UPDATE_SCALE = 1, /* a double */
	RECORD_UPDATE_NAME = 2,
	RECORD_UPDATE_CPUS = 3, /* as in a CPU_MAP record: see cpumap.h */
	/* strobe's own, which perf passes over: the control group that it counts, a path; */
	RECORD_UPDATE_CGROUP = 200,
	/* what became of a copied stack, behind the sample, unless it is complete: struct
	 * record_stack_update; */
	RECORD_UPDATE_STACK = 201,
	/* at the end of a pipe, the feature STROBE_STACKS, */
	RECORD_UPDATE_STACKS = 202,
	/* and STROBE_NAMES, in as many as it takes. */
	RECORD_UPDATE_NAMES = 203,
};

struct record_event_update {
	struct perf_event_header header;
	uint64_t kind, id;
	char body[];
};

struct record_stack_update {
	struct perf_event_header header;
	uint64_t kind, id;
	uint64_t time_ns; /* of the sample, as is its tid */
	uint32_t tid;
	uint32_t verdict; /* enum unwind_verdict */
};

/* True if the record holds at least the first @size bytes of its view. */
static inline bool record_fits(const struct perf_event_header *header, size_t size)
{
	return header->size >= size;
}

/*
 * Whether a mapping is told with a build-id. While anybody else asked for these, Linux 5.12 and
 * later marks records so that have inodes: most are known by a device number that is no size.
 */
static inline bool record_has_build_id(const struct record_mmap2 *map)
{
	return map->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	       map->build_id_size <= sizeof(map->build_id) && map->reserved_1 == 0 &&
	       map->reserved_2 == 0;
}

/* The string at @s inside the record, or NULL if it does not end within it. */
const char *record_string(const struct perf_event_header *header, const char *s);
