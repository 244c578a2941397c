/*
 * host-counts.h - how many of each this machine has: CPUs, cores, dies, packages; and how fast its
 * clock is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* 0: the machine does not tell. */
struct host_counts {
	uint64_t cpus; /* that there are, online or not */
	uint64_t cpus_online;
	uint64_t cores, dies, packages; /* of the CPUs that are online */
	uint64_t slots;  /* of an Arm core: instructions that it can begin in one cycle */
	uint64_t tsc_hz; /* ticks of the time stamp counter a second */
	bool has_smt;    /* cores run several threads at once */
	bool has_pmem;   /* the firmware lists persistent memory */
};

/* @root as in sysfile.h. */
void host_counts_load(const char *root, struct host_counts *ret_counts);
