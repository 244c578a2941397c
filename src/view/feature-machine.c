/* feature-machine.c - see feature-machine.h. */
#include "view/feature-machine.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/datafile.h"
#include "data/feature.h"
#include "data/pmus.h"
#include "data/topology.h"
#include "view/feature-text.h"
#include "view/machine-text.h"

/* How many CPUs sections have entries for: what NRCPUS says, or 0. */
static size_t available_cpus(const struct feature_text_section *section)
{
	size_t size;
	const void *bytes = datafile_feature(section->file, FEATURE_NRCPUS, &size);
	struct feature_nrcpus cpus;

	if (!bytes || feature_nrcpus_decode(bytes, size, section->foreign, &cpus) < 0)
		return 0;
	return cpus.available;
}

static int print_text(const struct feature_text_section *section, const char *title)
{
	_cleanup_(str_done) struct str line = { 0 };
	const char *text;
	int r = feature_string_decode(section->bytes, section->size, section->foreign, &text);

	if (r < 0)
		return r;
	str_addf(&line, "# %s : %s", title, text);
	str_one_line(&line, 0);
	(void)fprintf(section->out, "%s\n", str_text(&line));
	return 0;
}

static int print_hostname(const struct feature_text_section *section)
{
	return print_text(section, "hostname");
}

static int print_osrelease(const struct feature_text_section *section)
{
	return print_text(section, "os release");
}

static int print_version(const struct feature_text_section *section)
{
	return print_text(section, "perf version");
}

static int print_arch(const struct feature_text_section *section)
{
	return print_text(section, "arch");
}

static int print_cpudesc(const struct feature_text_section *section)
{
	return print_text(section, "cpudesc");
}

static int print_cpuid(const struct feature_text_section *section)
{
	return print_text(section, "cpuid");
}

static int print_nrcpus(const struct feature_text_section *section)
{
	struct feature_nrcpus cpus;
	int r = feature_nrcpus_decode(section->bytes, section->size, section->foreign, &cpus);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# nrcpus online : %" PRIu32 "\n", cpus.online);
	(void)fprintf(section->out, "# nrcpus avail : %" PRIu32 "\n", cpus.available);
	return 0;
}

static int print_total_mem(const struct feature_text_section *section)
{
	uint64_t total_kb;
	int r = feature_u64_decode(section->bytes, section->size, section->foreign, &total_kb);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# total memory : %" PRIu64 " kB\n", total_kb);
	return 0;
}

static int print_cpu_topology(const struct feature_text_section *section)
{
	struct machine_topology topology;
	int r = topology_cpus_decode(section->bytes, section->size, section->foreign,
				     available_cpus(section), section->arena, &topology);

	if (r == 0)
		machine_text_topology(&topology, section->out);
	return r;
}

static int print_numa_topology(const struct feature_text_section *section)
{
	struct machine_numa numa;
	int r = topology_numa_decode(section->bytes, section->size, section->foreign,
				     section->arena, &numa);

	if (r == 0)
		machine_text_numa(&numa, section->out);
	return r;
}

static int print_cache(const struct feature_text_section *section)
{
	struct machine_caches caches;
	int r = topology_cache_decode(section->bytes, section->size, section->foreign,
				      section->arena, &caches);

	if (r == 0)
		machine_text_caches(&caches, section->out);
	return r;
}

static int print_mem_topology(const struct feature_text_section *section)
{
	struct machine_memory memory;
	int r = topology_memory_decode(section->bytes, section->size, section->foreign,
				       section->arena, &memory);

	if (r == 0)
		machine_text_memory(&memory, section->out);
	return r;
}

static int print_hybrid_topology(const struct feature_text_section *section)
{
	struct machine_hybrid hybrid;
	int r = topology_hybrid_decode(section->bytes, section->size, section->foreign,
				       section->arena, &hybrid);

	if (r == 0)
		machine_text_hybrid(&hybrid, section->out);
	return r;
}

static int print_cpu_domain_info(const struct feature_text_section *section)
{
	struct machine_domains domains;
	int r = topology_domains_decode(section->bytes, section->size, section->foreign,
					available_cpus(section), section->arena, &domains);

	if (r == 0)
		machine_text_domains(&domains, section->out);
	return r;
}

static int print_pmu_mappings(const struct feature_text_section *section)
{
	struct machine_pmus pmus;
	int r = pmus_mappings_decode(section->bytes, section->size, section->foreign,
				     section->arena, &pmus);

	if (r == 0)
		machine_text_pmus(&pmus, section->out);
	return r;
}

static int print_cpu_pmu_caps(const struct feature_text_section *section)
{
	struct machine_caps caps;
	int r = pmus_cpu_caps_decode(section->bytes, section->size, section->foreign,
				     section->arena, &caps);

	if (r == 0)
		machine_text_caps(&caps, section->out);
	return r;
}

static int print_pmu_caps(const struct feature_text_section *section)
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

static int print_e_machine(const struct feature_text_section *section)
{
	struct feature_e_machine machine;
	int r = feature_e_machine_decode(section->bytes, section->size, section->foreign, &machine);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# e_machine : %" PRIu32 "\n#   e_flags : %" PRIu32 "\n",
		      machine.machine, machine.flags);
	return 0;
}

static int print_cln_size(const struct feature_text_section *section)
{
	uint32_t size;
	int r = feature_u32_decode(section->bytes, section->size, section->foreign, &size);

	if (r < 0)
		return r;
	(void)fprintf(section->out, "# cacheline size: %" PRIu32 "\n", size);
	return 0;
}

feature_text_printer *feature_machine_printer(unsigned feature)
{
	static feature_text_printer *const PRINTERS[FEATURE_PERF_END] = {
		[FEATURE_HOSTNAME] = print_hostname,
		[FEATURE_OSRELEASE] = print_osrelease,
		[FEATURE_VERSION] = print_version,
		[FEATURE_ARCH] = print_arch,
		[FEATURE_NRCPUS] = print_nrcpus,
		[FEATURE_CPUDESC] = print_cpudesc,
		[FEATURE_CPUID] = print_cpuid,
		[FEATURE_TOTAL_MEM] = print_total_mem,
		[FEATURE_CPU_TOPOLOGY] = print_cpu_topology,
		[FEATURE_NUMA_TOPOLOGY] = print_numa_topology,
		[FEATURE_PMU_MAPPINGS] = print_pmu_mappings,
		[FEATURE_CACHE] = print_cache,
		[FEATURE_MEM_TOPOLOGY] = print_mem_topology,
		[FEATURE_CPU_PMU_CAPS] = print_cpu_pmu_caps,
		[FEATURE_HYBRID_TOPOLOGY] = print_hybrid_topology,
		[FEATURE_PMU_CAPS] = print_pmu_caps,
		[FEATURE_CPU_DOMAIN_INFO] = print_cpu_domain_info,
		[FEATURE_E_MACHINE] = print_e_machine,
		[FEATURE_CLN_SIZE] = print_cln_size,
	};

	return feature < FEATURE_PERF_END ? PRINTERS[feature] : NULL;
}
