/* machine-text.c - see machine-text.h. */
#include "view/machine-text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/machine.h"

static void print_list(const char *title, const struct machine_list *list, FILE *out)
{
	for (size_t i = 0; i < list->count; i++)
		(void)fprintf(out, "# %s : %s\n", title, list->items[i]);
}

void machine_text_topology(const struct machine_topology *topology, FILE *out)
{
	bool dies = topology->dies.count > 0;

	print_list("sibling sockets", &topology->sockets, out);
	print_list("sibling dies   ", &topology->dies, out);
	print_list("sibling threads", &topology->threads, out);
	if (topology->cpu_count == 0)
		(void)fputs("# Core ID and Socket ID information is not available\n", out);
	for (size_t i = 0; i < topology->cpu_count; i++) {
		const struct machine_cpu *cpu = &topology->cpus[i];

		(void)fprintf(out, "# CPU %zu: Core ID %" PRId32, i, cpu->core);
		if (dies)
			(void)fprintf(out, ", Die ID %" PRId32, cpu->die);
		(void)fprintf(out, ", Socket ID %" PRId32 "\n", cpu->socket);
	}
}

void machine_text_numa(const struct machine_numa *numa, FILE *out)
{
	for (size_t i = 0; i < numa->count; i++) {
		const struct machine_node *node = &numa->nodes[i];

		(void)fprintf(out,
			      "# node%" PRIu32 " meminfo  : total = %" PRIu64 " kB, free = %" PRIu64
			      " kB\n",
			      node->id, node->total_kb, node->free_kb);
		(void)fprintf(out, "# node%" PRIu32 " cpu list : %s\n", node->id, node->cpus);
	}
}

void machine_text_caches(const struct machine_caches *caches, FILE *out)
{
	(void)fputs("# CPU cache info:\n", out);
	for (size_t i = 0; i < caches->count; i++) {
		const struct machine_cache *cache = &caches->items[i];

		(void)fprintf(out, "#  L%" PRIu32 " %-15s %8s [%s]\n", cache->level, cache->type,
			      cache->size, cache->cpus);
	}
}

static bool has_block(const struct machine_blocks *blocks, uint64_t block)
{
	return block < blocks->bit_count && blocks->words[block / 64] >> (block % 64) & 1;
}

/* "16G", "1024M": the largest unit of which there are at least two, as perf has it. */
static void print_size(uint64_t size, FILE *out)
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	while (size / 1024 > 1 && units[unit + 1]) {
		size /= 1024;
		unit++;
	}
	(void)fprintf(out, "%" PRIu64 "%c", size, units[unit]);
}

/* "0-23,32-199" */
static void print_ranges(const struct machine_blocks *blocks, FILE *out)
{
	bool any = false;

	for (uint64_t block = 0; block < blocks->bit_count; block++) {
		uint64_t last = block;

		if (!has_block(blocks, block))
			continue;
		while (has_block(blocks, last + 1))
			last++;
		(void)fprintf(out, "%s%" PRIu64, any ? "," : "", block);
		if (last > block)
			(void)fprintf(out, "-%" PRIu64, last);
		any = true;
		block = last;
	}
}

void machine_text_memory(const struct machine_memory *memory, FILE *out)
{
	(void)fprintf(out, "# memory nodes (nr %zu, block size %#" PRIx64 "):\n", memory->count,
		      memory->block_size);
	for (size_t i = 0; i < memory->count; i++) {
		const struct machine_blocks *blocks = &memory->nodes[i];
		uint64_t count = 0;

		for (uint64_t word = 0; word * 64 < blocks->bit_count; word++)
			count += (uint64_t)__builtin_popcountll(blocks->words[word]);
		(void)fprintf(out, "#  %3" PRIu64 " [", blocks->node);
		print_size(count * memory->block_size, out);
		(void)fputs("]: ", out);
		print_ranges(blocks, out);
		(void)fputc('\n', out);
	}
}

void machine_text_hybrid(const struct machine_hybrid *hybrid, FILE *out)
{
	(void)fputs("# hybrid cpu system:\n", out);
	for (size_t i = 0; i < hybrid->count; i++)
		(void)fprintf(out, "# %s cpu list : %s\n", hybrid->items[i].pmu,
			      hybrid->items[i].cpus);
}

void machine_text_domains(const struct machine_domains *domains, FILE *out)
{
	(void)fprintf(out, "# schedstat version\t: %" PRIu32 "\n", domains->version);
	(void)fprintf(out, "# Maximum sched domains\t: %" PRIu32 "\n", domains->max_count);
	for (size_t i = 0; i < domains->count; i++) {
		const struct machine_cpu_domains *cpu = &domains->cpus[i];

		(void)fprintf(out, "# cpu\t\t: %" PRIu32 "\n", cpu->cpu);
		(void)fprintf(out, "# nr_domains\t: %zu\n", cpu->count);
		for (size_t j = 0; j < cpu->count; j++) {
			const struct machine_domain *domain = &cpu->items[j];

			(void)fprintf(out, "# Domain\t\t: %" PRIu32 "\n", domain->level);
			if (domain->name)
				(void)fprintf(out, "# Domain name      : %s\n", domain->name);
			(void)fprintf(out, "# Domain cpu map   : %s\n", domain->mask);
			(void)fprintf(out, "# Domain cpu list  : %s\n", domain->cpus);
		}
	}
}

void machine_text_pmus(const struct machine_pmus *pmus, FILE *out)
{
	(void)fputs("# pmu mappings: ", out);
	for (size_t i = 0; i < pmus->count; i++)
		(void)fprintf(out, "%s%s = %" PRIu32, i ? ", " : "", pmus->items[i].name,
			      pmus->items[i].type);
	(void)fputs(pmus->count ? "\n" : "not available\n", out);
}

void machine_text_caps(const struct machine_caps *caps, FILE *out)
{
	(void)fprintf(out, "# %s pmu capabilities: ", caps->pmu);
	for (size_t i = 0; i < caps->count; i++)
		(void)fprintf(out, "%s%s=%s", i ? ", " : "", caps->items[i].name,
			      caps->items[i].value);
	(void)fputs(caps->count ? "\n" : "not available\n", out);
}
