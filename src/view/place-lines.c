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

enum { LINES = 1 << 14, SHORT = 96 };

/* Nearly all texts are so short that they stand in the item. */
struct place_lines_item {
	uint64_t epoch, addr; /* see lookup_epoch() */
	uint32_t size;
	bool kept;  /* there is one */
	char *text; /* NULL: it is short */
	char bytes[SHORT];
};

void place_lines_done(struct place_lines *lines)
{
	for (size_t i = 0; lines->has_long && i < LINES; i++)
		free(lines->items[i].text);
	free(lines->items);
	*lines = (struct place_lines){ 0 };
}

static const char *text_of(const struct place_lines_item *line)
{
	return line->text ? line->text : line->bytes;
}

static void keep(struct place_lines *lines, struct place_lines_item *line, const char *text,
		 size_t size)
{
	free(take(line->text));
	if (size > sizeof(line->bytes)) {
		line->text = xcalloc(1, size);
		lines->has_long = true;
	}
	memcpy(line->text ? line->text : line->bytes, text, size);
	line->size = (uint32_t)size;
	line->kept = true;
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
	if (lasts && line->kept && line->addr == question->addr && line->epoch == epoch) {
		str_add_bytes(out, text_of(line), line->size);
		return;
	}
	place = lookup_place(lookup, question);
	make(context, &place, out);
	if (!lasts)
		return;
	line->epoch = epoch;
	line->addr = question->addr;
	keep(lines, line, out->text + begin, out->size - begin);
}
