/* header-features.c - see header-features.h. */
#include "collect/header-features.h"

#include <string.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "collect/bpf-records.h"
#include "data/body.h"
#include "data/buildids.h"
#include "data/eventdesc.h"
#include "data/feature.h"
#include "data/pmus.h"
#include "data/topology.h"
#include "data/writer.h"
#include "event/eventlist.h"
#include "kernel/bpf-programs.h"
#include "kernel/host-pmus.h"
#include "kernel/host-topology.h"
#include "kernel/host.h"

/* What is being written: sections are encoded into @body one after another. */
struct gathering {
	const struct header_features_options *options;
	struct writer *writer;
	struct arena *arena;
	struct body_out body;
	size_t cpu_count;
};

/* Hands over what was encoded, and makes room for the next. */
static int put(struct gathering *gathering, enum feature feature, struct strobe_err *err)
{
	int r = 0;

	/* perf 6.1 skips what it does not know in a file, but stops reading a pipe there. */
	if (!gathering->options->pipe || feature <= FEATURE_PMU_CAPS)
		r = writer_feature(gathering->writer, feature,
				   gathering->body.bytes ? (const void *)gathering->body.bytes : "",
				   gathering->body.size, err);

	gathering->body.size = 0;
	return r;
}

/* A feature that is one string; none where it is not known. */
static int put_string(struct gathering *gathering, enum feature feature, const char *text,
		      struct strobe_err *err)
{
	if (!text)
		return 0;
	feature_string_encode(text, &gathering->body);
	return put(gathering, feature, err);
}

static int write_names(struct gathering *gathering, struct strobe_err *err)
{
	const struct header_features_options *options = gathering->options;
	struct arena *arena = gathering->arena;
	struct host_names names;
	int r = host_names(arena, &names, err);

	if (r == 0)
		r = put_string(gathering, FEATURE_HOSTNAME, names.hostname, err);
	if (r == 0)
		r = put_string(gathering, FEATURE_OSRELEASE, names.release, err);
	if (r == 0)
		r = put_string(gathering, FEATURE_VERSION, options->version, err);
	if (r == 0)
		r = put_string(gathering, FEATURE_ARCH, names.arch, err);
	if (r == 0)
		r = put_string(gathering, FEATURE_CPUDESC, host_cpu_name(options->root, arena),
			       err);
	if (r == 0)
		r = put_string(gathering, FEATURE_CPUID, host_cpu_id(options->root, arena), err);
	return r;
}

static int write_numbers(struct gathering *gathering, struct strobe_err *err)
{
	const char *root = gathering->options->root;
	struct feature_nrcpus cpus = {
		.available = (uint32_t)gathering->cpu_count,
		.online = (uint32_t)host_cpus_online(root),
	};
	uint64_t memory_kb = host_memory_kb(root);
	uint32_t line_size = host_cache_line_size(root);
	struct feature_e_machine machine;
	int r = 0;

	if (cpus.available) {
		feature_nrcpus_encode(&cpus, &gathering->body);
		r = put(gathering, FEATURE_NRCPUS, err);
	}
	if (r == 0 && memory_kb) {
		feature_u64_encode(memory_kb, &gathering->body);
		r = put(gathering, FEATURE_TOTAL_MEM, err);
	}
	if (r == 0 && host_machine(&machine.machine, &machine.flags) == 0) {
		feature_e_machine_encode(&machine, &gathering->body);
		r = put(gathering, FEATURE_E_MACHINE, err);
	}
	if (r == 0 && line_size) {
		feature_u32_encode(line_size, &gathering->body);
		r = put(gathering, FEATURE_CLN_SIZE, err);
	}
	return r;
}

static int write_cmdline(struct gathering *gathering, struct strobe_err *err)
{
	const char *const *argv = gathering->options->argv;
	const char *path = host_exe_path(gathering->arena);
	struct machine_list words = { 0 };
	size_t count = 0;

	while (argv && argv[count])
		count++;
	words.items = arena_alloc(gathering->arena, (count + 1) * sizeof(*words.items));
	if (!gathering->options->is_stat)
		words.items[words.count++] = path ? path : "strobe";
	for (size_t i = 0; i < count; i++)
		words.items[words.count++] = argv[i];
	feature_cmdline_encode(&words, &gathering->body);
	return put(gathering, FEATURE_CMDLINE, err);
}

static int write_event_desc(struct gathering *gathering, struct strobe_err *err)
{
	const struct header_features_options *options = gathering->options;
	struct eventdesc_list list = { .count = options->event_count };

	list.items = arena_alloc(gathering->arena, list.count * sizeof(*list.items));
	for (size_t i = 0; i < list.count; i++)
		list.items[i] = (struct eventdesc){
			.attr = options->events[i].attr,
			.name = options->events[i].name,
			.ids = options->events[i].ids,
			.id_count = options->events[i].id_count,
		};
	eventdesc_encode(&list, &gathering->body);
	return put(gathering, FEATURE_EVENT_DESC, err);
}

static int write_group_desc(struct gathering *gathering, struct strobe_err *err)
{
	const struct header_features_options *options = gathering->options;
	struct eventdesc_groups groups = { .count = options->group_count };

	if (groups.count == 0)
		return 0;
	groups.items = arena_alloc(gathering->arena, groups.count * sizeof(*groups.items));
	memcpy(groups.items, options->groups, groups.count * sizeof(*groups.items));
	eventdesc_groups_encode(&groups, &gathering->body);
	return put(gathering, FEATURE_GROUP_DESC, err);
}

static int write_topology(struct gathering *gathering, struct strobe_err *err)
{
	const char *root = gathering->options->root;
	struct machine_topology topology;
	struct machine_caches caches;
	struct machine_domains domains;
	int r = 0;

	host_topology_cpus(root, gathering->cpu_count, gathering->arena, &topology);
	if (topology.threads.count) {
		topology_cpus_encode(&topology, &gathering->body);
		r = put(gathering, FEATURE_CPU_TOPOLOGY, err);
	}
	host_topology_caches(root, gathering->cpu_count, gathering->arena, &caches);
	if (r == 0 && caches.count) {
		topology_cache_encode(&caches, &gathering->body);
		r = put(gathering, FEATURE_CACHE, err);
	}
	if (r == 0 &&
	    host_topology_domains(root, gathering->cpu_count, gathering->arena, &domains) == 0) {
		topology_domains_encode(&domains, &gathering->body);
		r = put(gathering, FEATURE_CPU_DOMAIN_INFO, err);
	}
	return r;
}

static int write_memory(struct gathering *gathering, struct strobe_err *err)
{
	const char *root = gathering->options->root;
	struct machine_numa numa;
	struct machine_memory memory;
	int r = 0;

	host_topology_numa(root, gathering->arena, &numa);
	if (numa.count) {
		topology_numa_encode(&numa, &gathering->body);
		r = put(gathering, FEATURE_NUMA_TOPOLOGY, err);
	}
	host_topology_memory(root, gathering->arena, &memory);
	if (r == 0 && memory.count) {
		topology_memory_encode(&memory, &gathering->body);
		r = put(gathering, FEATURE_MEM_TOPOLOGY, err);
	}
	return r;
}

static int write_pmus(struct gathering *gathering, struct strobe_err *err)
{
	const char *root = gathering->options->root;
	struct machine_pmus pmus;
	struct machine_caps cpu_caps;
	struct machine_all_caps caps;
	struct machine_hybrid hybrid;
	int r;

	host_pmus_list(root, gathering->arena, &pmus);
	pmus_mappings_encode(&pmus, &gathering->body);
	r = put(gathering, FEATURE_PMU_MAPPINGS, err);
	host_pmus_caps(root, "cpu", gathering->arena, &cpu_caps);
	if (r == 0 && cpu_caps.count) {
		pmus_cpu_caps_encode(&cpu_caps, &gathering->body);
		r = put(gathering, FEATURE_CPU_PMU_CAPS, err);
	}
	if (r < 0)
		return r;
	host_pmus_all_caps(root, &pmus, gathering->arena, &caps);
	pmus_caps_encode(&caps, &gathering->body);
	r = put(gathering, FEATURE_PMU_CAPS, err);
	host_pmus_hybrid(root, &pmus, gathering->arena, &hybrid);
	if (r == 0 && hybrid.count) {
		topology_hybrid_encode(&hybrid, &gathering->body);
		r = put(gathering, FEATURE_HYBRID_TOPOLOGY, err);
	}
	return r;
}

/* Those who may not see programs do not say that there is none. */
static int write_bpf(struct gathering *gathering, struct strobe_err *err)
{
	const struct bpf_programs *bpf = gathering->options->bpf;
	int r;

	if (!bpf || (bpf->count == 0 && !host_has_no_bpf()))
		return 0;
	bpf_records_info(bpf, &gathering->body);
	r = put(gathering, FEATURE_BPF_PROG_INFO, err);
	if (r < 0)
		return r;
	bpf_records_types(bpf, &gathering->body);
	return put(gathering, FEATURE_BPF_BTF, err);
}

static int write_clock(struct gathering *gathering, struct strobe_err *err)
{
	const struct header_features_options *options = gathering->options;
	struct feature_clock_data clock = { .clockid = (uint32_t)options->clockid };
	int r;

	if (!options->use_clockid)
		return 0;
	feature_u64_encode(host_clock_resolution_ns(options->clockid), &gathering->body);
	r = put(gathering, FEATURE_CLOCKID, err);
	if (r < 0 || host_clock_pair(options->clockid, &clock.tod_ns, &clock.clock_ns) < 0)
		return r;
	feature_clock_data_encode(&clock, &gathering->body);
	return put(gathering, FEATURE_CLOCK_DATA, err);
}

static int write_build_ids(struct gathering *gathering, struct strobe_err *err)
{
	const struct header_features_options *options = gathering->options;

	for (size_t i = 0; i < options->build_id_count; i++)
		buildids_encode(&options->build_ids[i], &gathering->body);
	return options->build_id_count ? put(gathering, FEATURE_BUILD_ID, err) : 0;
}

static int write_sample_time(struct gathering *gathering, struct strobe_err *err)
{
	const struct header_features_options *options = gathering->options;
	struct feature_sample_time time = { options->first_ns, options->last_ns };

	feature_sample_time_encode(&time, &gathering->body);
	return put(gathering, FEATURE_SAMPLE_TIME, err);
}

static int write_records(struct gathering *gathering, struct strobe_err *err)
{
	const struct header_features_options *options = gathering->options;

	if (options->is_stat)
		return put(gathering, FEATURE_STAT, err);
	return options->branch_stack ? put(gathering, FEATURE_BRANCH_STACK, err) : 0;
}

size_t header_features_groups(const struct eventlist *list, struct eventdesc_group *groups)
{
	size_t count = 0;

	for (size_t leader = 0; leader < list->count; leader++) {
		struct eventdesc_group group = { .leader = (uint32_t)leader };

		for (size_t i = 0; i < list->count; i++)
			group.member_count += list->items[i].leader == leader;
		if (group.member_count > 1)
			groups[count++] = group;
	}
	return count;
}

typedef int write_part(struct gathering *, struct strobe_err *);

static int write_parts(write_part *const *parts, size_t count,
		       const struct header_features_options *options, struct writer *writer,
		       struct strobe_err *err)
{
	struct arena arena = { 0 };
	struct gathering gathering = {
		.options = options,
		.writer = writer,
		.arena = &arena,
		.cpu_count = host_cpus_available(options->root),
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < count; i++)
		r = parts[i](&gathering, err);
	body_done(&gathering.body);
	arena_done(&arena);
	return r;
}

int header_features_begin(const struct header_features_options *options, struct writer *writer,
			  struct strobe_err *err)
{
	static write_part *const parts[] = {
		write_names,  write_numbers, write_cmdline,    write_event_desc, write_topology,
		write_memory, write_pmus,    write_group_desc, write_clock,      write_records,
	};

	return write_parts(parts, sizeof(parts) / sizeof(*parts), options, writer, err);
}

int header_features_end(const struct header_features_options *options, struct writer *writer,
			struct strobe_err *err)
{
	static write_part *const parts[] = { write_bpf, write_build_ids, write_sample_time };
	size_t count = options->pipe ? 1 : sizeof(parts) / sizeof(*parts);

	return write_parts(parts, count, options, writer, err);
}

int header_features_write(const struct header_features_options *options, struct writer *writer,
			  struct strobe_err *err)
{
	int r = header_features_begin(options, writer, err);

	return r == 0 ? header_features_end(options, writer, err) : r;
}
