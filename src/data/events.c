/* events.c - see events.h. */
#include "data/events.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "data/cpumap.h"
#include "data/record.h"
#include "data/sample.h"

struct events {
	struct event_desc *items;
	size_t count, capacity;
	struct hash indexes; /* of events, by their kernel ids */
	/* Where all attrs put the id: see sample_id_offset(); 0: they do not agree. */
	size_t sample_offset, trailer_offset;
	uint64_t sample_types; /* those of all, together */
	struct arena arena;
};

static void agree_on_offsets(struct events *events, const struct attr *attr)
{
	size_t sample = sample_id_offset(attr);
	size_t trailer = sample_trailer_id_offset(attr);

	if (events->count == 0) {
		events->sample_offset = sample;
		events->trailer_offset = trailer;
	}
	if (events->sample_offset != sample)
		events->sample_offset = 0;
	if (events->trailer_offset != trailer)
		events->trailer_offset = 0;
}

/* The id that a record carries; 0 if it has none. */
static uint64_t record_id(const struct events *events, const struct perf_event_header *header)
{
	const char *bytes = (const char *)header;
	uint64_t id = 0;

	if (header->type == PERF_RECORD_SAMPLE) {
		if (events->sample_offset && header->size >= events->sample_offset + sizeof(id))
			memcpy(&id, bytes + events->sample_offset, sizeof(id));
	} else if (header->type < RECORD_HEADER_ATTR && events->trailer_offset &&
		   header->size >= sizeof(*header) + events->trailer_offset) {
		memcpy(&id, bytes + header->size - events->trailer_offset, sizeof(id));
	}
	return id;
}

size_t events_count(const struct events *events)
{
	return events->count;
}

uint64_t events_sample_types(const struct events *events)
{
	return events->sample_types;
}

const struct event_desc *events_at(const struct events *events, size_t index)
{
	return &events->items[index];
}

const struct event_desc *events_find_id(const struct events *events, uint64_t id)
{
	const struct hash_entry *entry = hash_find(&events->indexes, id);

	return entry ? &events->items[entry->index] : NULL;
}

/* Recorders write records of their own making with an id of 0: those are the first event's. */
const struct event_desc *events_of(const struct events *events, const struct record *record)
{
	if (events->count <= 1)
		return events->count ? events->items : NULL;

	uint64_t id = record_id(events, record->header);

	return id ? events_find_id(events, id) : events->items;
}

int events_decode(const struct events *events, const struct record *record,
		  const struct event_desc **ret_desc, struct sample *ret_sample)
{
	const struct event_desc *desc = events_of(events, record);
	int rc;

	if (!desc)
		return -ENOENT;
	if (record->header->type == PERF_RECORD_SAMPLE)
		rc = sample_decode(&desc->attr, record->header, ret_sample);
	else
		rc = sample_decode_trailer(&desc->attr, record->header, ret_sample);
	if (rc < 0)
		return rc;
	*ret_desc = desc;
	return 0;
}

struct events *events_new(void)
{
	return xnew(struct events);
}

void events_free(struct events *events)
{
	if (!events)
		return;
	arena_done(&events->arena);
	hash_done(&events->indexes);
	free(events->items);
	free(events);
}

size_t events_add(struct events *events, const struct attr *attr, const uint64_t *ids,
		  size_t id_count)
{
	size_t index = events->count;

	agree_on_offsets(events, attr);
	events->sample_types |= attr->sample_type;
	grow(events);
	events->items[index] = (struct event_desc){
		.index = index,
		.attr = *attr,
		.leader = index,
		.group_count = 1,
		.scale = 1,
	};
	events->count++;
	events_set_ids(events, index, ids, id_count);
	return index;
}

void events_set_ids(struct events *events, size_t index, const uint64_t *ids, size_t id_count)
{
	if (index >= events->count || id_count == 0 || events->items[index].id_count)
		return;

	uint64_t *copy = arena_alloc(&events->arena, id_count * sizeof(*ids));

	memcpy(copy, ids, id_count * sizeof(*ids));
	events->items[index].ids = copy;
	events->items[index].id_count = id_count;
	for (size_t i = 0; i < id_count; i++) {
		bool is_new;
		struct hash_entry *entry = hash_add(&events->indexes, copy[i], &is_new);

		/* An id that two events claim stays with the first. */
		if (is_new)
			entry->index = index;
	}
}

void events_set_name(struct events *events, size_t index, const char *name, size_t size)
{
	if (index < events->count)
		events->items[index].name = arena_strndup(&events->arena, name, size);
}

void events_set_group(struct events *events, size_t leader, size_t count, const char *name,
		      size_t name_size)
{
	if (leader >= events->count || count == 0 || count > events->count - leader)
		return;
	events->items[leader].group_count = count;
	if (name)
		events->items[leader].group_name = arena_strndup(&events->arena, name, name_size);
	for (size_t i = leader; i < leader + count; i++)
		events->items[i].leader = leader;
}

/* The record's attr is as large as it says itself; the rest are ids. */
int events_add_record(struct events *events, const struct perf_event_header *header)
{
	const char *bytes = (const char *)(header + 1);
	size_t size = header->size - sizeof(*header);
	struct attr attr;
	uint32_t attr_size;

	if (header->size < sizeof(*header) + ATTR_SIZE_MIN)
		return -EBADMSG;
	memcpy(&attr_size, bytes + offsetof(struct attr, size), sizeof(attr_size));
	if (attr_size == 0)
		attr_size = ATTR_SIZE_MIN;
	if (attr_size > size || attr_size % 8 || attr_decode(bytes, attr_size, false, &attr) < 0)
		return -EBADMSG;
	(void)events_add(events, &attr, (const uint64_t *)(const void *)(bytes + attr_size),
			 (size - attr_size) / sizeof(uint64_t));
	return 0;
}

int events_update(struct events *events, const struct perf_event_header *header)
{
	const struct record_event_update *update = (const void *)header;

	if (header->size < sizeof(*update))
		return -EBADMSG;

	const struct event_desc *desc = events_find_id(events, update->id);
	size_t size = header->size - sizeof(*update);

	if (!desc)
		return -EBADMSG;

	struct event_desc *item = &events->items[desc->index];

	switch (update->kind) {
	case RECORD_UPDATE_UNIT:
		item->unit = arena_strndup(&events->arena, update->body, size);
		return 0;
	case RECORD_UPDATE_SCALE:
		if (size < sizeof(item->scale))
			return -EBADMSG;
		memcpy(&item->scale, update->body, sizeof(item->scale));
		return 0;
	case RECORD_UPDATE_NAME:
		item->name = arena_strndup(&events->arena, update->body, size);
		return 0;
	case RECORD_UPDATE_CGROUP:
		item->cgroup = arena_strndup(&events->arena, update->body, size);
		return 0;
	case RECORD_UPDATE_CPUS:
		item->cpus = cpumap_text(update->body, size, &events->arena);
		return item->cpus ? 0 : -EBADMSG;
	default:
		return 0;
	}
}

bool events_have_time(const struct events *events)
{
	for (size_t i = 0; i < events_count(events); i++) {
		if (events_at(events, i)->attr.sample_type & PERF_SAMPLE_TIME)
			return true;
	}
	return false;
}

bool events_are_monotonic(const struct events *events)
{
	for (size_t i = 0; i < events_count(events); i++) {
		const struct attr *attr = &events_at(events, i)->attr;

		if (!attr->use_clockid || attr->clockid != CLOCK_MONOTONIC)
			return false;
	}
	return events_have_time(events);
}
