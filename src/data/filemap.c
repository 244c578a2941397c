/* filemap.c - see filemap.h. */
#include "data/filemap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "data/tempfile.h"

static int map_fd(int fd, size_t size, const char *name, struct filemap *map,
		  struct strobe_err *err)
{
	static const uint64_t NOTHING;
	void *bytes;

	map->bytes = (const uint8_t *)&NOTHING;
	map->size = size;
	map->is_mapped = size > 0;
	if (size == 0)
		return 0;
	bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return err_errno(err, "cannot map '%s'", name);
	(void)madvise(bytes, size, MADV_SEQUENTIAL);
	map->bytes = bytes;
	return 0;
}

/* Copies what came, and what comes from @fd, to a temporary file and maps that. */
static int spool(int fd, const char *name, const void *begun, size_t begun_size,
		 struct filemap *map, struct strobe_err *err)
{
	_cleanup_(tempfile_freep) struct tempfile *file = tempfile_new(err);
	_cleanup_(freep) char *buffer = xcalloc(1, BUFSIZ * 8);
	int temp_fd, rc;

	if (!file)
		return -EIO;
	rc = tempfile_write(file, begun, begun_size, err);
	if (rc < 0)
		return rc;
	for (;;) {
		ssize_t size = read(fd, buffer, BUFSIZ * 8);

		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			return err_errno(err, "cannot read '%s'", name);
		if (size == 0)
			break;
		rc = tempfile_write(file, buffer, (size_t)size, err);
		if (rc < 0)
			return rc;
	}
	rc = tempfile_flush(file, &temp_fd, err);
	if (rc < 0)
		return rc;
	return map_fd(temp_fd, (size_t)tempfile_size(file), name, map, err);
}

static int open_failed(const char *path, struct strobe_err *err)
{
	int rc = err_errno(err, "cannot open '%s'", path);

	if (rc == -ENOENT)
		return err_hint(err, rc, "make one with: strobe record COMMAND");
	if (rc == -EACCES)
		return err_hint(err, rc, "it belongs to somebody else: run as its owner or root");
	return rc;
}

/* A recording of several threads is a folder; what there is one of lies in the file "data". */
static int open_in_folder(int folder_fd, const char *path, struct strobe_err *err)
{
	int fd = openat(folder_fd, "data", O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT) {
		err_set(err, -EISDIR, "'%s' is a folder, and no recording in it", path);
		return err_hint(err, -EISDIR, "name the recording itself: -i %s/perf.data", path);
	}
	return fd < 0 ? err_errno(err, "cannot open '%s/data'", path) : fd;
}

int filemap_open_fd(int fd, const char *name, struct filemap *ret_map, struct strobe_err *err)
{
	struct filemap map = { 0 };
	struct stat st;
	int rc;

	if (fstat(fd, &st) < 0)
		return err_errno(err, "cannot read '%s'", name);
	if (S_ISREG(st.st_mode)) {
		map.changed_on = st.st_mtime;
		rc = map_fd(fd, (size_t)st.st_size, name, &map, err);
	} else {
		rc = spool(fd, name, "", 0, &map, err);
	}
	if (rc < 0)
		return rc;
	*ret_map = map;
	return 0;
}

int filemap_open_rest(int fd, const char *name, const void *begun, size_t begun_size,
		      struct filemap *ret_map, struct strobe_err *err)
{
	struct filemap map = { 0 };
	int rc = spool(fd, name, begun, begun_size, &map, err);

	if (rc == 0)
		*ret_map = map;
	return rc;
}

int filemap_open(const char *path, struct filemap *ret_map, struct strobe_err *err)
{
	_cleanup_(closep) int fd = -1, inner_fd = -1;
	struct stat st;

	if (strcmp(path, "-") == 0)
		return filemap_open_fd(STDIN_FILENO, path, ret_map, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return open_failed(path, err);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		inner_fd = open_in_folder(fd, path, err);
		if (inner_fd < 0)
			return inner_fd;
	}
	return filemap_open_fd(inner_fd >= 0 ? inner_fd : fd, path, ret_map, err);
}

void filemap_done(struct filemap *map)
{
	if (map->is_mapped)
		(void)munmap((void *)(uintptr_t)map->bytes, map->size);
	*map = (struct filemap){ 0 };
}
