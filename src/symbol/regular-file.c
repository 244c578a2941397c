/* regular-file.c - see regular-file.h. */
#include "symbol/regular-file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

/*
 * Where files are the kernel's own. They look regular, but to read one may take what is in it from
 * whom it is for (kmsg, trace_pipe).
 */
static bool is_of_kernel(int fd)
{
	static const uint32_t magics[] = {
		PROC_SUPER_MAGIC,   SYSFS_MAGIC,         TRACEFS_MAGIC, DEBUGFS_MAGIC,
		CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,  SECURITYFS_MAGIC,
	};
	struct statfs system;

	if (fstatfs(fd, &system) < 0)
		return true;
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		if ((uint32_t)system.f_type == magics[i])
			return true;
	}
	return false;
}

/* Without opening what is there: that alone may already do something, of a device. */
static int check(int folder, const char *name, struct stat *ret_status, int more_flags)
{
	_cleanup_(closep) int fd = openat(folder, name, O_PATH | O_CLOEXEC | more_flags);

	if (fd < 0 || fstat(fd, ret_status) < 0)
		return -errno;
	return S_ISREG(ret_status->st_mode) && !is_of_kernel(fd) ? 0 : -EBADF;
}

int regular_file_open_at(int folder, const char *name, struct stat *ret_status, int more_flags)
{
	_cleanup_(closep) int fd = -1;
	struct stat checked = { 0 };
	int r = check(folder, name, &checked, more_flags);

	if (r < 0)
		return r;
	fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | more_flags);
	if (fd < 0 || fstat(fd, ret_status) < 0)
		return -errno;
	if (ret_status->st_dev != checked.st_dev || ret_status->st_ino != checked.st_ino)
		return -EBADF; /* another one took its place meanwhile */
	return take_fd(fd);
}

int regular_file_open(const char *path, struct stat *ret_status, int more_flags)
{
	/* "/proc/self/exe" leads out of there, but to what is ours and not the recording's. */
	if (str_after(path, "/proc/") || str_after(path, "/sys/"))
		return -ENOENT;
	return regular_file_open_at(AT_FDCWD, path, ret_status, more_flags);
}
