/* folder.c - see folder.h. */
#include "kernel/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list(const char *path, bool folders_only, struct folder_names *ret_names)
{
	_cleanup_(closedirp) DIR *dir = opendir(path);
	struct folder_names names = { 0 };

	*ret_names = names;
	if (!dir)
		return -errno;
	for (const struct dirent *entry; (entry = readdir(dir));) {
		char *name;

		if (entry->d_name[0] == '.' ||
		    (folders_only && entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
			continue;
		name = xstrdup(entry->d_name);
		folder_names_add(&names, &name);
	}
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), by_name);
	*ret_names = names;
	return 0;
}

int folder_list(const char *path, struct folder_names *ret_names)
{
	return list(path, false, ret_names);
}

int folder_list_folders(const char *path, struct folder_names *ret_names)
{
	return list(path, true, ret_names);
}

void folder_names_add(struct folder_names *names, char **name)
{
	grow(names);
	names->items[names->count++] = take(*name);
}

void folder_names_done(struct folder_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct folder_names){ 0 };
}
