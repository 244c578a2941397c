#include "event/generic.h"

#include <linux/perf_event.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

struct generic {
	const char *name;
	uint32_t type;
	uint32_t config;
	const char *text; /* NULL: another name for the one before */
};

static const struct generic generics[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "Cycles of the CPU" },
	{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, NULL },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
	  "Instructions that retired" },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES,
	  "Accesses to the last cache" },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES,
	  "Accesses that missed the last cache" },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	  "Branches that retired" },
	{ "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, NULL },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,
	  "Branches that went another way than predicted" },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, "Cycles of the bus" },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
	  "Cycles in which the frontend gave nothing" },
	{ "idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, NULL },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	  "Cycles in which the backend took nothing" },
	{ "idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, NULL },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES,
	  "Cycles at a rate that does not change" },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "A timer of each CPU, in ns" },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK,
	  "A timer of each thread, in ns" },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "Page faults" },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, NULL },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,
	  "Switches to another thread" },
	{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, NULL },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS,
	  "Threads that went to another CPU" },
	{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, NULL },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN,
	  "Page faults without input or output" },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	  "Page faults that had to read" },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS,
	  "Unaligned accesses that the kernel set right" },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS,
	  "Instructions that the kernel did instead of the CPU" },
	{ "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,
	  "Nothing: there for the records beside samples" },
	{ "bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT,
	  "What BPF programs write to the ring" },
	{ "cgroup-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES,
	  "Switches to a thread of another cgroup" },
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

const char *generic_text(size_t index, struct str *buffer)
{
	static const char *const names[] = {
		[PERF_COUNT_HW_CACHE_L1D] = "the first data cache",
		[PERF_COUNT_HW_CACHE_L1I] = "the instruction cache",
		[PERF_COUNT_HW_CACHE_LL] = "the last cache",
		[PERF_COUNT_HW_CACHE_DTLB] = "the TLB for data",
		[PERF_COUNT_HW_CACHE_ITLB] = "the TLB for code",
		[PERF_COUNT_HW_CACHE_BPU] = "the branch predictor",
		[PERF_COUNT_HW_CACHE_NODE] = "the node's own memory",
	};
	static const char *const done[] = { "Loads", "Stores", "Prefetches" };
	uint64_t config;

	if (index < GENERIC_COUNT)
		return generics[index].text;
	if (!find_cache(cache_names[index - GENERIC_COUNT], &config))
		return NULL;
	str_clear(buffer);
	str_addf(buffer, "%s that %s %s", done[config >> 8 & 0xff],
		 config >> 16 ? "missed" : "asked", names[config & 0xff]);
	return str_text(buffer);
}
