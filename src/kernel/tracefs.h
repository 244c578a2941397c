/*
 * tracefs.h - the kernel's tracing file system: which tracepoints there are, and their files.
 *
 * It is where the kernel has it mounted, /sys/kernel/tracing or below debugfs.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct folder_names;
struct strobe_err;
struct tracefs;

/*
 * @root as in sysfile.h. -ENOENT: not mounted; -EACCES: not for this user. The caller frees it.
 */
int tracefs_open(const char *root, struct tracefs **ret_tracefs, struct strobe_err *err);
void tracefs_free(struct tracefs *tracefs);
CLEANUP(tracefs_free, struct tracefs)

/* Mounts it at its usual place where nobody has, as far as this user may; tracefs_open tells. */
void tracefs_mount(void);

/* Where it is. Borrowed for as long as @tracefs lives. */
const char *tracefs_path(const struct tracefs *tracefs);

/* attr.config of tracepoint SYSTEM:EVENT. -ENOENT: there is none; -EACCES: not readable. */
int tracefs_event_id(const struct tracefs *tracefs, const char *system, const char *event,
		     uint64_t *ret_id);

/* The other way round: "SYSTEM:EVENT", the caller's; NULL if none has this id. Looks at all. */
char *tracefs_event_name(const struct tracefs *tracefs, uint64_t id);

/* The systems that have events, and the events of one, sorted; none if it does not exist. */
void tracefs_list_systems(const struct tracefs *tracefs, struct folder_names *ret_names);
void tracefs_list_events(const struct tracefs *tracefs, const char *system,
			 struct folder_names *ret_names);

/*
 * The whole of a file, such as "events/sched/sched_switch/format" or "printk_formats". Behind the
 * *ret_size bytes stands a NUL that is not counted. The caller frees them. -ENOENT, -EACCES, or
 * -EINVAL for a path that leads out of tracefs.
 */
int tracefs_read(const struct tracefs *tracefs, const char *path, char **ret_bytes,
		 size_t *ret_size);
