/* code-line.h - the source line of a place, with its number. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct place;
struct profile;

struct code_line {
	const char *file; /* its path; lives as long as the profile */
	uint32_t line;    /* from 1 on */
};

/* False if none is known. Any number of threads may ask. */
bool code_line_find(struct profile *profile, const struct place *place, struct code_line *ret_line);
