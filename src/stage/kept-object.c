/* kept-object.c - see kept-object.h. */
#include "stage/kept-object.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "data/keptnames.h"
#include "model/dso.h"
#include "object/debugfile.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"
#include "object/perfmap.h"
#include "object/symtab.h"
#include "symbol/regular-file.h"

struct kept_object *kept_object_new(const struct dso *dso)
{
	struct kept_object *object = xnew(struct kept_object);

	object->dso = dso;
	object->fd = -1;
	return object;
}

void kept_object_free(struct kept_object *object)
{
	if (!object)
		return;
	closep(&object->fd);
	kept_symbols_done(&object->symbols);
	free(object->segments.items);
	free(object);
}

static bool is_right(const struct dso *dso, const struct elf_file *file)
{
	const uint8_t *id = NULL;
	size_t size = elf_file_build_id(file, &id);

	return dso->build_id_size == 0 || dso_has_build_id(dso, id, size);
}

/* NULL if it is not the file that was mapped. */
static struct elf_file *open_file(const struct kept_object *object)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	int fd = fcntl(object->fd, F_DUPFD_CLOEXEC, 0);

	if (fd < 0 || elf_file_open_fd(fd, object->dso->name, &file, NULL) < 0 ||
	    !is_right(object->dso, file))
		return NULL;
	return take(file);
}

/* Sampled addresses are in those that may run. */
static void keep_segments(struct kept_object *object, const struct elf_file *file)
{
	object->segments.count = 0;
	for (size_t i = 0; i < elf_file_segment_count(file); i++) {
		const struct elf_file_segment *segment = elf_file_segment(file, i);

		if (!segment->executable)
			continue;
		grow(&object->segments);
		object->segments.items[object->segments.count++] =
			(struct keptnames_segment){ segment->offset, segment->file_size,
						    segment->vaddr };
	}
}

static size_t look_up_file(struct kept_object *object)
{
	static const char *const roots[] = { DEBUGFILE_ROOT };
	_cleanup_(elf_file_freep) struct elf_file *file = open_file(object);
	_cleanup_(elf_file_freep) struct elf_file *debug = NULL;
	_cleanup_(symtab_freep) struct symtab *table = NULL;

	if (!file)
		return kept_symbols_drop(&object->symbols);
	if (!elf_file_has_symtab(file))
		(void)debugfile_find(file, object->dso->name, roots, 1, &debug);
	table = elf_symbols_load(file, debug, NULL);
	keep_segments(object, file);
	return kept_symbols_look_up(&object->symbols, table, file);
}

/* The process's own word on its code, root's or ours: others may write there too. */
static struct symtab *load_map(const struct kept_object *object)
{
	_cleanup_(closep) int fd = -1;
	struct symtab *table = NULL;
	struct stat status;
	char name[32];

	(void)snprintf(name, sizeof(name), "perf-%d.map", (int)object->folder.pid);
	fd = regular_file_open_at(object->fd, name, &status, O_NOFOLLOW);
	if (fd < 0 || (status.st_uid != object->folder.owner && status.st_uid != 0 &&
		       status.st_uid != geteuid()))
		return NULL;
	return perfmap_load(fd, name, &table, NULL, NULL) == 0 ? table : NULL;
}

static size_t look_up_map(struct kept_object *object)
{
	_cleanup_(symtab_freep) struct symtab *table = load_map(object);

	return table ? kept_symbols_look_up(&object->symbols, table, NULL)
		     : kept_symbols_drop(&object->symbols);
}

size_t kept_object_look_up(struct kept_object *object)
{
	if (object->symbols.addresses.count == 0)
		return 0;
	return object->dso->kind == DSO_ANON ? look_up_map(object) : look_up_file(object);
}

/* A file of overlayfs has one inode by its name and another where it is mapped. */
static bool has_same_build_id(const struct dso *dso)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	struct stat status;
	int fd;

	if (dso->build_id_size == 0)
		return false;
	fd = regular_file_open(dso->name, &status, 0);
	return fd >= 0 && elf_file_open_fd(fd, dso->name, &file, NULL) == 0 && is_right(dso, file);
}

bool kept_object_is_there(const struct kept_object *object)
{
	struct stat held, named;

	if (object->dso->kind == DSO_ANON)
		return false;
	if (!object->dso->deleted && object->fd >= 0 && fstat(object->fd, &held) == 0 &&
	    stat(object->dso->name, &named) == 0 && held.st_dev == named.st_dev &&
	    held.st_ino == named.st_ino)
		return true;
	return has_same_build_id(object->dso);
}

size_t kept_object_build_id(const struct kept_object *object, uint8_t ret_id[20])
{
	_cleanup_(elf_file_freep) struct elf_file *file =
		object->fd >= 0 && object->dso->kind == DSO_USER ? open_file(object) : NULL;
	const uint8_t *id;
	size_t size = file ? elf_file_build_id(file, &id) : 0;

	if (size == 0 || size > 20)
		return 0;
	memcpy(ret_id, id, size);
	return size;
}

void kept_object_encode(struct kept_object *object, struct body_out *out)
{
	const struct dso *dso = object->dso;
	struct keptnames_object head = {
		.name = dso->name,
		.is_jit = dso->kind == DSO_ANON,
		.ino = dso->ino,
		.build_id_size = dso->build_id_size,
		.segment_count = object->segments.count,
	};

	memcpy(head.build_id, dso->build_id, dso->build_id_size);
	if (head.build_id_size == 0)
		head.build_id_size = kept_object_build_id(object, head.build_id);
	kept_symbols_encode(&object->symbols, &head, object->segments.items, out);
}
