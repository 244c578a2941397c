/* normalize.c - see normalize.h. */
#include "data/normalize.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "data/datafile.h"
#include "data/decompress.h"
#include "data/events.h"
#include "data/filemap.h"
#include "data/record.h"
#include "data/swap.h"
#include "data/tempfile.h"
#include "data/walk.h"

/*
 * What a block may grow to, so that a crafted file does not fill the disk: recordings shrink to
 * a fifth or a fiftieth.
 */
enum { UNPACK_RATIO = 1000 };
static const uint64_t UNPACK_MIN = 64 << 20;

struct unpacked {
	uint8_t *items;
	size_t count, capacity;
};

struct turn {
	const struct normalize_input *input;
	const struct events *events; /* for swapping */
	struct events *own_events;   /* those of a foreign pipe, as they come */
	struct tempfile *out;
	struct decompress *stream;
	struct unpacked rest; /* unpacked, but not yet a whole record */
	uint64_t unpacked_size, unpacked_max;
	bool compressed;
	struct datafile_damage *damage;
	struct strobe_err *err;
	_Alignas(8) uint8_t record[UINT16_MAX + 1];
};

static int write_payload(struct turn *turn, const struct walk_record *record)
{
	int rc;

	if (record->payload_size == 0)
		return 0;
	rc = tempfile_write(turn->out, record->payload, record->payload_size, turn->err);
	return rc < 0 ? rc : tempfile_pad(turn->out, turn->err);
}

static int write_record(struct turn *turn, const struct walk_record *record)
{
	struct perf_event_header *header = (struct perf_event_header *)(void *)turn->record;
	int rc;

	memcpy(turn->record, record->bytes, record->header.size);
	*header = record->header;
	if (turn->input->foreign && swap_record(turn->events, header) < 0) {
		turn->damage->skipped_count++;
		turn->damage->ignored_size += header->size + record->payload_size;
		return 0;
	}
	if (turn->own_events && header->type == RECORD_HEADER_ATTR)
		(void)events_add_record(turn->own_events, header);
	if (!record_type_name(header->type))
		turn->damage->unknown_count++;
	rc = tempfile_write(turn->out, turn->record, header->size, turn->err);
	if (rc == 0)
		rc = tempfile_pad(turn->out, turn->err);
	return rc < 0 ? rc : write_payload(turn, record);
}

static void add_damage(struct turn *turn, const struct walk *walk)
{
	turn->damage->skipped_count += walk->skipped_count;
	turn->damage->ignored_size += walk->ignored_size;
}

/* Hands on the whole records of what was unpacked; a piece of one waits for more. */
static int drain(struct turn *turn)
{
	struct unpacked *rest = &turn->rest;
	struct walk walk = { .bytes = rest->items,
			     .size = rest->count,
			     .swap = turn->input->foreign,
			     .more = true };
	struct walk_record record;
	int rc = 0;

	while (rc == 0 && walk_next(&walk, &record))
		rc = normalize_is_compressed(&record.header) ? 0 : write_record(turn, &record);
	add_damage(turn, &walk);
	memmove(rest->items, rest->items + walk.offset, rest->count - walk.offset);
	rest->count -= walk.offset;
	return rc;
}

static int take_unpacked(void *user, const uint8_t *bytes, size_t size)
{
	struct turn *turn = user;
	struct unpacked *rest = &turn->rest;

	turn->unpacked_size += size;
	if (turn->unpacked_size > turn->unpacked_max)
		return -EBADMSG;
	while (rest->capacity - rest->count < size)
		rest->items = xgrow(rest->items, &rest->capacity, sizeof(*rest->items));
	memcpy(rest->items + rest->count, bytes, size);
	rest->count += size;
	return drain(turn);
}

/* The compressed bytes of a record: COMPRESSED2 has their size, for it is padded. */
static const uint8_t *packed_bytes(const struct turn *turn, const struct walk_record *record,
				   size_t *ret_size)
{
	const uint8_t *bytes = record->bytes + sizeof(record->header);
	size_t size = record->header.size - sizeof(record->header);
	uint64_t packed_size;

	if (record->header.type == RECORD_COMPRESSED2) {
		if (size < sizeof(packed_size))
			return NULL;
		memcpy(&packed_size, bytes, sizeof(packed_size));
		if (turn->input->foreign)
			packed_size = __builtin_bswap64(packed_size);
		bytes += sizeof(packed_size);
		size -= sizeof(packed_size);
		if (packed_size > size)
			return NULL;
		size = (size_t)packed_size;
	}
	*ret_size = size;
	return bytes;
}

static int unpack(struct turn *turn, const struct walk_record *record)
{
	struct perf_event_header mark = record->header;
	const uint8_t *bytes;
	size_t size;
	int rc;

	mark.size = sizeof(mark);
	rc = tempfile_write(turn->out, &mark, sizeof(mark), turn->err);
	if (rc < 0)
		return rc;
	bytes = packed_bytes(turn, record, &size);
	if (!turn->stream)
		turn->stream = decompress_new();
	turn->compressed = true;
	rc = bytes ? decompress_block(turn->stream, bytes, size, take_unpacked, turn) : -EBADMSG;
	if (rc == -EBADMSG) {
		turn->damage->skipped_count++;
		turn->damage->ignored_size += record->header.size;
		turn->rest.count = 0;
		return 0;
	}
	return rc;
}

static int turn_record(struct turn *turn, const struct walk_record *record)
{
	if (normalize_is_compressed(&record->header))
		return unpack(turn, record);
	return write_record(turn, record);
}

/* What was begun in one span does not go on in the next. */
static void end_span(struct turn *turn)
{
	if (turn->rest.count) {
		turn->damage->skipped_count++;
		turn->damage->ignored_size += turn->rest.count;
	}
	turn->rest.count = 0;
	decompress_free(turn->stream);
	turn->stream = NULL;
}

static int turn_span(struct turn *turn, const struct normalize_span *span)
{
	struct walk walk = { .bytes = span->bytes,
			     .size = span->size,
			     .swap = turn->input->foreign };
	struct walk_record record;

	while (walk_next(&walk, &record)) {
		int rc = turn_record(turn, &record);

		if (rc < 0)
			return rc;
	}
	add_damage(turn, &walk);
	end_span(turn);
	return 0;
}

static int turn_all(struct turn *turn)
{
	const struct normalize_input *input = turn->input;
	int rc = 0;

	turn->unpacked_max = UNPACK_MIN;
	for (size_t i = 0; i < input->span_count; i++)
		turn->unpacked_max += input->spans[i].size * UNPACK_RATIO;
	for (size_t i = 0; rc == 0 && i < input->span_count; i++)
		rc = turn_span(turn, &input->spans[i]);
	return rc;
}

static int map_output(struct turn *turn, struct filemap *ret_map)
{
	int fd, rc = tempfile_flush(turn->out, &fd, turn->err);

	return rc < 0 ? rc : filemap_open_fd(fd, "temporary file", ret_map, turn->err);
}

bool normalize_is_compressed(const struct perf_event_header *header)
{
	return header->type == RECORD_COMPRESSED || header->type == RECORD_COMPRESSED2;
}

int normalize(const struct normalize_input *input, struct filemap *ret_map,
	      struct datafile_damage *damage, bool *ret_compressed, struct strobe_err *err)
{
	_cleanup_(tempfile_freep) struct tempfile *out = tempfile_new(err);
	_cleanup_(freep) struct turn *turn = xnew(struct turn);
	int rc;

	if (!out)
		return -EIO;
	turn->input = input;
	turn->events = input->events;
	if (!input->events)
		turn->events = turn->own_events = events_new();
	turn->out = out;
	turn->damage = damage;
	turn->err = err;
	rc = turn_all(turn);
	if (rc == 0)
		rc = map_output(turn, ret_map);
	*ret_compressed = turn->compressed;
	decompress_free(turn->stream);
	events_free(turn->own_events);
	free(turn->rest.items);
	return rc;
}
