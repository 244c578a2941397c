/* feature-text.c - see feature-text.h. */
#include "view/feature-text.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/bpfinfo.h"
#include "data/datafile.h"
#include "data/eventdesc.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/pmus.h"
#include "data/topology.h"
#include "format/attr-text.h"
#include "format/event-name.h"
#include "view/header-text.h"
#include "view/machine-text.h"

#define NS_PER_SEC 1000000000ULL

/* A section being printed. */
struct section {
	const struct datafile *file;
	const struct header_text_options *options;
	const void *bytes;
	size_t size;
	bool foreign;
	struct arena *arena;
	FILE *out;
};

/* How many CPUs sections have entries for: what NRCPUS says, or 0. */
static size_t available_cpus(const struct section *section)
{
	size_t size;
	const void *bytes = datafile_feature(section->file, FEATURE_NRCPUS, &size);
	struct feature_nrcpus cpus;

	if (!bytes || feature_nrcpus_decode(bytes, size, section->foreign, &cpus) < 0)
		return 0;
	return cpus.available;
}

static int print_text(const struct section *section, const char *title)
{
	const char *text;
	int r = feature_string_decode(section->bytes, section->size, section->foreign, &text);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# %s : %s\n", title, text);
	return 0;
}

static int print_hostname(const struct section *section)
{
	return print_text(section, "hostname");
}

static int print_osrelease(const struct section *section)
{
	return print_text(section, "os release");
}

static int print_version(const struct section *section)
{
	return print_text(section, "perf version");
}

static int print_arch(const struct section *section)
{
	return print_text(section, "arch");
}

static int print_cpudesc(const struct section *section)
{
	return print_text(section, "cpudesc");
}

static int print_cpuid(const struct section *section)
{
	return print_text(section, "cpuid");
}

static int print_nrcpus(const struct section *section)
{
	struct feature_nrcpus cpus;
	int r = feature_nrcpus_decode(section->bytes, section->size, section->foreign, &cpus);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# nrcpus online : %" PRIu32 "\n", cpus.online);
	(void)fprintf(section->out, "# nrcpus avail : %" PRIu32 "\n", cpus.available);
	return 0;
}

static int print_total_mem(const struct section *section)
{
	uint64_t total_kb;
	int r = feature_u64_decode(section->bytes, section->size, section->foreign, &total_kb);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# total memory : %" PRIu64 " kB\n", total_kb);
	return 0;
}

/* Single quotes get a backslash before them; there is no other quoting. */
static int print_cmdline(const struct section *section)
{
	struct machine_list words;
	int r = feature_cmdline_decode(section->bytes, section->size, section->foreign,
				       section->arena, &words);

	if (r < 0)
		return r;
	(void)fputs("# cmdline : ", section->out);
	for (size_t i = 0; i < words.count; i++) {
		for (const char *c = words.items[i]; *c; c++) {
			if (*c == '\'')
				(void)fputc('\\', section->out);
			(void)fputc(*c, section->out);
		}
		(void)fputc(' ', section->out);
	}
	(void)fputc('\n', section->out);
	return 0;
}

static const char *tracepoint_of(const struct section *section, const struct eventdesc *event)
{
	const struct header_text_options *options = section->options;

	if (event->attr.type != PERF_TYPE_TRACEPOINT || !options->tracepoint)
		return NULL;
	return options->tracepoint(options->context, event->attr.config, event->name);
}

static void print_event(const struct section *section, const struct eventdesc *event)
{
	_cleanup_(str_done) struct str line = { 0 };

	str_addf(&line, "# event : name = %s, ", event->name);
	for (size_t i = 0; i < event->id_count; i++)
		str_addf(&line, "%s%" PRIu64, i ? ", " : ", id = { ", event->ids[i]);
	str_add(&line, event->id_count ? " }, " : ", ");
	attr_text_add(&line, &event->attr, " = ", tracepoint_of(section, event));
	(void)fprintf(section->out, "%s\n", str_text(&line));
}

static int print_event_desc(const struct section *section)
{
	struct eventdesc_list list;
	int r = eventdesc_decode(section->bytes, section->size, section->foreign, section->arena,
				 &list);

	if (r < 0)
		return r;
	for (size_t i = 0; i < list.count; i++)
		print_event(section, &list.items[i]);
	return 0;
}

static void print_group(const struct events *events, const struct eventdesc_group *group, FILE *out)
{
	_cleanup_(str_done) struct str line = { 0 };

	if (group->name)
		str_add(&line, group->name);
	for (uint32_t i = 0; i < group->member_count; i++) {
		str_add_char(&line, i ? ',' : '{');
		event_name_add_desc(&line, events_at(events, group->leader + i));
	}
	(void)fprintf(out, "# group: %s}\n", str_text(&line));
}

static int print_group_desc(const struct section *section)
{
	const struct events *events = datafile_events(section->file);
	size_t event_count = events_count(events);
	struct eventdesc_groups groups;
	int r = eventdesc_groups_decode(section->bytes, section->size, section->foreign,
					section->arena, &groups);

	if (r < 0)
		return r;
	for (size_t i = 0; i < groups.count; i++) {
		const struct eventdesc_group *group = &groups.items[i];

		if (group->leader >= event_count ||
		    group->member_count > event_count - group->leader)
			return -EBADMSG;
		print_group(events, group, section->out);
	}
	return 0;
}

static int print_cpu_topology(const struct section *section)
{
	struct machine_topology topology;
	int r = topology_cpus_decode(section->bytes, section->size, section->foreign,
				     available_cpus(section), section->arena, &topology);

	if (r == 0)
		machine_text_topology(&topology, section->out);
	return r;
}

static int print_numa_topology(const struct section *section)
{
	struct machine_numa numa;
	int r = topology_numa_decode(section->bytes, section->size, section->foreign,
				     section->arena, &numa);

	if (r == 0)
		machine_text_numa(&numa, section->out);
	return r;
}

static int print_cache(const struct section *section)
{
	struct machine_caches caches;
	int r = topology_cache_decode(section->bytes, section->size, section->foreign,
				      section->arena, &caches);

	if (r == 0)
		machine_text_caches(&caches, section->out);
	return r;
}

static int print_mem_topology(const struct section *section)
{
	struct machine_memory memory;
	int r = topology_memory_decode(section->bytes, section->size, section->foreign,
				       section->arena, &memory);

	if (r == 0)
		machine_text_memory(&memory, section->out);
	return r;
}

static int print_hybrid_topology(const struct section *section)
{
	struct machine_hybrid hybrid;
	int r = topology_hybrid_decode(section->bytes, section->size, section->foreign,
				       section->arena, &hybrid);

	if (r == 0)
		machine_text_hybrid(&hybrid, section->out);
	return r;
}

static int print_cpu_domain_info(const struct section *section)
{
	struct machine_domains domains;
	int r = topology_domains_decode(section->bytes, section->size, section->foreign,
					available_cpus(section), section->arena, &domains);

	if (r == 0)
		machine_text_domains(&domains, section->out);
	return r;
}

static int print_pmu_mappings(const struct section *section)
{
	struct machine_pmus pmus;
	int r = pmus_mappings_decode(section->bytes, section->size, section->foreign,
				     section->arena, &pmus);

	if (r == 0)
		machine_text_pmus(&pmus, section->out);
	return r;
}

static int print_cpu_pmu_caps(const struct section *section)
{
	struct machine_caps caps;
	int r = pmus_cpu_caps_decode(section->bytes, section->size, section->foreign,
				     section->arena, &caps);

	if (r == 0)
		machine_text_caps(&caps, section->out);
	return r;
}

static int print_pmu_caps(const struct section *section)
{
	struct machine_all_caps caps;
	int r = pmus_caps_decode(section->bytes, section->size, section->foreign, section->arena,
				 &caps);

	if (r < 0)
		return r;
	for (size_t i = 0; i < caps.count; i++)
		machine_text_caps(&caps.pmus[i], section->out);
	return 0;
}

static int print_branch_stack(const struct section *section)
{
	(void)fputs("# contains samples with branch stack\n", section->out);
	return 0;
}

static int print_auxtrace(const struct section *section)
{
	(void)fputs("# contains AUX area data (e.g. instruction trace)\n", section->out);
	return 0;
}

static int print_stat(const struct section *section)
{
	(void)fputs("# contains stat data\n", section->out);
	return 0;
}

static void print_moment(const struct section *section, const char *title, uint64_t time_ns)
{
	(void)fprintf(section->out, "# time of %s sample : %" PRIu64 ".%06" PRIu64 "\n", title,
		      (uint64_t)(time_ns / NS_PER_SEC), (uint64_t)(time_ns % NS_PER_SEC / 1000));
}

static int print_sample_time(const struct section *section)
{
	struct feature_sample_time time;
	int r = feature_sample_time_decode(section->bytes, section->size, section->foreign, &time);

	if (r < 0)
		return r;
	print_moment(section, "first", time.first_ns);
	print_moment(section, "last", time.last_ns);
	(void)fprintf(section->out, "# sample duration : %10.3f ms\n",
		      (double)(time.last_ns - time.first_ns) / 1e6);
	return 0;
}

/* perf takes the resolution in ns for a frequency in GHz, which it is for 1 alone. */
static int print_clockid(const struct section *section)
{
	uint64_t resolution_ns;
	int r = feature_u64_decode(section->bytes, section->size, section->foreign, &resolution_ns);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# clockid frequency: %" PRIu64 " MHz\n", resolution_ns * 1000);
	return 0;
}

static const char *clock_name(uint32_t clockid)
{
	switch (clockid) {
	case CLOCK_REALTIME:
		return "realtime";
	case CLOCK_MONOTONIC:
		return "monotonic";
	case CLOCK_MONOTONIC_RAW:
		return "monotonic_raw";
	case CLOCK_BOOTTIME:
		return "boottime";
	case CLOCK_TAI:
		return "tai";
	default:
		return "(not found)";
	}
}

static int print_clock_data(const struct section *section)
{
	struct feature_clock_data clock;
	char day[32];
	struct tm local;
	time_t seconds;
	int r = feature_clock_data_decode(section->bytes, section->size, section->foreign, &clock);

	if (r < 0)
		return r;
	seconds = (time_t)(clock.tod_ns / NS_PER_SEC);
	if (!localtime_r(&seconds, &local) || strftime(day, sizeof(day), "%F %T", &local) == 0)
		return -EBADMSG;
	(void)fprintf(section->out, "# clockid: %s (%" PRIu32 ")\n", clock_name(clock.clockid),
		      clock.clockid);
	(void)fprintf(section->out,
		      "# reference time: %s.%06" PRIu64 " = %" PRIu64 ".%06" PRIu64
		      " (TOD) = %" PRIu64 ".%09" PRIu64 " (%s)\n",
		      day, (uint64_t)(clock.tod_ns % NS_PER_SEC / 1000),
		      (uint64_t)(clock.tod_ns / NS_PER_SEC),
		      (uint64_t)(clock.tod_ns % NS_PER_SEC / 1000),
		      (uint64_t)(clock.clock_ns / NS_PER_SEC),
		      (uint64_t)(clock.clock_ns % NS_PER_SEC), clock_name(clock.clockid));
	return 0;
}

static int print_dir_format(const struct section *section)
{
	uint64_t version;
	int r = feature_u64_decode(section->bytes, section->size, section->foreign, &version);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# directory data version : %" PRIu64 "\n", version);
	return 0;
}

/* The types that programs name; none where there are none, or they are damaged. */
static struct bpfinfo_btfs load_btfs(const struct section *section)
{
	struct bpfinfo_btfs btfs = { 0 };
	size_t size;
	const void *bytes = datafile_feature(section->file, FEATURE_BPF_BTF, &size);

	if (bytes)
		(void)bpfinfo_btfs_decode(bytes, size, section->foreign, section->arena, &btfs);
	return btfs;
}

static void print_program(const struct section *section, const struct bpfinfo_program *program)
{
	bool many = program->count > 1;

	if (many)
		(void)fprintf(section->out, "# bpf_prog_info %" PRIu32 ":\n", program->id);
	for (size_t i = 0; i < program->count; i++) {
		const struct bpfinfo_function *function = &program->functions[i];

		if (many)
			(void)fprintf(section->out, "# \tsub_prog %zu: ", i);
		else
			(void)fprintf(section->out, "# bpf_prog_info %" PRIu32 ": ", program->id);
		(void)fprintf(section->out, "%s addr %#" PRIx64 " size %" PRIu32 "\n",
			      function->name, function->addr, function->size);
	}
}

static int print_bpf_prog_info(const struct section *section)
{
	struct bpfinfo_btfs btfs = load_btfs(section);
	struct bpfinfo_programs programs;
	int r = bpfinfo_programs_decode(section->bytes, section->size, section->foreign, &btfs,
					section->arena, &programs);

	if (r < 0)
		return r;
	if (programs.count == 0)
		(void)fputs("# bpf_prog_info empty\n", section->out);
	for (size_t i = 0; i < programs.count; i++)
		print_program(section, &programs.items[i]);
	return 0;
}

static int print_bpf_btf(const struct section *section)
{
	struct bpfinfo_btfs btfs;
	int r = bpfinfo_btfs_decode(section->bytes, section->size, section->foreign, section->arena,
				    &btfs);

	if (r < 0)
		return r;
	if (btfs.count == 0)
		(void)fputs("# btf info empty\n", section->out);
	for (size_t i = 0; i < btfs.count; i++)
		(void)fprintf(section->out, "# btf info of id %" PRIu32 "\n", btfs.items[i].id);
	return 0;
}

static int print_compressed(const struct section *section)
{
	struct feature_compressed compressed;
	int r = feature_compressed_decode(section->bytes, section->size, section->foreign,
					  &compressed);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# compressed : %s, level = %" PRIu32 ", ratio = %" PRIu32 "\n",
		      compressed.type == FEATURE_COMPRESSED_ZSTD ? "Zstd" : "Unknown",
		      compressed.level, compressed.ratio);
	return 0;
}

static int print_e_machine(const struct section *section)
{
	struct feature_e_machine machine;
	int r = feature_e_machine_decode(section->bytes, section->size, section->foreign, &machine);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# e_machine : %" PRIu32 "\n#   e_flags : %" PRIu32 "\n",
		      machine.machine, machine.flags);
	return 0;
}

static int print_cln_size(const struct section *section)
{
	uint32_t size;
	int r = feature_u32_decode(section->bytes, section->size, section->foreign, &size);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# cacheline size: %" PRIu32 "\n", size);
	return 0;
}

static const struct {
	int (*print)(const struct section *section); /* NULL: nothing is said of it */
	bool full_only;
} PRINTERS[FEATURE_PERF_END] = {
	[FEATURE_HOSTNAME] = { print_hostname, false },
	[FEATURE_OSRELEASE] = { print_osrelease, false },
	[FEATURE_VERSION] = { print_version, false },
	[FEATURE_ARCH] = { print_arch, false },
	[FEATURE_NRCPUS] = { print_nrcpus, false },
	[FEATURE_CPUDESC] = { print_cpudesc, false },
	[FEATURE_CPUID] = { print_cpuid, false },
	[FEATURE_TOTAL_MEM] = { print_total_mem, false },
	[FEATURE_CMDLINE] = { print_cmdline, false },
	[FEATURE_EVENT_DESC] = { print_event_desc, false },
	[FEATURE_CPU_TOPOLOGY] = { print_cpu_topology, true },
	[FEATURE_NUMA_TOPOLOGY] = { print_numa_topology, true },
	[FEATURE_BRANCH_STACK] = { print_branch_stack, false },
	[FEATURE_PMU_MAPPINGS] = { print_pmu_mappings, false },
	[FEATURE_GROUP_DESC] = { print_group_desc, false },
	[FEATURE_AUXTRACE] = { print_auxtrace, false },
	[FEATURE_STAT] = { print_stat, false },
	[FEATURE_CACHE] = { print_cache, true },
	[FEATURE_SAMPLE_TIME] = { print_sample_time, false },
	[FEATURE_MEM_TOPOLOGY] = { print_mem_topology, true },
	[FEATURE_CLOCKID] = { print_clockid, false },
	[FEATURE_DIR_FORMAT] = { print_dir_format, false },
	[FEATURE_BPF_PROG_INFO] = { print_bpf_prog_info, false },
	[FEATURE_BPF_BTF] = { print_bpf_btf, false },
	[FEATURE_COMPRESSED] = { print_compressed, false },
	[FEATURE_CPU_PMU_CAPS] = { print_cpu_pmu_caps, false },
	[FEATURE_CLOCK_DATA] = { print_clock_data, false },
	[FEATURE_HYBRID_TOPOLOGY] = { print_hybrid_topology, true },
	[FEATURE_PMU_CAPS] = { print_pmu_caps, false },
	[FEATURE_CPU_DOMAIN_INFO] = { print_cpu_domain_info, true },
	[FEATURE_E_MACHINE] = { print_e_machine, false },
	[FEATURE_CLN_SIZE] = { print_cln_size, false },
};

/* A pipe's features end with a record of the first number that its recorder did not know. */
static bool is_end_mark(const struct section *section, unsigned feature)
{
	return datafile_header(section->file)->pipe && section->size == 0 &&
	       feature != FEATURE_BRANCH_STACK && feature != FEATURE_AUXTRACE &&
	       feature != FEATURE_STAT;
}

void feature_text_print(const struct datafile *file, unsigned feature,
			const struct header_text_options *options, FILE *out)
{
	struct arena arena = { 0 };
	struct section section = {
		.file = file,
		.options = options,
		.foreign = datafile_header(file)->foreign,
		.arena = &arena,
		.out = out,
	};

	section.bytes = datafile_feature(file, feature, &section.size);
	if (!section.bytes || !PRINTERS[feature].print || is_end_mark(&section, feature))
		return;
	if (PRINTERS[feature].full_only && !options->full)
		(void)fprintf(out, "# %s info available, use -I to display\n",
			      feature_name(feature));
	else if (PRINTERS[feature].print(&section) < 0)
		(void)fprintf(out, "# %s info is damaged\n", feature_name(feature));
	arena_done(&arena);
}
