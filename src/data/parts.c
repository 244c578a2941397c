/* parts.c - see parts.h. */
#include "data/parts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* "data.0", "data.17"; not "data.old". */
static bool is_part(const char *name, unsigned long *ret_number)
{
	static const char prefix[] = "data.";
	const char *digits = name + sizeof(prefix) - 1;
	char *end;

	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0 || !isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*ret_number = strtoul(digits, &end, 10);
	return errno == 0 && *end == '\0';
}

static int add_part(struct parts *parts, const char *path, const char *name, unsigned long number,
		    struct strobe_err *err)
{
	_cleanup_(str_done) struct str whole = { 0 };
	struct filemap map;
	int rc;

	str_addf(&whole, "%s/%s", path, name);
	rc = filemap_open(whole.text, &map, err);
	if (rc < 0)
		return rc;
	grow(parts);
	parts->items[parts->count++] = (struct parts_file){ number, map };
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct parts_file *left = a, *right = b;

	return (left->number > right->number) - (left->number < right->number);
}

int parts_open(const char *path, struct parts *ret_parts, struct strobe_err *err)
{
	_cleanup_(closedirp) DIR *folder = opendir(path);
	_cleanup_(parts_done) struct parts parts = { 0 };
	struct dirent *entry;
	unsigned long number;
	int rc;

	if (!folder)
		return 0;
	while ((entry = readdir(folder))) {
		if (!is_part(entry->d_name, &number))
			continue;
		rc = add_part(&parts, path, entry->d_name, number, err);
		if (rc < 0)
			return rc;
	}
	if (parts.count)
		qsort(parts.items, parts.count, sizeof(*parts.items), by_number);
	*ret_parts = parts;
	parts = (struct parts){ 0 };
	return 0;
}

void parts_done(struct parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		filemap_done(&parts->items[i].map);
	free(parts->items);
	*parts = (struct parts){ 0 };
}
