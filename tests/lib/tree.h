/* tree.h - a folder that stands for the machine: proc/ and sys/ with what a test puts there. */
#pragma once

#include "../unit/test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int tree_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *ftw)
{
	return remove(path);
}

static inline void tree_done(char *root)
{
	assert_int_equal(nftw(root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static inline void tree_new(char *root)
{
	(void)strcpy(root, "/tmp/strobe-test-XXXXXX");
	assert_non_null(mkdtemp(root));
}

static inline void tree_add(const char *root, const char *path, const void *bytes, size_t size)
{
	char whole[512];

	(void)snprintf(whole, sizeof(whole), "%s/%s", root, path);
	for (char *p = whole + strlen(root) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		(void)mkdir(whole, 0755);
	}
	FILE *file = fopen(whole, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static inline void tree_text(const char *root, const char *path, const char *text)
{
	tree_add(root, path, text, strlen(text));
}
