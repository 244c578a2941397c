/*
 * kept.h - places and texts that outlive the timeline they come from.
 *
 * Of a place, the mapping is copied; mappings of the same part of an object are one, wherever
 * processes have it: then the address is what it would be there. So what is kept grows with the
 * code that runs, and not with the processes that run it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/strings.h"
#include "symbol/resolve.h"

/* Starts as { 0 }. */
struct kept {
	bool exact; /* mappings are one only where they have the same addresses */
	struct arena arena;
	struct strings texts;
	struct {
		struct map **items;
		size_t count, capacity;
	} maps;
	struct index map_of;
	struct hash nameless; /* by number of the dso: its function without a name */
};

/* Numbers of dsos that are in use are added to @dsos. */
struct place kept_place(struct kept *kept, const struct place *place, struct hash *dsos);
/*
 * What stands for all places of an object that have no name, "[unknown]": @place is one of them, or
 * stands for them already.
 */
struct place kept_nameless(struct kept *kept, const struct place *place, struct hash *dsos);
bool kept_is_nameless(const struct place *place);
/* NULL of NULL. Equal texts are one pointer. */
const char *kept_text(struct kept *kept, const char *text);
void kept_done(struct kept *kept);
