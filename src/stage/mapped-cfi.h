/*
 * mapped-cfi.h - the call frame information of what processes have mapped, opened while they live.
 *
 * A file is opened when its mapping is told of, by a callback that knows the process's own view of
 * it, so that what is deleted, replaced or only in a container is found; where the process is gone
 * already, by its name. It is used only if it has the build-id, or else the inode, that the kernel
 * told.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cfi;
struct dso;
struct map;
struct timeline;

/* A descriptor of the file that a process has mapped there, or -errno. */
typedef int mapped_cfi_open(void *context, uint32_t pid, const struct map *map);

/* Starts as { 0 } but for what is said to be the caller's. */
struct mapped_cfi {
	mapped_cfi_open *open; /* the caller's, and so are these */
	void *context;
	const void *vdso; /* the running kernel's image, borrowed */
	size_t vdso_size;
	struct {
		struct mapped_cfi_item *items;
		size_t count, capacity;
	} by_dso; /* by id */
};

/* Opens the file of a mapping unless that was done. */
void mapped_cfi_see(struct mapped_cfi *mapped, uint32_t pid, const struct map *map);
/* What was opened of a dso; NULL if nothing could be. */
const struct cfi *mapped_cfi_find(const struct mapped_cfi *mapped, const struct dso *dso);
/* What the timeline has forgotten goes. */
void mapped_cfi_forget(struct mapped_cfi *mapped, const struct timeline *timeline);
void mapped_cfi_done(struct mapped_cfi *mapped);
