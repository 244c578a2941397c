/* procmaps.c - see procmaps.h. */
#include "kernel/procmaps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/str.h"

int procmaps_open(struct procmaps *maps, const char *root, pid_t pid)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/proc/%d/maps", root ? root : "", (int)pid);
	*maps = (struct procmaps){ .file = fopen(path, "re") };
	return maps->file ? 0 : -errno;
}

void procmaps_done(struct procmaps *maps)
{
	if (maps->file)
		(void)fclose(maps->file);
	free(maps->line);
	*maps = (struct procmaps){ 0 };
}

/* The kernel writes a newline in a name as \\012, and nothing else otherwise than it is. */
static void unescape(char *name)
{
	char *to = name;

	for (const char *from = name; *from; to++) {
		const char *after = str_after(from, "\\012");

		*to = after ? '\n' : *from;
		from = after ? after : from + 1;
	}
	*to = '\0';
}

/* "start-end rwxp pgoff maj:min ino      name": the name is all that is behind the blanks. */
static bool parse(char *line, struct procmaps_entry *entry)
{
	char mode[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 "%n",
		   &entry->start, &entry->end, mode, &entry->pgoff, &entry->maj, &entry->min,
		   &entry->ino, &at) != 7 ||
	    entry->end < entry->start || strlen(mode) != 4)
		return false;
	entry->prot = (mode[0] == 'r' ? PROT_READ : 0u) | (mode[1] == 'w' ? PROT_WRITE : 0u) |
		      (mode[2] == 'x' ? PROT_EXEC : 0u);
	entry->flags = mode[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	line += at;
	line += strspn(line, " ");
	line[strcspn(line, "\n")] = '\0';
	unescape(line);
	entry->name = line;
	return true;
}

bool procmaps_next(struct procmaps *maps, struct procmaps_entry *ret_entry)
{
	while (getline(&maps->line, &maps->capacity, maps->file) > 0)
		if (parse(maps->line, ret_entry))
			return true;
	return false;
}

static int stat_regular(const char *path, uint64_t ino, struct stat *ret_status)
{
	if (stat(path, ret_status) < 0)
		return -errno;
	return S_ISREG(ret_status->st_mode) && (ino == 0 || ret_status->st_ino == ino) ? 0
										       : -ENOENT;
}

/* The path by which a mapping's file can be reached. 0 or -errno. */
static int find_file(const char *root, pid_t pid, const struct procmaps_entry *entry,
		     struct str *path, struct stat *ret_status)
{
	size_t folder;
	int r;

	str_addf(path, "%s/proc/%d/", root ? root : "", (int)pid);
	folder = path->size;
	str_addf(path, "map_files/%" PRIx64 "-%" PRIx64, entry->start, entry->end);
	if (stat_regular(path->text, entry->ino, ret_status) == 0)
		return 0;
	str_cut(path, folder);
	str_addf(path, "root%s", entry->name);
	r = stat_regular(path->text, entry->ino, ret_status);
	if (r == 0 || entry->ino == 0)
		return r;
	str_cut(path, folder);
	str_add(path, "exe");
	return stat_regular(path->text, entry->ino, ret_status);
}

int procmaps_stat_file(const char *root, pid_t pid, const struct procmaps_entry *entry,
		       struct stat *ret_status)
{
	_cleanup_(str_done) struct str path = { 0 };

	return find_file(root, pid, entry, &path, ret_status);
}

int procmaps_open_file(const char *root, pid_t pid, const struct procmaps_entry *entry)
{
	_cleanup_(str_done) struct str path = { 0 };
	struct stat status;
	int fd, r = find_file(root, pid, entry, &path, &status);

	if (r < 0)
		return r;
	fd = open(path.text, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}
