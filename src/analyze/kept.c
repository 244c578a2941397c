/* kept.c - see kept.h. */
#include "analyze/kept.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/timeline.h"

/* The kernel has one place, and code that was made in memory is nowhere else. */
static bool is_fixed(const struct map *map)
{
	return map->dso->kind != DSO_USER && map->dso->kind != DSO_VDSO;
}

static bool same_part(const struct kept *kept, const struct map *a, const struct map *b)
{
	return a->dso == b->dso && a->pgoff == b->pgoff && a->end - a->start == b->end - b->start &&
	       a->prot == b->prot && a->flags == b->flags && a->remapped == b->remapped &&
	       (a->start == b->start || !(kept->exact || is_fixed(a)));
}

static const struct map *keep_map(struct kept *kept, const struct map *map)
{
	uint64_t hash = hash_u64(map->pgoff ^ hash_u64((uintptr_t)map->dso));
	uint32_t at;

	for (at = index_first(&kept->map_of, hash); at != INDEX_NONE;
	     at = index_next(&kept->map_of, hash)) {
		if (same_part(kept, kept->maps.items[at], map))
			return kept->maps.items[at];
	}
	grow(&kept->maps);
	at = (uint32_t)kept->maps.count++;
	kept->maps.items[at] = arena_alloc(&kept->arena, sizeof(*map));
	*kept->maps.items[at] = *map;
	index_add(&kept->map_of, hash, at);
	return kept->maps.items[at];
}

struct place kept_place(struct kept *kept, const struct place *place, struct hash *dsos)
{
	struct place copy = *place;

	if (!place->map)
		return copy;
	(void)hash_add(dsos, place->map->dso->id, NULL);
	copy.map = keep_map(kept, place->map);
	copy.addr = place->addr - place->map->start + copy.map->start;
	return copy;
}

/* It lies where no function can. */
bool kept_is_nameless(const struct place *place)
{
	return place->function && place->function->start == UINT64_MAX;
}

static const struct function *nameless_of(struct kept *kept, const struct dso *dso)
{
	struct hash_entry *entry = hash_add(&kept->nameless, dso->id, NULL);
	struct function *function = entry->pointer;

	if (function)
		return function;
	function = arena_alloc(&kept->arena, sizeof(*function));
	*function = (struct function){
		.name = "[unknown]", .dso = dso, .start = UINT64_MAX, .end = UINT64_MAX
	};
	entry->pointer = function;
	return function;
}

struct place kept_nameless(struct kept *kept, const struct place *place, struct hash *dsos)
{
	struct place copy = kept_place(kept, place, dsos);

	copy.addr = copy.map->start;
	copy.object_addr = UINT64_MAX;
	copy.function = nameless_of(kept, copy.map->dso);
	return copy;
}

const char *kept_text(struct kept *kept, const char *text)
{
	return text ? strings_keep(&kept->texts, text) : NULL;
}

void kept_done(struct kept *kept)
{
	index_done(&kept->map_of);
	hash_done(&kept->nameless);
	free(kept->maps.items);
	strings_done(&kept->texts);
	arena_done(&kept->arena);
	*kept = (struct kept){ 0 };
}
