/*
 * topology.h - header features that say how the machine is built: CPUs, nodes, caches, memory.
 *
 * What is decoded lies in @arena, its strings in the section. 0 or -EBADMSG.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct body_out;
struct machine_caches;
struct machine_domains;
struct machine_hybrid;
struct machine_memory;
struct machine_numa;
struct machine_topology;

/*
 * CPU_TOPOLOGY. How many CPUs it has an entry for is not in it: @cpu_count is that of NRCPUS
 * (available). Old recorders wrote no ids (cpu_count 0 then), or no dies.
 */
int topology_cpus_decode(const void *bytes, size_t size, bool foreign, size_t cpu_count,
			 struct arena *arena, struct machine_topology *ret_topology);
void topology_cpus_encode(const struct machine_topology *topology, struct body_out *out);

/* NUMA_TOPOLOGY */
int topology_numa_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			 struct machine_numa *ret_numa);
void topology_numa_encode(const struct machine_numa *numa, struct body_out *out);

/* CACHE */
int topology_cache_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			  struct machine_caches *ret_caches);
void topology_cache_encode(const struct machine_caches *caches, struct body_out *out);

/* MEM_TOPOLOGY */
int topology_memory_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			   struct machine_memory *ret_memory);
void topology_memory_encode(const struct machine_memory *memory, struct body_out *out);

/* HYBRID_TOPOLOGY */
int topology_hybrid_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			   struct machine_hybrid *ret_hybrid);
void topology_hybrid_encode(const struct machine_hybrid *hybrid, struct body_out *out);

/* CPU_DOMAIN_INFO: an entry for each of @cpu_count CPUs (NRCPUS, available). */
int topology_domains_decode(const void *bytes, size_t size, bool foreign, size_t cpu_count,
			    struct arena *arena, struct machine_domains *ret_domains);
void topology_domains_encode(const struct machine_domains *domains, struct body_out *out);
