/*
 * pmu.h - the PMUs of this machine, as /sys/bus/event_source/devices describes them.
 *
 * A struct pmu is a copy of what the files said when it was loaded; it belongs to who loaded it.
 * @root as in sysfile.h.
 * Of a damaged description what can be understood is kept and the rest left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct folder_names;
struct strobe_err;
struct vendor;

/* Where a term's value goes: "config1:0-7,32" is field 1, bits 0 to 7 and 32. */
struct pmu_format {
	char *name;
	unsigned field; /* 0: config, 1 to 4: config1 to config4 */
	uint64_t bits;  /* the value's bits go to these, lowest first */
};

struct pmu_event {
	char *name;
	char *text;       /* its terms: "event=0x3c,umask=0x1" */
	double scale;     /* what its counts are to be multiplied with; 0: nothing */
	char *unit;       /* "Joules"; NULL: they are numbers */
	bool per_package; /* all CPUs of a package see the same */
	bool is_snapshot; /* they are values and no sums */
};

struct pmu {
	char *name;
	uint32_t type;  /* attr.type */
	char *cpus;     /* "0,8": the CPUs to open its events on; NULL: any */
	bool is_core;   /* counts what a CPU does; there is one for each kind of CPU */
	bool is_hybrid; /* has a "cpus" file: there may be other core PMUs beside it */
	/* What is known of such a CPU without sysfs (event/vendor.h); NULL: nothing. Static. */
	const struct vendor *vendor;
	unsigned precise; /* highest precise_ip ("caps/max_precise"), 0 if it does not say */
	struct pmu_format *formats;
	size_t format_count, format_capacity;
	struct pmu_event *events;
	size_t event_count, event_capacity;
};

/*
 * Loads PMU @name. -ENOENT (err untouched) if there is none.
 */
int pmu_load(const char *root, const char *name, struct pmu **ret_pmu, struct strobe_err *err);
void pmu_free(struct pmu *pmu);
CLEANUP(pmu_free, struct pmu)

/* By name; NULL if it has none. Event names are found in any case. */
const struct pmu_format *pmu_find_format(const struct pmu *pmu, const char *name);
const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name);

/* @value put where @format's bits are; -ERANGE if it has more bits than there is room. */
int pmu_format_value(const struct pmu_format *format, uint64_t value, uint64_t *ret_bits);

/* The names of all, sorted. */
void pmu_list(const char *root, struct folder_names *ret_names);
/* The core PMUs; none where the machine shows none. More than one if the CPUs differ. */
bool pmu_is_core(const char *root, const char *name);
/* The names of the events that a PMU names, without loading it. */
void pmu_list_events(const char *root, const char *name, struct folder_names *ret_names);
/* True if the PMU has a named event @event, in any case. */
bool pmu_names_event(const char *root, const char *name, const char *event);

/*
 * True if @pattern means PMU @name: as a shell pattern, or because it is called so but for a prefix
 * "uncore_" and a suffix "_NUMBER".
 */
bool pmu_is_meant(const char *name, const char *pattern);
/* How long @name is without that suffix. */
size_t pmu_stem_size(const char *name);
