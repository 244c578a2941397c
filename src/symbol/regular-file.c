/* regular-file.c - see regular-file.h. */
#include "symbol/regular-file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

int regular_file_open(const char *path, struct stat *ret_status, int more_flags)
{
	_cleanup_(closep) int fd = -1;

	if (str_after(path, "/proc/") || str_after(path, "/sys/"))
		return -ENOENT;
	if (stat(path, ret_status) < 0)
		return -errno;
	if (!S_ISREG(ret_status->st_mode)) /* to open a device may already do something */
		return -EBADF;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | more_flags);
	if (fd < 0 || fstat(fd, ret_status) < 0)
		return -errno;
	if (!S_ISREG(ret_status->st_mode))
		return -EBADF;
	return take_fd(fd);
}
