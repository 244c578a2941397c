/*
 * normalize.h - turns records into what a datafile hands out: in host order, unpacked, whole,
 * each at a multiple of 8.
 *
 * The result is an unlinked temporary file, mapped. Of a COMPRESSED record its header is left,
 * with a size of 8, in front of the records that were in it: so it still counts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct datafile_damage;
struct events;
struct filemap;
struct perf_event_header;
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

bool normalize_is_compressed(const struct perf_event_header *header);

/* *ret_map is the caller's. Adds what is damaged to @damage. */
int normalize(const struct normalize_input *input, struct filemap *ret_map,
	      struct datafile_damage *damage, bool *ret_compressed, struct strobe_err *err);
