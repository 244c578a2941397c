/* image.c - see image.h. */
#include "model/image.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/mem.h"
#include "model/dso.h"

/* Children of children ... that never called exec; a file cannot make us follow more. */
enum { MAX_ANCESTORS = 256 };

/* Memory without a file over memory without a file ...: writable, while code is copied, then not.
 */
enum { MAX_LAYERS = 16 };

static bool is_code(const struct map *map)
{
	return map->prot & PROT_EXEC;
}

const struct space *image_maps(const struct image *image)
{
	return &image->space;
}

const struct space *image_code(const struct image *image)
{
	return &image->code;
}

/* Maps are handed out of their space_map, whose first member they are. */
static struct instant born_at(const struct map *map)
{
	return ((const struct space_map *)(const void *)map)->born;
}

static const struct map *find_in(const struct image *image, image_space *which, uint64_t addr,
				 struct instant at)
{
	for (int i = 0; image && i < MAX_ANCESTORS; i++) {
		const struct map *map = space_find(which(image), addr, at);

		if (map)
			return map;
		if (instant_before(image->until, at))
			at = image->until;
		image = image->parent;
	}
	return NULL;
}

const struct map *image_find(const struct image *image, uint64_t addr, struct instant at)
{
	const struct map *map = find_in(image, image_maps, addr, at), *code;

	code = find_in(image, image_code, addr, at);
	if (!code)
		return map;
	return !map || map->dso->in_memory || instant_before(born_at(map), born_at(code)) ? code
											  : map;
}

const struct dso *image_executable(const struct image *image)
{
	for (int i = 0; image && i < MAX_ANCESTORS; i++, image = image->parent)
		if (image->executable)
			return image->executable;
	return NULL;
}

/* What an address was of before there was memory without a file. */
static const struct map *file_before(const struct image *image, uint64_t addr, struct instant born)
{
	for (int i = 0; i < MAX_LAYERS && born.offset > 0; i++) {
		const struct map *map;

		born.offset--;
		map = find_in(image, image_maps, addr, born);
		if (!map || map->dso->kind != DSO_ANON)
			return map;
		born = born_at(map);
	}
	return NULL;
}

/*
 * Programs move their code to huge pages: they copy it to memory without a file, which takes its
 * place. It is still what it was. Only the executable's: libraries may go, and where they were
 * may then be code that has nothing to do with them.
 */
static const struct space_map *remapped(const struct image *image,
					const struct space_map *anonymous, struct arena *arena)
{
	const struct map *map = &anonymous->map;
	const struct map *first = file_before(image, map->start, anonymous->born);
	const struct map *last = file_before(image, map->end - 1, anonymous->born);
	struct space_map *moved;

	if (!first || !last || first->dso != last->dso || !is_code(first) || !is_code(last) ||
	    first->pgoff - first->start != last->pgoff - last->start ||
	    first->dso != image_executable(image))
		return anonymous;
	moved = arena_alloc(arena, sizeof(*moved));
	*moved = *anonymous;
	moved->map.dso = first->dso;
	moved->map.pgoff = first->pgoff + (map->start - first->start);
	moved->map.remapped = true;
	return moved;
}

void image_find_remapped(struct image *image, struct arena *arena)
{
	for (size_t i = 0; i < image->space.count; i++) {
		const struct space_map *map = image->space.items[i];

		if (is_code(&map->map) && map->map.dso->kind == DSO_ANON)
			image->space.items[i] = remapped(image, map, arena);
	}
}

struct timeline_epoch image_epoch(const struct image *image, uint64_t moment)
{
	struct timeline_epoch epoch, code;

	space_epoch(&image->space, instant_after(moment), &epoch);
	space_epoch(&image->code, instant_after(moment), &code);
	epoch.id += code.id + image->first_epoch;
	if (epoch.from < code.from)
		epoch.from = code.from;
	if (epoch.until > code.until)
		epoch.until = code.until;
	return epoch;
}

struct ranges_layers image_layers(const struct image *image, image_space *which, uint64_t moment)
{
	struct ranges_layers layers = { 0 };
	struct instant at = instant_after(moment);

	for (int i = 0; image && i < MAX_ANCESTORS; i++, image = image->parent) {
		grow(&layers);
		layers.items[layers.count++] = (struct ranges_layer){ which(image), at };
		if (instant_before(image->until, at))
			at = image->until;
	}
	return layers;
}

void image_keep(const struct image *old, image_space *which, struct space *ret_space,
		struct arena *arena, struct hash *dsos)
{
	struct ranges_layers layers = image_layers(old, which, UINT64_MAX - 1);

	*ret_space = (struct space){ 0 };
	ranges_copy(&layers, ret_space, arena, dsos);
	free(layers.items);
}
