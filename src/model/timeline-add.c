/*
 * timeline-add.c - what records say, as events of a timeline that are not told yet.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "base/mem.h"
#include "base/strings.h"
#include "data/record.h"
#include "model/space.h"
#include "model/timeline-state.h"

static struct timeline_event *add_event(struct timeline *timeline, enum timeline_event_type type,
					struct instant at)
{
	struct timeline_event *event;

	grow(timeline);
	event = &timeline->items[timeline->count++];
	*event = (struct timeline_event){
		.at = at,
		.number = timeline->come_count++,
		.type = type,
	};
	return event;
}

/* Once, however often it is mapped. */
static void add_dump(struct timeline *timeline, uint32_t pid, const struct dso *dso,
		     struct instant at)
{
	bool is_new;

	hash_add(&timeline->known_dumps, (uint64_t)pid << 32 | dso->id, &is_new);
	if (!is_new)
		return;
	grow(&timeline->dumps);
	timeline->dumps.items[timeline->dumps.count++] =
		(struct timeline_dump){ timeline->dump_number++, pid, dso, at };
}

static int add_map(struct timeline *timeline, uint16_t misc, uint32_t pid, const struct map *wanted,
		   const struct dsos_file *file, struct instant at)
{
	uint16_t mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool guest = mode == PERF_RECORD_MISC_GUEST_KERNEL;
	bool kernel = mode == PERF_RECORD_MISC_KERNEL || guest;
	struct space_map *map;

	if (wanted->start >= wanted->end)
		return 0; /* holds no address */
	map = arena_alloc(&timeline->arena, sizeof(*map));
	*map = (struct space_map){ *wanted, at };
	map->map.dso = kernel ? dsos_add_kernel(&timeline->dsos, file, guest)
			      : dsos_add_user(&timeline->dsos, file);
	if (map->map.dso->kind == DSO_VDSO)
		map->map.pgoff =
			0; /* it is an object by itself, though some kernels say otherwise */
	enum timeline_event_type type = guest    ? EVENT_GUEST_MAP
					: kernel ? EVENT_KERNEL_MAP
						 : EVENT_USER_MAP;
	struct timeline_event *event = add_event(timeline, type, at);

	event->pid = pid;
	event->map = map;
	if (type == EVENT_USER_MAP && map->map.dso->dump_pid != 0)
		add_dump(timeline, pid, map->map.dso, at);
	return 0;
}

size_t timeline_dump_count(const struct timeline *timeline)
{
	return timeline->dumps.count;
}

const struct timeline_dump *timeline_dump_at(const struct timeline *timeline, size_t i)
{
	return &timeline->dumps.items[i];
}

const struct dso *timeline_add_code(struct timeline *timeline, const struct timeline_dump *dump,
				    const struct timeline_code *code, struct instant at)
{
	struct space_map *map;
	struct timeline_event *event;

	if (code->size == 0 || code->size > UINT64_MAX - code->start)
		return NULL;
	map = arena_alloc(&timeline->arena, sizeof(*map));
	map->born = at;
	map->map = (struct map){
		.start = code->start,
		.end = code->start + code->size,
		.pgoff = code->offset,
		.prot = 4, /* PROT_EXEC */
	};
	if (code->symbol) {
		map->map.dso = dsos_add_code(&timeline->dsos, dump->pid, dump->dso);
		map->map.symbol = arena_strdup(&timeline->arena, code->symbol);
	}
	event = add_event(timeline, EVENT_USER_CODE, at);
	event->pid = dump->pid;
	event->map = map;
	return map->map.dso;
}

/* Some recorders tell the kernel's text as [0, 0): it is somewhere. */
static struct map range(uint64_t start, uint64_t size, uint64_t pgoff, uint16_t misc)
{
	struct map map = { .start = start, .end = start + size, .pgoff = pgoff };
	uint16_t mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (map.end < start || (start == 0 && size == 0 && mode == PERF_RECORD_MISC_KERNEL))
		map.end = UINT64_MAX;
	return map;
}

static int add_mmap(struct timeline *timeline, const struct perf_event_header *header,
		    struct instant at)
{
	const struct record_mmap *record = (const void *)header;

	if (!record_fits(header, sizeof(*record)) || !record_string(header, record->filename))
		return -EBADMSG;
	struct map map = range(record->start, record->size, record->pgoff, header->misc);
	struct dsos_file file = {
		.name = record->filename,
		.pid = record->pid,
		.pgoff = record->pgoff,
		.executable = !(header->misc & PERF_RECORD_MISC_MMAP_DATA),
	};

	map.prot = file.executable ? 4 : 0; /* PROT_EXEC */
	return add_map(timeline, header->misc, record->pid, &map, &file, at);
}

static int add_mmap2(struct timeline *timeline, const struct perf_event_header *header,
		     struct instant at)
{
	const struct record_mmap2 *record = (const void *)header;

	if (!record_fits(header, sizeof(*record)) || !record_string(header, record->filename))
		return -EBADMSG;
	struct map map = range(record->start, record->size, record->pgoff, header->misc);
	struct dsos_file file = {
		.name = record->filename,
		.pid = record->pid,
		.pgoff = record->pgoff,
		.executable = record->prot & 4, /* PROT_EXEC */
	};

	map.prot = record->prot;
	map.flags = record->flags;
	if (record_has_build_id(record)) {
		file.build_id = record->build_id;
		file.build_id_size = record->build_id_size;
	} else {
		file.ino = map.ino = record->ino;
		file.maj = map.maj = record->maj;
		file.min = map.min = record->min;
		map.ino_generation = record->ino_generation;
		map.has_inode = true;
	}
	return add_map(timeline, header->misc, record->pid, &map, &file, at);
}

static int add_comm(struct timeline *timeline, const struct perf_event_header *header,
		    struct instant at)
{
	const struct record_comm *record = (const void *)header;

	if (!record_fits(header, sizeof(*record)) || !record_string(header, record->comm))
		return -EBADMSG;
	bool exec = header->misc & PERF_RECORD_MISC_COMM_EXEC;
	struct timeline_event *event = add_event(timeline, exec ? EVENT_EXEC : EVENT_COMM, at);

	event->pid = record->pid;
	event->tid = record->tid;
	event->comm = strings_keep(&timeline->texts, record->comm);
	return 0;
}

static int add_task(struct timeline *timeline, const struct perf_event_header *header,
		    struct instant at)
{
	const struct record_task *record = (const void *)header;

	if (!record_fits(header, sizeof(*record)))
		return -EBADMSG;
	bool fork = header->type == PERF_RECORD_FORK;
	struct timeline_event *event = add_event(timeline, fork ? EVENT_FORK : EVENT_EXIT, at);

	event->pid = record->pid;
	event->tid = record->tid;
	event->ppid = record->ppid;
	event->ptid = record->ptid;
	/* What a recorder finds in /proc when it starts: it marks these since Linux 4.20, and has
	 * never given them a time. */
	event->synthesized = (header->misc & PERF_RECORD_MISC_FORK_EXEC) || record->time == 0;
	return 0;
}

static int add_ksymbol(struct timeline *timeline, const struct perf_event_header *header,
		       struct instant at)
{
	const struct record_ksymbol *record = (const void *)header;

	if (!record_fits(header, sizeof(*record)) || !record_string(header, record->name))
		return -EBADMSG;
	struct space_map *map = arena_alloc(&timeline->arena, sizeof(*map));
	bool gone = record->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;

	map->born = at;
	map->map = range(record->addr, record->size, 0, PERF_RECORD_MISC_KERNEL);
	if (!gone)
		map->map.dso = dsos_add_ksymbol(&timeline->dsos, record->name,
						record->ksym_type == PERF_RECORD_KSYMBOL_TYPE_BPF);
	if (gone || map->map.start < map->map.end)
		add_event(timeline, gone ? EVENT_KERNEL_UNMAP : EVENT_KERNEL_MAP, at)->map = map;
	return 0;
}

static int add_cgroup(struct timeline *timeline, const struct perf_event_header *header)
{
	const struct record_cgroup *record = (const void *)header;

	if (!record_fits(header, sizeof(*record)) || !record_string(header, record->path))
		return -EBADMSG;
	hash_add(&timeline->cgroups, record->id, NULL)->pointer =
		timeline_new_cgroup(&timeline->arena, record->path);
	return 0;
}

/* Of what it tells, namespaces of control groups are kept. */
static int add_namespaces(struct timeline *timeline, const struct perf_event_header *header,
			  struct instant at)
{
	enum { CGROUP = 6 }; /* perf_event_open(2): CGROUP_NS_INDEX */
	const struct record_namespaces *record = (const void *)header;

	if (!record_fits(header, sizeof(*record)))
		return -EBADMSG;
	if (record->count <= CGROUP)
		return 0;
	if (!record_fits(header, sizeof(*record) + (CGROUP + 1) * sizeof(record->links[0])))
		return -EBADMSG;
	namespaces_add(
		&timeline->cgroup_namespaces, record->tid,
		(struct namespace_id){ record->links[CGROUP].dev, record->links[CGROUP].ino }, at);
	return 0;
}

int timeline_add(struct timeline *timeline, const struct record *record, uint64_t moment)
{
	const struct perf_event_header *header = record->header;
	struct instant at = { moment, record->offset };

	switch (header->type) {
	case PERF_RECORD_MMAP:
		return add_mmap(timeline, header, at);
	case PERF_RECORD_MMAP2:
		return add_mmap2(timeline, header, at);
	case PERF_RECORD_COMM:
		return add_comm(timeline, header, at);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return add_task(timeline, header, at);
	case PERF_RECORD_KSYMBOL:
		return add_ksymbol(timeline, header, at);
	case PERF_RECORD_CGROUP:
		return add_cgroup(timeline, header);
	case PERF_RECORD_NAMESPACES:
		return add_namespaces(timeline, header, at);
	default:
		return 0;
	}
}

void timeline_add_build_id(struct timeline *timeline, const char *name, bool kernel,
			   const uint8_t *build_id, size_t size)
{
	dsos_set_build_id(&timeline->dsos, name, kernel, build_id, size);
}
