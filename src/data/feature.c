/* feature.c - see feature.h. */
#include "data/feature.h"

#include <errno.h>

#include "base/arena.h"
#include "base/machine.h"
#include "data/body.h"

/* Version of the bodies that have one; there has only been this. */
enum { BODY_VERSION = 1 };

static const char *const perf_names[FEATURE_PERF_END] = {
	[FEATURE_TRACING_DATA] = "TRACING_DATA",
	[FEATURE_BUILD_ID] = "BUILD_ID",
	[FEATURE_HOSTNAME] = "HOSTNAME",
	[FEATURE_OSRELEASE] = "OSRELEASE",
	[FEATURE_VERSION] = "VERSION",
	[FEATURE_ARCH] = "ARCH",
	[FEATURE_NRCPUS] = "NRCPUS",
	[FEATURE_CPUDESC] = "CPUDESC",
	[FEATURE_CPUID] = "CPUID",
	[FEATURE_TOTAL_MEM] = "TOTAL_MEM",
	[FEATURE_CMDLINE] = "CMDLINE",
	[FEATURE_EVENT_DESC] = "EVENT_DESC",
	[FEATURE_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
	[FEATURE_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
	[FEATURE_BRANCH_STACK] = "BRANCH_STACK",
	[FEATURE_PMU_MAPPINGS] = "PMU_MAPPINGS",
	[FEATURE_GROUP_DESC] = "GROUP_DESC",
	[FEATURE_AUXTRACE] = "AUXTRACE",
	[FEATURE_STAT] = "STAT",
	[FEATURE_CACHE] = "CACHE",
	[FEATURE_SAMPLE_TIME] = "SAMPLE_TIME",
	[FEATURE_MEM_TOPOLOGY] = "MEM_TOPOLOGY",
	[FEATURE_CLOCKID] = "CLOCKID",
	[FEATURE_DIR_FORMAT] = "DIR_FORMAT",
	[FEATURE_BPF_PROG_INFO] = "BPF_PROG_INFO",
	[FEATURE_BPF_BTF] = "BPF_BTF",
	[FEATURE_COMPRESSED] = "COMPRESSED",
	[FEATURE_CPU_PMU_CAPS] = "CPU_PMU_CAPS",
	[FEATURE_CLOCK_DATA] = "CLOCK_DATA",
	[FEATURE_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY",
	[FEATURE_PMU_CAPS] = "PMU_CAPS",
	[FEATURE_CPU_DOMAIN_INFO] = "CPU_DOMAIN_INFO",
	[FEATURE_E_MACHINE] = "E_MACHINE",
	[FEATURE_CLN_SIZE] = "CLN_SIZE",
};

const char *feature_name(unsigned feature)
{
	switch (feature) {
	case FEATURE_STROBE_STACKS:
		return "STROBE_STACKS";
	case FEATURE_STROBE_NAMES:
		return "STROBE_NAMES";
	case FEATURE_SIMPLEPERF_FILE:
		return "SIMPLEPERF_FILE";
	case FEATURE_SIMPLEPERF_META_INFO:
		return "SIMPLEPERF_META_INFO";
	case FEATURE_SIMPLEPERF_DEBUG_UNWIND:
		return "SIMPLEPERF_DEBUG_UNWIND";
	case FEATURE_SIMPLEPERF_DEBUG_UNWIND_FILE:
		return "SIMPLEPERF_DEBUG_UNWIND_FILE";
	case FEATURE_SIMPLEPERF_FILE2:
		return "SIMPLEPERF_FILE2";
	case FEATURE_SIMPLEPERF_ETM_BRANCH_LIST:
		return "SIMPLEPERF_ETM_BRANCH_LIST";
	case FEATURE_SIMPLEPERF_INIT_MAP:
		return "SIMPLEPERF_INIT_MAP";
	default:
		return feature < FEATURE_PERF_END ? perf_names[feature] : NULL;
	}
}

bool feature_has_body(unsigned feature)
{
	return feature != FEATURE_BRANCH_STACK && feature != FEATURE_AUXTRACE &&
	       feature != FEATURE_STAT;
}

int feature_string_decode(const void *bytes, size_t size, bool foreign, const char **ret_text)
{
	struct body_in in = body_begin(bytes, size, foreign);
	const char *text = body_string(&in);

	if (in.bad)
		return -EBADMSG;
	*ret_text = text;
	return 0;
}

void feature_string_encode(const char *text, struct body_out *out)
{
	body_put_string(out, text);
}

int feature_nrcpus_decode(const void *bytes, size_t size, bool foreign,
			  struct feature_nrcpus *ret_cpus)
{
	struct body_in in = body_begin(bytes, size, foreign);
	uint32_t available = body_u32(&in), online = body_u32(&in);

	if (in.bad || online > available)
		return -EBADMSG;
	*ret_cpus = (struct feature_nrcpus){ available, online };
	return 0;
}

void feature_nrcpus_encode(const struct feature_nrcpus *cpus, struct body_out *out)
{
	body_put_u32(out, cpus->available);
	body_put_u32(out, cpus->online);
}

int feature_u64_decode(const void *bytes, size_t size, bool foreign, uint64_t *ret_value)
{
	struct body_in in = body_begin(bytes, size, foreign);
	uint64_t value = body_u64(&in);

	if (in.bad)
		return -EBADMSG;
	*ret_value = value;
	return 0;
}

void feature_u64_encode(uint64_t value, struct body_out *out)
{
	body_put_u64(out, value);
}

int feature_u32_decode(const void *bytes, size_t size, bool foreign, uint32_t *ret_value)
{
	struct body_in in = body_begin(bytes, size, foreign);
	uint32_t value = body_u32(&in);

	if (in.bad)
		return -EBADMSG;
	*ret_value = value;
	return 0;
}

void feature_u32_encode(uint32_t value, struct body_out *out)
{
	body_put_u32(out, value);
}

int feature_cmdline_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			   struct machine_list *ret_words)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct machine_list words = { .count = body_u32(&in) };

	if (!body_has(&in, words.count, sizeof(uint32_t)))
		return -EBADMSG;
	words.items = arena_alloc(arena, words.count * sizeof(*words.items));
	for (size_t i = 0; i < words.count; i++)
		words.items[i] = body_string(&in);
	if (in.bad)
		return -EBADMSG;
	*ret_words = words;
	return 0;
}

void feature_cmdline_encode(const struct machine_list *words, struct body_out *out)
{
	body_put_u32(out, (uint32_t)words->count);
	for (size_t i = 0; i < words->count; i++)
		body_put_string(out, words->items[i]);
}

int feature_sample_time_decode(const void *bytes, size_t size, bool foreign,
			       struct feature_sample_time *ret_time)
{
	struct body_in in = body_begin(bytes, size, foreign);
	uint64_t first_ns = body_u64(&in), last_ns = body_u64(&in);

	if (in.bad)
		return -EBADMSG;
	*ret_time = (struct feature_sample_time){ first_ns, last_ns };
	return 0;
}

void feature_sample_time_encode(const struct feature_sample_time *time, struct body_out *out)
{
	body_put_u64(out, time->first_ns);
	body_put_u64(out, time->last_ns);
}

int feature_clock_data_decode(const void *bytes, size_t size, bool foreign,
			      struct feature_clock_data *ret_clock)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct feature_clock_data clock;
	uint32_t version = body_u32(&in);

	clock.clockid = body_u32(&in);
	clock.tod_ns = body_u64(&in);
	clock.clock_ns = body_u64(&in);
	if (in.bad || version != BODY_VERSION)
		return -EBADMSG;
	*ret_clock = clock;
	return 0;
}

void feature_clock_data_encode(const struct feature_clock_data *clock, struct body_out *out)
{
	body_put_u32(out, BODY_VERSION);
	body_put_u32(out, clock->clockid);
	body_put_u64(out, clock->tod_ns);
	body_put_u64(out, clock->clock_ns);
}

int feature_compressed_decode(const void *bytes, size_t size, bool foreign,
			      struct feature_compressed *ret_compressed)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct feature_compressed compressed;

	compressed.version = body_u32(&in);
	compressed.type = body_u32(&in);
	compressed.level = body_u32(&in);
	compressed.ratio = body_u32(&in);
	compressed.mmap_size = body_u32(&in);
	if (in.bad)
		return -EBADMSG;
	*ret_compressed = compressed;
	return 0;
}

int feature_e_machine_decode(const void *bytes, size_t size, bool foreign,
			     struct feature_e_machine *ret_machine)
{
	struct body_in in = body_begin(bytes, size, foreign);
	uint32_t machine = body_u32(&in), flags = body_u32(&in);

	if (in.bad)
		return -EBADMSG;
	*ret_machine = (struct feature_e_machine){ machine, flags };
	return 0;
}

void feature_e_machine_encode(const struct feature_e_machine *machine, struct body_out *out)
{
	body_put_u32(out, machine->machine);
	body_put_u32(out, machine->flags);
}
