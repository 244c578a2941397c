/* decompress.c - see decompress.h. */
#include "data/decompress.h"

#include <errno.h>
#include <zstd.h>

#include "base/mem.h"

enum { OUTPUT_SIZE = 128 * 1024 };

struct decompress {
	ZSTD_DCtx *zstd;
	uint8_t output[OUTPUT_SIZE];
};

struct decompress *decompress_new(void)
{
	struct decompress *stream = xnew(struct decompress);

	stream->zstd = ZSTD_createDCtx();
	if (!stream->zstd)
		abort();
	return stream;
}

void decompress_free(struct decompress *stream)
{
	if (!stream)
		return;
	(void)ZSTD_freeDCtx(stream->zstd);
	free(stream);
}

/* A full output buffer means that there may be more to come though the input is used up. */
int decompress_block(struct decompress *stream, const uint8_t *bytes, size_t size,
		     decompress_sink *sink, void *user)
{
	ZSTD_inBuffer in = { bytes, size, 0 };
	bool full = false;

	while (in.pos < in.size || full) {
		ZSTD_outBuffer out = { stream->output, sizeof(stream->output), 0 };
		size_t rc = ZSTD_decompressStream(stream->zstd, &out, &in);
		int sunk = out.pos ? sink(user, stream->output, out.pos) : 0;

		if (ZSTD_isError(rc)) {
			(void)ZSTD_DCtx_reset(stream->zstd, ZSTD_reset_session_only);
			return -EBADMSG;
		}
		if (sunk < 0)
			return sunk;
		full = out.pos == out.size;
	}
	return 0;
}
