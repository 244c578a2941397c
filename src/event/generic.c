#include "event/generic.h"

#include <linux/perf_event.h>
#include <string.h>
#include <strings.h>

struct generic {
	const char *name;
	uint32_t type;
	uint32_t config;
};

static const struct generic generics[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
	{ "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT },
	{ "cgroup-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES },
};

enum { GENERIC_COUNT = sizeof(generics) / sizeof(*generics) };

struct alias {
	const char *name;
	uint8_t id;
};

/* The first name of each is the usual one. */
static const struct alias caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D }, { "l1-d", PERF_COUNT_HW_CACHE_L1D },
	{ "l1d", PERF_COUNT_HW_CACHE_L1D },       { "L1-data", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I }, { "l1-i", PERF_COUNT_HW_CACHE_L1I },
	{ "l1i", PERF_COUNT_HW_CACHE_L1I },       { "L1-instruction", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC", PERF_COUNT_HW_CACHE_LL },        { "L2", PERF_COUNT_HW_CACHE_LL },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB },     { "d-tlb", PERF_COUNT_HW_CACHE_DTLB },
	{ "Data-TLB", PERF_COUNT_HW_CACHE_DTLB }, { "iTLB", PERF_COUNT_HW_CACHE_ITLB },
	{ "i-tlb", PERF_COUNT_HW_CACHE_ITLB },    { "Instruction-TLB", PERF_COUNT_HW_CACHE_ITLB },
	{ "branch", PERF_COUNT_HW_CACHE_BPU },    { "branches", PERF_COUNT_HW_CACHE_BPU },
	{ "bpu", PERF_COUNT_HW_CACHE_BPU },       { "btb", PERF_COUNT_HW_CACHE_BPU },
	{ "bpc", PERF_COUNT_HW_CACHE_BPU },       { "node", PERF_COUNT_HW_CACHE_NODE },
};

static const struct alias ops[] = {
	{ "load", PERF_COUNT_HW_CACHE_OP_READ },
	{ "loads", PERF_COUNT_HW_CACHE_OP_READ },
	{ "read", PERF_COUNT_HW_CACHE_OP_READ },
	{ "store", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "stores", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "write", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "speculative-read", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "speculative-load", PERF_COUNT_HW_CACHE_OP_PREFETCH },
};

static const struct alias results[] = {
	{ "refs", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "reference", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "ops", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "access", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "misses", PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "miss", PERF_COUNT_HW_CACHE_RESULT_MISS },
};

/* What can be asked of each cache, a bit for each operation; others no machine has. */
static const uint8_t cache_ops[] = {
	[PERF_COUNT_HW_CACHE_L1D] = 7,  [PERF_COUNT_HW_CACHE_L1I] = 5,
	[PERF_COUNT_HW_CACHE_LL] = 7,   [PERF_COUNT_HW_CACHE_DTLB] = 7,
	[PERF_COUNT_HW_CACHE_ITLB] = 1, [PERF_COUNT_HW_CACHE_BPU] = 1,
	[PERF_COUNT_HW_CACHE_NODE] = 7,
};

/* The usual names, for suggestions. */
static const char *const cache_names[] = {
	"L1-dcache-loads",
	"L1-dcache-load-misses",
	"L1-dcache-stores",
	"L1-dcache-store-misses",
	"L1-dcache-prefetches",
	"L1-dcache-prefetch-misses",
	"L1-icache-loads",
	"L1-icache-load-misses",
	"L1-icache-prefetches",
	"L1-icache-prefetch-misses",
	"LLC-loads",
	"LLC-load-misses",
	"LLC-stores",
	"LLC-store-misses",
	"LLC-prefetches",
	"LLC-prefetch-misses",
	"dTLB-loads",
	"dTLB-load-misses",
	"dTLB-stores",
	"dTLB-store-misses",
	"dTLB-prefetches",
	"dTLB-prefetch-misses",
	"iTLB-loads",
	"iTLB-load-misses",
	"branch-loads",
	"branch-load-misses",
	"node-loads",
	"node-load-misses",
	"node-stores",
	"node-store-misses",
	"node-prefetches",
	"node-prefetch-misses",
};

enum { CACHE_NAME_COUNT = sizeof(cache_names) / sizeof(*cache_names) };

/*
 * The longest alias that @text begins with and that ends there or at a '-'; what follows goes to
 * *ret_rest, without the '-'. NULL if there is none.
 */
static const struct alias *match(const struct alias *aliases, size_t count, const char *text,
				 const char **ret_rest)
{
	const struct alias *best = NULL;
	size_t best_size = 0;

	for (size_t i = 0; i < count; i++) {
		size_t size = strlen(aliases[i].name);

		if (size > best_size && !strncasecmp(text, aliases[i].name, size) &&
		    (!text[size] || text[size] == '-')) {
			best = &aliases[i];
			best_size = size;
		}
	}
	if (best)
		*ret_rest = text + best_size + (text[best_size] == '-' && text[best_size + 1]);
	return best;
}

#define MATCH(aliases, text, ret_rest)                                                             \
	match(aliases, sizeof(aliases) / sizeof(*(aliases)), text, ret_rest)

/*
 * A cache event such as "L1-dcache-load-misses": a cache, then an operation and a result in either
 * order, both of which may be missing (a load, an access). False if it is none, or one that no
 * machine has, such as stores to the instruction cache.
 */
static bool find_cache(const char *name, uint64_t *ret_config)
{
	const struct alias *op = NULL, *result = NULL;
	const char *rest;
	const struct alias *cache = MATCH(caches, name, &rest);
	unsigned op_id, result_id;

	if (!cache)
		return false;
	while (*rest) {
		if (!op && (op = MATCH(ops, rest, &rest)))
			continue;
		if (!result && (result = MATCH(results, rest, &rest)))
			continue;
		return false;
	}
	op_id = op ? op->id : PERF_COUNT_HW_CACHE_OP_READ;
	result_id = result ? result->id : PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if (!(cache_ops[cache->id] & 1U << op_id))
		return false;
	*ret_config = cache->id | op_id << 8 | result_id << 16;
	return true;
}

bool generic_find(const char *name, uint32_t *ret_type, uint64_t *ret_config)
{
	for (size_t i = 0; i < GENERIC_COUNT; i++)
		if (!strcasecmp(generics[i].name, name)) {
			*ret_type = generics[i].type;
			*ret_config = generics[i].config;
			return true;
		}
	if (!find_cache(name, ret_config))
		return false;
	*ret_type = PERF_TYPE_HW_CACHE;
	return true;
}

const char *generic_name(size_t index)
{
	if (index < GENERIC_COUNT)
		return generics[index].name;
	index -= GENERIC_COUNT;
	return index < CACHE_NAME_COUNT ? cache_names[index] : NULL;
}
