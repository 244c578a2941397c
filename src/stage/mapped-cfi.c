/* mapped-cfi.c - see mapped-cfi.h. */
#include "stage/mapped-cfi.h"

#include <stdbool.h>

#include "base/mem.h"
#include "model/timeline.h"
#include "object/cfi.h"
#include "object/debugfile.h"
#include "object/elf-file.h"
#include "stage/named-file.h"

struct mapped_cfi_item {
	struct elf_file *file, *debug; /* NULL: not there */
	struct cfi *cfi;
	bool tried;
};

static void item_done(struct mapped_cfi_item *item)
{
	cfi_free(item->cfi);
	elf_file_free(item->debug);
	elf_file_free(item->file);
	*item = (struct mapped_cfi_item){ 0 };
}

static struct mapped_cfi_item *item_of(struct mapped_cfi *mapped, uint32_t id)
{
	while (mapped->by_dso.count <= id) {
		grow(&mapped->by_dso);
		mapped->by_dso.items[mapped->by_dso.count++] = (struct mapped_cfi_item){ 0 };
	}
	return &mapped->by_dso.items[id];
}

static bool is_right(const struct dso *dso, const struct elf_file *file)
{
	const uint8_t *id = NULL;
	size_t size = elf_file_build_id(file, &id);

	return dso->build_id_size == 0 || dso_has_build_id(dso, id, size);
}

/* @fd: taken; -1: none. */
static struct elf_file *open_right(const struct dso *dso, int fd)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;

	if (fd < 0 || elf_file_open_fd(fd, dso->name, &file, NULL) < 0 || !is_right(dso, file))
		return NULL;
	return take(file);
}

/* Where the process is gone, what lies at the name will do, if it is known to be it. */
static struct elf_file *open_mapping(const struct mapped_cfi *mapped, uint32_t pid,
				     const struct map *map)
{
	struct elf_file *file = open_right(map->dso, mapped->open(mapped->context, pid, map));

	return file ? file : open_right(map->dso, named_file_open(map->dso));
}

static void load(const struct mapped_cfi *mapped, uint32_t pid, const struct map *map,
		 struct mapped_cfi_item *item)
{
	static const char *const roots[] = { DEBUGFILE_ROOT };
	const struct dso *dso = map->dso;

	if (dso->kind == DSO_VDSO)
		(void)(mapped->vdso && elf_file_from_memory(mapped->vdso, mapped->vdso_size,
							    "[vdso]", &item->file, NULL));
	else if (dso->kind == DSO_USER)
		item->file = open_mapping(mapped, pid, map);
	if (!item->file)
		return;
	if (dso->kind == DSO_USER && !elf_file_has_symtab(item->file))
		(void)debugfile_find(item->file, dso->name, roots, 1, &item->debug);
	item->cfi = cfi_new(item->file, item->debug);
}

void mapped_cfi_see(struct mapped_cfi *mapped, uint32_t pid, const struct map *map)
{
	struct mapped_cfi_item *item = item_of(mapped, map->dso->id);

	if (!item->tried)
		load(mapped, pid, map, item);
	item->tried = true;
}

const struct cfi *mapped_cfi_find(const struct mapped_cfi *mapped, const struct dso *dso)
{
	return dso->id < mapped->by_dso.count ? mapped->by_dso.items[dso->id].cfi : NULL;
}

void mapped_cfi_forget(struct mapped_cfi *mapped, const struct timeline *timeline)
{
	for (uint32_t id = 1; id < mapped->by_dso.count; id++) {
		struct mapped_cfi_item *item = &mapped->by_dso.items[id];

		if (id <= timeline_dso_count(timeline) && timeline_dso(timeline, id))
			continue;
		item_done(item);
	}
}

void mapped_cfi_done(struct mapped_cfi *mapped)
{
	for (size_t i = 0; i < mapped->by_dso.count; i++)
		item_done(&mapped->by_dso.items[i]);
	free(mapped->by_dso.items);
}
