/* record.c - see record.h. */
#include "data/record.h"

#include <string.h>

static const char *const KERNEL_NAMES[] = {
	[PERF_RECORD_MMAP] = "MMAP",
	[PERF_RECORD_LOST] = "LOST",
	[PERF_RECORD_COMM] = "COMM",
	[PERF_RECORD_EXIT] = "EXIT",
	[PERF_RECORD_THROTTLE] = "THROTTLE",
	[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[PERF_RECORD_FORK] = "FORK",
	[PERF_RECORD_READ] = "READ",
	[PERF_RECORD_SAMPLE] = "SAMPLE",
	[PERF_RECORD_MMAP2] = "MMAP2",
	[PERF_RECORD_AUX] = "AUX",
	[PERF_RECORD_ITRACE_START] = "ITRACE_START",
	[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
	[PERF_RECORD_SWITCH] = "SWITCH",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	[PERF_RECORD_NAMESPACES] = "NAMESPACES",
	[PERF_RECORD_KSYMBOL] = "KSYMBOL",
	[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
	[PERF_RECORD_CGROUP] = "CGROUP",
	[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	[RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
};

static const char *const RECORDER_NAMES[] = {
	[RECORD_HEADER_ATTR - 64] = "ATTR",
	[RECORD_HEADER_EVENT_TYPE - 64] = "EVENT_TYPE",
	[RECORD_HEADER_TRACING_DATA - 64] = "TRACING_DATA",
	[RECORD_HEADER_BUILD_ID - 64] = "BUILD_ID",
	[RECORD_FINISHED_ROUND - 64] = "FINISHED_ROUND",
	[RECORD_ID_INDEX - 64] = "ID_INDEX",
	[RECORD_AUXTRACE_INFO - 64] = "AUXTRACE_INFO",
	[RECORD_AUXTRACE - 64] = "AUXTRACE",
	[RECORD_AUXTRACE_ERROR - 64] = "AUXTRACE_ERROR",
	[RECORD_THREAD_MAP - 64] = "THREAD_MAP",
	[RECORD_CPU_MAP - 64] = "CPU_MAP",
	[RECORD_STAT_CONFIG - 64] = "STAT_CONFIG",
	[RECORD_STAT - 64] = "STAT",
	[RECORD_STAT_ROUND - 64] = "STAT_ROUND",
	[RECORD_EVENT_UPDATE - 64] = "EVENT_UPDATE",
	[RECORD_TIME_CONV - 64] = "TIME_CONV",
	[RECORD_HEADER_FEATURE - 64] = "FEATURE",
	[RECORD_COMPRESSED - 64] = "COMPRESSED",
	[RECORD_FINISHED_INIT - 64] = "FINISHED_INIT",
	[RECORD_COMPRESSED2 - 64] = "COMPRESSED2",
	[RECORD_BPF_METADATA - 64] = "BPF_METADATA",
	[RECORD_SCHEDSTAT_CPU - 64] = "SCHEDSTAT_CPU",
	[RECORD_SCHEDSTAT_DOMAIN - 64] = "SCHEDSTAT_DOMAIN",
};

const char *record_type_name(uint32_t type)
{
	if (type < sizeof(KERNEL_NAMES) / sizeof(*KERNEL_NAMES))
		return KERNEL_NAMES[type];
	if (type >= 64 && type - 64 < sizeof(RECORDER_NAMES) / sizeof(*RECORDER_NAMES))
		return RECORDER_NAMES[type - 64];
	return NULL;
}

size_t record_view_size(uint32_t type)
{
	static const size_t sizes[] = {
		[PERF_RECORD_MMAP] = sizeof(struct record_mmap),
		[PERF_RECORD_MMAP2] = sizeof(struct record_mmap2),
		[PERF_RECORD_COMM] = sizeof(struct record_comm),
		[PERF_RECORD_FORK] = sizeof(struct record_task),
		[PERF_RECORD_EXIT] = sizeof(struct record_task),
		[PERF_RECORD_LOST] = sizeof(struct record_lost),
		[PERF_RECORD_LOST_SAMPLES] = sizeof(struct record_lost_samples),
		[PERF_RECORD_SWITCH] = sizeof(struct perf_event_header),
		[PERF_RECORD_SWITCH_CPU_WIDE] = sizeof(struct record_switch_cpu_wide),
		[PERF_RECORD_NAMESPACES] = sizeof(struct record_namespaces),
		[PERF_RECORD_KSYMBOL] = sizeof(struct record_ksymbol),
		[PERF_RECORD_BPF_EVENT] = sizeof(struct record_bpf_event),
		[PERF_RECORD_CGROUP] = sizeof(struct record_cgroup),
		[PERF_RECORD_TEXT_POKE] = sizeof(struct record_text_poke),
	};

	if (type >= sizeof(sizes) / sizeof(sizes[0]) || sizes[type] == 0)
		return SIZE_MAX;
	return sizes[type];
}

const char *record_string(const struct perf_event_header *header, const char *s)
{
	const char *begin = (const char *)header;
	const char *end = begin + header->size;

	if (s < begin || s >= end || !memchr(s, '\0', (size_t)(end - s)))
		return NULL;
	return s;
}
