/*
 * normalize.h - turns the records of a file into what a datafile hands out (normalizer.h). The
 * result is an unlinked temporary file, mapped.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct datafile_damage;
struct events;
struct filemap;
struct strobe_err;

/* Records that lie one behind the other, with a compressed stream of their own. */
struct normalize_span {
	const uint8_t *bytes;
	size_t size;
};

struct normalize_input {
	const struct normalize_span *spans; /* the result has them one behind the other */
	size_t span_count;
	bool foreign;
	const struct events *events; /* whose attrs tell the layout of samples; NULL: a pipe, the
					attrs come with the records */
};

/* *ret_map is the caller's. Adds what is damaged to @damage. */
int normalize(const struct normalize_input *input, struct filemap *ret_map,
	      struct datafile_damage *damage, bool *ret_compressed, struct strobe_err *err);
