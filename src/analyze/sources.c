/* sources.c - see sources.h. */
#include "analyze/sources.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/place-memo.h"
#include "analyze/placeinfo.h"
#include "analyze/profile.h"
#include "analyze/sites.h"
#include "base/str.h"
#include "model/timeline.h"
#include "object/lines.h"

struct sources {
	struct profile *profile;
	bool whole_paths;
	struct place_memo memo; /* of struct source */
};

struct sources *sources_new(struct profile *profile, bool whole_paths)
{
	struct sources *sources = xnew(struct sources);

	sources->profile = profile;
	sources->whole_paths = whole_paths;
	place_memo_init(&sources->memo);
	return sources;
}

void sources_forget(struct sources *sources)
{
	place_memo_forget(&sources->memo);
}

void sources_free(struct sources *sources)
{
	if (!sources)
		return;
	place_memo_done(&sources->memo);
	free(sources);
}

/* Without a line: the place by other names. */
static void add_place(struct str *out, const struct place *place)
{
	const struct map *map = place->map;

	if (place->function)
		str_addf(out, "%s+%" PRIu64, place->function->name,
			 place->object_addr - place->function->start);
	else if (map)
		str_addf(out, "%s[%" PRIx64 "]", map->dso->short_name,
			 placeinfo_object_addr(place));
	else
		str_add(out, "??:0");
}

/* Adds "file.c:12"; returns the size of the file's name. */
static size_t add_line(const struct sources *sources, const char *file, uint32_t line,
		       struct str *out)
{
	size_t file_size;

	str_add(out, sources->whole_paths ? file : str_base_name(file));
	file_size = out->size;
	str_addf(out, ":%" PRIu32, line);
	return file_size;
}

/*
 * Adds what the source of a place is called, which begins with its file; returns the size of that,
 * 0 if none is known. May take long, and wait for others who ask about the same object.
 */
static size_t add_source(const struct sources *sources, const struct place *place, struct str *out)
{
	struct source_line line;

	if (resolver_line(profile_resolver(sources->profile), place, &line))
		return add_line(sources, line.file, line.line, out);
	add_place(out, place);
	return 0;
}

static const struct source *make(struct place_memo *memo, const char *text, size_t file_size)
{
	struct source *source = arena_alloc(&memo->arena, sizeof(*source));
	uint32_t file = strings_intern_bytes(&memo->texts, text, file_size);

	source->line = strings_keep(&memo->texts, text);
	source->file = strings_text(&memo->texts, file);
	return source;
}

const struct source *sources_find(struct sources *sources, const struct place *place)
{
	struct place_memo *memo = &sources->memo;
	_cleanup_(str_done) struct str text = { 0 };
	const struct source *source = place_memo_find(memo, place);
	size_t file_size;

	if (source)
		return source;
	file_size = add_source(sources, place, &text);
	place_memo_lock(memo);
	source = place_memo_known(memo, place);
	if (!source)
		source = place_memo_keep(memo, place, make(memo, str_text(&text), file_size));
	place_memo_unlock(memo);
	return source;
}

void sources_settle(struct sources *sources, const struct sites *sites)
{
	place_memo_settle(&sources->memo, sites);
}

void sources_tell(struct sources *sources, uint32_t site, const struct frame *frame)
{
	struct place_memo *memo = &sources->memo;
	_cleanup_(str_done) struct str text = { 0 };
	size_t file_size = 0;

	if (frame->file)
		file_size = add_line(sources, frame->file, frame->line, &text);
	else
		add_place(&text, sites_place(memo->sites, site));
	place_memo_lock(memo);
	place_memo_tell(memo, site, make(memo, str_text(&text), file_size));
	place_memo_unlock(memo);
}

const struct source *sources_at(struct sources *sources, uint32_t site)
{
	struct place_memo *memo = &sources->memo;
	const struct source *source = place_memo_at(memo, site);

	if (!source) {
		source = sources_find(sources, sites_place(memo->sites, site));
		place_memo_tell(memo, site, source);
	}
	return source;
}
