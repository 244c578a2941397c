/* buildid-cache.c - see buildid-cache.h. */
#include "symbol/buildid-cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

void buildid_cache_folder(struct str *ret_folder)
{
	const char *given = getenv("PERF_BUILDID_DIR"), *home = getenv("HOME");

	str_clear(ret_folder);
	if (given && given[0])
		str_add(ret_folder, given);
	else if (home)
		str_addf(ret_folder, "%s/.debug", home);
}

void buildid_cache_name(const uint8_t *build_id, size_t size, struct str *ret_name)
{
	str_clear(ret_name);
	if (size < 2)
		return;
	str_add_hex(ret_name, build_id, 1);
	str_add_char(ret_name, '/');
	str_add_hex(ret_name, build_id + 1, size - 1);
}

/* Whoever wrote the path may mean a pipe or a terminal. */
static int open_regular(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	(void)close(fd);
	return -ENOENT;
}

int buildid_cache_open(const char *folder, const uint8_t *build_id, size_t size, const char *file,
		       struct str *ret_path)
{
	_cleanup_(str_done) struct str name = { 0 };
	int fd;

	buildid_cache_name(build_id, size, &name);
	if (!folder || !folder[0] || name.size == 0)
		return -ENOENT;
	str_clear(ret_path);
	str_addf(ret_path, "%s/.build-id/%s/%s", folder, name.text, file);
	fd = open_regular(ret_path->text);
	if (fd != -ENOTDIR)
		return fd;
	str_cut(ret_path, ret_path->size - strlen(file) - 1);
	return open_regular(ret_path->text);
}
