/* mapped-files.c - see mapped-files.h. */
#include "cmd/mapped-files.h"

#include "kernel/proc.h"
#include "kernel/procmaps.h"
#include "model/timeline.h"
#include "stage/kept-object.h"

static struct procmaps_entry entry_of(const struct map *map)
{
	return (struct procmaps_entry){
		.start = map->start,
		.end = map->end,
		.ino = map->has_inode ? map->ino : 0,
		.name = map->dso->name,
	};
}

int mapped_files_open(uint32_t pid, const struct map *map)
{
	const struct procmaps_entry entry = entry_of(map);

	return procmaps_open_file(NULL, (pid_t)pid, &entry);
}

int mapped_files_stat(uint32_t pid, const struct map *map, struct stat *ret_status)
{
	const struct procmaps_entry entry = entry_of(map);

	return procmaps_stat_file(NULL, (pid_t)pid, &entry, ret_status);
}

int mapped_files_folder(uint32_t pid, struct kept_folder *ret_folder)
{
	int r = proc_owner(NULL, (pid_t)pid, &ret_folder->owner);

	return r < 0 ? r : proc_open_tmp(NULL, (pid_t)pid, &ret_folder->pid);
}
