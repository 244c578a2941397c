/* unpack.c - see unpack.h. */
#include "object/unpack.h"

#include <errno.h>
#include <libdeflate.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <zstd.h>

#include "base/mem.h"

enum { RATIO_MAX = 256, FREE_SIZE = 1024 * 1024 };
static const uint64_t unpacked_max = 16ULL * 1024 * 1024 * 1024;
static const uint64_t xz_memory_max = 256ULL * 1024 * 1024;

struct bytes {
	uint8_t *items;
	size_t count, capacity;
};

static uint64_t limit_of(size_t size)
{
	return size < unpacked_max / RATIO_MAX ? FREE_SIZE + RATIO_MAX * (uint64_t)size
					       : unpacked_max;
}

static int unpack_stream(lzma_stream *stream, uint64_t limit, struct bytes *out)
{
	for (;;) {
		lzma_ret status;

		grow(out);
		stream->next_out = out->items + out->count;
		stream->avail_out = out->capacity - out->count;
		status = lzma_code(stream, LZMA_FINISH);
		out->count = out->capacity - stream->avail_out;
		if (status == LZMA_STREAM_END)
			return 0;
		if (status != LZMA_OK || (stream->avail_out && !stream->avail_in))
			return -EBADMSG;
		if (out->count > limit)
			return -EFBIG;
	}
}

static int unpack_xz(const void *bytes, size_t size, void **ret_bytes, size_t *ret_size)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	_cleanup_(freep) uint8_t *unpacked = NULL;
	struct bytes out = { 0 };
	int r;

	if (lzma_stream_decoder(&stream, xz_memory_max, LZMA_CONCATENATED) != LZMA_OK)
		return -ENOMEM;
	stream.next_in = bytes;
	stream.avail_in = size;
	r = unpack_stream(&stream, limit_of(size), &out);
	lzma_end(&stream);
	unpacked = out.items;
	if (r < 0)
		return r;
	*ret_size = out.count;
	*ret_bytes = take(unpacked);
	return 0;
}

/* Not by zlib itself, which takes twice the instructions: it may have to stop anywhere. */
static bool unpack_zlib(const void *bytes, size_t size, void *unpacked, size_t whole)
{
	struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
	bool done = decompressor && libdeflate_zlib_decompress(decompressor, bytes, size, unpacked,
							       whole, NULL) == LIBDEFLATE_SUCCESS;

	libdeflate_free_decompressor(decompressor);
	return done;
}

static bool unpack_into(enum unpack_kind kind, const void *bytes, size_t size, void *unpacked,
			size_t whole)
{
	switch (kind) {
	case UNPACK_ZLIB:
		return unpack_zlib(bytes, size, unpacked, whole);
	case UNPACK_ZSTD: /* an error is larger than any size */
		return ZSTD_decompress(unpacked, whole, bytes, size) == whole;
	default:
		return false;
	}
}

int unpack(enum unpack_kind kind, const void *bytes, size_t size, size_t whole, void **ret_bytes,
	   size_t *ret_size)
{
	_cleanup_(freep) void *unpacked = NULL;

	if (kind == UNPACK_XZ)
		return unpack_xz(bytes, size, ret_bytes, ret_size);
	if (whole > limit_of(size))
		return -EFBIG;
	if (whole == 0)
		return -EBADMSG;
	unpacked = xcalloc(1, whole);
	if (!unpack_into(kind, bytes, size, unpacked, whole))
		return -EBADMSG;
	*ret_bytes = take(unpacked);
	*ret_size = whole;
	return 0;
}
