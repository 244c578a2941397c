/*
 * host.h - this machine in words and numbers, as a recording's header tells them.
 *
 * @root as in sysfile.h: a folder that has proc/ and sys/ in it. Texts and lists lie in @arena.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct strobe_err;

struct host_names {
	const char *hostname, *release, *arch; /* as uname(2) has them */
};
int host_names(struct arena *arena, struct host_names *ret_names, struct strobe_err *err);

/* "AMD EPYC": the CPU's name; NULL if the kernel does not tell one. */
const char *host_cpu_name(const char *root, struct arena *arena);

/*
 * What tells the kind of CPU apart: "AuthenticAMD,25,1,1" (vendor, family, model, stepping) on x86,
 * "0x00000000410fd080" (MIDR of CPU 0) on arm64; NULL elsewhere.
 */
const char *host_cpu_id(const char *root, struct arena *arena);
/* Of one CPU, where they differ (arm64). */
const char *host_cpu_id_of(const char *root, int cpu, struct arena *arena);

/* What /proc/cpuinfo says of the first CPU behind @key ("bogomips"); NULL: nothing. */
const char *host_cpu_field(const char *root, const char *key, struct arena *arena);

/* MemTotal, in kB; 0 if unknown. */
uint64_t host_memory_kb(const char *root);

/* CPUs that are there (the highest number plus one), and those that run. */
size_t host_cpus_available(const char *root);
size_t host_cpus_online(const char *root);

/* Bytes of a cache line; 0 if unknown. */
uint32_t host_cache_line_size(const char *root);

/* The running program's own path; NULL if unknown. */
const char *host_exe_path(struct arena *arena);

/* True if BPF can be asked, and no program is loaded. */
bool host_has_no_bpf(void);

/* EM_* and flags of the running program's own ELF header. */
int host_machine(uint32_t *ret_machine, uint32_t *ret_flags);

/* Nanoseconds between two ticks of a clock, as it says; 0 if there is no such clock. */
uint64_t host_clock_resolution_ns(int32_t clockid);

/* The time of day and a clock's, read as one moment. -EINVAL if there is no such clock. */
int host_clock_pair(int32_t clockid, uint64_t *ret_tod_ns, uint64_t *ret_clock_ns);
