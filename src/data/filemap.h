/*
 * filemap.h - a file's bytes in memory, whatever kind of file it is.
 *
 * A regular file is mapped. What comes through a pipe is copied to a temporary file first, which
 * has no name, so that nothing is left behind.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strobe_err;

struct filemap {
	const uint8_t *bytes; /* not NULL; aligned to a page */
	size_t size;
	int64_t changed_on; /* seconds since 1970; 0 of a pipe */
	bool is_mapped;     /* false where there is nothing to map */
};

/* @path: "-" is standard input; of a folder, the file "data" in it. */
int filemap_open(const char *path, struct filemap *ret_map, struct strobe_err *err);

/* The same of a descriptor, which stays the caller's; @name is for messages. */
int filemap_open_fd(int fd, const char *name, struct filemap *ret_map, struct strobe_err *err);

/* Of a pipe from which @begun_size bytes, @begun, were read. */
int filemap_open_rest(int fd, const char *name, const void *begun, size_t begun_size,
		      struct filemap *ret_map, struct strobe_err *err);

void filemap_done(struct filemap *map);
