/* machine-json.c - see machine-json.h. */
#include "view/machine-json.h"

#include <stdint.h>

#include "base/json.h"
#include "base/machine.h"
#include "data/datafile.h"
#include "data/feature.h"
#include "data/pmus.h"
#include "data/topology.h"

/* How many CPUs sections have entries for: what NRCPUS says, or 0. */
static size_t available_cpus(const struct machine_json_section *section)
{
	size_t size;
	const void *bytes = datafile_feature(section->file, FEATURE_NRCPUS, &size);
	struct feature_nrcpus cpus;

	if (!bytes || feature_nrcpus_decode(bytes, size, section->foreign, &cpus) < 0)
		return 0;
	return cpus.available;
}

static void add_list(struct json *json, const char *name, const struct machine_list *list)
{
	json_texts(json, name, list->items, list->count);
}

int machine_json_topology(struct json *json, const struct machine_json_section *section)
{
	struct machine_topology topology;
	int r = topology_cpus_decode(section->bytes, section->size, section->foreign,
				     available_cpus(section), section->arena, &topology);

	if (r < 0)
		return r;
	json_begin(json, "cpu_topology");
	add_list(json, "sockets", &topology.sockets);
	add_list(json, "dies", &topology.dies);
	add_list(json, "threads", &topology.threads);
	json_begin_list(json, "cpus");
	for (size_t i = 0; i < topology.cpu_count; i++) {
		json_begin(json, NULL);
		json_i64(json, "core", topology.cpus[i].core);
		json_i64(json, "die", topology.cpus[i].die);
		json_i64(json, "socket", topology.cpus[i].socket);
		json_end(json);
	}
	json_end_list(json);
	json_end(json);
	return 0;
}

int machine_json_numa(struct json *json, const struct machine_json_section *section)
{
	struct machine_numa numa;
	int r = topology_numa_decode(section->bytes, section->size, section->foreign,
				     section->arena, &numa);

	if (r < 0)
		return r;
	json_begin_list(json, "numa_nodes");
	for (size_t i = 0; i < numa.count; i++) {
		json_begin(json, NULL);
		json_u64(json, "id", numa.nodes[i].id);
		json_u64(json, "memory_kb", numa.nodes[i].total_kb);
		json_u64(json, "free_kb", numa.nodes[i].free_kb);
		json_text(json, "cpus", numa.nodes[i].cpus);
		json_end(json);
	}
	json_end_list(json);
	return 0;
}

int machine_json_caches(struct json *json, const struct machine_json_section *section)
{
	struct machine_caches caches;
	int r = topology_cache_decode(section->bytes, section->size, section->foreign,
				      section->arena, &caches);

	if (r < 0)
		return r;
	json_begin_list(json, "caches");
	for (size_t i = 0; i < caches.count; i++) {
		const struct machine_cache *cache = &caches.items[i];

		json_begin(json, NULL);
		json_u64(json, "level", cache->level);
		json_text(json, "type", cache->type);
		json_text(json, "size", cache->size);
		json_u64(json, "line_size", cache->line_size);
		json_u64(json, "sets", cache->sets);
		json_u64(json, "ways", cache->ways);
		json_text(json, "cpus", cache->cpus);
		json_end(json);
	}
	json_end_list(json);
	return 0;
}

int machine_json_memory(struct json *json, const struct machine_json_section *section)
{
	struct machine_memory memory;
	int r = topology_memory_decode(section->bytes, section->size, section->foreign,
				       section->arena, &memory);

	if (r < 0)
		return r;
	json_begin(json, "memory_topology");
	json_u64(json, "block_size", memory.block_size);
	json_begin_list(json, "nodes");
	for (size_t i = 0; i < memory.count; i++) {
		const struct machine_blocks *node = &memory.nodes[i];

		json_begin(json, NULL);
		json_u64(json, "id", node->node);
		json_begin_list(json, "blocks");
		for (uint64_t block = 0; block < node->bit_count; block++) {
			if (node->words[block / 64] >> (block % 64) & 1)
				json_u64(json, NULL, block);
		}
		json_end_list(json);
		json_end(json);
	}
	json_end_list(json);
	json_end(json);
	return 0;
}

int machine_json_hybrid(struct json *json, const struct machine_json_section *section)
{
	struct machine_hybrid hybrid;
	int r = topology_hybrid_decode(section->bytes, section->size, section->foreign,
				       section->arena, &hybrid);

	if (r < 0)
		return r;
	json_begin_list(json, "hybrid_pmus");
	for (size_t i = 0; i < hybrid.count; i++) {
		json_begin(json, NULL);
		json_text(json, "name", hybrid.items[i].pmu);
		json_text(json, "cpus", hybrid.items[i].cpus);
		json_end(json);
	}
	json_end_list(json);
	return 0;
}

static void add_domain(struct json *json, const struct machine_domain *domain)
{
	json_begin(json, NULL);
	json_u64(json, "level", domain->level);
	json_text(json, "name", domain->name);
	json_text(json, "cpus", domain->cpus);
	json_end(json);
}

int machine_json_domains(struct json *json, const struct machine_json_section *section)
{
	struct machine_domains domains;
	int r = topology_domains_decode(section->bytes, section->size, section->foreign,
					available_cpus(section), section->arena, &domains);

	if (r < 0)
		return r;
	json_begin(json, "sched_domains");
	json_u64(json, "version", domains.version);
	json_begin_list(json, "cpus");
	for (size_t i = 0; i < domains.count; i++) {
		json_begin(json, NULL);
		json_u64(json, "cpu", domains.cpus[i].cpu);
		json_begin_list(json, "domains");
		for (size_t k = 0; k < domains.cpus[i].count; k++)
			add_domain(json, &domains.cpus[i].items[k]);
		json_end_list(json);
		json_end(json);
	}
	json_end_list(json);
	json_end(json);
	return 0;
}

int machine_json_pmus(struct json *json, const struct machine_json_section *section)
{
	struct machine_pmus pmus;
	int r = pmus_mappings_decode(section->bytes, section->size, section->foreign,
				     section->arena, &pmus);

	if (r < 0)
		return r;
	json_begin_list(json, "pmus");
	for (size_t i = 0; i < pmus.count; i++) {
		json_begin(json, NULL);
		json_text(json, "name", pmus.items[i].name);
		json_u64(json, "type", pmus.items[i].type);
		json_end(json);
	}
	json_end_list(json);
	return 0;
}

/* Their names are the kernel's, and as many as it likes: a list. */
static void add_caps(struct json *json, const struct machine_caps *caps)
{
	json_begin(json, NULL);
	json_text(json, "pmu", caps->pmu);
	json_begin_list(json, "caps");
	for (size_t i = 0; i < caps->count; i++) {
		json_begin(json, NULL);
		json_text(json, "name", caps->items[i].name);
		json_text(json, "value", caps->items[i].value);
		json_end(json);
	}
	json_end_list(json);
	json_end(json);
}

int machine_json_cpu_caps(struct json *json, const struct machine_json_section *section)
{
	struct machine_caps caps;
	int r = pmus_cpu_caps_decode(section->bytes, section->size, section->foreign,
				     section->arena, &caps);

	if (r < 0)
		return r;
	json_begin_list(json, "cpu_pmu_caps");
	add_caps(json, &caps);
	json_end_list(json);
	return 0;
}

int machine_json_caps(struct json *json, const struct machine_json_section *section)
{
	struct machine_all_caps caps;
	int r = pmus_caps_decode(section->bytes, section->size, section->foreign, section->arena,
				 &caps);

	if (r < 0)
		return r;
	json_begin_list(json, "pmu_caps");
	for (size_t i = 0; i < caps.count; i++)
		add_caps(json, &caps.pmus[i]);
	json_end_list(json);
	return 0;
}

int machine_json_e_machine(struct json *json, const struct machine_json_section *section)
{
	struct feature_e_machine machine;
	int r = feature_e_machine_decode(section->bytes, section->size, section->foreign, &machine);

	if (r < 0)
		return r;
	json_u64(json, "elf_machine", machine.machine);
	json_addr(json, "elf_flags", machine.flags);
	return 0;
}

int machine_json_cache_line(struct json *json, const struct machine_json_section *section)
{
	uint32_t size;
	int r = feature_u32_decode(section->bytes, section->size, section->foreign, &size);

	if (r < 0)
		return r;
	json_u64(json, "cache_line_size", size);
	return 0;
}
