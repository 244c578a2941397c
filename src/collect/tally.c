/* tally.c - see tally.h. */
#include "collect/tally.h"

#include <linux/perf_event.h>

#include "event/eventlist.h"
#include "kernel/ring.h"

/* What comes before the time in a sample, 8 bytes each: perf_event_open(2). */
static const uint64_t BEFORE_TIME = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;

void tally_init(struct tally *tally, const struct eventlist *list)
{
	uint64_t common = list->count ? list->items[0].attr.sample_type : 0;

	*tally = (struct tally){ 0 };
	for (size_t i = 0; i < list->count; i++) {
		uint64_t type = list->items[i].attr.sample_type;

		if (((type ^ common) & (BEFORE_TIME | PERF_SAMPLE_TIME)) != 0)
			return; /* the time is not at one place */
	}
	if (common & PERF_SAMPLE_TIME)
		tally->time_at = sizeof(struct perf_event_header) +
				 8 * (size_t)__builtin_popcountll(common & BEFORE_TIME);
}

static void add_time(struct tally *tally, uint64_t ns)
{
	if (!tally->first_ns || ns < tally->first_ns)
		tally->first_ns = ns;
	if (ns > tally->last_ns)
		tally->last_ns = ns;
}

void tally_add(struct tally *tally, const struct iovec *spans, size_t count)
{
	size_t size = 0, at = 0;

	for (size_t i = 0; i < count; i++)
		size += spans[i].iov_len;
	while (size - at >= sizeof(struct perf_event_header)) {
		struct perf_event_header header = { 0 };
		uint64_t value = 0;
		uint16_t kind = 0;

		ring_copy(spans, count, at, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > size - at)
			return;
		if (header.type == PERF_RECORD_SAMPLE) {
			tally->sample_count++;
			if (tally->time_at && header.size >= tally->time_at + sizeof(value)) {
				ring_copy(spans, count, at + tally->time_at, &value, sizeof(value));
				add_time(tally, value);
			}
		} else if (header.type == PERF_RECORD_LOST && header.size >= 24) {
			ring_copy(spans, count, at + 16, &value, sizeof(value));
			tally->lost_count += value;
		} else if (header.type == PERF_RECORD_LOST_SAMPLES && header.size >= 16) {
			ring_copy(spans, count, at + 8, &value, sizeof(value));
			tally->lost_samples += value;
		} else if (header.type == PERF_RECORD_THROTTLE) {
			tally->throttle_count++;
		} else if (header.type == PERF_RECORD_BPF_EVENT && header.size >= 16) {
			ring_copy(spans, count, at + 8, &kind, sizeof(kind));
			tally->bpf_load_count += kind == PERF_BPF_EVENT_PROG_LOAD;
		}
		at += header.size;
	}
}
