/*
 * normalizer.h - turns records, as they come, into what a datafile hands out: in host order,
 * unpacked, whole, each at a multiple of 8.
 *
 * Of a COMPRESSED record its header is left, with a size of 8, in front of the records that were
 * in it: so it still counts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct datafile_damage;
struct events;
struct normalizer;
struct perf_event_header;
struct strobe_err;

/* Takes what comes out, piece by piece; a piece need be no whole record. */
typedef int normalizer_sink(void *context, const void *bytes, size_t size, struct strobe_err *err);

struct normalizer_options {
	bool foreign;
	const struct events *events; /* whose attrs tell the layout of samples; NULL: the attrs come
					with the records */
	struct datafile_damage *damage; /* what is damaged is added to it */
	normalizer_sink *sink;
	void *context;
};

bool normalizer_is_compressed(const struct perf_event_header *header);

struct normalizer *normalizer_new(const struct normalizer_options *options);
void normalizer_free(struct normalizer *normalizer);
CLEANUP(normalizer_free, struct normalizer)

/*
 * Takes the records that lie in @bytes. With @more, others may follow, and a piece of one at the
 * end is left: *ret_used bytes were taken.
 */
int normalizer_take(struct normalizer *normalizer, const uint8_t *bytes, size_t size, bool more,
		    size_t *ret_used, struct strobe_err *err);

/* What was begun does not go on: the next record begins a compressed stream of its own. */
void normalizer_end(struct normalizer *normalizer);

/* Were there COMPRESSED records? */
bool normalizer_has_compressed(const struct normalizer *normalizer);
