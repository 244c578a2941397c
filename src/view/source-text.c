/* source-text.c - see source-text.h. */
#include "view/source-text.h"

#include <inttypes.h>

#include "analyze/code-line.h"
#include "analyze/placeinfo.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/timeline.h"
#include "symbol/resolve.h"

void source_text_init(struct source_text *source, struct profile *profile, bool whole_path)
{
	*source = (struct source_text){ .profile = profile, .whole_path = whole_path };
}

void source_text_done(struct source_text *source)
{
	source_files_done(&source->files);
	strings_done(&source->lines);
	hash_done(&source->last);
}

/* @file: NULL if it is not known. */
static void add_line(const struct source_text *source, const struct place *place, const char *file,
		     uint32_t line, struct str *out)
{
	if (file)
		str_addf(out, "%s:%" PRIu32, source->whole_path ? file : str_base_name(file), line);
	else if (place->map)
		str_addf(out, "%s[%" PRIx64 "]", place->map->dso->short_name,
			 placeinfo_object_addr(place));
}

void source_text_line(const struct source_text *source, const struct place *place, struct str *out)
{
	struct code_line line = { 0 };

	(void)code_line_find(source->profile, place, &line);
	add_line(source, place, line.file, line.line, out);
}

void source_text_frame(const struct source_text *source, const struct place *place,
		       const struct frame *frame, struct str *out)
{
	add_line(source, place, frame->file, frame->line, out);
}

/* Whether the thread was somewhere else when something was shown of it last. */
static bool is_new(struct source_text *source, uint32_t tid, const struct code_line *line)
{
	_cleanup_(str_done) struct str text = { 0 };
	struct hash_entry *last;
	bool is_first;
	uint32_t id;

	str_addf(&text, "%s:%" PRIu32, line->file, line->line);
	id = strings_intern_bytes(&source->lines, text.text, text.size);
	last = hash_add(&source->last, tid, &is_first);
	if (!is_first && last->number == id)
		return false;
	last->number = id;
	return true;
}

void source_text_code(struct source_text *source, uint32_t tid, const struct place *place,
		      struct str *out)
{
	struct code_line line;
	struct str_part code;

	if (!code_line_find(source->profile, place, &line) ||
	    !source_files_line(&source->files, line.file, line.line, &code) ||
	    !is_new(source, tid, &line))
		return;
	str_addf(out, "|%-8" PRIu32 " ", line.line);
	str_add_bytes(out, code.text, code.size);
	str_add_char(out, '\n');
}
