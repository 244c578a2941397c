/*
 * folder.h - the names in a folder.
 */
#pragma once

#include <stddef.h>

#include "base/mem.h"

struct folder_names {
	char **items;
	size_t count, capacity;
};

/*
 * The names, by their bytes, without those that begin with a dot. 0 or a negative errno, and no
 * names, where the folder cannot be read. Free with folder_names_done().
 */
int folder_list(const char *path, struct folder_names *ret_names);
/* Of those only what can be a folder. */
int folder_list_folders(const char *path, struct folder_names *ret_names);

/* Takes over *@name, and leaves NULL there. */
void folder_names_add(struct folder_names *names, char **name);
void folder_names_done(struct folder_names *names);
