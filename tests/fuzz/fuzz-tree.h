/*
 * fuzz-tree.h - a folder that stands for the machine, with proc/ and sys/ in it, for as long as the
 * process lives. Its files are written anew for each input.
 */
#pragma once

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char fuzz_tree_path[64];

static inline int fuzz_tree_remove_one(const char *path, const struct stat *st, int type,
				       struct FTW *ftw)
{
	return remove(path);
}

static inline void fuzz_tree_remove(void)
{
	(void)nftw(fuzz_tree_path, fuzz_tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline const char *fuzz_tree(void)
{
	if (fuzz_tree_path[0])
		return fuzz_tree_path;
	/* In memory, where there is such a place. */
	(void)strcpy(fuzz_tree_path, access("/dev/shm", W_OK) == 0 ? "/dev/shm/strobe-fuzz-XXXXXX"
								   : "/tmp/strobe-fuzz-XXXXXX");
	if (!mkdtemp(fuzz_tree_path))
		abort();
	(void)atexit(fuzz_tree_remove);
	return fuzz_tree_path;
}

static inline void fuzz_tree_file(const char *path, const void *bytes, size_t size)
{
	char whole[512];
	int fd;

	(void)snprintf(whole, sizeof(whole), "%s/%s", fuzz_tree(), path);
	fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	for (char *p = whole + strlen(fuzz_tree()) + 1; fd < 0 && (p = strchr(p, '/'));
	     *p++ = '/') {
		*p = '\0';
		(void)mkdir(whole, 0755);
	}
	if (fd < 0)
		fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	(void)close(fd);
}

static inline void fuzz_tree_text(const char *path, const char *text)
{
	fuzz_tree_file(path, text, strlen(text));
}

/* Writes the first part of the input to the first path and so on, and nothing to those that are
 * left over. Parts are divided by lines of "=". */
static inline void fuzz_tree_files(const char *const *paths, size_t count, const uint8_t *bytes,
				   size_t size)
{
	for (size_t i = 0; i < count; i++) {
		const uint8_t *end = size > 0 ? memmem(bytes, size, "\n=\n", 3) : NULL;
		size_t part = end && i + 1 < count ? (size_t)(end - bytes) + 1 : size;

		fuzz_tree_file(paths[i], bytes, part);
		bytes += part;
		size -= part;
		if (size >= 2) {
			bytes += 2;
			size -= 2;
		}
	}
}
