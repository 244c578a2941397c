/* sysfile.c - see sysfile.h. */
#include "kernel/sysfile.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/cpus.h"
#include "kernel/folder.h"

/* Bytes that are read of a file, or of its beginning. */
enum {
	FILE_MAX = 1 << 20, /* schedstat of a large machine */
	HEAD_SIZE = 4096,
};

static int read_file(struct str *text, size_t size_max, const char *root, const char *fmt,
		     va_list ap) __attribute__((format(printf, 4, 0)));

static int read_file(struct str *text, size_t size_max, const char *root, const char *fmt,
		     va_list ap)
{
	_cleanup_(str_done) struct str path = { 0 };
	_cleanup_(fclosep) FILE *file = NULL;
	char bytes[4096];
	size_t size;

	str_add(&path, root ? root : "");
	str_addv(&path, fmt, ap);
	file = fopen(str_text(&path), "re");
	if (!file)
		return -errno;
	while (text->size < size_max && (size = fread(bytes, 1, sizeof(bytes), file)) > 0)
		str_add_bytes(text, bytes, size);
	while (text->size > 0 && isspace((unsigned char)text->text[text->size - 1]))
		str_cut(text, text->size - 1);
	return ferror(file) ? -EIO : 0;
}

char *sysfile_text(const char *root, struct arena *arena, const char *fmt, ...)
{
	_cleanup_(str_done) struct str text = { 0 };
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = read_file(&text, FILE_MAX, root, fmt, ap);
	va_end(ap);
	return r < 0 ? NULL : arena_strdup(arena, str_text(&text));
}

char *sysfile_head(const char *root, struct arena *arena, const char *fmt, ...)
{
	_cleanup_(str_done) struct str text = { 0 };
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = read_file(&text, HEAD_SIZE, root, fmt, ap);
	va_end(ap);
	return r < 0 ? NULL : arena_strdup(arena, str_text(&text));
}

int64_t sysfile_number(const char *root, int base, int64_t missing, const char *fmt, ...)
{
	_cleanup_(str_done) struct str text = { 0 };
	const char *start;
	char *end;
	va_list ap;
	long long value;
	int r;

	va_start(ap, fmt);
	r = read_file(&text, FILE_MAX, root, fmt, ap);
	va_end(ap);
	if (r < 0)
		return missing;
	start = str_text(&text);
	errno = 0;
	value = strtoll(start, &end, base);
	return errno || end == start || *end ? missing : value;
}

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void sysfile_numbered(struct cpus *numbers, const char *root, const char *folder,
		      const char *prefix)
{
	_cleanup_(str_done) struct str path = { 0 };
	_cleanup_(folder_names_done) struct folder_names names = { 0 };

	str_addf(&path, "%s%s", root ? root : "", folder);
	(void)folder_list(str_text(&path), &names);
	for (size_t i = 0; i < names.count; i++) {
		const char *digits = str_after(names.items[i], prefix);
		uint64_t number;

		if (!digits || !str_to_u64(digits, &number) || number > INT32_MAX)
			continue;
		grow(numbers);
		numbers->items[numbers->count++] = (int)number;
	}
	if (numbers->count)
		qsort(numbers->items, numbers->count, sizeof(*numbers->items), by_number);
}

const char **sysfile_names(const char *root, const char *folder, struct arena *arena)
{
	_cleanup_(str_done) struct str path = { 0 };
	_cleanup_(folder_names_done) struct folder_names names = { 0 };
	const char **kept;

	str_addf(&path, "%s%s", root ? root : "", folder);
	(void)folder_list(str_text(&path), &names);
	kept = arena_alloc(arena, (names.count + 1) * sizeof(*kept));
	for (size_t i = 0; i < names.count; i++)
		kept[i] = arena_strdup(arena, names.items[i]);
	return kept;
}
