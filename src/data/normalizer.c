/* normalizer.c - see normalizer.h. */
#include "data/normalizer.h"

#include <errno.h>
#include <string.h>

#include "data/datafile.h"
#include "data/decompress.h"
#include "data/events.h"
#include "data/record.h"
#include "data/swap.h"
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

struct normalizer {
	struct normalizer_options options;
	const struct events *events; /* for swapping */
	struct events *own_events;   /* those that come with the records */
	struct decompress *stream;
	struct unpacked rest; /* unpacked, but not yet a whole record */
	uint64_t taken_size, unpacked_size;
	bool compressed;
	struct strobe_err *err; /* of the call under way */
	_Alignas(8) uint8_t record[UINT16_MAX + 1];
};

/* With zeros up to the next multiple of 8. */
static int put(struct normalizer *turn, const void *bytes, size_t size)
{
	static const uint8_t ZEROS[8];
	int rc = turn->options.sink(turn->options.context, bytes, size, turn->err);

	if (rc < 0 || size % 8 == 0)
		return rc;
	return turn->options.sink(turn->options.context, ZEROS, 8 - size % 8, turn->err);
}

static int write_record(struct normalizer *turn, const struct walk_record *record)
{
	struct perf_event_header *header = (struct perf_event_header *)(void *)turn->record;
	int rc;

	memcpy(turn->record, record->bytes, record->header.size);
	*header = record->header;
	if (turn->options.foreign && swap_record(turn->events, header) < 0) {
		turn->options.damage->skipped_count++;
		turn->options.damage->ignored_size += header->size + record->payload_size;
		return 0;
	}
	if (turn->own_events && header->type == RECORD_HEADER_ATTR)
		(void)events_add_record(turn->own_events, header);
	if (!record_type_name(header->type))
		turn->options.damage->unknown_count++;
	rc = put(turn, turn->record, header->size);
	if (rc < 0 || record->payload_size == 0)
		return rc;
	return put(turn, record->payload, record->payload_size);
}

static void add_damage(struct normalizer *turn, const struct walk *walk)
{
	turn->options.damage->skipped_count += walk->skipped_count;
	turn->options.damage->ignored_size += walk->ignored_size;
}

/* Hands on the whole records of what was unpacked; a piece of one waits for more. */
static int drain(struct normalizer *turn)
{
	struct unpacked *rest = &turn->rest;
	struct walk walk = { .bytes = rest->items,
			     .size = rest->count,
			     .swap = turn->options.foreign,
			     .more = true };
	struct walk_record record;
	int rc = 0;

	while (rc == 0 && walk_next(&walk, &record))
		rc = normalizer_is_compressed(&record.header) ? 0 : write_record(turn, &record);
	add_damage(turn, &walk);
	memmove(rest->items, rest->items + walk.offset, rest->count - walk.offset);
	rest->count -= walk.offset;
	return rc;
}

static int take_unpacked(void *user, const uint8_t *bytes, size_t size)
{
	struct normalizer *turn = user;
	struct unpacked *rest = &turn->rest;

	turn->unpacked_size += size;
	if (turn->unpacked_size > UNPACK_MIN + turn->taken_size * UNPACK_RATIO)
		return -EBADMSG;
	while (rest->capacity - rest->count < size)
		rest->items = xgrow(rest->items, &rest->capacity, sizeof(*rest->items));
	memcpy(rest->items + rest->count, bytes, size);
	rest->count += size;
	return drain(turn);
}

/* The compressed bytes of a record: COMPRESSED2 has their size, for it is padded. */
static const uint8_t *packed_bytes(const struct normalizer *turn, const struct walk_record *record,
				   size_t *ret_size)
{
	const uint8_t *bytes = record->bytes + sizeof(record->header);
	size_t size = record->header.size - sizeof(record->header);
	uint64_t packed_size;

	if (record->header.type == RECORD_COMPRESSED2) {
		if (size < sizeof(packed_size))
			return NULL;
		memcpy(&packed_size, bytes, sizeof(packed_size));
		if (turn->options.foreign)
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

static int unpack(struct normalizer *turn, const struct walk_record *record)
{
	struct perf_event_header mark = record->header;
	const uint8_t *bytes;
	size_t size;
	int rc;

	mark.size = sizeof(mark);
	rc = put(turn, &mark, sizeof(mark));
	if (rc < 0)
		return rc;
	bytes = packed_bytes(turn, record, &size);
	if (!turn->stream)
		turn->stream = decompress_new();
	turn->compressed = true;
	rc = bytes ? decompress_block(turn->stream, bytes, size, take_unpacked, turn) : -EBADMSG;
	if (rc == -EBADMSG) {
		turn->options.damage->skipped_count++;
		turn->options.damage->ignored_size += record->header.size;
		turn->rest.count = 0;
		return 0;
	}
	return rc;
}

static int turn_record(struct normalizer *turn, const struct walk_record *record)
{
	if (normalizer_is_compressed(&record->header))
		return unpack(turn, record);
	return write_record(turn, record);
}

bool normalizer_is_compressed(const struct perf_event_header *header)
{
	return header->type == RECORD_COMPRESSED || header->type == RECORD_COMPRESSED2;
}

struct normalizer *normalizer_new(const struct normalizer_options *options)
{
	struct normalizer *turn = xnew(struct normalizer);

	turn->options = *options;
	turn->events = options->events;
	if (!options->events)
		turn->events = turn->own_events = events_new();
	return turn;
}

void normalizer_free(struct normalizer *turn)
{
	if (!turn)
		return;
	decompress_free(turn->stream);
	events_free(turn->own_events);
	free(turn->rest.items);
	free(turn);
}

int normalizer_take(struct normalizer *turn, const uint8_t *bytes, size_t size, bool more,
		    size_t *ret_used, struct strobe_err *err)
{
	struct walk walk = {
		.bytes = bytes, .size = size, .swap = turn->options.foreign, .more = more
	};
	struct walk_record record;
	int rc = 0;

	turn->err = err;
	while (rc == 0 && walk_next(&walk, &record)) {
		turn->taken_size += record.header.size;
		rc = turn_record(turn, &record);
	}
	add_damage(turn, &walk);
	*ret_used = walk.offset;
	return rc;
}

void normalizer_end(struct normalizer *turn)
{
	if (turn->rest.count) {
		turn->options.damage->skipped_count++;
		turn->options.damage->ignored_size += turn->rest.count;
	}
	turn->rest.count = 0;
	decompress_free(turn->stream);
	turn->stream = NULL;
}

bool normalizer_has_compressed(const struct normalizer *turn)
{
	return turn->compressed;
}
