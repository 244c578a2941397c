/*
 * outputfile.h - a file being written under a name that may be taken: what happens to the older
 * one, and to what was begun when it comes to nothing.
 *
 * An older recording of the name is renamed to NAME.old, as perf does; a device, a FIFO, or what
 * the shell opened stays what it is. "-" is standard output.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strobe_err;

struct outputfile {
	int fd;
	bool is_stream; /* what is written cannot be written again: a pipe, a FIFO, a terminal */
	bool ours;      /* a file of our own making, which may be removed */
	char *path, *old_path; /* old_path: what an older file is called now, or NULL */
};

/* Errors: as open(2). On success outputfile_done() or _abandon() ends it. */
int outputfile_open(const char *path, struct outputfile *ret_file, struct strobe_err *err);

/* All bytes, at the end or at an offset. 0 or a negative errno; waits where a pipe is full. */
int outputfile_put(struct outputfile *file, const void *bytes, size_t size);
int outputfile_put_at(struct outputfile *file, const void *bytes, size_t size, uint64_t offset);

/* Closes it: 0, or a negative errno of a late write. outputfile_done() is still to come. */
int outputfile_close(struct outputfile *file);
/* Closes it, if it is not yet, and forgets it; the file stays. */
void outputfile_done(struct outputfile *file);
/* As outputfile_done(); the file goes, and the older one gets its name back. */
void outputfile_abandon(struct outputfile *file);
