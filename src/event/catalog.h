/*
 * catalog.h - all events and metrics that the machine has, by kind.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "format/event-rows.h"

struct attr;

struct catalog_options {
	const char *root; /* as in kernel/sysfile.h */
	unsigned kinds;   /* a bit for each enum event_row_kind */
	bool metrics;
	bool all_instances; /* uncore_imc_0, uncore_imc_1, ...; else uncore_imc */
	/*
	 * Tries to open an event, on @cpus of its PMU (NULL: any): 0 or a negative errno. NULL: all
	 * are taken to open.
	 */
	int (*try_open)(const struct attr *attr, const char *cpus);
};

struct catalog {
	struct arena arena; /* its texts, but for those that are static */
	struct event_rows rows;
};

/* By kind; what sysfs, tracefs and tables name by name. Start as { 0 }. */
void catalog_load(struct catalog *catalog, const struct catalog_options *options);
void catalog_done(struct catalog *catalog);
