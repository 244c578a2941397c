/* event-files.c - see event-files.h. */
#include "cmd/event-files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cmd/reading.h"

struct event_file {
	FILE *file;
	char *path;
	uint64_t size, sample_count;
};

struct event_files {
	struct event_file *items;
	size_t count;
};

static char *make_path(const char *input, const char *event)
{
	struct str path = { 0 };
	size_t begin;

	str_addf(&path, "%s.", strcmp(input, "-") == 0 ? "perf.data" : input);
	begin = path.size;
	str_addf(&path, "%s.dump", event);
	for (char *c = path.text + begin; *c; c++) {
		if (*c == '/')
			*c = '_';
	}
	return str_take(&path);
}

int event_files_open(const char *input, const struct reading_names *names,
		     struct event_files **ret_files, struct strobe_err *err)
{
	_cleanup_(event_files_freep) struct event_files *files = xnew(struct event_files);

	files->items = xcalloc(names->count + 1, sizeof(*files->items));
	for (size_t i = 0; i < names->count; i++) {
		struct event_file *item = &files->items[files->count++];

		item->path = make_path(input, names->items[i]);
		item->file = fopen(item->path, "we");
		if (!item->file)
			return err_errno(err, "cannot write '%s'", item->path);
	}
	*ret_files = take(files);
	return 0;
}

void event_files_add(struct event_files *files, size_t index, const struct str *text)
{
	struct event_file *item = &files->items[index];

	(void)fwrite(str_text(text), 1, text->size, item->file);
	item->size += text->size;
	item->sample_count++;
}

int event_files_close(struct event_files *files, struct strobe_err *err)
{
	for (size_t i = 0; i < files->count; i++) {
		struct event_file *item = &files->items[i];
		int failed = ferror(item->file);

		failed |= fclose(item->file);
		item->file = NULL;
		if (failed)
			return err_set(err, -EIO, "cannot write all of '%s'", item->path);
		(void)printf("[ strobe script: Wrote %.3f MB %s (%" PRIu64 " samples) ]\n",
			     (double)item->size / 1024 / 1024, item->path, item->sample_count);
	}
	return 0;
}

void event_files_free(struct event_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->count; i++) {
		if (files->items[i].file)
			(void)fclose(files->items[i].file);
		free(files->items[i].path);
	}
	free(files->items);
	free(files);
}
