/* outputfile.c - see outputfile.h. */
#include "data/outputfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

/* A recording that is a folder, as perf makes with --threads: that has a file "data". */
static bool is_recording_folder(const char *path)
{
	_cleanup_(freep) char *inside = NULL;
	struct stat st;

	if (asprintf(&inside, "%s/data", path) < 0)
		abort();
	return stat(inside, &st) == 0 && S_ISREG(st.st_mode);
}

static int refuse_folder(const char *path, struct strobe_err *err)
{
	err_set(err, -EISDIR, "cannot write '%s': it is a folder", path);
	return err_hint(err, -EISDIR, "name a file: -o %s%sperf.data", path,
			path[strlen(path) - 1] == '/' ? "" : "/");
}

/* As perf does it: an older recording is NAME.old, and the one that was that is gone. */
static int keep_older(struct outputfile *file, struct strobe_err *err)
{
	char *old_path;
	int rc;

	if (asprintf(&old_path, "%s.old", file->path) < 0)
		abort();
	if (rename(file->path, old_path) < 0) {
		rc = err_errno(err, "cannot rename '%s' to '%s'", file->path, old_path);
		free(old_path);
		return err_hint(err, rc, "remove one of them, or write to another file with -o");
	}
	file->old_path = old_path;
	return 0;
}

/* A file that the shell opened for us, by a name such as /dev/stderr. */
static bool is_standard(const struct stat *file)
{
	struct stat st;

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fstat(fd, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino)
			return true;
	return false;
}

/*
 * What is there already. Only a recording may be renamed, or removed when this one fails: never a
 * device, a FIFO or some folder. A link stays, and what it leads to is what is meant.
 */
static int look_at_older(struct outputfile *file, struct strobe_err *err)
{
	struct stat st;
	char *real = NULL;

	file->ours = true;
	if (stat(file->path, &st) < 0) {
		if (lstat(file->path, &st) == 0 && S_ISLNK(st.st_mode)) {
			err_set(err, -ENOENT, "cannot write '%s': it is a link to nothing",
				file->path);
			return err_hint(err, -ENOENT, "remove it, or use another file with -o");
		}
		return 0;
	}
	if (S_ISDIR(st.st_mode) && !is_recording_folder(file->path))
		return refuse_folder(file->path, err);
	if (!is_standard(&st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		real = realpath(file->path, NULL);
	if (!real) {
		file->ours = false;
		return 0;
	}
	free(file->path);
	file->path = real;
	return S_ISDIR(st.st_mode) || st.st_size > 0 ? keep_older(file, err) : 0;
}

/* Where the header cannot be written again: a FIFO, a socket, a terminal. */
static bool is_stream(int fd)
{
	return lseek(fd, 0, SEEK_CUR) < 0;
}

static int cannot_make(const struct outputfile *file, struct strobe_err *err)
{
	int rc = err_errno(err, "cannot write '%s'", file->path);

	if (rc == -EMFILE || rc == -ENFILE)
		return err_hint(err, rc, "allow more open files: ulimit -n");
	if (rc == -ENOENT)
		return err_hint(err, rc, "make its folder, or choose another file with -o");
	return err_hint(err, rc, "choose another file with -o");
}

static int open_named(struct outputfile *file, struct strobe_err *err)
{
	int rc = look_at_older(file, err);

	if (rc < 0)
		return rc;
	file->fd = open(file->path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
	if (file->fd < 0) {
		rc = cannot_make(file, err);
		if (file->old_path)
			(void)rename(file->old_path, file->path);
		return rc;
	}
	file->is_stream = is_stream(file->fd);
	return 0;
}

int outputfile_close(struct outputfile *file)
{
	if (file->fd <= STDOUT_FILENO)
		return 0;
	return close(take_fd(file->fd)) < 0 ? -errno : 0;
}

void outputfile_done(struct outputfile *file)
{
	(void)outputfile_close(file);
	free(file->path);
	free(file->old_path);
	*file = (struct outputfile){ .fd = -1 };
}

int outputfile_open(const char *path, struct outputfile *ret_file, struct strobe_err *err)
{
	struct outputfile file = { .fd = STDOUT_FILENO, .is_stream = true, .path = xstrdup(path) };

	if (strcmp(path, "-") != 0) {
		int rc = open_named(&file, err);

		if (rc < 0) {
			file.fd = -1;
			outputfile_done(&file);
			return rc;
		}
	}
	*ret_file = file;
	return 0;
}

/* Waits for room where standard output is a pipe that does not block. */
static bool may_go_on(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };

	if (errno == EAGAIN)
		return poll(&wait, 1, -1) >= 0 || errno == EINTR;
	return errno == EINTR;
}

int outputfile_put(struct outputfile *file, const void *bytes, size_t size)
{
	const uint8_t *next = bytes;

	while (size > 0) {
		ssize_t written = write(file->fd, next, size);

		if (written < 0 && may_go_on(file->fd))
			continue;
		if (written < 0)
			return -errno;
		next += written;
		size -= (size_t)written;
	}
	return 0;
}

int outputfile_put_at(struct outputfile *file, const void *bytes, size_t size, uint64_t offset)
{
	const uint8_t *next = bytes;

	while (size > 0) {
		ssize_t written = pwrite(file->fd, next, size, (off_t)offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		next += written;
		offset += (uint64_t)written;
		size -= (size_t)written;
	}
	return 0;
}

void outputfile_abandon(struct outputfile *file)
{
	if (file->ours) {
		(void)unlink(file->path);
		if (file->old_path)
			(void)rename(file->old_path, file->path);
	}
	outputfile_done(file);
}
