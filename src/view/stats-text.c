/* stats-text.c - see stats-text.h. */
#include "view/stats-text.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/events.h"
#include "data/stats.h"
#include "format/event-name.h"

static void print_count(const char *name, uint64_t count, FILE *out)
{
	(void)fprintf(out, "%20s events: %10" PRIu64, name, count);
}

static void print_all(const struct stats *stats, bool show_empty, FILE *out)
{
	/* perf counts only what it knows. */
	uint64_t total = stats->total - stats->unknown_count;

	print_count("TOTAL", total, out);
	(void)fputc('\n', out);
	for (uint32_t type = 0; type < STATS_TYPES; type++) {
		const char *name = record_type_name(type);

		if (!name || (stats->types[type] == 0 && !show_empty))
			continue;
		print_count(name, stats->types[type], out);
		(void)fprintf(out, "  (%4.1f%%)\n",
			      total ? 100.0 * (double)stats->types[type] / (double)total : 0.0);
	}
}

static void print_event(const struct event_desc *event, const struct stats_event *counts, FILE *out)
{
	_cleanup_(str_done) struct str name = { 0 };

	event_name_add_desc(&name, event);
	(void)fprintf(out, "%s stats:\n", str_text(&name));
	if (counts->sample_count) {
		print_count("SAMPLE", counts->sample_count, out);
		(void)fputc('\n', out);
	}
	if (counts->lost_sample_count) {
		print_count("LOST_SAMPLES", counts->lost_sample_count, out);
		(void)fputc('\n', out);
	}
}

void stats_text_print(const struct stats *stats, bool show_empty, FILE *out)
{
	(void)fprintf(out, "\nAggregated stats:%s\n",
		      stats->types[RECORD_AUXTRACE_INFO] ? " (excludes AUX area (e.g. instruction "
							   "trace) decoded / synthesized events)"
							 : "");
	print_all(stats, show_empty, out);
	for (size_t i = 0; i < events_count(stats->events); i++) {
		const struct stats_event *counts = &stats->by_event[i];

		if (show_empty || counts->sample_count || counts->lost_sample_count)
			print_event(events_at(stats->events, i), counts, out);
	}
}
