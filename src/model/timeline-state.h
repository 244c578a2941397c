/*
 * timeline-state.h - what a timeline is made of; for the files timeline*.c.
 */
#pragma once

#include <stdatomic.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/strings.h"
#include "model/dsos.h"
#include "model/instant.h"
#include "model/namespaces.h"
#include "model/processes.h"
#include "model/space.h"
#include "model/threads.h"
#include "model/timeline.h"

enum timeline_event_type {
	EVENT_FORK,
	EVENT_EXIT,
	EVENT_COMM,
	EVENT_EXEC,
	/* with a map: */
	EVENT_USER_MAP,
	EVENT_USER_CODE,
	EVENT_KERNEL_MAP,
	EVENT_GUEST_MAP,
	EVENT_KERNEL_UNMAP,
};

struct timeline_event {
	struct instant at;
	uint64_t number; /* of all that came: the order of what happened at the same instant */
	enum timeline_event_type type;
	bool synthesized;
	uint32_t pid, tid, ppid, ptid;
	union {
		const char *comm;
		struct space_map *map;
	};
};

/* No record tells that a cgroup has gone, so those are forgotten that nobody asks for. */
struct timeline_cgroup {
	atomic_bool used; /* since something was last forgotten */
	char path[];
};

struct timeline {
	struct arena arena;
	struct strings texts;
	struct dsos dsos;
	struct timeline_event *items; /* those that have come and are not told */
	size_t count, capacity;
	uint64_t come_count;
	uint64_t told; /* the last moment that was told */
	struct threads threads;
	struct processes processes;
	struct space kernel, guest_kernel;
	const struct map *kernel_text; /* the youngest; NULL if not told */
	struct hash ksymbols;          /* by start: the end of the youngest */
	struct hash cgroups;           /* by id: struct timeline_cgroup */
	struct namespaces cgroup_namespaces;
	struct {
		struct timeline_dump *items;
		size_t count, capacity;
	} dumps;
	struct hash known_dumps; /* by process and dso */
	uint64_t dump_number;    /* of the next */
};

/* Made in @arena, and used. */
struct timeline_cgroup *timeline_new_cgroup(struct arena *arena, const char *path);

/* The youngest map of the kernel: what is known of it besides. */
void timeline_note_kernel_map(struct timeline *timeline, const struct space_map *map);
