/*
 * unpack.h - what compressors made, as it was before.
 *
 * What is unpacked comes from hostile files, so it may be 256 times as large as what it is made of,
 * a few small ones more: symbols and debug information shrink to a third or a tenth, a file of
 * zeros to a thousandth.
 */
#pragma once

#include <stddef.h>

enum unpack_kind {
	UNPACK_NONE, /* it is as it was */
	UNPACK_ZLIB,
	UNPACK_ZSTD,
	UNPACK_XZ,
	UNPACK_UNKNOWN, /* packed, but nobody knows how */
};

/*
 * Unpacks all of the bytes into memory that is the caller's. @whole: the size that the file says it
 * has, which must be so; of UNPACK_XZ, 0: it does not say. -EBADMSG if the bytes are damaged or of
 * a kind that is not known, -EFBIG if they are more than is plausible.
 */
int unpack(enum unpack_kind kind, const void *bytes, size_t size, size_t whole, void **ret_bytes,
	   size_t *ret_size);
