/*
 * buildid-cache.h - the folder where perf keeps copies of objects by their build-ids:
 *
 *   DIR/.build-id/ab/cdef...            a link to DIR/PATH/abcdef..., which is a folder with
 *       elf                             the file itself (of the vdso: "vdso")
 *       kallsyms                        of the kernel
 *       debug                           its debug information
 *       probes                          its SDT markers
 *
 * In caches of old perfs (before 4.1) the link leads to the file itself.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The folder's place: $PERF_BUILDID_DIR, else ~/.debug; "" if there is no home. */
void buildid_cache_folder(struct str *ret_folder);

/* "ab/cdef..." of a build-id of two bytes or more, as it stands in such paths; else "". */
void buildid_cache_name(const uint8_t *build_id, size_t size, struct str *ret_name);

/*
 * Opens @file ("elf", "kallsyms", ...) of a build-id for reading: a descriptor of the caller's,
 * and its path. -ENOENT if there is none.
 */
int buildid_cache_open(const char *folder, const uint8_t *build_id, size_t size, const char *file,
		       struct str *ret_path);
