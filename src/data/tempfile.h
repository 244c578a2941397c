/*
 * tempfile.h - a file without a name, written from the beginning to the end and then mapped.
 *
 * It lies in $TMPDIR, else /var/tmp, else /tmp, and is gone when its last user is.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct strobe_err;
struct tempfile;

struct tempfile *tempfile_new(struct strobe_err *err); /* NULL: err says why */
void tempfile_free(struct tempfile *file);
CLEANUP(tempfile_free, struct tempfile)

/* Buffered: an error may belong to what was written before. */
int tempfile_write(struct tempfile *file, const void *bytes, size_t size, struct strobe_err *err);

/* Bytes so far. */
uint64_t tempfile_size(const struct tempfile *file);

/* Everything is in the file now; its descriptor, which goes with @file. */
int tempfile_flush(struct tempfile *file, int *ret_fd, struct strobe_err *err);
