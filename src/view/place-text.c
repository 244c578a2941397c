/* place-text.c - see place-text.h. */
#include "view/place-text.h"

#include "analyze/placeinfo.h"
#include "base/str.h"
#include "model/timeline.h"
#include "symbol/resolve.h"
#include "view/source-text.h"

void place_text_done(struct place_text *text)
{
	place_lines_done(&text->lines);
}

static void add_object(const struct place_text_fields *fields, const struct map *map,
		       struct str *out)
{
	size_t begin = out->size;

	str_add(out, map ? placeinfo_path(map, fields->kernel_path) : "[unknown]");
	str_one_line(out, begin);
	str_add(out, map ? map_suffix(map) : "");
}

static void add_file_offset(const struct place *place, struct str *out)
{
	uint64_t offset;

	if (!placeinfo_file_offset(place, &offset))
		return;
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
	if (fields->dso_offset)
		add_file_offset(place, out);
	str_add_char(out, ')');
}

static void add_symbol(const struct place_text_fields *fields, const struct place *place,
		       struct str *out)
{
	if (!fields->symbol)
		return;
	str_add_char(out, ' ');
	place_text_symbol(place, fields->offset, out);
}

void place_text_add(const struct place_text_fields *fields, const struct place *place,
		    struct str *out)
{
	add_symbol(fields, place, out);
	if (fields->dso)
		place_text_dso(fields, place, out);
	if (fields->source && place->map) {
		str_add(out, "\n  ");
		source_text_line(fields->source, place, out);
	}
}

/* Of what was put into another function, the object is not told again. */
static void add_frame(const struct place_text_fields *fields, struct place place,
		      const struct frame *frame, struct str *out)
{
	bool inlined = frame->function && frame->function->inlined;

	place.function = frame->function;
	str_add_char(out, '\t');
	str_add_hexadecimal(out, place.addr, 16, ' ');
	add_symbol(fields, &place, out);
	if (fields->dso && !inlined)
		place_text_dso(fields, &place, out);
	if (fields->source && place.map) {
		str_add(out, "\n  ");
		source_text_frame(fields->source, &place, frame, out);
	}
	if (inlined)
		str_add(out, " (inlined)");
	str_add_char(out, '\n');
}

static void make_lines(const void *context, const struct place *place, struct str *out)
{
	const struct place_text *text = context;
	struct frames frames = { 0 };

	place_frames_read(&text->frames, place, &frames);
	for (size_t i = 0; i < frames.count; i++)
		add_frame(&text->fields, *place, &frames.items[i], out);
	resolver_frames_done(&frames);
}

void place_text_line(struct place_text *text, struct lookup *lookup,
		     const struct lookup_question *question, struct str *out)
{
	place_lines_add(&text->lines, lookup, question, make_lines, text, out);
}
