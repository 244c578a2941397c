/*
 * unnamed-advice.h - what gives names to objects of a report that have none.
 */
#pragma once

#include <stddef.h>

struct advice;
struct timeline;
struct unnamed;

/* Sentences for each of @items, which stay with @advice. */
void unnamed_advice_set(struct advice *advice, const struct timeline *timeline,
			struct unnamed *items, size_t count);
