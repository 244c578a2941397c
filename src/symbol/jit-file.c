/* jit-file.c - see jit-file.h. */
#include "symbol/jit-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "symbol/regular-file.h"
#include "symbol/resolve.h"
#include "symbol/symfs.h"

struct jit_file_stamp jit_file_stamp(const struct stat *status)
{
	return (struct jit_file_stamp){
		.device = status->st_dev,
		.inode = status->st_ino,
		.size = (uint64_t)status->st_size,
		.changed_ns = (uint64_t)status->st_mtim.tv_sec * UINT64_C(1000000000) +
			      (uint64_t)status->st_mtim.tv_nsec,
	};
}

static const enum reason not_there[] = { REASON_NO_MAP, REASON_NO_DUMP };
static const enum reason not_ours[] = { REASON_MAP_NOT_OURS, REASON_DUMP_NOT_OURS };
static const enum reason not_readable[] = { REASON_MAP_UNREADABLE, REASON_DUMP_UNREADABLE };

/* Of a process in a container, a file in /tmp is there. */
static int open_inner(const struct resolver_options *options, enum jit_file_kind kind, uint32_t pid,
		      const char *path, struct stat *ret_status)
{
	_cleanup_(closep) int folder = -1;
	_cleanup_(str_done) struct str name = { 0 };
	const char *base = str_after(path, "/tmp/");
	pid_t inner_pid;

	if (!options->open_tmp || options->symfs || !base || strchr(base, '/'))
		return -ENOENT;
	folder = options->open_tmp((pid_t)pid, &inner_pid);
	if (folder < 0 && options->open_held_tmp)
		folder = options->open_held_tmp(options->held_context, (pid_t)pid, &inner_pid);
	if (folder < 0)
		return folder;
	if (kind == JIT_FILE_MAP)
		str_addf(&name, "perf-%d.map", (int)inner_pid);
	else
		str_add(&name, base);
	return regular_file_open_at(folder, name.text, ret_status, O_NOFOLLOW);
}

static int open_named(const struct resolver_options *options, const char *path,
		      struct stat *ret_status)
{
	_cleanup_(str_done) struct str placed = { 0 };
	int fd;

	symfs_add_path(options, path, &placed);
	fd = regular_file_open(placed.text, ret_status, O_NOFOLLOW);
	if (fd < 0 && options->symfs)
		fd = regular_file_open(path, ret_status, O_NOFOLLOW);
	return fd;
}

int jit_file_open(const struct resolver_options *options, enum jit_file_kind kind, uint32_t pid,
		  const char *path, struct stat *ret_status, enum reason *ret_reason)
{
	_cleanup_(closep) int fd = open_inner(options, kind, pid, path, ret_status);

	if (fd < 0)
		fd = open_named(options, path, ret_status);
	if (fd < 0) {
		*ret_reason = fd == -EACCES || fd == -EPERM ? not_readable[kind] : not_there[kind];
		if (options->symfs && *ret_reason == REASON_NO_MAP)
			*ret_reason = REASON_NO_MAP_BELOW;
		return fd;
	}
	if (!options->force && ret_status->st_uid != geteuid() && ret_status->st_uid != 0) {
		*ret_reason = not_ours[kind];
		return -EPERM;
	}
	return take_fd(fd);
}
