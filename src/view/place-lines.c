/* place-lines.c - see place-lines.h. */
#include "view/place-lines.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lookup.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"

enum { LINES = 1 << 14 };

struct place_lines_item {
	uint64_t epoch, addr; /* see lookup_epoch() */
	char *text;           /* NULL: nothing is kept here yet */
	uint32_t size, capacity;
};

void place_lines_done(struct place_lines *lines)
{
	for (size_t i = 0; lines->items && i < LINES; i++)
		free(lines->items[i].text);
	free(lines->items);
	lines->items = NULL;
}

static void keep(struct place_lines_item *line, const char *text, size_t size)
{
	if (line->capacity < size) {
		free(line->text);
		line->text = xcalloc(1, size);
		line->capacity = (uint32_t)size;
	}
	memcpy(line->text, text, size);
	line->size = (uint32_t)size;
}

void place_lines_add(struct place_lines *lines, struct lookup *lookup,
		     const struct lookup_question *question, place_lines_make *make,
		     const void *context, struct str *out)
{
	struct place_lines_item *line;
	size_t begin = out->size;
	struct place place;
	uint64_t epoch;
	bool lasts = lookup_epoch(lookup, question, &epoch);

	if (!lines->items)
		lines->items = xcalloc(LINES, sizeof(*lines->items));
	line = &lines->items[hash_u64(question->addr ^ epoch << 48) % LINES];
	if (lasts && line->text && line->addr == question->addr && line->epoch == epoch) {
		str_add_bytes(out, line->text, line->size);
		return;
	}
	place = lookup_place(lookup, question);
	make(context, &place, out);
	if (!lasts)
		return;
	line->epoch = epoch;
	line->addr = question->addr;
	keep(line, out->text + begin, out->size - begin);
}
