/*
 * kept-names.h - a stage that keeps names of what is sampled, for when its file, its process or its
 * container is gone: FEATURE_STROBE_NAMES (data/keptnames.h).
 *
 * It changes nothing. It notes which addresses are sampled, those of call chains too, and holds
 * files open that may not be there later: at once those that are not what their names lead to here,
 * as of containers or deleted ones; others when they are first sampled. Folders of perf maps are
 * held as long as the process lives; its map is read when it ends. In the end the names of what was
 * sampled are looked up, but for files that are still where they were. Nothing fails for it: what
 * cannot be opened has no names.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/mem.h"
#include "stage/kept-object.h"

struct body_out;
struct dso;
struct kept_names;
struct map;
struct stage;
struct stat;
struct told;

struct kept_names_options {
	struct told *told; /* stands before it among the stages; borrowed */
	/* A descriptor of the file that a process has mapped there; what that file is. */
	int (*open_file)(uint32_t pid, const struct map *map);
	int (*stat_file)(uint32_t pid, const struct map *map, struct stat *ret_status);
	int (*open_folder)(uint32_t pid, struct kept_folder *ret_folder);
	bool only_files; /* who reads names while they are held: none are kept */
};

struct kept_names *kept_names_new(const struct kept_names_options *options);
void kept_names_free(struct kept_names *kept);
CLEANUP(kept_names_free, struct kept_names)

/* How many files it may hold open: none until it is told. Where more are wanted, those go first
 * that were not sampled. */
void kept_names_allow(struct kept_names *kept, size_t file_count);

/* Borrowed. */
struct stage *kept_names_stage(struct kept_names *kept);

/* With only_files: descriptors of the caller's, of what is held, or -ENOENT. The file that such a
 * dso of another timeline stands for; and the folder where a process writes its perf map. */
int kept_names_open(const struct kept_names *kept, const struct dso *dso);
int kept_names_open_folder(const struct kept_names *kept, uint32_t pid, pid_t *ret_pid);

/* Files of which the recording tells no build-id, that are held or were elsewhere, and theirs: its
 * @size is 0 if it is not known. */
void kept_names_each_build_id(struct kept_names *kept,
			      void (*each)(void *context, const char *name, const uint8_t *id,
					   size_t size),
			      void *context);
/* Adds the names that are worth keeping: nothing if there are none. After the last record. */
void kept_names_encode(struct kept_names *kept, struct body_out *out);
