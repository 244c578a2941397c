/* fuzz-datafile.c - opens any bytes as a recording, walks it, decodes every record and section. */
#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/datafile.h"
#include "data/events.h"
#include "data/sample.h"
#include "data/stats.h"
#include "fuzz.h"

static uint64_t sum_words(const uint64_t *words, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += words[i];
	return sum;
}

static uint64_t sum_bytes(const void *bytes, size_t size)
{
	const uint8_t *next = bytes;
	uint64_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += next[i];
	return sum;
}

/* Reads all that a sample points to, so that a sanitizer sees what lies outside. */
static uint64_t touch_sample(const struct sample *sample)
{
	uint64_t sum = sum_words(sample->callchain, sample->callchain_count);

	for (size_t i = 0; i < sample->read.count; i++)
		sum += sample_read_at(sample, i).lost;
	for (size_t i = 0; i < sample->branch_count; i++)
		sum += sample->branches[i].flags;
	if (sample->branch_counters)
		sum += sum_words(sample->branch_counters, sample->branch_count);
	sum += sum_words(sample->regs_user.values, sample->regs_user.count);
	sum += sum_words(sample->regs_intr.values, sample->regs_intr.count);
	sum += sum_bytes(sample->raw, sample->raw_size);
	sum += sum_bytes(sample->stack, sample->stack_size);
	return sum + sum_bytes(sample->aux, sample->aux_size);
}

static uint64_t touch_record(const struct datafile *file, const struct record *record)
{
	const struct event_desc *desc;
	struct sample sample;
	const void *payload;
	uint64_t sum = sum_bytes(record->header, record->header->size);
	size_t size;

	payload = datafile_payload(file, record, &size);
	if (payload)
		sum += sum_bytes(payload, size);
	if (events_decode(datafile_events(file), record, &desc, &sample) == 0)
		sum += touch_sample(&sample) + desc->index;
	return sum;
}

static uint64_t touch_events(const struct events *events)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < events_count(events); i++) {
		const struct event_desc *desc = events_at(events, i);

		assert(desc->leader < events_count(events) && desc->group_count > 0 &&
		       desc->group_count <= events_count(events) - i);
		sum += sum_words(desc->ids, desc->id_count);
		sum += desc->name ? strlen(desc->name) : 0;
		sum += desc->cpus ? strlen(desc->cpus) : 0;
	}
	return sum;
}

static uint64_t touch_file(const struct datafile *file)
{
	struct datafile_cursor cursor = datafile_begin(file);
	uint64_t sum = touch_events(datafile_events(file));
	struct record record;
	struct stats stats;
	size_t size;

	stats_init(&stats, datafile_events(file));
	while (datafile_next(&cursor, &record)) {
		sum += touch_record(file, &record);
		stats_add(&stats, &record);
	}
	sum += stats.total;
	stats_done(&stats);
	for (unsigned i = 0; i < DATAFILE_FEATURES; i++) {
		const void *body = datafile_feature(file, i, &size);

		sum += body ? sum_bytes(body, size) : 0;
	}
	return sum;
}

/* So that nothing that is read is optimized away. */
static void use(uint64_t sum)
{
	__asm__ volatile("" : : "r"(sum));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct datafile *file;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		return 0;
	if (datafile_open_fd(fd, "fuzz", &file, NULL) == 0) {
		use(touch_file(file));
		datafile_close(file);
	}
	(void)close(fd);
	return 0;
}
