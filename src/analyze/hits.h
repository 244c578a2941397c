/*
 * hits.h - which objects the samples of a recording hit, in any frame of their call chains.
 */
#pragma once

#include <stdbool.h>

struct profile;

/* A mark for each dso of the profile's timeline, by its id; the caller's. */
int hits_find(struct profile *profile, bool **ret_marks);
