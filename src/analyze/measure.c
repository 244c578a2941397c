/* measure.c - see measure.h. */
#include "analyze/measure.h"

#include <stddef.h>

#include "base/str.h"

static const struct {
	const char *name, *title;
} measures[MEASURE_COUNT] = {
	[MEASURE_OVERHEAD] = { "overhead", "Overhead" },
	[MEASURE_LATENCY] = { "latency", "Latency" },
	[MEASURE_CHILDREN] = { "overhead_children", "Children" },
	[MEASURE_LATENCY_CHILDREN] = { "latency_children", "Latency" },
	[MEASURE_SYS] = { "overhead_sys", "sys" },
	[MEASURE_US] = { "overhead_us", "usr" },
	[MEASURE_GUEST_SYS] = { "overhead_guest_sys", "guest sys" },
	[MEASURE_GUEST_US] = { "overhead_guest_us", "guest usr" },
	[MEASURE_SAMPLES] = { "sample", "Samples" },
	[MEASURE_PERIOD] = { "period", "Period" },
	[MEASURE_WEIGHT_1] = { "weight1", "Weight1" },
	[MEASURE_WEIGHT_2] = { "weight2", "Weight2" },
	[MEASURE_WEIGHT_3] = { "weight3", "Weight3" },
	[MEASURE_OP] = { "op", "Mem Op" },
	[MEASURE_CACHE] = { "cache", "Cache" },
	[MEASURE_MEMORY] = { "memory", "Memory" },
	[MEASURE_SNOOP] = { "snoop", "Snoop" },
	[MEASURE_DTLB] = { "dtlb", "D-TLB" },
};

/* As in perf, what is a sum as a key is an average as a field. */
static const struct {
	const char *name;
	enum measure measure;
} averages[] = {
	{ "weight", MEASURE_WEIGHT_1 },
	{ "ins_lat", MEASURE_WEIGHT_2 },
	{ "p_stage_cyc", MEASURE_WEIGHT_3 },
	{ "retire_lat", MEASURE_WEIGHT_3 },
};

const char *measure_name(enum measure measure)
{
	return measures[measure].name;
}

const char *measure_title(enum measure measure)
{
	return measures[measure].title;
}

bool measure_is_latency(enum measure measure)
{
	return measure == MEASURE_LATENCY || measure == MEASURE_LATENCY_CHILDREN;
}

enum measure measure_find(struct str_part name, bool is_field)
{
	for (size_t i = 0; is_field && i < sizeof(averages) / sizeof(averages[0]); i++) {
		if (str_part_is(name, averages[i].name))
			return averages[i].measure;
	}
	for (size_t i = 1; i < MEASURE_COUNT; i++) {
		if (str_part_is(name, measures[i].name) && (is_field || i != MEASURE_SNOOP))
			return (enum measure)i;
	}
	return MEASURE_NONE;
}
