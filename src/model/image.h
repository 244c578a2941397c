/*
 * image.h - what a process number runs from one fork or exec to the next: what is mapped there over
 * time, and what it sees of its ancestors.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/instant.h"
#include "model/ranges.h"
#include "model/space.h"
#include "model/timeline.h"

struct arena;
struct dso;
struct hash;

struct image {
	struct instant born;
	uint64_t entered; /* the moment from which user space is what this image says */
	uint64_t certain; /* until then it may also be as the image before says */
	struct space space, code;
	const struct image *parent; /* NULL: began with exec, or the parent is not known */
	const struct dso
		*executable;  /* the first file that is mapped as code; NULL: the parent's */
	struct instant until; /* what the parent mapped before this is seen */
	uint32_t ppid;        /* UINT32_MAX if not begun by FORK */
	bool gone;
	bool by_exec;     /* and the vdso is not mapped yet */
	bool entering;    /* it is, but user space may not have run */
	bool stale;       /* the spaces are to be settled */
	size_t first_map; /* number of maps in images before */
	uint64_t first_epoch;
};

/* The two spaces of an image: what is mapped, and what JIT compilers put there. */
typedef const struct space *image_space(const struct image *image);
image_space image_maps, image_code;

/* What is at an address: code above the memory that it lies in, whenever that was mapped, and above
 * what it took the place of. NULL if nothing is. */
const struct map *image_find(const struct image *image, uint64_t addr, struct instant at);
/* NULL if it was never told. */
const struct dso *image_executable(const struct image *image);

/* Once its spaces and its ancestors' are settled: memory that took the place of its executable's
 * code becomes that code, in copies made in @arena. */
void image_find_remapped(struct image *image, struct arena *arena);

/* As space_epoch() of both spaces: each birth in either begins another epoch. Ids begin at
 * first_epoch. */
struct timeline_epoch image_epoch(const struct image *image, uint64_t moment);

/* What it sees at a moment: its own, and below it its ancestors'. Items are yours: free(). */
struct ranges_layers image_layers(const struct image *image, image_space *which, uint64_t moment);
/* All that it sees at last, as a space that needs no ancestors; see ranges_copy(). */
void image_keep(const struct image *image, image_space *which, struct space *ret_space,
		struct arena *arena, struct hash *dsos);
