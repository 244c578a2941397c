/* meter-file.c - see meter-file.h. */
#include "collect/meter-file.h"

#include <string.h>

#include "collect/eventset.h"
#include "collect/header-features.h"
#include "collect/meter.h"
#include "collect/recordbuf.h"
#include "collect/target-records.h"
#include "collect/target.h"
#include "data/countset.h"
#include "data/eventdesc.h"
#include "data/record.h"
#include "data/writer.h"
#include "event/eventlist.h"

/* Tool events have no ids of the kernel's; no kernel comes to count so far. */
#define TOOL_ID (UINT64_C(1) << 62)

struct meter_file {
	const struct meter_file_options *options;
	const struct eventset *set;
	struct writer *writer;
	struct writer_event *events;
	uint64_t *ids; /* [event][cpu][thread]; 0 where there is none */
	struct recordbuf buf;
};

static void add_event(struct meter_file *file, size_t event)
{
	const struct eventset *set = file->set;
	const struct event_spec *spec = &set->list->items[event];
	size_t count = set->cpu_count * set->thread_count, used = 0;
	uint64_t *ids = xcalloc(count + 1, sizeof(*ids));

	for (size_t at = event * count; at < (event + 1) * count; at++) {
		if (set->fds && set->fds[at] >= 0)
			file->ids[at] = set->ids[at];
		else if (spec->tool && at == event * count)
			file->ids[at] = TOOL_ID + event;
		if (file->ids[at])
			ids[used++] = file->ids[at];
	}
	file->events[event] = (struct writer_event){
		.attr = spec->attr, .name = spec->name, .ids = ids, .id_count = used
	};
}

static void add_update(struct meter_file *file, size_t event, uint64_t kind, const void *body,
		       size_t size)
{
	static const char zeros[8];

	recordbuf_begin(&file->buf, RECORD_EVENT_UPDATE, 0);
	recordbuf_u64(&file->buf, kind);
	recordbuf_u64(&file->buf, file->events[event].ids[0]);
	recordbuf_bytes(&file->buf, body, size);
	/* Readers take 8 bytes at least. */
	if (size < sizeof(zeros))
		recordbuf_bytes(&file->buf, zeros, sizeof(zeros) - size);
	recordbuf_end(&file->buf);
}

/* Unit and scale of its counts, as perf tells them; its control group, which perf does not tell. */
static void add_updates(struct meter_file *file, size_t event)
{
	const struct event_spec *spec = &file->set->list->items[event];

	if (file->events[event].id_count == 0)
		return;
	if (spec->unit)
		add_update(file, event, RECORD_UPDATE_UNIT, spec->unit, strlen(spec->unit) + 1);
	if (spec->cgroup)
		add_update(file, event, RECORD_UPDATE_CGROUP, spec->cgroup,
			   strlen(spec->cgroup) + 1);
	if (spec->scale != 0 && spec->scale != 1)
		add_update(file, event, RECORD_UPDATE_SCALE, &spec->scale, sizeof(spec->scale));
}

static void add_config(struct meter_file *file)
{
	const struct stat_record_settings *settings = &file->options->settings;
	const uint64_t values[STAT_RECORD_TERMS] = {
		[STAT_RECORD_BY] = settings->by,
		[STAT_RECORD_INTERVAL_MS] = settings->interval_ms,
		[STAT_RECORD_SCALE] = !settings->no_scale,
		[STAT_RECORD_CACHE_LEVEL] = settings->cache_level,
	};
	/* perf before 6.5 does not know of levels, and says so. */
	const uint64_t count = settings->cache_level ? STAT_RECORD_TERMS : STAT_RECORD_CACHE_LEVEL;

	recordbuf_begin(&file->buf, RECORD_STAT_CONFIG, 0);
	recordbuf_u64(&file->buf, count);
	for (uint64_t term = 0; term < count; term++) {
		recordbuf_u64(&file->buf, term);
		recordbuf_u64(&file->buf, values[term]);
	}
	recordbuf_end(&file->buf);
}

static int write_start(struct meter_file *file, const struct target *target, struct strobe_err *err)
{
	size_t count = file->set->list->count;
	int r = writer_events(file->writer, file->events, count, err);

	for (size_t event = 0; event < count; event++)
		add_updates(file, event);
	target_records_add(target, &file->buf);
	add_config(file);
	if (r == 0)
		r = recordbuf_flush(&file->buf, file->writer, err);
	return r == 0 ? writer_checkpoint(file->writer, err) : r;
}

static int write_features(struct meter_file *file, struct strobe_err *err)
{
	const struct eventlist *list = file->set->list;
	_cleanup_(freep) struct eventdesc_group *groups = xcalloc(list->count + 1, sizeof(*groups));
	struct header_features_options options = {
		.version = file->options->version,
		.argv = file->options->argv,
		.is_stat = true,
		.pipe = writer_is_pipe(file->writer),
		.events = file->events,
		.event_count = list->count,
		.groups = groups,
		.group_count = header_features_groups(list, groups),
	};

	return header_features_write(&options, file->writer, err);
}

int meter_file_open(const struct meter_file_options *options, const struct meter *meter,
		    struct meter_file **ret_file, struct strobe_err *err)
{
	_cleanup_(meter_file_freep) struct meter_file *file = xnew(struct meter_file);
	const struct eventset *set = meter_events(meter);
	size_t count = set->list->count;
	int r;

	file->options = options;
	file->set = set;
	file->events = xcalloc(count + 1, sizeof(*file->events));
	file->ids = xcalloc(count * set->cpu_count * set->thread_count + 1, sizeof(*file->ids));
	for (size_t event = 0; event < count; event++)
		add_event(file, event);
	r = writer_open(options->path, &file->writer, err);
	if (r == 0)
		r = write_start(file, meter_target(meter), err);
	/* Who reads a stream wants to know at once. */
	if (r == 0 && writer_is_pipe(file->writer))
		r = write_features(file, err);
	if (r == 0)
		*ret_file = take(file);
	return r;
}

static void add_count(struct meter_file *file, const struct countset *counts, size_t event,
		      size_t cpu, size_t thread, int number)
{
	const struct count *count = countset_at(counts, event, cpu, thread);
	uint64_t id = file->ids[eventset_at(file->set, event, cpu, thread)];

	if (!count->is_there || !id)
		return;
	recordbuf_begin(&file->buf, RECORD_STAT, 0);
	recordbuf_u64(&file->buf, id);
	recordbuf_u32(&file->buf, (uint32_t)number);
	recordbuf_u32(&file->buf, (uint32_t)thread);
	recordbuf_u64(&file->buf, count->value);
	recordbuf_u64(&file->buf, count->enabled_ns);
	recordbuf_u64(&file->buf, count->running_ns);
	recordbuf_end(&file->buf);
}

int meter_file_round(struct meter_file *file, const struct countset *counts,
		     enum stat_record_round_type type, uint64_t time_ns, struct strobe_err *err)
{
	const int *cpus = file->set->target->cpus.items;
	int r;

	for (size_t event = 0; event < counts->event_count; event++)
		for (size_t cpu = 0; cpu < counts->cpu_count; cpu++)
			for (size_t thread = 0; thread < counts->thread_count; thread++)
				add_count(file, counts, event, cpu, thread, cpus[cpu]);
	recordbuf_begin(&file->buf, RECORD_STAT_ROUND, 0);
	recordbuf_u64(&file->buf, type);
	recordbuf_u64(&file->buf, time_ns);
	recordbuf_end(&file->buf);
	r = recordbuf_flush(&file->buf, file->writer, err);
	return r == 0 ? writer_checkpoint(file->writer, err) : r;
}

int meter_file_close(struct meter_file *file, struct strobe_err *err)
{
	int r = writer_is_pipe(file->writer) ? 0 : write_features(file, err);

	if (r == 0)
		r = writer_finish(take(file->writer), err);
	meter_file_free(file);
	return r;
}

void meter_file_free(struct meter_file *file)
{
	if (!file)
		return;
	if (file->writer)
		writer_abandon(file->writer);
	for (size_t i = 0; i < file->set->list->count; i++)
		free((void *)file->events[i].ids);
	free(file->events);
	free(file->ids);
	recordbuf_done(&file->buf);
	free(file);
}
