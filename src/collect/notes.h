/*
 * notes.h - what the user should know although it is no error: each a line, each once.
 */
#pragma once

#include <stddef.h>

struct notes {
	char **items;
	size_t count, capacity;
};

void notes_add(struct notes *notes, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void notes_done(struct notes *notes);
