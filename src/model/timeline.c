/*
 * timeline.c - see timeline.h.
 *
 * Records come in the order of the file, which is not that of time: each CPU has its own ring.
 * timeline_add() (timeline-add.c) keeps what they say as events; timeline_settle() sorts these by
 * time and tells them one by one to threads, processes and the kernel's space, which need only know
 * the present.
 */
#include "model/timeline-state.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strings.h"
#include "model/space.h"

struct timeline *timeline_new(void)
{
	struct timeline *timeline = xnew(struct timeline);

	/* The idle threads of all CPUs: no record ever tells their name. */
	threads_name(&timeline->threads, 0, 0, strings_keep(&timeline->texts, "swapper"),
		     (struct instant){ 0, 0 });
	return timeline;
}

struct timeline_cgroup *timeline_new_cgroup(struct arena *arena, const char *path)
{
	size_t size = strlen(path) + 1;
	struct timeline_cgroup *cgroup = arena_alloc(arena, sizeof(*cgroup) + size);

	cgroup->used = true;
	memcpy(cgroup->path, path, size);
	return cgroup;
}

void timeline_free(struct timeline *timeline)
{
	if (!timeline)
		return;
	space_done(&timeline->kernel);
	space_done(&timeline->guest_kernel);
	processes_done(&timeline->processes);
	threads_done(&timeline->threads);
	hash_done(&timeline->ksymbols);
	hash_done(&timeline->cgroups);
	namespaces_done(&timeline->cgroup_namespaces);
	dsos_done(&timeline->dsos);
	strings_done(&timeline->texts);
	free(timeline->items);
	free(timeline->dumps.items);
	hash_done(&timeline->known_dumps);
	arena_done(&timeline->arena);
	free(timeline);
}

static void tell_fork(struct timeline *timeline, const struct timeline_event *event)
{
	struct threads_life child = {
		.pid = event->pid,
		.tid = event->tid,
		.ppid = event->ppid,
		.ptid = event->ptid,
		.born = event->synthesized ? 0 : event->at.moment,
		.gone = UINT64_MAX,
	};

	threads_fork(&timeline->threads, &child, event->at, event->synthesized);
	if (event->pid != event->ppid) /* else a thread: the same space */
		processes_fork(&timeline->processes, event->pid, event->ppid, event->at,
			       event->synthesized);
}

void timeline_note_kernel_map(struct timeline *timeline, const struct space_map *map)
{
	enum dso_kind kind = map->map.dso->kind;

	if (kind == DSO_KERNEL)
		timeline->kernel_text = &map->map;
	if (kind == DSO_BPF || kind == DSO_OOL)
		hash_add(&timeline->ksymbols, map->map.start, NULL)->number = map->map.end;
}

static void tell_kernel_map(struct timeline *timeline, struct timeline_event *event)
{
	space_add(&timeline->kernel, event->map);
	timeline_note_kernel_map(timeline, event->map);
}

/* Its size is not told again. One that was never registered may have been part of the kernel. */
static void tell_kernel_unmap(struct timeline *timeline, struct timeline_event *event)
{
	struct hash_entry registered;

	if (!hash_remove(&timeline->ksymbols, event->map->map.start, &registered))
		return;
	event->map->map.end = registered.number;
	space_add(&timeline->kernel, event->map);
}

static void tell(struct timeline *timeline, struct timeline_event *event)
{
	switch (event->type) {
	case EVENT_FORK:
		tell_fork(timeline, event);
		break;
	case EVENT_EXIT:
		threads_exit(&timeline->threads, event->pid, event->tid, event->at);
		if (event->pid == event->tid)
			processes_exit(&timeline->processes, event->pid);
		break;
	case EVENT_EXEC:
		processes_exec(&timeline->processes, event->pid, event->at);
		threads_name(&timeline->threads, event->pid, event->tid, event->comm, event->at);
		break;
	case EVENT_COMM:
		threads_name(&timeline->threads, event->pid, event->tid, event->comm, event->at);
		break;
	case EVENT_USER_MAP:
		threads_seen(&timeline->threads, event->pid, event->pid);
		processes_map(&timeline->processes, event->pid, event->map);
		break;
	case EVENT_USER_CODE:
		processes_code(&timeline->processes, event->pid, event->map);
		break;
	case EVENT_KERNEL_MAP:
		tell_kernel_map(timeline, event);
		break;
	case EVENT_KERNEL_UNMAP:
		tell_kernel_unmap(timeline, event);
		break;
	case EVENT_GUEST_MAP:
		space_add(&timeline->guest_kernel, event->map);
		break;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct timeline_event *x = a, *y = b;

	if (instant_before(x->at, y->at))
		return -1;
	if (instant_before(y->at, x->at))
		return 1;
	return (x->number > y->number) - (x->number < y->number);
}

static bool has_map(enum timeline_event_type type)
{
	return type >= EVENT_USER_MAP && type <= EVENT_KERNEL_UNMAP;
}

/* What comes too late for its time happens now. */
static void tell_in_time(struct timeline *timeline, struct timeline_event *event)
{
	if (event->at.moment < timeline->told)
		event->at.moment = timeline->told;
	timeline->told = event->at.moment;
	if (has_map(event->type))
		event->map->born = event->at;
	tell(timeline, event);
}

size_t timeline_settle_until(struct timeline *timeline, uint64_t until)
{
	size_t count = 0;

	if (timeline->count > 0)
		qsort(timeline->items, timeline->count, sizeof(*timeline->items), by_time);
	for (; count < timeline->count && timeline->items[count].at.moment < until; count++)
		tell_in_time(timeline, &timeline->items[count]);
	if (count == 0)
		return 0;
	timeline->count -= count;
	memmove(timeline->items, timeline->items + count,
		timeline->count * sizeof(*timeline->items));
	processes_settle(&timeline->processes);
	space_settle(&timeline->kernel);
	space_settle(&timeline->guest_kernel);
	dsos_settle(&timeline->dsos);
	return count;
}

void timeline_settle(struct timeline *timeline)
{
	(void)timeline_settle_until(timeline, UINT64_MAX);
	free(timeline->items);
	timeline->items = NULL;
	timeline->count = timeline->capacity = 0;
}

const char *timeline_comm(const struct timeline *timeline, uint32_t tid, uint64_t moment)
{
	return threads_comm(&timeline->threads, tid, instant_after(moment));
}

const char *timeline_comm_span(const struct timeline *timeline, uint32_t tid, uint64_t moment,
			       uint64_t *ret_from, uint64_t *ret_until)
{
	return threads_comm_span(&timeline->threads, tid, moment, ret_from, ret_until);
}

const char *timeline_comm_at(const struct timeline *timeline, uint32_t tid, struct instant at)
{
	return threads_comm(&timeline->threads, tid, at);
}

const char *timeline_last_comm(const struct timeline *timeline, uint32_t tid, uint64_t moment)
{
	return threads_last_comm(&timeline->threads, tid, instant_after(moment));
}

const char *timeline_first_comm(const struct timeline *timeline, uint32_t pid, uint32_t tid)
{
	return threads_first_comm(&timeline->threads, tid);
}

/* The code that started the kernel lies behind what recorders tell as its text. */
static const struct map *find_kernel(const struct timeline *timeline, uint64_t addr,
				     uint64_t moment)
{
	const struct map *map = space_find(&timeline->kernel, addr, instant_after(moment));

	if (!map && timeline->kernel_text && addr >= timeline->kernel_text->end)
		return timeline->kernel_text;
	return map;
}

const struct map *timeline_map(const struct timeline *timeline, uint32_t pid, uint16_t cpumode,
			       uint64_t addr, uint64_t moment)
{
	switch (cpumode & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_USER:
		return processes_find(&timeline->processes, pid, addr, moment);
	case PERF_RECORD_MISC_KERNEL:
		return find_kernel(timeline, addr, moment);
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return space_find(&timeline->guest_kernel, addr, instant_after(moment));
	default:
		return NULL;
	}
}

/*
 * Ids: 0 is where nothing is ever mapped; then the kernel's, the guest kernel's, and those of
 * processes.
 */
struct timeline_epoch timeline_epoch(const struct timeline *timeline, uint32_t pid,
				     uint16_t cpumode, uint64_t moment)
{
	uint64_t guest_base = 1 + timeline->kernel.count + 1;
	uint64_t user_base = guest_base + timeline->guest_kernel.count + 1;
	struct timeline_epoch epoch = { 0, 0, UINT64_MAX };

	switch (cpumode & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_USER:
		if (processes_epoch(&timeline->processes, pid, moment, &epoch))
			epoch.id += user_base;
		break;
	case PERF_RECORD_MISC_KERNEL:
		space_epoch(&timeline->kernel, instant_after(moment), &epoch);
		epoch.id += 1;
		break;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		space_epoch(&timeline->guest_kernel, instant_after(moment), &epoch);
		epoch.id += guest_base;
		break;
	default:
		break;
	}
	return epoch;
}

const char *timeline_cgroup(const struct timeline *timeline, uint64_t id)
{
	struct hash_entry *entry = hash_find(&timeline->cgroups, id);
	struct timeline_cgroup *cgroup = entry ? entry->pointer : NULL;

	if (!cgroup)
		return NULL;
	atomic_store_explicit(&cgroup->used, true, memory_order_relaxed);
	return cgroup->path;
}

struct namespace_id timeline_cgroup_namespace(const struct timeline *timeline, uint32_t tid,
					      uint64_t moment)
{
	return namespaces_find(&timeline->cgroup_namespaces, tid, instant_after(moment));
}

size_t timeline_dso_count(const struct timeline *timeline)
{
	return timeline->dsos.count;
}

const struct dso *timeline_dso(const struct timeline *timeline, uint32_t id)
{
	return dsos_at(&timeline->dsos, id);
}

const struct dso *timeline_kernel_dso(const struct timeline *timeline)
{
	return dsos_kernel(&timeline->dsos);
}

const struct dso *timeline_executable(const struct timeline *timeline, uint32_t pid)
{
	return processes_executable(&timeline->processes, pid);
}

size_t timeline_thread_count(const struct timeline *timeline)
{
	return timeline->threads.count;
}

struct timeline_thread timeline_thread_at(const struct timeline *timeline, size_t i)
{
	const struct threads_life *life = &timeline->threads.lives[i];

	return (struct timeline_thread){
		.pid = life->pid,
		.tid = life->tid,
		.ppid = life->ppid,
		.ptid = life->ptid,
		.born = life->born,
		.gone = life->gone,
		.comm = life->comm,
	};
}

const struct map *timeline_map_at(const struct timeline *timeline, uint32_t pid, size_t i)
{
	return processes_map_at(&timeline->processes, pid, i);
}

size_t timeline_ranges(const struct timeline *timeline, uint32_t pid, uint64_t moment,
		       struct timeline_range **ret_ranges)
{
	return processes_ranges(&timeline->processes, pid, moment, ret_ranges);
}

size_t timeline_size(const struct timeline *timeline)
{
	return timeline->threads.count + (size_t)timeline->processes.epoch_count +
	       timeline->kernel.count;
}
