/*
 * hist-measure.c - what columns of numbers show of entries: hist_measure() and its like, see
 * hist.h.
 */
#include "analyze/extras.h"
#include "analyze/hist.h"

static const struct hist_details no_details;

static const struct hist_details *details_of(const struct hist_entry *entry, size_t member)
{
	return entry->self[member].details ? entry->self[member].details : &no_details;
}

const struct extras *hist_extras(const struct hist_entry *entry, size_t member)
{
	return details_of(entry, member)->extras;
}

uint64_t hist_measure(const struct hist_entry *entry, enum measure measure, size_t member)
{
	const struct extras *extras;
	enum data_src_kind kind;
	size_t number;

	if (extras_weight_of(measure, &number)) {
		extras = hist_extras(entry, member);
		return extras ? extras->weights[number] : 0;
	}
	if (extras_kind_of(measure, &kind))
		return 0;
	switch (measure) {
	case MEASURE_CHILDREN:
		return entry->whole[member];
	case MEASURE_LATENCY:
		return details_of(entry, member)->latency;
	case MEASURE_LATENCY_CHILDREN:
		return details_of(entry, member)->whole_latency;
	case MEASURE_SYS:
		return details_of(entry, member)->sys;
	case MEASURE_US:
		return details_of(entry, member)->us;
	case MEASURE_GUEST_SYS:
		return details_of(entry, member)->guest_sys;
	case MEASURE_GUEST_US:
		return details_of(entry, member)->guest_us;
	case MEASURE_SAMPLES:
		return entry->self[member].count;
	default:
		return entry->self[member].period;
	}
}

double hist_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}
