/* cpu-places.c - see cpu-places.h. */
#include "analyze/cpu-places.h"

#include <string.h>

#include "base/machine.h"
#include "base/mem.h"
#include "base/str.h"

static const struct cpu_place nowhere = { -1, -1, -1, -1, -1, -1, -1 };

bool cpu_places_next_range(const char **rest, uint64_t *ret_first, uint64_t *ret_last)
{
	struct str_part part;
	char text[48], *dash;

	if (!str_split(rest, ',', &part) || part.size == 0 || part.size >= sizeof(text))
		return false;
	memcpy(text, part.text, part.size);
	text[part.size] = '\0';
	dash = strchr(text, '-');
	if (dash)
		*dash = '\0';
	return str_to_u64(text, ret_first) && str_to_u64(dash ? dash + 1 : text, ret_last);
}

static void set_node(struct cpu_places *places, const struct machine_node *node)
{
	const char *rest = node->cpus;
	uint64_t first, last;

	while (cpu_places_next_range(&rest, &first, &last))
		for (uint64_t cpu = first; cpu <= last && cpu < places->count; cpu++)
			places->items[cpu].node = (int)node->id;
}

/* Caches of code are not what is asked for. */
static void set_cache(struct cpu_places *places, const struct machine_cache *cache)
{
	const char *rest = cache->cpus;
	uint64_t first, last, name = UINT64_MAX;

	if (cache->type && strcmp(cache->type, "Instruction") == 0)
		return;
	while (cpu_places_next_range(&rest, &first, &last)) {
		if (name == UINT64_MAX)
			name = first;
		for (uint64_t cpu = first; cpu <= last && cpu < places->count; cpu++) {
			places->items[cpu].cache = (int)name;
			places->items[cpu].cache_level = (int)cache->level;
		}
	}
}

static int last_level(const struct machine_caches *caches)
{
	uint32_t level = 0;

	for (size_t i = 0; i < caches->count; i++)
		level = caches->items[i].level > level ? caches->items[i].level : level;
	return (int)level;
}

void cpu_places_init(struct cpu_places *places, const struct machine_topology *topology,
		     const struct machine_numa *numa, const struct machine_caches *caches,
		     int cache_level, const int *clusters)
{
	int level = cache_level == CPU_PLACES_LAST_LEVEL ? last_level(caches) : cache_level;

	places->count = topology->cpu_count;
	places->items = xcalloc(places->count + 1, sizeof(*places->items));
	for (size_t cpu = 0; cpu < places->count; cpu++) {
		const struct machine_cpu *from = &topology->cpus[cpu];

		places->items[cpu] = nowhere;
		places->items[cpu].socket = from->socket;
		places->items[cpu].die = from->die;
		places->items[cpu].core = from->core;
		places->items[cpu].cluster = clusters ? clusters[cpu] : -1;
	}
	for (size_t i = 0; i < numa->count; i++)
		set_node(places, &numa->nodes[i]);
	for (size_t i = 0; i < caches->count; i++)
		if ((int)caches->items[i].level == level)
			set_cache(places, &caches->items[i]);
}

void cpu_places_done(struct cpu_places *places)
{
	free(places->items);
	*places = (struct cpu_places){ 0 };
}

struct cpu_place cpu_places_of(const struct cpu_places *places, int cpu)
{
	return cpu >= 0 && (size_t)cpu < places->count ? places->items[cpu] : nowhere;
}
