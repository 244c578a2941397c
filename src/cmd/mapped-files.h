/*
 * mapped-files.h - the files that processes have mapped, as stages ask for them: wiring to kernel.
 */
#pragma once

#include <stdint.h>

struct kept_folder;
struct map;
struct stat;

/* A descriptor of the file itself, or -errno: see procmaps_open_file(). */
int mapped_files_open(uint32_t pid, const struct map *map);
/* What it is. */
int mapped_files_stat(uint32_t pid, const struct map *map, struct stat *ret_status);
/* Where a process's JIT compiler writes its perf map: a descriptor, or -errno. */
int mapped_files_folder(uint32_t pid, struct kept_folder *ret_folder);
