#include "event/tool-event.h"

#include <errno.h>
#include <strings.h>

#include "kernel/host-counts.h"

static const struct {
	const char *name, *text;
} tools[TOOL_COUNT] = {
	[TOOL_DURATION_TIME] = { "duration_time", "Time since counting began, in ns" },
	[TOOL_USER_TIME] = { "user_time", "CPU time of the command in user space, in ns" },
	[TOOL_SYSTEM_TIME] = { "system_time", "CPU time of the command in the kernel, in ns" },
	[TOOL_HAS_PMEM] = { "has_pmem", "1 if the machine has persistent memory" },
	[TOOL_NUM_CORES] = { "num_cores", "Cores; each has one CPU, or several by SMT" },
	[TOOL_NUM_CPUS] = { "num_cpus", "CPUs, whether or not they are online" },
	[TOOL_NUM_CPUS_ONLINE] = { "num_cpus_online", "CPUs that are online" },
	[TOOL_NUM_DIES] = { "num_dies", "Dies; each has cores" },
	[TOOL_NUM_PACKAGES] = { "num_packages", "Packages; each has dies" },
	[TOOL_SLOTS] = { "slots", "Instructions that a core can begin in one cycle" },
	[TOOL_SMT_ON] = { "smt_on", "1 if cores run several threads at once (SMT)" },
	[TOOL_SYSTEM_TSC_FREQ] = { "system_tsc_freq", "Ticks of the time stamp counter a second" },
	[TOOL_CORE_WIDE] = { "core_wide", "1 if all threads of each core are counted" },
	[TOOL_TARGET_CPU] = { "target_cpu", "1 if CPUs are counted, 0 if threads are" },
};

enum tool_event tool_event_find(const char *name)
{
	for (unsigned i = TOOL_NONE + 1; i < TOOL_COUNT; i++)
		if (!strcasecmp(tools[i].name, name))
			return (enum tool_event)i;
	return TOOL_NONE;
}

const char *tool_event_name(enum tool_event event)
{
	return (unsigned)event < TOOL_COUNT ? tools[event].name : NULL;
}

const char *tool_event_text(enum tool_event event)
{
	return (unsigned)event < TOOL_COUNT ? tools[event].text : NULL;
}

static uint64_t value_of(const struct host_counts *counts, enum tool_event event)
{
	switch (event) {
	case TOOL_NUM_CORES:
		return counts->cores;
	case TOOL_NUM_CPUS:
		return counts->cpus;
	case TOOL_NUM_CPUS_ONLINE:
		return counts->cpus_online;
	case TOOL_NUM_DIES:
		return counts->dies;
	case TOOL_NUM_PACKAGES:
		return counts->packages;
	case TOOL_SLOTS:
		return counts->slots;
	case TOOL_SYSTEM_TSC_FREQ:
		return counts->tsc_hz;
	default:
		return 0;
	}
}

bool tool_event_is_of_machine(enum tool_event event)
{
	return event >= TOOL_HAS_PMEM && event <= TOOL_SYSTEM_TSC_FREQ;
}

int tool_event_value(const struct host_counts *counts, enum tool_event event, uint64_t *ret_value)
{
	uint64_t value;

	if (event == TOOL_HAS_PMEM || event == TOOL_SMT_ON) {
		*ret_value = event == TOOL_SMT_ON ? counts->has_smt : counts->has_pmem;
		return 0;
	}
	value = value_of(counts, event);
	if (!value)
		return -ENOENT;
	*ret_value = value;
	return 0;
}
