/*
 * cpus.h - lists of CPUs: "0-2,5" as the user and the kernel write them, and the CPUs online.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct strobe_err;

struct cpus {
	int *items; /* ascending, each once */
	size_t count, capacity;
};

/* -EINVAL if @text is no list of CPUs. */
int cpus_parse(struct cpus *cpus, const char *text, struct strobe_err *err);
/* @root as in proc.h. */
int cpus_online(struct cpus *cpus, const char *root, struct strobe_err *err);
bool cpus_has(const struct cpus *cpus, int cpu);
void cpus_done(struct cpus *cpus);
