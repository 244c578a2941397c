/* placeinfo.c - see placeinfo.h. */
#include "analyze/placeinfo.h"

#include "analyze/kept.h"
#include "model/timeline.h"
#include "symbol/resolve.h"

const char *placeinfo_path(const struct map *map, bool module_paths)
{
	const struct dso *dso = map->dso;

	return dso->kind == DSO_MODULE && !module_paths ? dso->short_name : dso->name;
}

bool placeinfo_file_offset(const struct place *place, uint64_t *ret_offset)
{
	const struct map *map = place->map;

	if (!map)
		return false;
	switch (map->dso->kind) {
	case DSO_USER:
	case DSO_VDSO:
		*ret_offset = place->addr - map->start + map->pgoff;
		return true;
	case DSO_ANON:
	case DSO_JITDUMP:
		*ret_offset = place->addr;
		return true;
	default:
		return false;
	}
}

uint64_t placeinfo_object_addr(const struct place *place)
{
	return place->map->dso->kind == DSO_JITDUMP ? place->addr : place->object_addr;
}

uint64_t placeinfo_object_offset(const struct place *place)
{
	enum dso_kind kind = place->map->dso->kind;

	if (kind == DSO_KERNEL || kind == DSO_MODULE)
		return place->addr - place->map->start;
	return placeinfo_object_addr(place);
}

enum reason placeinfo_reason(struct resolver *resolver, const struct place *place)
{
	struct place nameless = *place;

	if (kept_is_nameless(place))
		nameless.function = NULL;
	return resolver_place_reason(resolver, &nameless);
}

struct place placeinfo_function_begin(const struct place *place)
{
	struct place begin = *place;

	begin.addr -= place->object_addr - place->function->start;
	begin.object_addr = place->function->start;
	return begin;
}
