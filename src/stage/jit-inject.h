/*
 * jit-inject.h - code that was made at run time as a part of the recording: an ELF file for each
 * piece that a JIT dump tells of, jitted-PID-N.so beside the dump, and an MMAP2 record of it for
 * each time that it came somewhere. Who reads the recording then needs to know nothing of dumps.
 *
 * Records are for before the first one of the recording that is as late. That is within the same
 * round, so no reader that orders records by rounds gets them too late.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "object/jit-image.h"
#include "symbol/jit-dumps.h"

struct datafile;
struct jit_inject;
struct record;
struct resolver_options;
struct strobe_err;

/* Reads the dumps and writes the images. Fails where times of the recording do not tell when code
 * was there, or an image cannot be written. */
int jit_inject_new(const struct datafile *file, const struct resolver_options *options,
		   struct jit_inject **ret_inject, struct strobe_err *err);
void jit_inject_free(struct jit_inject *inject);
CLEANUP(jit_inject_free, struct jit_inject)

/* What became of each dump. Its texts live as long. */
size_t jit_inject_dump_count(const struct jit_inject *inject);
struct jit_dumps_state jit_inject_dump(const struct jit_inject *inject, size_t i);

struct jit_inject_image {
	const char *path;
	uint8_t build_id[JIT_IMAGE_BUILD_ID];
};
size_t jit_inject_image_count(const struct jit_inject *inject);
const struct jit_inject_image *jit_inject_image(const struct jit_inject *inject, size_t i);

/* Whether images stand for what a record tells: the mapping of a dump that was read, or of memory
 * of its process. */
bool jit_inject_replaces(const struct jit_inject *inject, const struct record *record);
/* The records that are due before one of a time; NULL if none is, any more. Borrowed. */
const void *jit_inject_next(struct jit_inject *inject, uint64_t time_ns, size_t *ret_size);
