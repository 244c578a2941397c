/*
 * sources.h - source lines of the places that a report shows, each looked up once.
 *
 * Any number of threads may ask at the same time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct frame;
struct place;
struct profile;
struct sites;
struct sources;

/* Equal texts are one pointer. */
struct source {
	/* "file.c:12"; where the line is not known, what is: "function+12", "lib.so[a0]", "??:0".
	 */
	const char *line;
	const char *file; /* "file.c", or "" */
};

/* @whole_paths: "/src/file.c" instead of "file.c". The profile is borrowed. */
struct sources *sources_new(struct profile *profile, bool whole_paths);
void sources_free(struct sources *sources);
CLEANUP(sources_free, struct sources)

/* All that was found before is gone, as it has to be before dsos go; not while others ask. */
void sources_forget(struct sources *sources);

/* The place has its name. Lives as long as the sources. */
const struct source *sources_find(struct sources *sources, const struct place *place);

/* @sites are all there and named, borrowed until the next ones: sources_at() may be asked of them
 * now. */
void sources_settle(struct sources *sources, const struct sites *sites);
/* The line of a frame that is a site of its own. */
void sources_tell(struct sources *sources, uint32_t site, const struct frame *frame);
/* The same of a site's place: only who is the first to ask for it waits for others. */
const struct source *sources_at(struct sources *sources, uint32_t site);
