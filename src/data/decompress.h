/*
 * decompress.h - the stream of compressed data that COMPRESSED and COMPRESSED2 records carry.
 *
 * Recorders compress with one zstd stream and flush it after each record's worth, so bodies only
 * make sense in the order of the file, and what comes out need not begin or end with a
 * record.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decompress;

struct decompress *decompress_new(void);
void decompress_free(struct decompress *stream);

/* Called with what comes out, piece by piece; an error ends the block and is returned. */
typedef int decompress_sink(void *user, const uint8_t *bytes, size_t size);

/* -EBADMSG if the block is damaged; what came out of it before is good. */
int decompress_block(struct decompress *stream, const uint8_t *bytes, size_t size,
		     decompress_sink *sink, void *user);
