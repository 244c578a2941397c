/* file-ids.c - see file-ids.h. */
#include "cmd/file-ids.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "kernel/procmaps.h"
#include "object/elf-file.h"

static struct file_id id_of(const struct elf_file *elf)
{
	struct file_id id = { 0 };
	const uint8_t *bytes;
	size_t size = elf_file_build_id(elf, &bytes);

	if (size == 0 || size > sizeof(id.bytes))
		return id;
	id.size = size;
	memcpy(id.bytes, bytes, size);
	return id;
}

/* The place of a key; *ret_new: nothing was read yet. */
static struct file_id *place_of(struct file_ids *ids, const char *key, bool *ret_new)
{
	uint32_t id = strings_intern(&ids->keys, key);

	*ret_new = id == ids->count;
	if (*ret_new) {
		grow(ids);
		ids->items[ids->count++] = (struct file_id){ 0 };
	}
	return &ids->items[id];
}

const struct file_id *file_ids_of_path(struct file_ids *ids, const char *path)
{
	_cleanup_(elf_file_freep) struct elf_file *elf = NULL;
	bool is_new;
	struct file_id *id = place_of(ids, path, &is_new);

	if (is_new && elf_file_open(path, &elf, NULL) == 0)
		*id = id_of(elf);
	return id;
}

void file_ids_tell(struct file_ids *ids, const char *name, const uint8_t *bytes, size_t size)
{
	bool is_new;
	struct file_id *id = place_of(ids, name, &is_new);

	if (size > sizeof(id->bytes))
		size = 0;
	if (is_new) {
		id->size = size;
		memcpy(id->bytes, bytes, size);
	} else if (id->size != size || memcmp(id->bytes, bytes, size) != 0) {
		id->size = 0;
	}
}

const struct file_id *file_ids_of_mapping(struct file_ids *ids, pid_t pid,
					  const struct procmaps_entry *map)
{
	_cleanup_(elf_file_freep) struct elf_file *elf = NULL;
	_cleanup_(str_done) struct str key = { 0 };
	struct file_id *id;
	bool is_new;
	int fd;

	str_addf(&key, "%x:%x %" PRIu64 " %s", map->maj, map->min, map->ino, map->name);
	id = place_of(ids, key.text, &is_new);
	if (!is_new)
		return id;
	fd = procmaps_open_file(NULL, pid, map);
	if (fd >= 0 && elf_file_open_fd(fd, map->name, &elf, NULL) == 0)
		*id = id_of(elf);
	return id;
}

void file_ids_done(struct file_ids *ids)
{
	strings_done(&ids->keys);
	free(ids->items);
	*ids = (struct file_ids){ 0 };
}
