/* cgroup.c - see cgroup.h. */
#include "kernel/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

/* The mount point as mounts has it (without @root); false if no hierarchy can be used. */
static bool find_mount(const char *root, char *mount, size_t size)
{
	char path[4096], buffer[8192];
	struct mntent entry;
	bool found = false;

	(void)snprintf(path, sizeof(path), "%s/proc/mounts", root ? root : "");
	FILE *file = setmntent(path, "re");
	if (!file)
		return false;
	while (getmntent_r(file, &entry, buffer, sizeof(buffer))) {
		bool is_v1 =
			strcmp(entry.mnt_type, "cgroup") == 0 && hasmntopt(&entry, "perf_event");
		bool is_v2 = strcmp(entry.mnt_type, "cgroup2") == 0;

		if (!is_v1 && (!is_v2 || found))
			continue;
		(void)snprintf(mount, size, "%s", entry.mnt_dir);
		found = true;
		if (is_v1)
			break;
	}
	(void)endmntent(file);
	return found;
}

/*
 * The part of @name below the mount point, or all of it. Before it there may be what a line of
 * /proc/PID/cgroup begins with: "0::/NAME", "5:perf_event:/NAME".
 */
static const char *below(const char *name, const char *mount)
{
	size_t size = strlen(mount), digits = strspn(name, "0123456789");

	if (digits > 0 && name[digits] == ':') {
		const char *path = strstr(name + digits + 1, ":/");

		name = path ? path + 1 : name;
	}
	if (strncmp(name, mount, size) == 0 && (name[size] == '/' || name[size] == '\0'))
		name += size;
	return name + strspn(name, "/");
}

/* By ".." a name would leave the hierarchy, for a folder that is no group. */
static bool goes_up(const char *name)
{
	for (; *name; name += strcspn(name, "/"), name += strspn(name, "/")) {
		if (strcspn(name, "/") == 2 && strncmp(name, "..", 2) == 0)
			return true;
	}
	return false;
}

int cgroup_open(const char *root, const char *name, struct strobe_err *err)
{
	char mount[4096], path[9216];
	int fd;

	if (!find_mount(root, mount, sizeof(mount))) {
		err_set(err, -ENOENT, "cgroup '%s': no cgroup hierarchy is mounted here", name);
		return err_hint(err, -ENOENT, "as root: mount -t cgroup2 none /sys/fs/cgroup");
	}
	(void)snprintf(path, sizeof(path), "%s%s/%s", root ? root : "", mount, below(name, mount));
	errno = ENOENT;
	fd = goes_up(name) ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		err_errno(err, "no cgroup '%s' in '%s'", name, mount);
		return err_hint(err, err ? err->code : -ENOENT,
				"the name is what /proc/PID/cgroup shows behind the last ':'");
	}
	return fd;
}

/* The kernel's id of a group is its folder's file handle: 8 bytes. */
static uint64_t id_of(const char *path)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(uint64_t)];
	} h = { .handle.handle_bytes = sizeof(uint64_t) };
	uint64_t id = 0;
	struct stat st;
	int mount_id;

	if (name_to_handle_at(AT_FDCWD, path, &h.handle, &mount_id, 0) == 0 &&
	    h.handle.handle_bytes == sizeof(id))
		memcpy(&id, h.handle.f_handle, sizeof(id));
	else if (stat(path, &st) == 0)
		id = st.st_ino;
	return id;
}

int cgroup_walk(const char *root, cgroup_visit *visit, void *context)
{
	char mount[4096], top[9216];
	char *folders[] = { top, NULL };

	if (!find_mount(root, mount, sizeof(mount)))
		return -ENOENT;
	(void)snprintf(top, sizeof(top), "%s%s", root ? root : "", mount);
	size_t skip = strlen(top);
	FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!walk)
		return -errno;
	for (FTSENT *entry; (entry = fts_read(walk));)
		if (entry->fts_info == FTS_D)
			visit(context, id_of(entry->fts_path),
			      entry->fts_path[skip] ? entry->fts_path + skip : "/");
	(void)fts_close(walk);
	return 0;
}
