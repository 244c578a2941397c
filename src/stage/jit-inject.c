/* jit-inject.c - see jit-inject.h. */
#include "stage/jit-inject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "model/timeline.h"
#include "object/jitdump.h"
#include "symbol/jit-dump.h"

enum { CODE_MOST = 1 << 30 };

struct injected {
	uint64_t time_ns;
	size_t order;
	void *record; /* in the arena */
	size_t size;
};

/* Code whose image was written, as later moves need it. */
struct known_code {
	const char *path; /* in the arena */
	struct record_mmap2 map;
};

struct jit_inject {
	const struct datafile *file;
	const struct events *events;
	struct timeline *timeline;
	struct arena arena;
	struct hash pids; /* whose dumps were read: the dumps' dsos */
	struct {
		struct jit_dump **items;
		size_t count, capacity;
	} dumps;
	struct {
		struct jit_inject_image *items;
		size_t count, capacity;
	} images;
	struct {
		struct injected *items;
		size_t count, capacity;
	} records;
	size_t next; /* of the records */
};

/* One dump that is being read. */
struct reading_dump {
	struct jit_inject *inject;
	const struct timeline_dump *marker;
	struct hash codes; /* struct known_code, by index */
	struct strobe_err *err;
};

static void add_record(struct jit_inject *inject, const struct known_code *code, uint64_t time_ns)
{
	const struct event_desc *event = events_at(inject->events, 0);
	size_t name_size = bytes_round_up(strlen(code->path) + 1);
	size_t trailer_size = sample_trailer_size(&event->attr);
	size_t size = sizeof(code->map) + name_size + trailer_size;
	const struct sample trailer = {
		.pid = code->map.pid,
		.tid = code->map.tid,
		.time = time_ns,
		.id = event->id_count ? event->ids[0] : 0,
	};
	struct record_mmap2 *record = arena_alloc(&inject->arena, size);

	memset(record, 0, size);
	*record = code->map;
	record->header = (struct perf_event_header){ .type = PERF_RECORD_MMAP2,
						     .misc = PERF_RECORD_MISC_USER,
						     .size = (uint16_t)size };
	memcpy(record->filename, code->path, strlen(code->path));
	sample_encode_trailer(&event->attr, &trailer, (uint8_t *)record + size - trailer_size);
	grow(&inject->records);
	inject->records.items[inject->records.count] = (struct injected){
		.time_ns = time_ns,
		.order = inject->records.count,
		.record = record,
		.size = size,
	};
	inject->records.count++;
}

/* Beside the dump; code of an index that was there before gets another name. */
static const char *name_image(struct reading_dump *reading, const struct jitdump *reader,
			      uint64_t index)
{
	const char *dump = reading->marker->dso->name;
	const char *slash = strrchr(dump, '/');
	const struct hash_entry *known = hash_find(&reading->codes, index);
	_cleanup_(str_done) struct str path = { 0 };

	str_add_bytes(&path, dump, slash ? (size_t)(slash - dump) : 0);
	str_addf(&path, "/jitted-%u-%llu", jitdump_header(reader)->pid, (unsigned long long)index);
	if (known)
		str_addf(&path, "-%zu", reading->inject->images.count);
	str_add(&path, ".so");
	return arena_strdup(&reading->inject->arena, path.text);
}

/* Others may write there, so nothing that lies there is written to. */
static int create_image(const char *path, struct strobe_err *err)
{
	int fd;

	(void)unlink(path);
	fd = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0644);
	return fd < 0 ? err_errno(err, "cannot write '%s'", path) : fd;
}

static void describe(const struct reading_dump *reading, const struct jitdump *reader, int fd,
		     const struct jitdump_record *load, struct arena *arena,
		     struct jit_image *ret_image, uint64_t *ret_unwind_mapped)
{
	const struct jitdump_header *header = jitdump_header(reader);
	uint8_t *code = arena_alloc(arena, load->size);
	struct jitdump_line *lines = NULL;
	struct jitdump_unwind unwind;

	*ret_unwind_mapped = 0;
	*ret_image = (struct jit_image){
		.machine = header->machine,
		.foreign = header->foreign,
		.name = load->name,
		.addr = load->addr,
		.code = code,
		.code_size = jitdump_read(fd, load->code_offset, code, load->size),
	};
	if (load->debug_offset != 0)
		ret_image->line_count = jitdump_lines(reader, fd, load, arena, &lines);
	ret_image->lines = lines;
	if (load->unwind_offset == 0 ||
	    !jitdump_unwind(reader, fd, load->unwind_offset, arena, &unwind) ||
	    unwind.header_size >= unwind.size)
		return;
	ret_image->unwind = unwind.bytes;
	ret_image->unwind_size = unwind.size;
	ret_image->unwind_header_size = unwind.header_size;
	*ret_unwind_mapped = unwind.mapped_size;
}

static void add_image(struct jit_inject *inject, const char *path, const uint8_t *build_id)
{
	struct jit_inject_image *image;

	grow(&inject->images);
	image = &inject->images.items[inject->images.count++];
	image->path = path;
	memcpy(image->build_id, build_id, JIT_IMAGE_BUILD_ID);
}

/* Writes it; what its mapping is, but for where. */
static int write_image(struct reading_dump *reading, const struct jitdump *reader, int dump_fd,
		       const struct jitdump_record *load, struct known_code *code)
{
	_cleanup_(arena_done) struct arena arena = { 0 };
	_cleanup_(closep) int fd = create_image(code->path, reading->err);
	uint8_t build_id[JIT_IMAGE_BUILD_ID];
	struct jit_image image;
	struct stat status;
	uint64_t mapped;
	int r;

	if (fd < 0)
		return fd;
	describe(reading, reader, dump_fd, load, &arena, &image, &mapped);
	r = jit_image_write(&image, fd, &code->map.pgoff, build_id);
	if (r < 0 || fstat(fd, &status) < 0)
		return err_set(reading->err, r < 0 ? r : -EIO, "cannot write '%s'", code->path);
	code->map.size = mapped ? bytes_round_up(load->size) + mapped : load->size;
	code->map.maj = major(status.st_dev);
	code->map.min = minor(status.st_dev);
	code->map.ino = status.st_ino;
	code->map.ino_generation = 1;
	code->map.prot = PROT_READ | PROT_EXEC;
	code->map.flags = MAP_PRIVATE;
	add_image(reading->inject, code->path, build_id);
	return 0;
}

static int take_load(struct reading_dump *reading, const struct jitdump *reader, int fd,
		     const struct jitdump_record *load)
{
	bool is_main = load->pid == load->tid || load->pid != reading->marker->pid;
	struct known_code *code;
	int r;

	if (load->size == 0 || load->size > CODE_MOST)
		return 0;
	code = arena_alloc(&reading->inject->arena, sizeof(*code));
	*code = (struct known_code){
		.path = name_image(reading, reader, load->index),
		.map = { .pid = reading->marker->pid,
			 .tid = is_main ? reading->marker->pid : load->tid,
			 .start = load->addr },
	};
	r = write_image(reading, reader, fd, load, code);
	if (r < 0)
		return r;
	hash_add(&reading->codes, load->index, NULL)->pointer = code;
	add_record(reading->inject, code, load->time_ns);
	return 0;
}

static void take_move(struct reading_dump *reading, const struct jitdump_record *move)
{
	const struct hash_entry *entry = hash_find(&reading->codes, move->index);
	struct known_code moved;

	if (!entry)
		return;
	moved = *(const struct known_code *)entry->pointer;
	moved.map.start = move->addr;
	add_record(reading->inject, &moved, move->time_ns);
}

static int take_record(void *context, const struct jitdump *reader, int fd,
		       const struct jitdump_record *record)
{
	struct reading_dump *reading = context;

	if (jitdump_header(reader)->has_ticks)
		return err_set(reading->err, -ENOTSUP,
			       "'%s' has times of the CPU's counter: they do not tell when its "
			       "code was there",
			       reading->marker->dso->name);
	if (record->type == JITDUMP_LOAD)
		return take_load(reading, reader, fd, record);
	take_move(reading, record);
	return 0;
}

static int read_dump(struct jit_inject *inject, const struct timeline_dump *marker,
		     const struct resolver_options *options, struct strobe_err *err)
{
	struct reading_dump reading = { .inject = inject, .marker = marker, .err = err };
	struct jit_dump *dump = jit_dump_new(options, marker, true);
	int r;

	grow(&inject->dumps);
	inject->dumps.items[inject->dumps.count++] = dump;
	r = jit_dump_each(dump, marker, take_record, &reading);
	hash_done(&reading.codes);
	if (r == 0 && !jit_dump_state(dump).reason)
		hash_add(&inject->pids, marker->pid, NULL)->pointer =
			(void *)(uintptr_t)marker->dso;
	return r;
}

/* All that tells of mappings goes to the timeline, which knows a dump by its name. */
static void look_for_dumps(struct jit_inject *inject)
{
	struct datafile_cursor cursor = datafile_begin(inject->file);
	struct record record;

	while (datafile_next(&cursor, &record)) {
		const struct event_desc *event = events_of(inject->events, &record);
		struct sample trailer;

		if (!event || record.header->type == PERF_RECORD_SAMPLE ||
		    record.header->type >= RECORD_HEADER_ATTR ||
		    sample_decode_trailer(&event->attr, record.header, &trailer) < 0)
			continue;
		(void)timeline_add(inject->timeline, &record, trailer.time);
	}
}

static int by_time(const void *va, const void *vb)
{
	const struct injected *a = va, *b = vb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static int check_clock(const struct jit_inject *inject, struct strobe_err *err)
{
	if (timeline_dump_count(inject->timeline) == 0)
		return 0;
	if (!events_are_monotonic(inject->events) ||
	    !events_at(inject->events, 0)->attr.sample_id_all) {
		err_set(err, -EINVAL,
			"times of the recording do not tell which code was there when");
		return err_hint(err, -EINVAL, "record with -k mono");
	}
	return 0;
}

int jit_inject_new(const struct datafile *file, const struct resolver_options *options,
		   struct jit_inject **ret_inject, struct strobe_err *err)
{
	_cleanup_(jit_inject_freep) struct jit_inject *inject = xnew(struct jit_inject);
	int r;

	inject->file = file;
	inject->events = datafile_events(file);
	inject->timeline = timeline_new();
	look_for_dumps(inject);
	r = check_clock(inject, err);
	for (size_t i = 0; r == 0 && i < timeline_dump_count(inject->timeline); i++)
		r = read_dump(inject, timeline_dump_at(inject->timeline, i), options, err);
	if (r < 0)
		return r;
	if (inject->records.count > 0)
		qsort(inject->records.items, inject->records.count, sizeof(*inject->records.items),
		      by_time);
	*ret_inject = take(inject);
	return 0;
}

void jit_inject_free(struct jit_inject *inject)
{
	if (!inject)
		return;
	for (size_t i = 0; i < inject->dumps.count; i++)
		jit_dump_free(inject->dumps.items[i]);
	free(inject->dumps.items);
	free(inject->images.items);
	free(inject->records.items);
	hash_done(&inject->pids);
	timeline_free(inject->timeline);
	arena_done(&inject->arena);
	free(inject);
}

size_t jit_inject_dump_count(const struct jit_inject *inject)
{
	return inject->dumps.count;
}

struct jit_dumps_state jit_inject_dump(const struct jit_inject *inject, size_t i)
{
	return jit_dump_state(inject->dumps.items[i]);
}

size_t jit_inject_image_count(const struct jit_inject *inject)
{
	return inject->images.count;
}

const struct jit_inject_image *jit_inject_image(const struct jit_inject *inject, size_t i)
{
	return &inject->images.items[i];
}

static bool is_memory(const char *name)
{
	return strncmp(name, "//anon", 6) == 0 || strncmp(name, "[anon:", 6) == 0 ||
	       strncmp(name, "/memfd:", 7) == 0;
}

bool jit_inject_replaces(const struct jit_inject *inject, const struct record *record)
{
	const struct record_mmap2 *map = (const void *)record->header;
	const struct hash_entry *entry;
	const struct dso *dump;
	const char *name;

	if (record->header->type != PERF_RECORD_MMAP2 || !record_fits(record->header, sizeof(*map)))
		return false;
	entry = hash_find(&inject->pids, map->pid);
	name = entry ? record_string(record->header, map->filename) : NULL;
	if (!name)
		return false;
	dump = entry->pointer;
	return is_memory(name) || str_after(name, dump->name);
}

const void *jit_inject_next(struct jit_inject *inject, uint64_t time_ns, size_t *ret_size)
{
	const struct injected *next;

	if (inject->next == inject->records.count)
		return NULL;
	next = &inject->records.items[inject->next];
	if (next->time_ns > time_ns)
		return NULL;
	inject->next++;
	*ret_size = next->size;
	return next->record;
}
