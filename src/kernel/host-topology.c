/* host-topology.c - see host-topology.h. */
#include "kernel/host-topology.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/cpus.h"
#include "kernel/sysfile.h"

#define CPU_PATH "/sys/devices/system/cpu/cpu%zu"
#define NODE_PATH "/sys/devices/system/node/node%d"

enum {
	CACHE_INDEXES = 10, /* no CPU has more kinds of caches */
	BLOCKS_MAX = 1 << 24,
};

/* Marks the CPUs of a list such as "0-2,5". */
static void mark(bool *known, size_t cpu_count, const char *list)
{
	_cleanup_(cpus_done) struct cpus cpus = { 0 };

	(void)cpus_parse(&cpus, list, NULL);
	for (size_t i = 0; i < cpus.count && (size_t)cpus.items[i] < cpu_count; i++)
		known[cpus.items[i]] = true;
}

/*
 * The sets that CPUs share something in, by either of the two names the kernel has had for it.
 * CPUs of a set have one text: it is read for the first of them only.
 */
static void load_sets(const char *root, size_t cpu_count, const char *name, const char *old_name,
		      struct arena *arena, struct machine_list *list)
{
	_cleanup_(freep) bool *known = xcalloc(cpu_count + 1, sizeof(*known));

	*list = (struct machine_list){ .items = arena_alloc(arena, cpu_count * sizeof(char *)) };
	for (size_t cpu = 0; cpu < cpu_count; cpu++) {
		const char *set;

		if (known[cpu])
			continue;
		set = sysfile_text(root, arena, CPU_PATH "/topology/%s", cpu, name);
		if (!set && old_name)
			set = sysfile_text(root, arena, CPU_PATH "/topology/%s", cpu, old_name);
		if (!set)
			continue;
		list->items[list->count++] = set;
		mark(known, cpu_count, set);
	}
}

static int32_t cpu_number(const char *root, size_t cpu, const char *name)
{
	return (int32_t)sysfile_number(root, 10, -1, CPU_PATH "/topology/%s", cpu, name);
}

void host_topology_cpus(const char *root, size_t cpu_count, struct arena *arena,
			struct machine_topology *ret_topology)
{
	struct machine_topology topology = { .cpu_count = cpu_count };

	load_sets(root, cpu_count, "package_cpus_list", "core_siblings_list", arena,
		  &topology.sockets);
	load_sets(root, cpu_count, "die_cpus_list", NULL, arena, &topology.dies);
	load_sets(root, cpu_count, "core_cpus_list", "thread_siblings_list", arena,
		  &topology.threads);
	topology.cpus = arena_alloc(arena, cpu_count * sizeof(*topology.cpus));
	for (size_t cpu = 0; cpu < cpu_count; cpu++)
		topology.cpus[cpu] = (struct machine_cpu){
			.core = cpu_number(root, cpu, "core_id"),
			.die = cpu_number(root, cpu, "die_id"),
			.socket = cpu_number(root, cpu, "physical_package_id"),
		};
	*ret_topology = topology;
}

int *host_topology_clusters(const char *root, size_t cpu_count, struct arena *arena)
{
	int *clusters = arena_alloc(arena, (cpu_count + 1) * sizeof(*clusters));

	for (size_t cpu = 0; cpu < cpu_count; cpu++)
		clusters[cpu] = cpu_number(root, cpu, "cluster_id");
	return clusters;
}

static uint32_t cache_number(const char *root, size_t cpu, int index, const char *name)
{
	int64_t value = sysfile_number(root, 10, 0, CPU_PATH "/cache/index%d/%s", cpu, index, name);

	return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* The numbers of a CPU's caches have no gaps: false behind the last one. */
static bool load_cache(const char *root, size_t cpu, int index, struct arena *arena,
		       struct machine_cache *cache)
{
	*cache = (struct machine_cache){ .level = cache_number(root, cpu, index, "level") };
	if (!cache->level)
		return false;
	cache->line_size = cache_number(root, cpu, index, "coherency_line_size");
	cache->sets = cache_number(root, cpu, index, "number_of_sets");
	cache->ways = cache_number(root, cpu, index, "ways_of_associativity");
	cache->type = sysfile_text(root, arena, CPU_PATH "/cache/index%d/type", cpu, index);
	cache->size = sysfile_text(root, arena, CPU_PATH "/cache/index%d/size", cpu, index);
	cache->cpus =
		sysfile_text(root, arena, CPU_PATH "/cache/index%d/shared_cpu_list", cpu, index);
	return true;
}

/* Keeps the order by level; of equal levels the new one comes last. */
static void add_cache(struct machine_caches *caches, const struct machine_cache *cache)
{
	size_t at = caches->count;

	while (at > 0 && caches->items[at - 1].level > cache->level)
		at--;
	memmove(caches->items + at + 1, caches->items + at,
		(caches->count - at) * sizeof(*caches->items));
	caches->items[at] = *cache;
	caches->count++;
}

void host_topology_caches(const char *root, size_t cpu_count, struct arena *arena,
			  struct machine_caches *ret_caches)
{
	struct machine_caches caches = {
		.items = arena_alloc(arena, cpu_count * CACHE_INDEXES * sizeof(*caches.items)),
	};
	/* By index and CPU: has a CPU that it shares this cache with shown it already? */
	_cleanup_(freep) bool *known = xcalloc(cpu_count * CACHE_INDEXES + 1, sizeof(*known));
	struct machine_cache cache;

	for (size_t cpu = 0; cpu < cpu_count; cpu++)
		for (int index = 0; index < CACHE_INDEXES; index++) {
			bool *shown = known + (size_t)index * cpu_count;

			if (shown[cpu])
				continue;
			if (!load_cache(root, cpu, index, arena, &cache))
				break;
			if (!cache.type || !cache.size || !cache.cpus)
				continue;
			add_cache(&caches, &cache);
			mark(shown, cpu_count, cache.cpus);
		}
	*ret_caches = caches;
}

/* "Node 0 MemTotal:        5334816 kB" */
static uint64_t node_kb(const char *meminfo, const char *key)
{
	const char *at = strstr(meminfo, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

void host_topology_numa(const char *root, struct arena *arena, struct machine_numa *ret_numa)
{
	_cleanup_(cpus_done) struct cpus numbers = { 0 };
	struct machine_numa numa = { 0 };

	sysfile_numbered(&numbers, root, "/sys/devices/system/node", "node");
	numa.nodes = arena_alloc(arena, numbers.count * sizeof(*numa.nodes));
	for (size_t i = 0; i < numbers.count; i++) {
		int id = numbers.items[i];
		const char *meminfo = sysfile_text(root, arena, NODE_PATH "/meminfo", id);
		const char *cpus = sysfile_text(root, arena, NODE_PATH "/cpulist", id);

		if (!meminfo || !cpus)
			continue;
		numa.nodes[numa.count++] = (struct machine_node){
			.id = (uint32_t)id,
			.total_kb = node_kb(meminfo, "MemTotal:"),
			.free_kb = node_kb(meminfo, "MemFree:"),
			.cpus = cpus,
		};
	}
	*ret_numa = numa;
}

/* Which blocks a node has. False if it has none, or their numbers are out of all bounds. */
static bool load_blocks(const char *root, int node, struct arena *arena,
			struct machine_blocks *blocks)
{
	_cleanup_(cpus_done) struct cpus numbers = { 0 };
	_cleanup_(str_done) struct str folder = { 0 };

	str_addf(&folder, NODE_PATH, node);
	sysfile_numbered(&numbers, root, str_text(&folder), "memory");
	if (numbers.count == 0 || numbers.items[numbers.count - 1] >= BLOCKS_MAX)
		return false;
	blocks->node = (uint64_t)node;
	blocks->bit_count = (uint64_t)numbers.items[numbers.count - 1] + 1;
	blocks->words = arena_alloc(arena, (blocks->bit_count + 63) / 64 * sizeof(*blocks->words));
	for (size_t i = 0; i < numbers.count; i++)
		blocks->words[numbers.items[i] / 64] |= 1ULL << (numbers.items[i] % 64);
	return true;
}

void host_topology_memory(const char *root, struct arena *arena, struct machine_memory *ret_memory)
{
	_cleanup_(cpus_done) struct cpus numbers = { 0 };
	struct machine_memory memory = {
		.block_size = (uint64_t)sysfile_number(
			root, 16, 0, "/sys/devices/system/memory/block_size_bytes"),
	};

	sysfile_numbered(&numbers, root, "/sys/devices/system/node", "node");
	memory.nodes = arena_alloc(arena, numbers.count * sizeof(*memory.nodes));
	for (size_t i = 0; i < numbers.count; i++)
		if (load_blocks(root, numbers.items[i], arena, &memory.nodes[memory.count]))
			memory.count++;
	*ret_memory = memory;
}

/* "00000000,00000003" as "0-1". */
static const char *mask_to_list(const char *mask, struct arena *arena)
{
	_cleanup_(str_done) struct str digits = { 0 }, list = { 0 };
	long run = -1, cpu_count;

	for (const char *c = mask; *c; c++)
		if (*c != ',')
			str_add_char(&digits, *c);
	cpu_count = (long)digits.size * 4;
	for (long cpu = 0; cpu <= cpu_count; cpu++) {
		char digit[2] = { cpu < cpu_count ? digits.text[digits.size - 1 - (size_t)cpu / 4]
						  : '0' };
		bool in = strtoul(digit, NULL, 16) >> (cpu % 4) & 1;

		if (in && run < 0)
			run = cpu;
		if (in || run < 0)
			continue;
		str_addf(&list, "%s%ld", list.size ? "," : "", run);
		if (cpu - 1 > run)
			str_addf(&list, "-%ld", cpu - 1);
		run = -1;
	}
	return arena_strdup(arena, str_text(&list));
}

/* "domain0 MC 00000003 ..." from version 17 on, "domain0 00000003 ..." before. */
static bool parse_domain(const char *line, uint32_t version, struct arena *arena,
			 struct machine_domain *domain)
{
	char name[64] = "", mask[4096];
	unsigned level;
	int count;

	if (version >= 17)
		count = sscanf(line, "domain%u %63s %4095s", &level, name, mask) - 1;
	else
		count = sscanf(line, "domain%u %4095s", &level, mask);
	if (count != 2 || strspn(mask, "0123456789abcdefABCDEF,") != strlen(mask))
		return false;
	*domain = (struct machine_domain){
		.level = level,
		.name = version >= 17 ? arena_strdup(arena, name) : NULL,
		.mask = arena_strdup(arena, mask),
		.cpus = mask_to_list(mask, arena),
	};
	return true;
}

/* The "domainN" lines that follow a CPU's line. */
static void load_domains(const char *lines, uint32_t version, struct arena *arena,
			 struct machine_cpu_domains *cpu)
{
	const char *rest = lines;
	struct str_part part;
	size_t count = 0;

	while (str_split(&rest, '\n', &part) && strncmp(part.text, "domain", 6) == 0)
		count++;
	cpu->items = arena_alloc(arena, count * sizeof(*cpu->items));
	rest = lines;
	for (size_t i = 0; i < count && str_split(&rest, '\n', &part); i++)
		if (parse_domain(part.text, version, arena, &cpu->items[cpu->count]))
			cpu->count++;
}

/*
 *	version 17
 *	timestamp N
 *	cpu0 N ...
 *	domain0 MC 00000003 N ...
 */
int host_topology_domains(const char *root, size_t cpu_count, struct arena *arena,
			  struct machine_domains *ret_domains)
{
	struct machine_domains domains = { .count = cpu_count };
	const char *rest = sysfile_text(root, arena, "/proc/schedstat");
	struct str_part line;
	unsigned number;

	if (!rest)
		return -ENOENT;
	domains.cpus = arena_alloc(arena, cpu_count * sizeof(*domains.cpus));
	for (size_t i = 0; i < cpu_count; i++)
		domains.cpus[i].cpu = (uint32_t)i;
	while (rest && str_split(&rest, '\n', &line)) {
		if (sscanf(line.text, "version %u", &number) == 1)
			domains.version = number;
		if (!rest || sscanf(line.text, "cpu%u ", &number) != 1 || number >= cpu_count ||
		    domains.cpus[number].count)
			continue;
		load_domains(rest, domains.version, arena, &domains.cpus[number]);
		if (domains.cpus[number].count > domains.max_count)
			domains.max_count = (uint32_t)domains.cpus[number].count;
	}
	*ret_domains = domains;
	return 0;
}
