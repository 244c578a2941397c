/*
 * pmus.h - the PMUs of a machine, each loaded when it is first asked for, and once.
 *
 * What is handed out is borrowed until pmus_free(). A PMU whose description cannot be read is as
 * good as none.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct pmu;
struct pmus;

/* @root as in kernel/sysfile.h: copied. */
struct pmus *pmus_new(const char *root);
void pmus_free(struct pmus *pmus);
CLEANUP(pmus_free, struct pmus)

size_t pmus_count(const struct pmus *pmus);
/* By name, sorted, whether or not it can be read. */
const char *pmus_name(const struct pmus *pmus, size_t index);
/* NULL: it cannot be read. */
const struct pmu *pmus_at(struct pmus *pmus, size_t index);

struct pmus_picks {
	const struct pmu **items;
	size_t count, capacity;
};

void pmus_picks_done(struct pmus_picks *picks);

/*
 * The PMU that is called @pattern; else those that it means (pmu_is_meant()). Where none is called
 * "cpu", that stands for the core PMUs.
 */
void pmus_match(struct pmus *pmus, const char *pattern, struct pmus_picks *ret_picks);
/* The core PMUs: none where the machine shows none, several where its CPUs differ. */
void pmus_core(struct pmus *pmus, struct pmus_picks *ret_picks);
/* Those that have an event of this name, from sysfs or from the tables of vendors. */
void pmus_with_event(struct pmus *pmus, const char *event, struct pmus_picks *ret_picks);
