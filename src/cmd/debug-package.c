/* debug-package.c - see debug-package.h. */
#include "cmd/debug-package.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

/* A list for each package, "NAME.list" or "NAME:ARCH.list", with a path in each line. */
static const char lists[] = "/var/lib/dpkg/info";

/* Where /bin and /lib are links into /usr, a package may have either name. */
static bool is_same(const char *line, size_t size, const char *path)
{
	const char *bare = str_after(path, "/usr");
	size_t whole_size = strlen(path), bare_size = bare ? strlen(bare) : 0;

	return (size == whole_size && memcmp(line, path, size) == 0) ||
	       (bare && size == bare_size && memcmp(line, bare, size) == 0);
}

static bool has_path(int folder, const char *name, const char *path)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	_cleanup_(fclosep) FILE *file = fd < 0 ? NULL : fdopen(fd, "re");
	_cleanup_(freep) char *line = NULL;
	size_t room = 0;
	ssize_t size;

	while (file && (size = getline(&line, &room, file)) > 0) {
		if (is_same(line, (size_t)size - (line[size - 1] == '\n'), path))
			return true;
	}
	return false;
}

void debug_package_add(struct str *out, const char *path)
{
	_cleanup_(closedirp) DIR *folder = opendir(lists);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		const char *name = entry->d_name;
		size_t size = strcspn(name, ":"), whole = strlen(name);

		if (whole < 5 || strcmp(name + whole - 5, ".list") != 0 ||
		    !has_path(dirfd(folder), name, path))
			continue;
		if (size == whole)
			size -= 5;
		str_add_bytes(out, name, size);
		str_add(out, strncmp(name, "libc6", size) == 0 ? "-dbg" : "-dbgsym");
		return;
	}
}
