/* procmaps.c - see procmaps.h. */
#include "kernel/procmaps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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
