/* place-json.c - see place-json.h. */
#include "view/place-json.h"

#include <stddef.h>

#include "analyze/code-line.h"
#include "analyze/placeinfo.h"
#include "base/json.h"
#include "base/str.h"
#include "model/timeline.h"
#include "symbol/resolve.h"
#include "view/place-text.h"
#include "view/source-text.h"

static void add_mark(struct json *json, const char *name, const char *mark)
{
	struct str whole = { 0 };

	str_addf(&whole, "%s%s", name, mark);
	json_bool(json, str_text(&whole), true);
	str_done(&whole);
}

void place_json_reason(struct json *json, const char *name, const struct place *place,
		       struct resolver *resolver)
{
	enum reason reason = resolver ? placeinfo_reason(resolver, place) : REASON_NONE;

	if (reason != REASON_NONE)
		json_text(json, name, reason_word(reason));
}

void place_json_dso(struct json *json, const char *name, const struct map *map,
		    const char *dso_name)
{
	json_text(json, name, dso_name);
	if (map && map->dso->deleted)
		add_mark(json, name, "_deleted");
	if (map && map->remapped)
		add_mark(json, name, "_remapped");
}

/* @file: NULL if it is not known. */
static void add_names(struct json *json, const struct place *place,
		      const struct place_text_fields *fields, const char *file, uint32_t line)
{
	const struct function *function = place->function;
	uint64_t offset;

	if (fields->symbol) {
		json_text(json, "symbol", function ? function->name : NULL);
		place_json_reason(json, "symbol_reason", place, fields->resolver);
	}
	if (fields->symbol && function && function->inlined)
		json_bool(json, "inlined", true);
	if (fields->offset && function)
		json_u64(json, "offset", place->object_addr - function->start);
	if (fields->dso)
		place_json_dso(json, "dso", place->map,
			       place->map ? placeinfo_path(place->map, fields->kernel_path) : NULL);
	if (fields->source && file) {
		json_text(json, "file", file);
		json_u64(json, "line", line);
	}
	if (fields->dso_offset && placeinfo_file_offset(place, &offset))
		json_addr(json, "dso_offset", offset);
}

void place_json_names(struct json *json, const struct place *place,
		      const struct place_text_fields *fields)
{
	struct code_line line = { 0 };

	if (fields->source)
		(void)code_line_find(fields->source->profile, place, &line);
	add_names(json, place, fields, line.file, line.line);
}

void place_json_frame(struct json *json, const struct place *place, const struct frame *frame,
		      const struct place_text_fields *fields)
{
	struct place shown = *place;

	shown.function = frame->function;
	json_begin(json, NULL);
	json_addr(json, "addr", shown.addr);
	add_names(json, &shown, fields, frame->file, frame->line);
	json_end(json);
}

void place_json_add(struct json *json, const char *name, const struct place *place,
		    const struct place_text_fields *fields)
{
	json_begin(json, name);
	json_addr(json, "addr", place->addr);
	place_json_names(json, place, fields);
	json_end(json);
}
