/* stat-record.c - see stat-record.h. */
#include "data/stat-record.h"

#include "data/record.h"

/* Of perf before 6.5, which had fewer of them. */
static enum stat_record_by old_by(uint64_t value)
{
	switch (value) {
	case 4:
		return STAT_RECORD_BY_CORE;
	case 5:
		return STAT_RECORD_BY_THREAD;
	case 7:
		return STAT_RECORD_BY_NODE;
	default:
		return value < 4 ? (enum stat_record_by)value : STAT_RECORD_BY_ALL;
	}
}

static enum stat_record_by new_by(uint64_t value)
{
	if (value > STAT_RECORD_BY_NODE || value == STAT_RECORD_BY_THREAD + 1)
		return STAT_RECORD_BY_ALL;
	return (enum stat_record_by)value;
}

bool stat_record_settings_decode(const struct perf_event_header *header,
				 struct stat_record_settings *ret_settings)
{
	const struct stat_record_config *config = (const void *)header;
	struct stat_record_settings settings = { .by = STAT_RECORD_BY_ALL };
	bool is_old = true;
	uint64_t by = STAT_RECORD_BY_ALL;

	if (!record_fits(header, sizeof(*config)) ||
	    (header->size - sizeof(*config)) / sizeof(*config->terms) < config->count)
		return false;
	for (uint64_t i = 0; i < config->count; i++) {
		uint64_t value = config->terms[i].value;

		if (config->terms[i].term == STAT_RECORD_BY)
			by = value;
		else if (config->terms[i].term == STAT_RECORD_INTERVAL_MS)
			settings.interval_ms = value;
		else if (config->terms[i].term == STAT_RECORD_SCALE)
			settings.no_scale = value == 0;
		else if (config->terms[i].term == STAT_RECORD_CACHE_LEVEL)
			settings.cache_level = value;
		is_old &= config->terms[i].term < STAT_RECORD_CACHE_LEVEL;
	}
	settings.by = is_old ? old_by(by) : new_by(by);
	*ret_settings = settings;
	return true;
}

size_t stat_record_thread_count(const struct perf_event_header *header)
{
	const struct stat_record_threads *threads = (const void *)header;

	if (!record_fits(header, sizeof(*threads)) ||
	    (header->size - sizeof(*threads)) / sizeof(*threads->items) < threads->count)
		return 0;
	return threads->count;
}
