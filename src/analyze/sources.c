/* sources.c - see sources.h. */
#include "analyze/sources.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "analyze/placeinfo.h"
#include "analyze/profile.h"
#include "analyze/sites.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/str.h"
#include "base/strings.h"
#include "model/timeline.h"
#include "object/lines.h"

/*
 * What the source of a place depends on. Not the mapping: of equal ones there are many, and they go
 * while the dso stays.
 */
struct known {
	const struct dso *dso; /* NULL: in no mapping */
	const struct function *function;
	uint64_t object_addr;
	const struct source *source;
};

struct sources {
	struct profile *profile;
	bool whole_paths;
	const struct sites *sites;               /* after sources_settle() */
	_Atomic(const struct source *) *by_site; /* NULL: nobody asked */
	pthread_mutex_t lock;                    /* of what is below */
	struct {
		struct known *items;
		size_t count, capacity;
	} known;
	struct index index;
	struct strings texts;
	struct arena arena;
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
	free(take(sources->by_site));
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
		str_addf(out, "%s[%" PRIx64 "]", map->dso->short_name,
			 placeinfo_object_addr(place));
	else
		str_add(out, "??:0");
}

/* Adds "file.c:12"; returns the size of the file's name. */
static size_t add_line(const struct sources *sources, const char *file, uint32_t line,
		       struct str *out)
{
	const char *base = strrchr(file, '/');
	size_t file_size;

	str_add(out, base && !sources->whole_paths ? base + 1 : file);
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

static const struct source *keep(struct sources *sources, const char *text, size_t file_size)
{
	struct source *source = arena_alloc(&sources->arena, sizeof(*source));
	uint32_t file = strings_intern_bytes(&sources->texts, text, file_size);

	source->line = strings_keep(&sources->texts, text);
	source->file = strings_text(&sources->texts, file);
	return source;
}

static struct known key_of(const struct place *place)
{
	struct known key = { 0 };

	if (place->map)
		key = (struct known){ place->map->dso, place->function, place->object_addr, NULL };
	return key;
}

static uint64_t hash_known(const struct known *key)
{
	return hash_u64(key->object_addr ^ hash_u64((uintptr_t)key->dso));
}

static const struct source *find(struct sources *sources, const struct known *key)
{
	uint64_t hash = hash_known(key);
	uint32_t at;

	for (at = index_first(&sources->index, hash); at != INDEX_NONE;
	     at = index_next(&sources->index, hash)) {
		const struct known *known = &sources->known.items[at];

		if (known->object_addr == key->object_addr && known->dso == key->dso &&
		    known->function == key->function)
			return known->source;
	}
	return NULL;
}

/* Unless another thread was faster. */
static const struct source *add(struct sources *sources, struct known key, const char *text,
				size_t file_size)
{
	const struct source *source = find(sources, &key);

	if (source)
		return source;
	key.source = keep(sources, text, file_size);
	grow(&sources->known);
	index_add(&sources->index, hash_known(&key), (uint32_t)sources->known.count);
	sources->known.items[sources->known.count++] = key;
	return key.source;
}

const struct source *sources_find(struct sources *sources, const struct place *place)
{
	const struct known key = key_of(place);
	_cleanup_(str_done) struct str text = { 0 };
	const struct source *source;
	size_t file_size;

	pthread_mutex_lock(&sources->lock);
	source = find(sources, &key);
	pthread_mutex_unlock(&sources->lock);
	if (source)
		return source;
	file_size = add_source(sources, place, &text);
	pthread_mutex_lock(&sources->lock);
	source = add(sources, key, str_text(&text), file_size);
	pthread_mutex_unlock(&sources->lock);
	return source;
}

void sources_settle(struct sources *sources, const struct sites *sites)
{
	free(sources->by_site);
	sources->sites = sites;
	sources->by_site = xcalloc((size_t)sites_end(sites) + 1, sizeof(*sources->by_site));
}

void sources_tell(struct sources *sources, uint32_t site, const struct frame *frame)
{
	_cleanup_(str_done) struct str text = { 0 };
	size_t file_size = 0;

	if (frame->file)
		file_size = add_line(sources, frame->file, frame->line, &text);
	else
		add_place(&text, sites_place(sources->sites, site));
	pthread_mutex_lock(&sources->lock);
	sources->by_site[site] = keep(sources, str_text(&text), file_size);
	pthread_mutex_unlock(&sources->lock);
}

const struct source *sources_at(struct sources *sources, uint32_t site)
{
	_Atomic(const struct source *) *slot = &sources->by_site[site];
	const struct source *source = atomic_load_explicit(slot, memory_order_acquire);

	if (source)
		return source;
	source = sources_find(sources, sites_place(sources->sites, site));
	atomic_store_explicit(slot, source, memory_order_release);
	return source;
}
