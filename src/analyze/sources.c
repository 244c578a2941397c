/* sources.c - see sources.h. */
#include "analyze/sources.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "analyze/profile.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/str.h"
#include "base/strings.h"
#include "model/timeline.h"
#include "object/lines.h"

struct known {
	const struct map *map;
	uint64_t addr;
	struct source *source;
};

struct sources {
	struct profile *profile;
	bool whole_paths;
	pthread_mutex_t lock; /* of what is below */
	struct {
		struct known *items;
		size_t count, capacity;
	} known;
	struct index index;
	struct strings texts;
	struct arena arena;
	struct str text;
};

struct sources *sources_new(struct profile *profile, bool whole_paths)
{
	struct sources *sources = xnew(struct sources);

	sources->profile = profile;
	sources->whole_paths = whole_paths;
	pthread_mutex_init(&sources->lock, NULL);
	return sources;
}

void sources_forget(struct sources *sources)
{
	free(sources->known.items);
	memset(&sources->known, 0, sizeof(sources->known));
	index_done(&sources->index);
	strings_done(&sources->texts);
	arena_done(&sources->arena);
}

void sources_free(struct sources *sources)
{
	if (!sources)
		return;
	sources_forget(sources);
	str_done(&sources->text);
	pthread_mutex_destroy(&sources->lock);
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
		str_addf(out, "%s[%" PRIx64 "]", map->dso->short_name, place->object_addr);
	else
		str_add(out, "??:0");
}

static struct source *look_up(struct sources *sources, const struct place *place)
{
	struct source *source = arena_alloc(&sources->arena, sizeof(*source));
	struct str *text = &sources->text;
	struct source_line line;

	str_clear(text);
	*source = (struct source){ .file = "" };
	if (resolver_line(profile_resolver(sources->profile), place, &line)) {
		const char *base = strrchr(line.file, '/');

		str_add(text, base && !sources->whole_paths ? base + 1 : line.file);
		source->file = strings_keep(&sources->texts, str_text(text));
		str_addf(text, ":%" PRIu32, line.line);
	} else {
		add_place(text, place);
	}
	source->line = strings_keep(&sources->texts, str_text(text));
	return source;
}

static const struct source *find(struct sources *sources, const struct place *place)
{
	uint64_t hash = hash_u64(place->addr ^ hash_u64((uintptr_t)place->map));
	uint32_t at;

	for (at = index_first(&sources->index, hash); at != INDEX_NONE;
	     at = index_next(&sources->index, hash)) {
		const struct known *known = &sources->known.items[at];

		if (known->addr == place->addr && known->map == place->map)
			return known->source;
	}
	grow(&sources->known);
	at = (uint32_t)sources->known.count++;
	sources->known.items[at] =
		(struct known){ place->map, place->addr, look_up(sources, place) };
	index_add(&sources->index, hash, at);
	return sources->known.items[at].source;
}

const struct source *sources_find(struct sources *sources, const struct place *place)
{
	const struct source *source;

	pthread_mutex_lock(&sources->lock);
	source = find(sources, place);
	pthread_mutex_unlock(&sources->lock);
	return source;
}
