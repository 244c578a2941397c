/* told.c - see told.h. */
#include "stage/told.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/stage.h"
#include "data/writer.h"
#include "model/timeline.h"

enum { FORGET_COUNT = 1 << 14 }; /* of what was told, before memory is looked after */

#define EXEC_NS UINT64_C(1000000)      /* that exec takes at most, as model/processes.c has it */
#define GRACE_NS UINT64_C(10000000000) /* who is gone so long is not asked for any more */

/* What was mapped in a round. */
struct new_mapping {
	uint32_t pid;
	uint64_t addr, moment;
};

struct told {
	struct stage stage;
	struct events *events;
	struct timeline *timeline;
	struct hash kept;    /* dsos, by their ids */
	uint64_t place;      /* of the last record: an order, as in a file */
	uint64_t highest_ns; /* of all records that were looked at */
	size_t told_count, kept_count;
	bool is_new, has_forgotten, has_settled;
	struct {
		struct new_mapping *items;
		size_t count, capacity;
	} mappings;
};

static struct told *told_of(struct stage *stage)
{
	return (struct told *)stage;
}

static void begin(struct stage *stage, const struct writer_event *events, size_t count)
{
	struct told *told = told_of(stage);

	for (size_t i = 0; i < count; i++)
		(void)events_add(told->events, &events[i].attr, events[i].ids, events[i].id_count);
}

static void look_at_mapping(struct told *told, const struct perf_event_header *header,
			    uint64_t moment)
{
	const struct record_mmap2 *map = (const void *)header;

	if (header->type != PERF_RECORD_MMAP2 || !record_fits(header, sizeof(*map)) ||
	    !(map->prot & PROT_EXEC) ||
	    (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
		return;
	grow(&told->mappings);
	told->mappings.items[told->mappings.count++] =
		(struct new_mapping){ map->pid, map->start, moment };
}

/* What was of the round before goes when the next begins. */
static void begin_round(struct told *told)
{
	if (told->has_settled)
		told->mappings.count = 0;
	told->has_settled = false;
}

static void look(struct stage *stage, const struct perf_event_header *header)
{
	struct told *told = told_of(stage);
	const struct record record = { .header = header, .offset = ++told->place };
	const struct event_desc *event = events_of(told->events, &record);
	struct sample trailer;
	uint64_t time_ns;

	begin_round(told);
	if (!event)
		return;
	if (header->type == PERF_RECORD_SAMPLE) {
		if (sample_time(&event->attr, header, &time_ns) && time_ns > told->highest_ns)
			told->highest_ns = time_ns;
		return;
	}
	if (header->type >= RECORD_HEADER_ATTR ||
	    sample_decode_trailer(&event->attr, header, &trailer) < 0)
		return;
	if (trailer.time > told->highest_ns)
		told->highest_ns = trailer.time;
	if (timeline_add(told->timeline, &record, trailer.time) == 0)
		look_at_mapping(told, header, trailer.time);
}

/* Of long recordings: what has ended goes, see timeline_forget(). */
static void look_after_memory(struct told *told)
{
	struct hash dsos = { 0 };
	struct hash_entry *entry = NULL;
	uint64_t now = told->highest_ns;

	if (told->told_count < FORGET_COUNT || told->told_count < told->kept_count)
		return;
	while ((entry = hash_next(&told->kept, entry)))
		(void)hash_add(&dsos, entry->key, NULL);
	timeline_forget(told->timeline, now > GRACE_NS ? now - GRACE_NS : 0, &dsos);
	told->told_count = 0;
	told->kept_count = timeline_size(told->timeline);
	told->has_forgotten = true;
	hash_done(&dsos);
}

static void settle(struct stage *stage)
{
	struct told *told = told_of(stage);
	size_t count;

	begin_round(told); /* one without records */
	told->has_forgotten = false;
	look_after_memory(told);
	count = timeline_settle_until(told->timeline, told->highest_ns + 1);
	told->told_count += count;
	told->is_new = count > 0;
	told->has_settled = true;
}

struct told *told_new(void)
{
	struct told *told = xnew(struct told);

	told->stage = (struct stage){ .begin = begin, .look = look, .settle = settle };
	told->events = events_new();
	told->timeline = timeline_new();
	return told;
}

void told_free(struct told *told)
{
	if (!told)
		return;
	events_free(told->events);
	timeline_free(told->timeline);
	hash_done(&told->kept);
	free(told->mappings.items);
	free(told);
}

struct stage *told_stage(struct told *told)
{
	return &told->stage;
}

const struct events *told_events(const struct told *told)
{
	return told->events;
}

const struct timeline *told_timeline(const struct told *told)
{
	return told->timeline;
}

void told_keep(struct told *told, const struct dso *dso)
{
	(void)hash_add(&told->kept, dso->id, NULL);
}

bool told_is_new(const struct told *told)
{
	return told->is_new;
}

bool told_has_forgotten(const struct told *told)
{
	return told->has_forgotten;
}

void told_each_mapping(const struct told *told,
		       void (*each)(void *context, uint32_t pid, const struct map *map),
		       void *context)
{
	for (size_t i = 0; i < told->mappings.count; i++) {
		const struct new_mapping *mapping = &told->mappings.items[i];
		/* What exec maps is in sight when exec is done: see docs/differences.md. */
		const uint64_t moments[] = { mapping->moment, mapping->moment + EXEC_NS,
					     told->highest_ns };

		for (size_t k = 0; k < sizeof(moments) / sizeof(moments[0]); k++) {
			const struct map *map =
				timeline_map(told->timeline, mapping->pid, PERF_RECORD_MISC_USER,
					     mapping->addr, moments[k]);

			if (map)
				each(context, mapping->pid, map);
		}
	}
}
