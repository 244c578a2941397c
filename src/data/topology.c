/* topology.c - see topology.h. */
#include "data/topology.h"

#include <errno.h>

#include "base/arena.h"
#include "base/machine.h"
#include "data/body.h"

enum {
	CACHE_VERSION = 1,
	MEMORY_VERSION = 1,
	/* From this version on, /proc/schedstat names its domains. */
	SCHEDSTAT_WITH_NAMES = 17,
	/* The least bytes of an item: what a count is checked against before memory is taken. */
	STRING_MIN = 4,
	NODE_MIN = 4 + 8 + 8 + STRING_MIN,
	CACHE_MIN = 4 * 4 + 3 * STRING_MIN,
	BLOCKS_MIN = 8 * 3,
	DOMAIN_MIN = 4 + 2 * STRING_MIN,
	CPU_DOMAINS_MIN = 4 + 4,
};

static void read_list(struct body_in *in, struct arena *arena, struct machine_list *list)
{
	uint32_t count = body_u32(in);

	*list = (struct machine_list){ 0 };
	if (!body_has(in, count, STRING_MIN))
		return;
	list->count = count;
	list->items = arena_alloc(arena, count * sizeof(*list->items));
	for (size_t i = 0; i < count; i++)
		list->items[i] = body_string(in);
}

static void put_list(const struct machine_list *list, struct body_out *out)
{
	body_put_u32(out, (uint32_t)list->count);
	for (size_t i = 0; i < list->count; i++)
		body_put_string(out, list->items[i]);
}

/*
 *  sockets | threads | {core, socket} of each CPU | dies | die of each CPU
 *                      since Linux 4.1              since Linux 5.3
 */
int topology_cpus_decode(const void *bytes, size_t size, bool foreign, size_t cpu_count,
			 struct arena *arena, struct machine_topology *ret_topology)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct machine_topology topology = { 0 };

	read_list(&in, arena, &topology.sockets);
	read_list(&in, arena, &topology.threads);
	if (!in.bad && in.left > 0 && body_has(&in, cpu_count, 2 * sizeof(uint32_t))) {
		topology.cpu_count = cpu_count;
		topology.cpus = arena_alloc(arena, cpu_count * sizeof(*topology.cpus));
		for (size_t i = 0; i < cpu_count; i++) {
			topology.cpus[i].core = (int32_t)body_u32(&in);
			topology.cpus[i].socket = (int32_t)body_u32(&in);
			topology.cpus[i].die = -1;
		}
	}
	if (!in.bad && in.left > 0) {
		read_list(&in, arena, &topology.dies);
		for (size_t i = 0; i < topology.cpu_count; i++)
			topology.cpus[i].die = (int32_t)body_u32(&in);
	}
	if (in.bad)
		return -EBADMSG;
	*ret_topology = topology;
	return 0;
}

void topology_cpus_encode(const struct machine_topology *topology, struct body_out *out)
{
	put_list(&topology->sockets, out);
	put_list(&topology->threads, out);
	for (size_t i = 0; i < topology->cpu_count; i++) {
		body_put_u32(out, (uint32_t)topology->cpus[i].core);
		body_put_u32(out, (uint32_t)topology->cpus[i].socket);
	}
	if (topology->dies.count == 0)
		return;
	put_list(&topology->dies, out);
	for (size_t i = 0; i < topology->cpu_count; i++)
		body_put_u32(out, (uint32_t)topology->cpus[i].die);
}

int topology_numa_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			 struct machine_numa *ret_numa)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct machine_numa numa = { .count = body_u32(&in) };

	if (!body_has(&in, numa.count, NODE_MIN))
		return -EBADMSG;
	numa.nodes = arena_alloc(arena, numa.count * sizeof(*numa.nodes));
	for (size_t i = 0; i < numa.count; i++) {
		struct machine_node *node = &numa.nodes[i];

		node->id = body_u32(&in);
		node->total_kb = body_u64(&in);
		node->free_kb = body_u64(&in);
		node->cpus = body_string(&in);
	}
	if (in.bad)
		return -EBADMSG;
	*ret_numa = numa;
	return 0;
}

void topology_numa_encode(const struct machine_numa *numa, struct body_out *out)
{
	body_put_u32(out, (uint32_t)numa->count);
	for (size_t i = 0; i < numa->count; i++) {
		const struct machine_node *node = &numa->nodes[i];

		body_put_u32(out, node->id);
		body_put_u64(out, node->total_kb);
		body_put_u64(out, node->free_kb);
		body_put_string(out, node->cpus);
	}
}

int topology_cache_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			  struct machine_caches *ret_caches)
{
	struct body_in in = body_begin(bytes, size, foreign);
	uint32_t version = body_u32(&in);
	struct machine_caches caches = { .count = body_u32(&in) };

	if (version != CACHE_VERSION || !body_has(&in, caches.count, CACHE_MIN))
		return -EBADMSG;
	caches.items = arena_alloc(arena, caches.count * sizeof(*caches.items));
	for (size_t i = 0; i < caches.count; i++) {
		struct machine_cache *cache = &caches.items[i];

		cache->level = body_u32(&in);
		cache->line_size = body_u32(&in);
		cache->sets = body_u32(&in);
		cache->ways = body_u32(&in);
		cache->type = body_string(&in);
		cache->size = body_string(&in);
		cache->cpus = body_string(&in);
	}
	if (in.bad)
		return -EBADMSG;
	*ret_caches = caches;
	return 0;
}

void topology_cache_encode(const struct machine_caches *caches, struct body_out *out)
{
	body_put_u32(out, CACHE_VERSION);
	body_put_u32(out, (uint32_t)caches->count);
	for (size_t i = 0; i < caches->count; i++) {
		const struct machine_cache *cache = &caches->items[i];

		body_put_u32(out, cache->level);
		body_put_u32(out, cache->line_size);
		body_put_u32(out, cache->sets);
		body_put_u32(out, cache->ways);
		body_put_string(out, cache->type);
		body_put_string(out, cache->size);
		body_put_string(out, cache->cpus);
	}
}

/* A node's blocks: node, size in bits, and once more the size, before as many words as it needs. */
static void read_blocks(struct body_in *in, struct arena *arena, struct machine_blocks *blocks)
{
	uint64_t word_count;

	blocks->node = body_u64(in);
	(void)body_u64(in);
	blocks->bit_count = body_u64(in);
	word_count = blocks->bit_count / 64 + (blocks->bit_count % 64 != 0);
	if (!body_has(in, word_count, sizeof(uint64_t)))
		return;
	blocks->words = arena_alloc(arena, word_count * sizeof(*blocks->words));
	for (uint64_t i = 0; i < word_count; i++)
		blocks->words[i] = body_u64(in);
}

int topology_memory_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			   struct machine_memory *ret_memory)
{
	struct body_in in = body_begin(bytes, size, foreign);
	uint64_t version = body_u64(&in);
	struct machine_memory memory = { .block_size = body_u64(&in) };

	memory.count = body_u64(&in);
	if (version != MEMORY_VERSION || !body_has(&in, memory.count, BLOCKS_MIN))
		return -EBADMSG;
	memory.nodes = arena_alloc(arena, memory.count * sizeof(*memory.nodes));
	for (size_t i = 0; i < memory.count && !in.bad; i++)
		read_blocks(&in, arena, &memory.nodes[i]);
	if (in.bad)
		return -EBADMSG;
	*ret_memory = memory;
	return 0;
}

void topology_memory_encode(const struct machine_memory *memory, struct body_out *out)
{
	body_put_u64(out, MEMORY_VERSION);
	body_put_u64(out, memory->block_size);
	body_put_u64(out, memory->count);
	for (size_t i = 0; i < memory->count; i++) {
		const struct machine_blocks *blocks = &memory->nodes[i];

		body_put_u64(out, blocks->node);
		body_put_u64(out, blocks->bit_count);
		body_put_u64(out, blocks->bit_count);
		for (uint64_t word = 0; word * 64 < blocks->bit_count; word++)
			body_put_u64(out, blocks->words[word]);
	}
}

int topology_hybrid_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			   struct machine_hybrid *ret_hybrid)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct machine_hybrid hybrid = { .count = body_u32(&in) };

	if (!body_has(&in, hybrid.count, 2 * (size_t)STRING_MIN))
		return -EBADMSG;
	hybrid.items = arena_alloc(arena, hybrid.count * sizeof(*hybrid.items));
	for (size_t i = 0; i < hybrid.count; i++) {
		hybrid.items[i].pmu = body_string(&in);
		hybrid.items[i].cpus = body_string(&in);
	}
	if (in.bad)
		return -EBADMSG;
	*ret_hybrid = hybrid;
	return 0;
}

void topology_hybrid_encode(const struct machine_hybrid *hybrid, struct body_out *out)
{
	body_put_u32(out, (uint32_t)hybrid->count);
	for (size_t i = 0; i < hybrid->count; i++) {
		body_put_string(out, hybrid->items[i].pmu);
		body_put_string(out, hybrid->items[i].cpus);
	}
}

static void read_cpu_domains(struct body_in *in, uint32_t version, struct arena *arena,
			     struct machine_cpu_domains *cpu)
{
	uint32_t count;

	cpu->cpu = body_u32(in);
	count = body_u32(in);
	if (!body_has(in, count, DOMAIN_MIN))
		return;
	cpu->count = count;
	cpu->items = arena_alloc(arena, count * sizeof(*cpu->items));
	for (size_t i = 0; i < count; i++) {
		struct machine_domain *domain = &cpu->items[i];

		domain->level = body_u32(in);
		if (version >= SCHEDSTAT_WITH_NAMES)
			domain->name = body_string(in);
		domain->mask = body_string(in);
		domain->cpus = body_string(in);
	}
}

int topology_domains_decode(const void *bytes, size_t size, bool foreign, size_t cpu_count,
			    struct arena *arena, struct machine_domains *ret_domains)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct machine_domains domains = { .version = body_u32(&in) };

	domains.max_count = body_u32(&in);
	if (!body_has(&in, cpu_count, CPU_DOMAINS_MIN))
		return -EBADMSG;
	domains.count = cpu_count;
	domains.cpus = arena_alloc(arena, cpu_count * sizeof(*domains.cpus));
	for (size_t i = 0; i < cpu_count && !in.bad; i++)
		read_cpu_domains(&in, domains.version, arena, &domains.cpus[i]);
	if (in.bad)
		return -EBADMSG;
	*ret_domains = domains;
	return 0;
}

void topology_domains_encode(const struct machine_domains *domains, struct body_out *out)
{
	body_put_u32(out, domains->version);
	body_put_u32(out, domains->max_count);
	for (size_t i = 0; i < domains->count; i++) {
		const struct machine_cpu_domains *cpu = &domains->cpus[i];

		body_put_u32(out, cpu->cpu);
		body_put_u32(out, (uint32_t)cpu->count);
		for (size_t j = 0; j < cpu->count; j++) {
			body_put_u32(out, cpu->items[j].level);
			if (domains->version >= SCHEDSTAT_WITH_NAMES)
				body_put_string(out, cpu->items[j].name);
			body_put_string(out, cpu->items[j].mask);
			body_put_string(out, cpu->items[j].cpus);
		}
	}
}
