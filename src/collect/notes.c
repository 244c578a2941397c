/* notes.c - see notes.h. */
#include "collect/notes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

void notes_add(struct notes *notes, const char *fmt, ...)
{
	_cleanup_(str_done) struct str line = { 0 };
	va_list ap;

	va_start(ap, fmt);
	str_addv(&line, fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < notes->count; i++)
		if (strcmp(notes->items[i], str_text(&line)) == 0)
			return;
	grow(notes);
	notes->items[notes->count++] = str_take(&line);
}

void notes_done(struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		free(notes->items[i]);
	free(notes->items);
	*notes = (struct notes){ 0 };
}
