/*
 * file-ids.h - the build-ids of files, each read once.
 *
 * It is wiring between kernel, which opens what is mapped, and object, which reads it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strings.h"

struct procmaps_entry;

struct file_id {
	size_t size; /* bytes; 0: none, or not readable */
	uint8_t bytes[20];
};

/* Starts as { 0 }. What was read of each key, by the key's id. */
struct file_ids {
	struct strings keys;
	struct file_id *items;
	size_t count, capacity;
};

/* By the name of a file. Borrowed until the next. */
const struct file_id *file_ids_of_path(struct file_ids *ids, const char *path);
/* What was found out of a name. Where it was two files' that differ it has none: a name is all that
 * they are known by. */
void file_ids_tell(struct file_ids *ids, const char *name, const uint8_t *bytes, size_t size);
/* Of the file itself that a process has mapped there, whatever lies at its name by now. */
const struct file_id *file_ids_of_mapping(struct file_ids *ids, pid_t pid,
					  const struct procmaps_entry *map);
void file_ids_done(struct file_ids *ids);
