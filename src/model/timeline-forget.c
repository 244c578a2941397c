/*
 * timeline-forget.c - a timeline that has lost its past: what lives is copied, and all else goes.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "base/mem.h"
#include "model/ranges.h"
#include "model/timeline-state.h"

enum { CGROUPS_MOST = 4096 }; /* that are kept though nobody asks for them */

/* What moves to new memory. */
struct move {
	struct timeline *timeline;
	struct hash *dsos; /* that stay */
	struct arena arena;
	struct strings texts;
};

static void move_space(struct move *move, struct space *space)
{
	struct ranges_layer layer = { space, instant_after(UINT64_MAX) };
	struct ranges_layers layers = { &layer, 1, 1 };
	struct space kept = { 0 };

	ranges_copy(&layers, &kept, &move->arena, move->dsos);
	space_done(space);
	*space = kept;
	space_settle(space);
}

static void move_kernel(struct move *move)
{
	struct timeline *timeline = move->timeline;

	move_space(move, &timeline->guest_kernel);
	move_space(move, &timeline->kernel);
	hash_done(&timeline->ksymbols);
	timeline->kernel_text = NULL;
	for (size_t i = 0; i < timeline->kernel.count; i++)
		timeline_note_kernel_map(timeline, timeline->kernel.items[i]);
}

/* What has come and is not told yet. */
static void move_events(struct move *move)
{
	for (size_t i = 0; i < move->timeline->count; i++) {
		struct timeline_event *event = &move->timeline->items[i];

		switch (event->type) {
		case EVENT_COMM:
		case EVENT_EXEC:
			event->comm = strings_keep(&move->texts, event->comm);
			break;
		case EVENT_USER_MAP:
		case EVENT_USER_CODE:
		case EVENT_KERNEL_MAP:
		case EVENT_GUEST_MAP:
		case EVENT_KERNEL_UNMAP:
			event->map = space_map_copy(event->map, &move->arena);
			if (event->map->map.dso)
				hash_add(move->dsos, event->map->map.dso->id, NULL)->number =
					DSO_MAPPED;
			break;
		case EVENT_FORK:
		case EVENT_EXIT:
			break;
		}
	}
}

static void move_cgroups(struct move *move)
{
	const struct hash *all = &move->timeline->cgroups;
	struct hash_entry *entry = NULL;
	struct hash kept = { 0 };

	while ((entry = hash_next(all, entry))) {
		const struct timeline_cgroup *old = entry->pointer;
		struct timeline_cgroup *cgroup;

		if (!old->used && all->count > CGROUPS_MOST)
			continue;
		cgroup = timeline_new_cgroup(&move->arena, old->path);
		cgroup->used = all->count <= CGROUPS_MOST;
		hash_add(&kept, entry->key, NULL)->pointer = cgroup;
	}
	hash_done(&move->timeline->cgroups);
	move->timeline->cgroups = kept;
}

/* Of processes that are gone nobody asks for code. */
static void forget_dumps(struct timeline *timeline, const struct hash *dsos)
{
	size_t kept = 0;

	for (size_t i = 0; i < timeline->dumps.count; i++) {
		struct timeline_dump dump = timeline->dumps.items[i];

		if (threads_has(&timeline->threads, dump.pid) && hash_find(dsos, dump.dso->id))
			timeline->dumps.items[kept++] = dump;
		else
			hash_remove(&timeline->known_dumps, (uint64_t)dump.pid << 32 | dump.dso->id,
				    NULL);
	}
	timeline->dumps.count = kept;
}

void timeline_forget(struct timeline *timeline, uint64_t gone_before, struct hash *dsos)
{
	struct move move = { .timeline = timeline, .dsos = dsos };

	threads_forget(&timeline->threads, gone_before, &move.texts);
	namespaces_forget(&timeline->cgroup_namespaces, &timeline->threads, gone_before);
	processes_forget(&timeline->processes, &timeline->threads, timeline->told, dsos);
	processes_settle(&timeline->processes);
	move_kernel(&move);
	move_events(&move);
	move_cgroups(&move);
	forget_dumps(timeline, dsos);
	arena_done(&timeline->arena);
	strings_done(&timeline->texts);
	timeline->arena = move.arena;
	timeline->texts = move.texts;
	dsos_forget(&timeline->dsos, dsos);
}
