/*
 * fuzz-pieces.h - a stream in pieces whose sizes are the fuzzer's, too:
 *
 *	byte		how many sizes follow, at most 15
 *	bytes		sizes of pieces, again and again; 0: nothing comes for a while
 *	...		the stream
 */
#pragma once

#include <stdbool.h>

#include "data/stream.h"
#include "fuzz.h"

struct fuzz_pieces {
	const uint8_t *sizes;
	size_t size_count, next;
	const uint8_t *bytes;
	size_t left;
};

static inline struct fuzz_pieces fuzz_pieces_of(const uint8_t *bytes, size_t size)
{
	size_t count = size > 0 ? bytes[0] % 16 : 0;
	struct fuzz_pieces pieces = { 0 };

	if (count == 0 || size < 1 + count)
		return pieces;
	pieces.sizes = bytes + 1;
	pieces.size_count = count;
	pieces.bytes = bytes + 1 + count;
	pieces.left = size - 1 - count;
	return pieces;
}

/* Feeds the next one, or the end. False: the stream is over, or is none. */
static inline bool fuzz_pieces_feed(struct fuzz_pieces *pieces, struct stream *stream)
{
	size_t size;

	if (pieces->left == 0) {
		(void)stream_end(stream, NULL);
		return false;
	}
	size = pieces->sizes[pieces->next++ % pieces->size_count];
	/* Every second time, so that something comes even if all are 0. */
	if (size == 0 && pieces->next % 2)
		return stream_pause(stream, NULL) == 0;
	if (size == 0)
		size = 1;
	if (size > pieces->left)
		size = pieces->left;
	pieces->bytes += size;
	pieces->left -= size;
	return stream_feed(stream, pieces->bytes - size, size, NULL) == 0;
}
