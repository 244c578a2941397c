/* place-text.c - see place-text.h. */
#include "view/place-text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/timeline.h"
#include "symbol/resolve.h"
#include "view/source-text.h"

struct place_text_line {
	const char *text; /* NULL: not made yet */
	size_t size;
};

void place_text_done(struct place_text *text)
{
	arena_done(&text->arena);
	free(text->items);
}

static void add_object(const struct place_text_fields *fields, const struct map *map,
		       struct str *out)
{
	const struct dso *dso = map ? map->dso : NULL;
	size_t begin = out->size;

	if (!dso)
		str_add(out, "[unknown]");
	else if (dso->kind == DSO_MODULE && !fields->kernel_path)
		str_add(out, dso->short_name);
	else
		str_add(out, dso->name);
	str_one_line(out, begin);
	if (dso)
		str_add(out, map_suffix(map));
}

/* "+0x1234": where it lies in the file, or, of code that was made in memory, in memory. */
static void add_file_offset(const struct place *place, struct str *out)
{
	const struct map *map = place->map;
	uint64_t offset = place->addr;

	if (map->dso->kind == DSO_USER || map->dso->kind == DSO_VDSO)
		offset = place->addr - map->start + map->pgoff;
	else if (map->dso->kind != DSO_ANON)
		return; /* the kernel's parts have no file that anyone could look into */
	str_add(out, "+0x");
	str_add_hexadecimal(out, offset, 0, ' ');
}

void place_text_symbol(const struct place *place, bool with_offset, struct str *out)
{
	const struct function *function = place->function;
	size_t begin = out->size;

	str_add(out, function ? function->name : "[unknown]");
	str_one_line(out, begin);
	if (function && with_offset) {
		str_add(out, "+0x");
		str_add_hexadecimal(out, place->object_addr - function->start, 0, ' ');
	}
}

void place_text_dso(const struct place_text_fields *fields, const struct place *place,
		    struct str *out)
{
	str_add(out, " (");
	add_object(fields, place->map, out);
	if (fields->dso_offset && place->map)
		add_file_offset(place, out);
	str_add_char(out, ')');
}

void place_text_add(const struct place_text_fields *fields, const struct place *place,
		    struct str *out)
{
	if (fields->symbol) {
		str_add_char(out, ' ');
		place_text_symbol(place, fields->offset, out);
	}
	if (fields->dso)
		place_text_dso(fields, place, out);
	if (fields->source && place->map) {
		str_add(out, "\n  ");
		source_text_line(fields->source, place, out);
	}
}

void place_text_line(struct place_text *text, uint32_t site, const struct place *place,
		     struct str *out)
{
	struct place_text_line *line;
	size_t begin = out->size;
	char *kept;

	while (site >= text->capacity) {
		size_t before = text->capacity;

		text->items = xgrow(text->items, &text->capacity, sizeof(*text->items));
		memset(text->items + before, 0, (text->capacity - before) * sizeof(*text->items));
	}
	line = &text->items[site];
	if (line->text) {
		str_add_bytes(out, line->text, line->size);
		return;
	}
	str_add_char(out, '\t');
	str_add_hexadecimal(out, place->addr, 16, ' ');
	place_text_add(&text->fields, place, out);
	str_add_char(out, '\n');
	line->size = out->size - begin;
	kept = arena_alloc(&text->arena, line->size);
	memcpy(kept, out->text + begin, line->size);
	line->text = kept;
}
