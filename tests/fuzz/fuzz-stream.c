/* fuzz-stream.c - any bytes as a stream, in pieces: its records are those of the stream as a whole,
 * whether or not those before them were let go. */
#include <assert.h>
#include <string.h>

#include "data/datafile.h"
#include "data/record.h"
#include "fuzz-pieces.h"

struct walk {
	uint64_t offset; /* 0: nothing was read */
	uint64_t count, sum;
	bool damaged;
};

static void go_on(struct walk *walk, const struct stream *stream)
{
	struct datafile_cursor cursor;
	struct record record;

	if (!stream_file(stream))
		return;
	cursor = datafile_begin(stream_file(stream));
	if (walk->offset > 0)
		cursor.offset = walk->offset;
	while (datafile_next(&cursor, &record)) {
		uint8_t last;

		assert(record.header->size >= sizeof(*record.header));
		memcpy(&last, (const uint8_t *)record.header + record.header->size - 1, 1);
		walk->count++;
		walk->sum = walk->sum * 31 + record.header->type + record.header->size + last;
	}
	walk->offset = cursor.offset;
	walk->damaged = datafile_damage(stream_file(stream))->skipped_count > 0;
}

static struct walk in_pieces(struct fuzz_pieces pieces)
{
	struct stream *stream = stream_new("fuzz");
	struct walk walk = { 0 };
	bool more = true;

	while (more) {
		more = fuzz_pieces_feed(&pieces, stream);
		go_on(&walk, stream);
		if (walk.offset > 0 && pieces.next % 3 == 0)
			stream_forget(stream, walk.offset);
	}
	stream_free(stream);
	return walk;
}

static struct walk at_once(const struct fuzz_pieces *pieces)
{
	struct stream *stream = stream_new("fuzz");
	struct walk walk = { 0 };

	if (stream_feed(stream, pieces->bytes, pieces->left, NULL) == 0)
		(void)stream_end(stream, NULL);
	go_on(&walk, stream);
	stream_free(stream);
	return walk;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fuzz_pieces pieces = fuzz_pieces_of(bytes, size);
	struct walk walk, whole;

	if (pieces.size_count == 0)
		return 0;
	walk = in_pieces(pieces);
	/* What looks whole when nothing comes is taken to be so. */
	if (memchr(pieces.sizes, 0, pieces.size_count))
		return 0;
	whole = at_once(&pieces);
	/* Behind damage, what has come by then decides where the next record begins. */
	assert(whole.damaged || (walk.count == whole.count && walk.sum == whole.sum));
	return 0;
}
