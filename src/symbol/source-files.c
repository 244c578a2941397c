/* source-files.c - see source-files.h. */
#include "symbol/source-files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbol/regular-file.h"

enum { SIZE_MAX_OF_FILE = 64 * 1024 * 1024 }; /* bytes; no one wrote more by hand */

struct source_file {
	char *text; /* NULL: it cannot be read */
	struct {
		struct str_part *items;
		size_t count, capacity;
	} lines;
};

static bool read_all(int fd, char *text, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t r = read(fd, text + done, size - done);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return false;
		done += (size_t)r;
	}
	return true;
}

static char *load_text(const char *path, size_t *ret_size)
{
	struct stat status;
	_cleanup_(closep) int fd = regular_file_open(path, &status, 0);
	_cleanup_(freep) char *text = NULL;

	if (fd < 0 || status.st_size <= 0 || status.st_size > SIZE_MAX_OF_FILE)
		return NULL;
	*ret_size = (size_t)status.st_size;
	text = xcalloc(*ret_size, 1);
	return read_all(fd, text, *ret_size) ? take(text) : NULL;
}

static void split(struct source_file *file, size_t size)
{
	const char *rest = file->text, *end = file->text + size;

	while (rest < end) {
		const char *newline = memchr(rest, '\n', (size_t)(end - rest));
		size_t line_size = newline ? (size_t)(newline - rest) : (size_t)(end - rest);

		grow(&file->lines);
		file->lines.items[file->lines.count++] = (struct str_part){ rest, line_size };
		rest += line_size + 1;
	}
}

static const struct source_file *file_of(struct source_files *files, const char *path)
{
	uint32_t id = strings_intern(&files->paths, path);
	struct source_file *file;
	size_t size;

	if (id < files->count)
		return &files->items[id];
	grow(files);
	file = &files->items[files->count++];
	*file = (struct source_file){ .text = load_text(path, &size) };
	if (file->text)
		split(file, size);
	return file;
}

bool source_files_line(struct source_files *files, const char *path, uint32_t line,
		       struct str_part *ret_text)
{
	const struct source_file *file = file_of(files, path);

	if (line == 0 || line > file->lines.count)
		return false;
	*ret_text = file->lines.items[line - 1];
	return true;
}

void source_files_done(struct source_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free(files->items[i].text);
		free(files->items[i].lines.items);
	}
	free(files->items);
	strings_done(&files->paths);
}
