/*
 * stream.c - see stream.h.
 *
 * Bytes that came wait in `raw` until they are whole records; the normalizer puts those into
 * `records`. What is forgotten stays in front of them until it is more than what is left, so that
 * moving costs no more than reading did.
 */
#include "data/stream.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/fileheader.h"
#include "data/normalizer.h"
#include "data/record.h"

/* What a record may wait for, with its payload: beyond that it is damaged. */
enum { RAW_MAX = 128 << 20 };

struct bytes {
	uint8_t *items;
	size_t count, capacity;
};

struct stream {
	const char *name;
	struct datafile *file;         /* made with the header, as is the next */
	struct normalizer *normalizer; /* NULL: the header has not come */
	struct bytes raw, records;
	uint64_t origin;  /* offset of records.items */
	uint64_t forgone; /* offset of the window; >= origin */
};

static void add(struct bytes *to, const void *bytes, size_t size)
{
	while (to->capacity - to->count < size)
		to->items = xgrow(to->items, &to->capacity, sizeof(*to->items));
	if (size > 0)
		memcpy(to->items + to->count, bytes, size);
	to->count += size;
}

static void drop_front(struct bytes *from, size_t size)
{
	if (size > 0)
		memmove(from->items, from->items + size, from->count - size);
	from->count -= size;
}

static int take_records(void *context, const void *bytes, size_t size, struct strobe_err *err)
{
	struct stream *stream = context;

	add(&stream->records, bytes, size);
	return 0;
}

bool stream_may_begin(const void *bytes, size_t size)
{
	struct fileheader header;

	return size >= STREAM_HEADER_SIZE &&
	       fileheader_parse(bytes, STREAM_HEADER_SIZE, "", &header, NULL) == 0 && header.pipe;
}

struct stream *stream_new(const char *name)
{
	struct stream *stream = xnew(struct stream);

	stream->name = name;
	return stream;
}

void stream_free(struct stream *stream)
{
	if (!stream)
		return;
	normalizer_free(stream->normalizer);
	datafile_close(stream->file);
	free(stream->raw.items);
	free(stream->records.items);
	free(stream);
}

static int begin(struct stream *stream, struct strobe_err *err)
{
	struct fileheader header;
	struct normalizer_options options = { .sink = take_records, .context = stream };
	int rc = fileheader_parse(stream->raw.items, stream->raw.count, stream->name, &header, err);

	if (rc == 0 && !header.pipe)
		rc = err_set(err, -EINVAL, "'%s' is a file that is no stream", stream->name);
	if (rc < 0)
		return rc;
	drop_front(&stream->raw, STREAM_HEADER_SIZE);
	stream->file = datafile_new_window(header.foreign);
	options.foreign = header.foreign;
	options.damage = datafile_window_damage(stream->file);
	stream->normalizer = normalizer_new(&options);
	return 0;
}

static void slide(struct stream *stream)
{
	size_t gone = (size_t)(stream->forgone - stream->origin);

	/* Where no record has come, there is no memory for them either. */
	datafile_slide(stream->file,
		       gone > 0 ? stream->records.items + gone : stream->records.items,
		       stream->forgone, stream->origin + stream->records.count);
}

static int turn(struct stream *stream, bool more, struct strobe_err *err)
{
	size_t used;
	int rc = normalizer_take(stream->normalizer, stream->raw.items, stream->raw.count,
				 more && stream->raw.count < RAW_MAX, &used, err);

	if (rc < 0)
		return rc;
	drop_front(&stream->raw, used);
	slide(stream);
	return 0;
}

int stream_feed(struct stream *stream, const void *bytes, size_t size, struct strobe_err *err)
{
	add(&stream->raw, bytes, size);
	if (!stream->normalizer) {
		int rc = stream->raw.count < STREAM_HEADER_SIZE ? 0 : begin(stream, err);

		if (rc < 0 || !stream->normalizer)
			return rc;
	}
	return turn(stream, true, err);
}

int stream_pause(struct stream *stream, struct strobe_err *err)
{
	struct perf_event_header header;

	if (!stream->normalizer || stream->raw.count < sizeof(header))
		return 0;
	memcpy(&header, stream->raw.items, sizeof(header));
	if (datafile_header(stream->file)->foreign)
		header.size = __builtin_bswap16(header.size);
	return header.size == stream->raw.count ? turn(stream, false, err) : 0;
}

int stream_end(struct stream *stream, struct strobe_err *err)
{
	int rc = stream->normalizer ? 0 : begin(stream, err);

	if (rc == 0)
		rc = turn(stream, false, err);
	if (rc < 0)
		return rc;
	normalizer_end(stream->normalizer);
	datafile_end_telling(stream->file);
	return 0;
}

const struct datafile *stream_file(const struct stream *stream)
{
	return stream->file;
}

void stream_forget(struct stream *stream, uint64_t offset)
{
	size_t gone = (size_t)(offset - stream->origin);

	stream->forgone = offset;
	if (gone > stream->records.count / 2) {
		drop_front(&stream->records, gone);
		stream->origin = offset;
	}
	slide(stream);
}
