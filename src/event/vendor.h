/*
 * vendor.h - the events and metrics of kinds of CPUs, which sysfs does not name.
 *
 * They are made from the files in src/event/tables when strobe is built; docs/adding-events.md says
 * how those are written. All of it is static.
 */
#pragma once

#include <stddef.h>

struct pmu;

struct vendor_event {
	const char *name;  /* in small letters, as the vendor has it: "inst_retired.any_p" */
	const char *terms; /* "event=0xc0,umask=0x1": of the formats that sysfs shows */
	const char *text;  /* what it counts, one line */
};

struct vendor_metric {
	const char *name;    /* "ipc" */
	const char *groups;  /* "Summary,Pipeline" */
	const char *unit;    /* "%"; "" if it is a plain number */
	const char *formula; /* as in format/metric-formula.h, of names of events */
	const char *text;    /* what it says, one line */
};

struct vendor {
	const char *name; /* "Intel Skylake" */
	const char *pmu;  /* of CPUs of several kinds those of this PMU; NULL: all */
	/*
	 * Which CPUs these are, NULL at the end: "GenuineIntel,6,85,0-4" as host_cpu_id() has it,
	 * with ranges; "midr,0x41,0xd0c" for implementer and part of Arm. The last numbers may be
	 * left out.
	 */
	const char *const *cpus;
	const struct vendor_event *events; /* by name */
	size_t event_count;
	const struct vendor_metric *metrics; /* by name */
	size_t metric_count;
};

/* For CPUs that host_cpu_id() calls @id, and PMU @pmu counts; NULL: nothing is known of them. */
const struct vendor *vendor_of_cpu(const char *id, const char *pmu);
/* For the CPUs of a core PMU, on the machine below @root (as in kernel/sysfile.h). */
const struct vendor *vendor_of_pmu(const char *root, const struct pmu *pmu);

/* By name, in any case; NULL if there is none. */
const struct vendor_event *vendor_find_event(const struct vendor *vendor, const char *name);

/* The first kind of CPU that has event @name: for a sentence. NULL: none has. */
const struct vendor *vendor_with_event(const char *name);

/* The one at @index, NULL behind the last. */
const struct vendor *vendor_at(size_t index);
