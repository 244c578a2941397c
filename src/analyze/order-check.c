/* order-check.c - see order-check.h. */
#include "analyze/order-check.h"

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/hash.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"

/* Who wrote a sample: its CPU, or where that is not recorded, its thread. */
static uint64_t writer_of(const struct sample *sample)
{
	return sample->has & PERF_SAMPLE_CPU ? sample->cpu : UINT64_C(1) << 32 | sample->tid;
}

struct order_check order_check_run(const struct datafile *file, order_check_each *each,
				   void *context)
{
	_cleanup_(hash_done) struct hash last = { 0 }; /* times, by writer */
	struct datafile_cursor cursor = datafile_begin(file);
	struct order_check check = { 0 };
	struct record record;

	while (datafile_next(&cursor, &record)) {
		const struct event_desc *event;
		struct hash_entry *before;
		struct sample sample;

		if (record.header->type != PERF_RECORD_SAMPLE ||
		    events_decode(datafile_events(file), &record, &event, &sample) < 0 ||
		    !(sample.has & PERF_SAMPLE_TIME))
			continue;
		check.sample_count++;
		before = hash_add(&last, writer_of(&sample), NULL);
		if (sample.time < before->number) {
			check.misordered++;
			each(context, before->number, sample.time);
			continue;
		}
		before->number = sample.time;
	}
	return check;
}
