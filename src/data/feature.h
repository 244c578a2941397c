/*
 * feature.h - the header features of a recording: their numbers, names, and the simple bodies.
 *
 * A feature is a bit in the header and a section behind the records; in a pipe it is a
 * HEADER_FEATURE record. Bodies that are lists have files of their own: topology.h, pmus.h,
 * eventdesc.h, buildids.h, bpfinfo.h. Numbers 0 to 127 are perf's (perf.data-file-format.txt in
 * the kernel's tools/perf/Documentation), from 128 simpleperf's, from 200 strobe's own.
 *
 * Decoders take a section as the file has it, @foreign being datafile_header.foreign, and return
 * 0 or -EBADMSG. Strings they hand out are borrowed from the section.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct body_out;
struct machine_list;

enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_PMU_MAPPINGS = 16,
	FEATURE_GROUP_DESC = 17,
	FEATURE_AUXTRACE = 18,
	FEATURE_STAT = 19,
	FEATURE_CACHE = 20,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_MEM_TOPOLOGY = 22,
	FEATURE_CLOCKID = 23,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_BPF_PROG_INFO = 25,
	FEATURE_BPF_BTF = 26,
	FEATURE_COMPRESSED = 27,
	FEATURE_CPU_PMU_CAPS = 28,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_HYBRID_TOPOLOGY = 30,
	FEATURE_PMU_CAPS = 31,
	FEATURE_CPU_DOMAIN_INFO = 32,
	FEATURE_E_MACHINE = 33,
	FEATURE_CLN_SIZE = 34,
	FEATURE_PERF_END, /* perf 7.2 knows those before it, and lists those that are missing */

	FEATURE_SIMPLEPERF_FILE = 128,
	FEATURE_SIMPLEPERF_META_INFO = 129,
	FEATURE_SIMPLEPERF_DEBUG_UNWIND = 130,
	FEATURE_SIMPLEPERF_DEBUG_UNWIND_FILE = 131,
	FEATURE_SIMPLEPERF_FILE2 = 132,
	FEATURE_SIMPLEPERF_ETM_BRANCH_LIST = 133,
	FEATURE_SIMPLEPERF_INIT_MAP = 134,

	FEATURE_STROBE_STACKS = 200, /* stackinfo.h */
	FEATURE_STROBE_NAMES = 201,  /* keptnames.h */
};

/* "HOSTNAME"; NULL for a number that is not named above. */
const char *feature_name(unsigned feature);
/* False of features that say something by being there: their sections are empty. */
bool feature_has_body(unsigned feature);

/* HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID. */
int feature_string_decode(const void *bytes, size_t size, bool foreign, const char **ret_text);
void feature_string_encode(const char *text, struct body_out *out);

struct feature_nrcpus {
	uint32_t available, online;
};
int feature_nrcpus_decode(const void *bytes, size_t size, bool foreign,
			  struct feature_nrcpus *ret_cpus);
void feature_nrcpus_encode(const struct feature_nrcpus *cpus, struct body_out *out);

/* TOTAL_MEM (kB), CLOCKID (the clock's resolution in ns), DIR_FORMAT (version): one number. */
int feature_u64_decode(const void *bytes, size_t size, bool foreign, uint64_t *ret_value);
void feature_u64_encode(uint64_t value, struct body_out *out);

/* CLN_SIZE: bytes of a cache line. */
int feature_u32_decode(const void *bytes, size_t size, bool foreign, uint32_t *ret_value);
void feature_u32_encode(uint32_t value, struct body_out *out);

/* CMDLINE. The list lies in @arena. */
int feature_cmdline_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			   struct machine_list *ret_words);
void feature_cmdline_encode(const struct machine_list *words, struct body_out *out);

struct feature_sample_time {
	uint64_t first_ns, last_ns;
};
int feature_sample_time_decode(const void *bytes, size_t size, bool foreign,
			       struct feature_sample_time *ret_time);
void feature_sample_time_encode(const struct feature_sample_time *time, struct body_out *out);

/* The same moment on two clocks: so times of the recording can be shown as time of day. */
struct feature_clock_data {
	uint32_t clockid;
	uint64_t tod_ns; /* since 1970 */
	uint64_t clock_ns;
};
int feature_clock_data_decode(const void *bytes, size_t size, bool foreign,
			      struct feature_clock_data *ret_clock);
void feature_clock_data_encode(const struct feature_clock_data *clock, struct body_out *out);

enum { FEATURE_COMPRESSED_ZSTD = 1 };
struct feature_compressed {
	uint32_t version, type, level, ratio, mmap_size;
};
int feature_compressed_decode(const void *bytes, size_t size, bool foreign,
			      struct feature_compressed *ret_compressed);

/* Of the recorder's ELF file: EM_* and e_flags. */
struct feature_e_machine {
	uint32_t machine, flags;
};
int feature_e_machine_decode(const void *bytes, size_t size, bool foreign,
			     struct feature_e_machine *ret_machine);
void feature_e_machine_encode(const struct feature_e_machine *machine, struct body_out *out);
