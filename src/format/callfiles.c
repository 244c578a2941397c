/* callfiles.c - see callfiles.h. */
#include "format/callfiles.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/callcopy.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/callitems.h"

/* Of statfs(2)'s f_type: <linux/magic.h>. */
enum { MAGIC_PIPE = 0x50495045, MAGIC_SOCKET = 0x534f434b, MAGIC_ANONYMOUS = 0x09041934 };

struct name {
	const char *text;
	size_t size;
};

/* The names, from the last to the first: how many there are. */
static size_t split(const char *bytes, size_t size, struct name names[CALLCOPY_LEVELS])
{
	size_t count = 0;

	while (size > 0 && count < CALLCOPY_LEVELS) {
		size_t length = strnlen(bytes, size);

		if (length == size)
			break;
		/* A mounted folder itself is called "/". */
		if (length > 1 || (length == 1 && *bytes != '/'))
			names[count++] = (struct name){ bytes, length };
		bytes += length + 1;
		size -= length + 1;
	}
	return count;
}

static void add_path(const struct callitem *item, const char *bytes, size_t size, struct str *path)
{
	struct name names[CALLCOPY_LEVELS];
	size_t count = split(bytes, size, names);

	if (item->head.more & CALLCOPY_FILE_CUT)
		str_add(path, "...");
	for (size_t i = count; i-- > 0;) {
		str_add_char(path, '/');
		str_add_bytes(path, names[i].text, names[i].size);
	}
	if (path->size == 0)
		str_add_char(path, '/');
	if (item->head.more & CALLCOPY_FILE_DELETED)
		str_add(path, " (deleted)");
}

/* As /proc shows it: what is no file has no path. */
static void describe(const struct callitem *item, const struct callcopy_file *file,
		     struct str *path)
{
	const char *bytes = (const char *)item->bytes + sizeof(*file);
	size_t size = item->head.size - sizeof(*file);

	if (file->magic == MAGIC_SOCKET || S_ISSOCK(file->mode))
		str_addf(path, "socket:[%" PRIu64 "]", file->inode);
	else if (file->magic == MAGIC_PIPE)
		str_addf(path, "pipe:[%" PRIu64 "]", file->inode);
	else if (file->magic == MAGIC_ANONYMOUS && strnlen(bytes, size) < size)
		str_addf(path, "anon_inode:%s", bytes);
	else
		add_path(item, bytes, size, path);
}

const char *callfiles_take(struct callfiles *files, const struct callitem *item)
{
	_cleanup_(str_done) struct str path = { 0 };
	struct callcopy_file file;
	struct hash_entry *entry;

	if (item->head.size < sizeof(file))
		return NULL;
	memcpy(&file, item->bytes, sizeof(file));
	if (item->head.more & CALLCOPY_FILE_KNOWN) {
		entry = hash_find(&files->paths, file.key);
		return entry ? entry->pointer : NULL;
	}
	describe(item, &file, &path);
	entry = hash_add(&files->paths, file.key, NULL);
	/* The table's text, which nobody changes. */
	entry->pointer = (void *)(uintptr_t)strings_keep(&files->texts, str_text(&path));
	return entry->pointer;
}

void callfiles_done(struct callfiles *files)
{
	hash_done(&files->paths);
	strings_done(&files->texts);
}
