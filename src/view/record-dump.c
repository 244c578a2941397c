/* record-dump.c - see record-dump.h. */
#include "view/record-dump.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "analyze/profile.h"
#include "base/arena.h"
#include "data/cpumap.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "format/event-name.h"
#include "view/hexdump.h"
#include "view/record-text.h"
#include "view/sample-dump.h"

static void add_bytes(struct record_dump *dump, const struct record *record)
{
	const struct perf_event_header *header = record->header;

	str_addf(&dump->text,
		 "\n%#" PRIx64 "@%s [%#x]: event: %" PRIu32 "\n.\n. ... raw event: size %u bytes\n",
		 record->offset, dump->name, header->size, header->type, header->size);
	hexdump_add(&dump->text, header, header->size);
	str_add_char(&dump->text, '\n');
}

static bool has_trailers(const struct events *events)
{
	return events_count(events) > 0 && events_at(events, 0)->attr.sample_id_all;
}

/* CPU and time, where the recording has such; of what tells none, 0. */
static void add_when(struct record_dump *dump, const struct record *record,
		     const struct event_desc *event, const struct sample *sample)
{
	const struct events *events = datafile_events(profile_file(dump->profile));
	uint64_t types = events_sample_types(events);

	if (record->header->type != PERF_RECORD_SAMPLE && !has_trailers(events)) {
		str_add(&dump->text, "-1 -1 ");
		return;
	}
	if (types & PERF_SAMPLE_CPU)
		str_addf(&dump->text, "%" PRIu32 " ", event ? sample->cpu : 0);
	if (types & PERF_SAMPLE_TIME)
		str_addf(&dump->text, "%" PRIu64 " ", sample->time);
}

static void add_sample(struct record_dump *dump, const struct record *record)
{
	struct profile_sample sample;

	str_add(&dump->text, "PERF_RECORD_SAMPLE");
	if (profile_decode(dump->profile, record, &sample) == 0)
		sample_dump_add(dump, &sample);
	else
		str_add_char(&dump->text, '\n');
}

static void add_lost(struct record_dump *dump, const struct record *record)
{
	const struct record_lost *lost = (const void *)record->header;

	str_addf(&dump->text, "PERF_RECORD_LOST: id:%" PRIu64 ": lost:%" PRIu64 "\n", lost->id,
		 lost->lost);
}

/* Takes the next value of a READ record, whose fields are those that the event's read_format has.
 */
static void add_value(struct record_dump *dump, const struct record *record, size_t *i,
		      const char *name)
{
	const struct record_read *read = (const void *)record->header;

	if (record_fits(record->header, sizeof(*read) + (*i + 1) * sizeof(read->values[0])))
		str_addf(&dump->text, "... %s: %" PRIu64 "\n", name, read->values[*i]);
	(*i)++;
}

static void add_read(struct record_dump *dump, const struct record *record,
		     const struct event_desc *event)
{
	const struct record_read *read = (const void *)record->header;
	uint64_t format = event->attr.read_format;
	size_t i = 1;

	str_addf(&dump->text, "PERF_RECORD_READ: %" PRId32 " %" PRId32 " ", (int32_t)read->pid,
		 (int32_t)read->tid);
	event_name_add_desc(&dump->text, event);
	str_addf(&dump->text, " %" PRIu64 "\n", read->values[0]);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		add_value(dump, record, &i, "time enabled ");
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		add_value(dump, record, &i, "time running ");
	if (format & PERF_FORMAT_ID)
		add_value(dump, record, &i, "id           ");
	if (format & PERF_FORMAT_LOST)
		add_value(dump, record, &i, "lost         ");
	if (dump->of_script)
		str_add(&dump->text, ": unhandled!\n");
}

static void add_lost_samples(struct record_dump *dump, const struct record *record,
			     const struct sample *sample)
{
	const struct record_lost_samples *lost = (const void *)record->header;

	str_addf(&dump->text,
		 "PERF_RECORD_LOST_SAMPLES: id:%" PRIu64 ": lost samples :%" PRIu64 "\n",
		 sample->id, lost->lost);
}

struct id_index {
	struct perf_event_header header;
	uint64_t count;
	struct {
		uint64_t id, index;
		int64_t cpu, tid;
	} entries[];
};

static void add_id_index(struct record_dump *dump, const struct record *record)
{
	const struct id_index *index = (const void *)record->header;
	uint64_t room = (record->header->size - sizeof(*index)) / sizeof(index->entries[0]);

	str_addf(&dump->text, "PERF_RECORD_ID_INDEX nr: %" PRIu64 "\n", index->count);
	for (uint64_t i = 0; i < index->count && i < room; i++)
		str_addf(&dump->text,
			 " ... id: %" PRIu64 "  idx: %" PRIu64 "  cpu: %" PRId64 "  tid: %" PRId64
			 "\n",
			 index->entries[i].id, index->entries[i].index, index->entries[i].cpu,
			 index->entries[i].tid);
}

struct thread_map {
	struct perf_event_header header;
	uint64_t count;
	struct {
		uint64_t pid;
		char comm[16];
	} entries[];
};

static void add_thread_map(struct record_dump *dump, const struct record *record)
{
	const struct thread_map *map = (const void *)record->header;
	uint64_t room = (record->header->size - sizeof(*map)) / sizeof(map->entries[0]);

	str_addf(&dump->text, "PERF_RECORD_THREAD_MAP nr: %" PRIu64 " thread%s: ", map->count,
		 map->count > 1 ? "s" : "");
	for (uint64_t i = 0; i < map->count && i < room; i++)
		str_addf(&dump->text, "%s%" PRId32, i ? "," : "", (int32_t)map->entries[i].pid);
	str_add_char(&dump->text, '\n');
	if (!dump->of_script)
		str_add(&dump->text, ": unhandled!\n");
}

static void add_cpus(struct record_dump *dump, const void *bytes, size_t size)
{
	_cleanup_(arena_done) struct arena arena = { 0 };
	const char *text = cpumap_text(bytes, size, &arena);

	str_addf(&dump->text, "%s\n", text ? text : "");
}

static void add_cpu_map(struct record_dump *dump, const struct record *record)
{
	str_add(&dump->text, "PERF_RECORD_CPU_MAP: ");
	add_cpus(dump, record->header + 1, record->header->size - sizeof(*record->header));
	if (!dump->of_script)
		str_add(&dump->text, ": unhandled!\n");
}

struct time_conv {
	struct perf_event_header header;
	uint64_t shift, multiplier, zero;
	/* Linux 5.8: */
	uint64_t cycles, mask;
	uint8_t cap_zero, cap_short;
};

static void add_time_conv(struct record_dump *dump, const struct record *record)
{
	const struct time_conv *time = (const void *)record->header;

	str_addf(&dump->text,
		 "PERF_RECORD_TIME_CONV\n... Time Shift      %" PRIu64
		 "\n... Time Multiplier %" PRIu64 "\n... Time Zero       %" PRIu64 "\n",
		 time->shift, time->multiplier, time->zero);
	if (record_fits(record->header, sizeof(*time)))
		str_addf(&dump->text,
			 "... Time Cycles     %" PRIu64 "\n... Time Mask       %#" PRIx64
			 "\n... Cap Time Zero   %d\n... Cap Time Short  %d\n",
			 time->cycles, time->mask, time->cap_zero, time->cap_short);
	str_add(&dump->text, ": unhandled!\n");
}

/* The text of an update ends with the record at the latest. */
static void add_update_text(struct record_dump *dump, const char *name, const char *text,
			    size_t size)
{
	str_addf(&dump->text, "... %s  %.*s\n", name, (int)strnlen(text, size), text);
}

static void add_event_update(struct record_dump *dump, const struct record *record)
{
	const struct record_event_update *update = (const void *)record->header;
	size_t size = record->header->size - sizeof(*update);
	const char *body = (const char *)(update + 1);
	double scale;

	str_addf(&dump->text, "PERF_RECORD_EVENT_UPDATE\n... id:    %" PRIu64 "\n", update->id);
	switch (update->kind) {
	case RECORD_UPDATE_UNIT:
		add_update_text(dump, "unit:", body, size);
		break;
	case RECORD_UPDATE_NAME:
		add_update_text(dump, "name:", body, size);
		break;
	case RECORD_UPDATE_CGROUP:
		add_update_text(dump, "cgroup:", body, size);
		break;
	case RECORD_UPDATE_NAMES:
		str_add(&dump->text, "... names that were kept\n");
		break;
	case RECORD_UPDATE_SCALE:
		if (size < sizeof(scale))
			break;
		memcpy(&scale, body, sizeof(scale));
		str_addf(&dump->text, "... scale: %f\n", scale);
		break;
	case RECORD_UPDATE_CPUS:
		str_add(&dump->text, "... ");
		add_cpus(dump, body, size);
		break;
	default:
		str_add(&dump->text, "... unknown type\n");
		break;
	}
}

/* Those that only the kernel's side band, and files of a pipe, have a text for elsewhere. */
static const struct {
	uint32_t type;
	size_t size; /* the least that the text needs */
	void (*add)(struct record_dump *dump, const struct record *record);
} texts[] = {
	{ PERF_RECORD_LOST, sizeof(struct record_lost), add_lost },
	{ RECORD_ID_INDEX, sizeof(struct id_index), add_id_index },
	{ RECORD_THREAD_MAP, sizeof(struct thread_map), add_thread_map },
	{ RECORD_CPU_MAP, sizeof(struct perf_event_header) + 2, add_cpu_map },
	{ RECORD_TIME_CONV, offsetof(struct time_conv, cycles), add_time_conv },
	{ RECORD_EVENT_UPDATE, sizeof(struct record_event_update), add_event_update },
};

static bool add_special(struct record_dump *dump, const struct record *record)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].type != record->header->type ||
		    !record_fits(record->header, texts[i].size))
			continue;
		texts[i].add(dump, record);
		return true;
	}
	return false;
}

/* As in perf: these are for the reader of a recording, and not for its reports. */
static bool is_unhandled(const struct record_dump *dump, uint32_t type)
{
	return type == RECORD_FINISHED_INIT ||
	       (type == RECORD_FINISHED_ROUND && dump->in_file_order);
}

static void add_text(struct record_dump *dump, const struct record *record,
		     const struct event_desc *event, const struct sample *sample)
{
	uint32_t type = record->header->type;

	if (type == PERF_RECORD_SAMPLE)
		add_sample(dump, record);
	else if (type == PERF_RECORD_LOST_SAMPLES &&
		 record_fits(record->header, sizeof(struct record_lost_samples)))
		add_lost_samples(dump, record, sample);
	else if (type == PERF_RECORD_READ && event &&
		 record_fits(record->header, sizeof(struct record_read) + sizeof(uint64_t)))
		add_read(dump, record, event);
	else if (is_unhandled(dump, type))
		str_addf(&dump->text, "PERF_RECORD_%s: unhandled!\n", record_type_name(type));
	else if (!add_special(dump, record))
		record_text(record, &dump->text);
}

void record_dump_print(void *context, const struct record *record, const struct event_desc *event,
		       const struct sample *sample)
{
	struct record_dump *dump = context;

	add_bytes(dump, record);
	add_when(dump, record, event, sample);
	str_addf(&dump->text, "%#" PRIx64 " [%#x]: ", record->offset, record->header->size);
	add_text(dump, record, event, sample);
	(void)fwrite(str_text(&dump->text), 1, dump->text.size, dump->out);
	str_clear(&dump->text);
}

void record_dump_done(struct record_dump *dump)
{
	str_done(&dump->text);
}
