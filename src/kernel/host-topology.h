/*
 * host-topology.h - how this machine is built: CPUs, nodes, caches, memory, scheduling domains.
 *
 * @root as in sysfile.h. What is found lies in @arena; what the kernel does not tell is left out.
 */
#pragma once

#include <stddef.h>

struct arena;
struct machine_caches;
struct machine_domains;
struct machine_memory;
struct machine_numa;
struct machine_topology;

/* @cpu_count as of host_cpus_available(). */
void host_topology_cpus(const char *root, size_t cpu_count, struct arena *arena,
			struct machine_topology *ret_topology);
/* The cluster that each CPU is in, by number of the CPU; -1 where the kernel tells none. */
int *host_topology_clusters(const char *root, size_t cpu_count, struct arena *arena);
/* Each cache once; by level, then by the first CPU that has it. */
void host_topology_caches(const char *root, size_t cpu_count, struct arena *arena,
			  struct machine_caches *ret_caches);
void host_topology_numa(const char *root, struct arena *arena, struct machine_numa *ret_numa);
/* Nodes that have blocks of memory; none where the kernel does not list blocks. */
void host_topology_memory(const char *root, struct arena *arena, struct machine_memory *ret_memory);
/* From /proc/schedstat: an entry for each CPU. -ENOENT if the kernel has no such file. */
int host_topology_domains(const char *root, size_t cpu_count, struct arena *arena,
			  struct machine_domains *ret_domains);
