/* minidebug.c - see minidebug.h. */
#include "object/minidebug.h"

#include <errno.h>
#include <lzma.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "object/elf-file.h"

/* Symbol tables shrink to a third or a tenth; a file of zeros shrinks to a seven-thousandth. */
enum { RATIO_MAX = 256, FREE_SIZE = 1024 * 1024 };
static const uint64_t unpacked_max = 1024ULL * 1024 * 1024;
static const uint64_t memory_max = 256ULL * 1024 * 1024;

struct bytes {
	uint8_t *items;
	size_t count, capacity;
};

static int unpack(lzma_stream *stream, size_t limit, struct bytes *out)
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

int minidebug_load(const struct elf_file *file, struct elf_file **ret_mini, struct strobe_err *err)
{
	const struct elf_file_section *section = elf_file_section_find(file, ".gnu_debugdata");
	_cleanup_(freep) uint8_t *unpacked = NULL;
	lzma_stream stream = LZMA_STREAM_INIT;
	struct bytes out = { 0 };
	const void *packed;
	size_t size = 0;
	uint64_t limit;
	int r;

	packed = section ? elf_file_section_bytes(file, section, &size) : NULL;
	if (!packed)
		return 0;
	limit = size < unpacked_max / RATIO_MAX ? FREE_SIZE + RATIO_MAX * (uint64_t)size
						: unpacked_max;
	if (lzma_stream_decoder(&stream, memory_max, LZMA_CONCATENATED) != LZMA_OK)
		return err_set(err, -ENOMEM, "cannot unpack the symbols in '%s'",
			       elf_file_name(file));
	stream.next_in = packed;
	stream.avail_in = size;
	r = unpack(&stream, limit, &out);
	lzma_end(&stream);
	unpacked = out.items;
	if (r < 0)
		return err_set(err, r, "the symbols in .gnu_debugdata of '%s' are damaged",
			       elf_file_name(file));
	r = elf_file_from_memory(unpacked, out.count, elf_file_name(file), ret_mini, err);
	return r < 0 ? -EBADMSG : 1;
}
