/*
 * procmaps.h - the mappings of a process, one by one: /proc/PID/maps.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct stat;

struct procmaps {
	FILE *file;
	char *line;
	size_t capacity;
};

struct procmaps_entry {
	uint64_t start, end, pgoff;
	uint32_t prot;  /* PROT_* */
	uint32_t flags; /* MAP_SHARED or MAP_PRIVATE */
	uint32_t maj, min;
	uint64_t ino;
	const char *name; /* "" if none; a name keeps its blanks, newlines and its " (deleted)";
			     borrowed until the next */
};

/* @root as in proc.h. 0 or -errno. */
int procmaps_open(struct procmaps *maps, const char *root, pid_t pid);
/* False at the end. A line that is none is skipped. */
bool procmaps_next(struct procmaps *maps, struct procmaps_entry *ret_entry);
/*
 * Opens the file itself that is mapped, even one that was deleted, replaced or is only in the
 * process's own mount namespace: a descriptor, or -errno. Regular files only. Who may not do that
 * gets the file of that name, or the process's executable, if its inode is the mapping's. Of an
 * entry whose inode is not known (0) it is whatever lies at the name in the process's view.
 */
int procmaps_open_file(const char *root, pid_t pid, const struct procmaps_entry *entry);
/* What that file is, without opening it. */
int procmaps_stat_file(const char *root, pid_t pid, const struct procmaps_entry *entry,
		       struct stat *ret_status);
void procmaps_done(struct procmaps *maps);
