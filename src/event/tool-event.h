/*
 * tool-event.h - what is counted without a counter: "duration_time", "num_cpus", "smt_on".
 *
 * As events they have type TOOL_EVENT_TYPE and their number as config, the numbers being perf's,
 * since files hold them. They are never opened: who counts has a value for each in the place of a
 * descriptor. They are for counting only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_counts;

#define TOOL_EVENT_TYPE UINT32_C(0xfffffffe)
#define TOOL_EVENT_PMU "tool" /* "tool/duration_time/" */

enum tool_event {
	TOOL_NONE,
	/* What the one who counts measures, in nanoseconds: since counting began, and the CPU time
	 * of the command. */
	TOOL_DURATION_TIME,
	TOOL_USER_TIME,
	TOOL_SYSTEM_TIME,
	/* What a machine has; these do not change while it runs. */
	TOOL_HAS_PMEM,
	TOOL_NUM_CORES,
	TOOL_NUM_CPUS,
	TOOL_NUM_CPUS_ONLINE,
	TOOL_NUM_DIES,
	TOOL_NUM_PACKAGES,
	TOOL_SLOTS, /* that one cycle of an Arm CPU has for instructions */
	TOOL_SMT_ON,
	TOOL_SYSTEM_TSC_FREQ,
	/* How it is counted: 1 if both threads of a core are, 1 if CPUs and not threads are. */
	TOOL_CORE_WIDE,
	TOOL_TARGET_CPU,
	TOOL_COUNT,
};

/* By name, in any case; TOOL_NONE if there is none. */
enum tool_event tool_event_find(const char *name);
/* NULL for what is no tool event. */
const char *tool_event_name(enum tool_event event);
const char *tool_event_text(enum tool_event event); /* what it is, one line */

/* True of what the machine has, false of what is measured or is how it is counted. */
bool tool_event_is_of_machine(enum tool_event event);

/*
 * What a machine of which @counts tells has of it; -ENOENT if it does not tell, or if that is not
 * for the machine to say (TOOL_DURATION_TIME, TOOL_CORE_WIDE and their like).
 */
int tool_event_value(const struct host_counts *counts, enum tool_event event, uint64_t *ret_value);
