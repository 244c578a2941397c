/*
 * advice.h - sentences that say what helps.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Starts as { 0 }. */
struct advice {
	const char **items;
	size_t count, capacity;
	struct arena arena;
};

void advice_add(struct advice *advice, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void advice_done(struct advice *advice);

/* How to come by the debug information of a file. */
void advice_add_debug_file(struct advice *advice, const char *path, bool has_build_id);
/* What to do where another file than the one that was mapped has its name; where none has. */
void advice_add_other_file(struct advice *advice);
void advice_add_missing_file(struct advice *advice);
