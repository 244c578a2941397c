/* tempfile.c - see tempfile.h. */
#include "data/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

enum { BUFFER_SIZE = 256 * 1024 };

struct tempfile {
	int fd;
	const char *folder; /* for messages */
	uint64_t size;
	size_t used; /* of the buffer */
	uint8_t buffer[BUFFER_SIZE];
};

/* File systems without O_TMPFILE (overlays of old kernels) have a name for a moment. */
static int open_unnamed(const char *folder)
{
	char path[4096];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
		return fd;
	if ((size_t)snprintf(path, sizeof(path), "%s/strobe.XXXXXX", folder) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		(void)unlink(path);
	return fd;
}

static int write_all(struct tempfile *file, const uint8_t *bytes, size_t size,
		     struct strobe_err *err)
{
	while (size > 0) {
		ssize_t written = write(file->fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			int rc = err_errno(err, "cannot write a temporary file in '%s'",
					   file->folder);

			return err_hint(err, rc, "TMPDIR may name a folder with more room");
		}
		bytes += written;
		size -= (size_t)written;
	}
	return 0;
}

static int write_buffer(struct tempfile *file, struct strobe_err *err)
{
	size_t used = file->used;

	file->used = 0;
	return write_all(file, file->buffer, used, err);
}

struct tempfile *tempfile_new(struct strobe_err *err)
{
	const char *folders[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
	int fd = -1;

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		if (!folders[i] || !folders[i][0])
			continue;
		fd = open_unnamed(folders[i]);
		if (fd >= 0) {
			struct tempfile *file = xnew(struct tempfile);

			file->fd = fd;
			file->folder = folders[i];
			return file;
		}
	}
	(void)err_errno(err, "cannot make a temporary file in '/tmp'");
	(void)err_hint(err, -EIO, "TMPDIR may name a folder that can be written");
	return NULL;
}

void tempfile_free(struct tempfile *file)
{
	if (!file)
		return;
	(void)close(file->fd);
	free(file);
}

int tempfile_write(struct tempfile *file, const void *bytes, size_t size, struct strobe_err *err)
{
	file->size += size;
	if (size > BUFFER_SIZE - file->used) {
		int rc = write_buffer(file, err);

		if (rc < 0)
			return rc;
		if (size >= BUFFER_SIZE)
			return write_all(file, bytes, size, err);
	}
	memcpy(file->buffer + file->used, bytes, size);
	file->used += size;
	return 0;
}

uint64_t tempfile_size(const struct tempfile *file)
{
	return file->size;
}

int tempfile_flush(struct tempfile *file, int *ret_fd, struct strobe_err *err)
{
	int rc = write_buffer(file, err);

	if (rc == 0)
		*ret_fd = file->fd;
	return rc;
}
