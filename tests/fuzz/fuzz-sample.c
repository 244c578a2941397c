/* fuzz-sample.c - any attr, and any bytes as a sample of it or as another record: in both byte
 * orders.
 *
 * The attr comes first, as large as its own size field says; what follows are the record's type (4)
 * and body.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/attr.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/swap.h"
#include "fuzz.h"

static uint64_t touch(const void *bytes, size_t size)
{
	const uint8_t *next = bytes;
	uint64_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += next[i];
	return sum;
}

static void touch_sample(const struct sample *sample)
{
	uint64_t sum = touch(sample->callchain, sample->callchain_count * sizeof(uint64_t));

	for (size_t i = 0; i < sample->read.count; i++)
		sum += sample_read_at(sample, i).value;
	sum += touch(sample->branches, sample->branch_count * sizeof(*sample->branches));
	if (sample->branch_counters)
		sum += touch(sample->branch_counters, sample->branch_count * sizeof(uint64_t));
	sum += touch(sample->regs_user.values, sample->regs_user.count * sizeof(uint64_t));
	sum += touch(sample->regs_intr.values, sample->regs_intr.count * sizeof(uint64_t));
	sum += touch(sample->raw, sample->raw_size) + touch(sample->stack, sample->stack_size);
	sum += touch(sample->aux, sample->aux_size);
	__asm__ volatile("" : : "r"(sum));
}

static void decode(const struct events *events, const struct perf_event_header *header)
{
	const struct record record = { header, 0 };
	const struct event_desc *desc;
	struct sample sample;
	uint64_t time_ns;

	if (events_decode(events, &record, &desc, &sample) == 0)
		touch_sample(&sample);
	(void)sample_time(&events_at(events, 0)->attr, header, &time_ns);
}

/* A record of its own size, so that a sanitizer sees what reads beyond it. */
static struct perf_event_header *new_record(const uint8_t *bytes, size_t size)
{
	size_t whole = sizeof(struct perf_event_header) + (size - 4) / 8 * 8;
	struct perf_event_header *header;

	if (whole > UINT16_MAX)
		return NULL;
	header = xcalloc(1, whole);
	memcpy(&header->type, bytes, 4);
	header->size = (uint16_t)whole;
	memcpy(header + 1, bytes + 4, whole - sizeof(*header));
	return header;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct events *events;
	struct perf_event_header *header;
	struct attr attr;
	size_t attr_size = size < ATTR_SIZE_FULL ? ATTR_SIZE_MIN : ATTR_SIZE_FULL;

	if (size < attr_size + 12 || attr_decode(bytes, attr_size, 0, &attr) < 0)
		return 0;
	header = new_record(bytes + attr_size, size - attr_size);
	if (!header)
		return 0;
	events = events_new();
	(void)events_add(events, &attr, NULL, 0);
	decode(events, header);
	if (swap_record(events, header) == 0)
		decode(events, header);
	events_free(events);
	free(header);
	return 0;
}
