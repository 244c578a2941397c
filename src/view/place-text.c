/* place-text.c - see place-text.h. */
#include "view/place-text.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lookup.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/timeline.h"
#include "symbol/resolve.h"
#include "view/source-text.h"

enum { LINES = 1 << 14 };

struct place_text_line {
	uint64_t epoch, addr; /* see lookup_epoch() */
	char *text;           /* NULL: nothing is kept here yet */
	uint32_t size, capacity;
};

void place_text_done(struct place_text *text)
{
	for (size_t i = 0; text->lines && i < LINES; i++)
		free(text->lines[i].text);
	free(text->lines);
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

static void make_line(const struct place_text *text, const struct place *place, struct str *out)
{
	str_add_char(out, '\t');
	str_add_hexadecimal(out, place->addr, 16, ' ');
	place_text_add(&text->fields, place, out);
	str_add_char(out, '\n');
}

static void keep(struct place_text_line *line, const char *text, size_t size)
{
	if (line->capacity < size) {
		free(line->text);
		line->text = xcalloc(1, size);
		line->capacity = (uint32_t)size;
	}
	memcpy(line->text, text, size);
	line->size = (uint32_t)size;
}

void place_text_line(struct place_text *text, struct lookup *lookup,
		     const struct lookup_question *question, struct str *out)
{
	struct place_text_line *line;
	size_t begin = out->size;
	struct place place;
	uint64_t epoch;
	bool lasts = lookup_epoch(lookup, question, &epoch);

	if (!text->lines)
		text->lines = xcalloc(LINES, sizeof(*text->lines));
	line = &text->lines[hash_u64(question->addr ^ epoch << 48) % LINES];
	if (lasts && line->text && line->addr == question->addr && line->epoch == epoch) {
		str_add_bytes(out, line->text, line->size);
		return;
	}
	place = lookup_place(lookup, question);
	make_line(text, &place, out);
	if (!lasts)
		return;
	line->epoch = epoch;
	line->addr = question->addr;
	keep(line, out->text + begin, out->size - begin);
}
