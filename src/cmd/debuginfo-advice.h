/*
 * debuginfo-advice.h - what helps where an object lacks names, lines or frames.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"

struct findings;

/* Sentences; starts as { 0 }. */
struct debuginfo_advice {
	const char **items;
	size_t count, capacity;
	struct arena arena;
};

void debuginfo_advice_add(struct debuginfo_advice *advice, const struct findings *findings);
void debuginfo_advice_done(struct debuginfo_advice *advice);
