/* kept-names.c - see kept-names.h. */
#include "stage/kept-names.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/stage.h"
#include "data/writer.h"
#include "model/timeline.h"
#include "stage/named-file.h"
#include "stage/told.h"

enum {
	RECENT = 1 << 12,         /* addresses that are known to be noted */
	ADDRESSES_MOST = 1 << 20, /* that are noted at a time; further ones stay without a name */
	CLOSED_MOST = 4,          /* times that an object may make room for others */
	TRIED_MOST = 64,          /* processes of which an object cannot be opened */
};

struct kept_names {
	struct stage stage;
	struct kept_names_options options;
	struct {
		struct kept_object **items; /* by the dso's id; NULL: nothing is known of it */
		size_t count, capacity;
	} objects;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} ended;               /* processes of the round at hand */
	struct events *events; /* as they come */
	size_t open_count, open_most, address_count;
	uint64_t recent[RECENT];
	struct sample sample; /* that is at hand */
	uint64_t space;       /* its; 0: nobody has asked yet */
};

static struct kept_names *kept_of(struct stage *stage)
{
	return (struct kept_names *)stage;
}

static struct kept_object **place_of(struct kept_names *kept, uint32_t id)
{
	while (kept->objects.count <= id) {
		if (kept->objects.count == kept->objects.capacity)
			kept->objects.items = xgrow(kept->objects.items, &kept->objects.capacity,
						    sizeof(*kept->objects.items));
		kept->objects.items[kept->objects.count++] = NULL;
	}
	return &kept->objects.items[id];
}

static void close_object(struct kept_names *kept, struct kept_object *object)
{
	if (object->fd < 0)
		return;
	kept->address_count -= kept_object_look_up(object);
	(void)close(take_fd(object->fd));
	object->closed_count++;
	kept->open_count--;
}

static bool is_sampled(const struct kept_object *object)
{
	return object->is_sampled || object->symbols.addresses.count > 0 ||
	       object->symbols.symbols.count > 0;
}

/* One that makes room: not sampled, or else the one that did so least. */
static struct kept_object *find_least(const struct kept_names *kept)
{
	struct kept_object *least = NULL;

	for (size_t i = 0; i < kept->objects.count; i++) {
		struct kept_object *object = kept->objects.items[i];

		if (!object || object->fd < 0)
			continue;
		if (!is_sampled(object))
			return object;
		if (!least || object->closed_count < least->closed_count)
			least = object;
	}
	return least;
}

/* For one that is not sampled, only others that are not make room. */
static bool make_room(struct kept_names *kept, const struct kept_object *object)
{
	while (kept->open_count >= kept->open_most) {
		struct kept_object *least = find_least(kept);

		if (!least || (is_sampled(least) && !is_sampled(object)))
			return false;
		close_object(kept, least);
	}
	return true;
}

/* By its mapping or, where the process is gone, by its name. */
static int open_file(const struct kept_names *kept, uint32_t pid, const struct map *map)
{
	int fd = kept->options.open_file(pid, map);

	return fd >= 0 ? fd : named_file_open(map->dso);
}

/* Names outlive what was mapped; files that are only held do not. */
static void keep_dso(struct kept_names *kept, const struct dso *dso)
{
	if (!kept->options.only_files)
		told_keep(kept->options.told, dso);
}

static void open_object(struct kept_names *kept, struct kept_object *object, uint32_t pid,
			const struct map *map)
{
	if (object->fd >= 0 || object->tried_pid == pid || object->tried_count > TRIED_MOST ||
	    object->closed_count > CLOSED_MOST || !make_room(kept, object))
		return;
	if (object->dso->kind == DSO_USER)
		object->fd = open_file(kept, pid, map);
	else
		object->fd = kept->options.open_folder(object->dso->jit_pid, &object->folder);
	if (object->fd < 0) {
		object->tried_pid = pid;
		object->tried_count++;
		return;
	}
	kept->open_count++;
	keep_dso(kept, object->dso);
}

static bool is_elsewhere(const struct kept_names *kept, uint32_t pid, const struct map *map)
{
	struct stat mapped, named;

	if (map->dso->deleted || stat(map->dso->name, &named) < 0)
		return true;
	return kept->options.stat_file(pid, map, &mapped) == 0 &&
	       (mapped.st_dev != named.st_dev || mapped.st_ino != named.st_ino);
}

static bool is_wanted(const struct dso *dso)
{
	return (dso->kind == DSO_USER && dso->name[0] == '/') || dso->jit_pid != 0;
}

static struct kept_object *object_of(struct kept_names *kept, uint32_t pid, const struct map *map)
{
	struct kept_object **place = place_of(kept, map->dso->id);

	if (*place || !is_wanted(map->dso))
		return *place;
	*place = kept_object_new(map->dso);
	(*place)->is_elsewhere = map->dso->jit_pid != 0 || is_elsewhere(kept, pid, map);
	return *place;
}

static void see_mapping(void *context, uint32_t pid, const struct map *map)
{
	struct kept_names *kept = context;
	struct kept_object *object = object_of(kept, pid, map);

	if (object && object->is_elsewhere)
		open_object(kept, object, pid, map);
}

/* Dsos that nobody has mapped, and that are not kept. */
static void forget(struct kept_names *kept)
{
	const struct timeline *timeline = told_timeline(kept->options.told);

	for (uint32_t id = 1; id < kept->objects.count; id++) {
		struct kept_object **place = &kept->objects.items[id];

		if (!*place || (id <= timeline_dso_count(timeline) &&
				timeline_dso(timeline, id) == (*place)->dso))
			continue;
		kept->address_count -= kept_symbols_drop(&(*place)->symbols);
		kept->open_count -= (*place)->fd >= 0;
		kept_object_free(*place);
		*place = NULL;
	}
}

/* Their perf maps are as they will be. */
static void end_processes(struct kept_names *kept)
{
	struct hash pids = { 0 };

	for (size_t i = 0; !kept->options.only_files && i < kept->ended.count; i++)
		(void)hash_add(&pids, kept->ended.items[i], NULL);
	for (size_t i = 0; pids.count > 0 && i < kept->objects.count; i++) {
		struct kept_object *object = kept->objects.items[i];

		if (object && object->dso->jit_pid && hash_find(&pids, object->dso->jit_pid))
			close_object(kept, object);
	}
	kept->ended.count = 0;
	hash_done(&pids);
}

static void settle(struct stage *stage)
{
	struct kept_names *kept = kept_of(stage);
	struct told *told = kept->options.told;

	end_processes(kept);
	if (told_has_forgotten(told))
		forget(kept);
	if (told_is_new(told) || told_has_forgotten(told))
		for (size_t i = 0; i < RECENT; i++)
			kept->recent[i] = 0;
	told_each_mapping(told, see_mapping, kept);
}

static void note_place(struct kept_names *kept, const struct map *map, uint64_t addr)
{
	struct kept_object *object = object_of(kept, kept->sample.pid, map);

	if (!object || kept->address_count >= ADDRESSES_MOST)
		return;
	object->is_sampled = true;
	if (!kept->options.only_files) {
		if (map->dso->kind == DSO_USER)
			addr = addr - map->start + map->pgoff;
		if (!kept_symbols_note(&object->symbols, addr))
			return;
		kept->address_count++;
	}
	keep_dso(kept, map->dso);
	open_object(kept, object, kept->sample.pid, map);
}

/* What tells apart the address spaces in which an address is one thing. */
static uint64_t space_of(struct kept_names *kept)
{
	const struct sample *sample = &kept->sample;
	struct timeline_epoch epoch;

	if (kept->space)
		return kept->space;
	epoch = timeline_epoch(told_timeline(kept->options.told), sample->pid,
			       PERF_RECORD_MISC_USER, sample->time);
	kept->space = hash_u64(epoch.from != epoch.until ? epoch.id : ~sample->time) | 1;
	return kept->space;
}

static void note_address(struct kept_names *kept, uint64_t addr)
{
	uint64_t key = hash_u64(addr ^ space_of(kept)) | 1;
	uint64_t *recent = &kept->recent[key >> 32 & (RECENT - 1)];
	const struct map *map;

	if (*recent == key)
		return;
	*recent = key;
	map = timeline_map(told_timeline(kept->options.told), kept->sample.pid,
			   PERF_RECORD_MISC_USER, addr, kept->sample.time);
	if (map)
		note_place(kept, map, addr);
}

static bool is_mark(uint64_t addr)
{
	return addr >= (uint64_t)PERF_CONTEXT_MAX;
}

/* The user's part of a call chain. */
static void note_chain(struct kept_names *kept, const uint64_t *chain, size_t count)
{
	bool in_user = false;

	for (size_t i = 0; i < count; i++) {
		if (is_mark(chain[i]))
			in_user = chain[i] == (uint64_t)PERF_CONTEXT_USER;
		else if (in_user)
			note_address(kept, chain[i]);
	}
}

static bool is_of_user(uint16_t misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
}

static void note_sample(struct kept_names *kept)
{
	const struct sample *sample = &kept->sample;

	if (is_of_user(sample->misc))
		note_address(kept, sample->ip);
	note_chain(kept, sample->callchain, sample->callchain_count);
	for (size_t i = 0; i < sample->branch_count; i++) {
		note_address(kept, sample->branches[i].from);
		note_address(kept, sample->branches[i].to);
	}
}

/* The user's part of a call chain, walked late. */
static void note_deferred(struct kept_names *kept, const struct perf_event_header *header)
{
	const struct record_deferred *body = (const void *)header;

	if (record_fits(header, sizeof(*body)) &&
	    body->count <= (header->size - sizeof(*body)) / sizeof(body->ips[0]))
		note_chain(kept, body->ips, (size_t)body->count);
}

static void note_end(struct kept_names *kept, const struct perf_event_header *header)
{
	const struct record_task *task = (const void *)header;

	if (!record_fits(header, sizeof(*task)) || task->pid != task->tid)
		return;
	grow(&kept->ended);
	kept->ended.items[kept->ended.count++] = task->pid;
}

static void note(struct stage *stage, const struct perf_event_header *header)
{
	const uint64_t more = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK;
	struct kept_names *kept = kept_of(stage);
	const struct record record = { .header = header };
	bool is_sample = header->type == PERF_RECORD_SAMPLE;
	const struct event_desc *event;

	if (header->type == PERF_RECORD_EXIT)
		note_end(kept, header);
	/* Many samples are of the kernel alone. */
	if (is_sample ? !is_of_user(header->misc) && !(events_sample_types(kept->events) & more)
		      : header->type != RECORD_CALLCHAIN_DEFERRED)
		return;
	if (events_decode(kept->events, &record, &event, &kept->sample) < 0)
		return;
	kept->space = 0;
	if (is_sample)
		note_sample(kept);
	else
		note_deferred(kept, header);
}

static void begin(struct stage *stage, const struct writer_event *events, size_t count)
{
	struct kept_names *kept = kept_of(stage);

	for (size_t i = 0; i < count; i++)
		(void)events_add(kept->events, &events[i].attr, events[i].ids, events[i].id_count);
}

struct kept_names *kept_names_new(const struct kept_names_options *options)
{
	struct kept_names *kept = xnew(struct kept_names);

	kept->stage = (struct stage){ .begin = begin, .settle = settle, .note = note };
	kept->events = events_new();
	kept->options = *options;
	return kept;
}

void kept_names_free(struct kept_names *kept)
{
	if (!kept)
		return;
	for (size_t i = 0; i < kept->objects.count; i++)
		kept_object_free(kept->objects.items[i]);
	free(kept->objects.items);
	free(kept->ended.items);
	events_free(kept->events);
	free(kept);
}

void kept_names_allow(struct kept_names *kept, size_t file_count)
{
	kept->open_most = file_count;
}

struct stage *kept_names_stage(struct kept_names *kept)
{
	return &kept->stage;
}

static bool is_same(const struct dso *a, const struct dso *b)
{
	return a->kind == b->kind && strcmp(a->name, b->name) == 0 && a->ino == b->ino &&
	       a->build_id_size == b->build_id_size &&
	       memcmp(a->build_id, b->build_id, a->build_id_size) == 0;
}

static int copy_descriptor(const struct kept_object *object)
{
	int fd = fcntl(object->fd, F_DUPFD_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

int kept_names_open(const struct kept_names *kept, const struct dso *dso)
{
	for (size_t i = 0; i < kept->objects.count; i++) {
		const struct kept_object *object = kept->objects.items[i];

		if (object && object->fd >= 0 && is_same(object->dso, dso))
			return copy_descriptor(object);
	}
	return -ENOENT;
}

int kept_names_open_folder(const struct kept_names *kept, uint32_t pid, pid_t *ret_pid)
{
	for (size_t i = 0; i < kept->objects.count; i++) {
		const struct kept_object *object = kept->objects.items[i];

		if (!object || object->fd < 0 || object->dso->jit_pid != pid)
			continue;
		*ret_pid = object->folder.pid;
		return copy_descriptor(object);
	}
	return -ENOENT;
}

void kept_names_each_build_id(struct kept_names *kept,
			      void (*each)(void *context, const char *name, const uint8_t *id,
					   size_t size),
			      void *context)
{
	for (size_t i = 0; i < kept->objects.count; i++) {
		const struct kept_object *object = kept->objects.items[i];
		uint8_t id[20];

		if (!object || object->dso->kind != DSO_USER || object->dso->build_id_size ||
		    (object->fd < 0 && !object->is_elsewhere))
			continue;
		each(context, object->dso->name, id, kept_object_build_id(object, id));
	}
}

void kept_names_encode(struct kept_names *kept, struct body_out *out)
{
	for (size_t i = 0; i < kept->objects.count; i++) {
		struct kept_object *object = kept->objects.items[i];

		if (!object || !is_sampled(object) || kept_object_is_there(object))
			continue;
		if (object->fd >= 0)
			kept->address_count -= kept_object_look_up(object);
		kept_object_encode(object, out);
	}
}
