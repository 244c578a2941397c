/*
 * machine.h - what a machine is made of, as plain values: CPUs, nodes, caches, PMUs.
 *
 * `kernel` fills these in from /sys and /proc, `data` writes and reads them as header features,
 * `view` prints them. Lists and texts belong to whoever made them, as a rule to an arena.
 * Sets of CPUs are texts as the kernel prints them: "0-3,8".
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct machine_list {
	const char **items;
	size_t count;
};

struct machine_cpu {
	int32_t core, die, socket; /* -1 where the kernel does not know */
};

struct machine_topology {
	struct machine_list sockets; /* sets of CPUs that share one */
	struct machine_list dies;    /* none where the kernel knows of none */
	struct machine_list threads;
	struct machine_cpu *cpus; /* by number */
	size_t cpu_count;         /* 0 where ids are not known */
};

struct machine_node {
	uint32_t id;
	uint64_t total_kb, free_kb;
	const char *cpus;
};

struct machine_numa {
	struct machine_node *nodes;
	size_t count;
};

struct machine_cache {
	uint32_t level, line_size, sets, ways;
	const char *type; /* "Data", "Instruction", "Unified" */
	const char *size; /* "32K" */
	const char *cpus;
};

struct machine_caches {
	struct machine_cache *items;
	size_t count;
};

/* Which blocks of physical memory a node has: bit N is block N. */
struct machine_blocks {
	uint64_t node;
	uint64_t bit_count;
	uint64_t *words; /* (bit_count + 63) / 64 */
};

struct machine_memory {
	uint64_t block_size; /* bytes */
	struct machine_blocks *nodes;
	size_t count;
};

struct machine_pmu {
	uint32_t type;
	const char *name;
};

struct machine_pmus {
	struct machine_pmu *items;
	size_t count;
};

struct machine_cap {
	const char *name, *value;
};

/* What sysfs says under DEVICE/caps. */
struct machine_caps {
	const char *pmu;
	struct machine_cap *items;
	size_t count;
};

struct machine_all_caps {
	struct machine_caps *pmus;
	size_t count;
};

struct machine_hybrid_pmu {
	const char *pmu, *cpus;
};

struct machine_hybrid {
	struct machine_hybrid_pmu *items;
	size_t count;
};

/* A level of the scheduler's domains, of /proc/schedstat. */
struct machine_domain {
	uint32_t level;
	const char *name; /* NULL before version 17 of schedstat */
	const char *mask; /* hex words as the kernel prints them */
	const char *cpus;
};

struct machine_cpu_domains {
	uint32_t cpu;
	struct machine_domain *items;
	size_t count;
};

struct machine_domains {
	uint32_t version, max_count;
	struct machine_cpu_domains *cpus;
	size_t count;
};
