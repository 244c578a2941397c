/* walk.c - see walk.h. */
#include "data/walk.h"

#include <string.h>

#include "base/bytes.h"
#include "data/record.h"
#include "data/simpleperf.h"

enum {
	CHAIN = 4,             /* records in a row that make a place believable */
	SIMPLEPERF_TYPES = 64, /* more than there are */
};

static struct perf_event_header get_header(const struct walk *walk, size_t offset)
{
	struct perf_event_header header;

	memcpy(&header, walk->bytes + offset, sizeof(header));
	header.type = bytes_u32(header.type, walk->swap);
	header.misc = bytes_u16(header.misc, walk->swap);
	header.size = bytes_u16(header.size, walk->swap);
	return header;
}

static bool is_simpleperf(uint32_t type)
{
	return type >= SIMPLEPERF_RECORDS && type < SIMPLEPERF_RECORDS + SIMPLEPERF_TYPES;
}

static bool is_known(uint32_t type)
{
	return record_type_name(type) || is_simpleperf(type);
}

/* A record of simpleperf's that is larger than others can be: misc is the upper half of its size.
 */
static bool is_large(const struct perf_event_header *header)
{
	return is_simpleperf(header->type) && header->misc != 0;
}

static uint64_t whole_size(const struct perf_event_header *header)
{
	return is_large(header) ? (uint64_t)header->misc << 16 | header->size : header->size;
}

/* True if a record of a known type that fits may begin at @offset; then also where it ends. */
static bool looks_like_record(const struct walk *walk, size_t offset, size_t *ret_end)
{
	if (offset > walk->size || walk->size - offset < sizeof(struct perf_event_header))
		return false;

	struct perf_event_header header = get_header(walk, offset);
	uint64_t size = whole_size(&header);

	if (!is_known(header.type) || size < sizeof(header) || size > walk->size - offset)
		return false;
	*ret_end = offset + (size_t)size;
	return true;
}

static bool is_believable(const struct walk *walk, size_t offset)
{
	for (int i = 0; i < CHAIN; i++) {
		if (i > 0 && offset == walk->size)
			return true;
		if (!looks_like_record(walk, offset, &offset) || offset % 8)
			return false;
	}
	return true;
}

bool walk_find(struct walk *walk, size_t offset, size_t limit)
{
	while (offset < limit && !is_believable(walk, offset))
		offset += 8;
	walk->offset = offset;
	return offset < limit;
}

/* Steps over damage at the walk's offset; false if nothing can be found behind it. */
static bool find_next(struct walk *walk)
{
	size_t from = walk->offset;
	bool found = walk_find(walk, bytes_round_up(from + 1), walk->size);

	walk->skipped_count++;
	if (!found)
		walk->offset = walk->size;
	walk->ignored_size += walk->offset - from;
	return found;
}

/* Where the record at @offset that is not a multiple of 8 in size ends. */
static size_t uneven_end(const struct walk *walk, size_t offset, size_t size)
{
	size_t exact = offset + size, rounded = offset + bytes_round_up(size), ignored;

	if (exact == walk->size || looks_like_record(walk, exact, &ignored) ||
	    !looks_like_record(walk, rounded, &ignored))
		return exact;
	return rounded;
}

uint64_t walk_payload_size(const uint8_t *record, const struct perf_event_header *header, bool swap)
{
	uint64_t size = 0;
	uint32_t half;

	if (header->type == RECORD_AUXTRACE && header->size >= sizeof(*header) + sizeof(size)) {
		memcpy(&size, record + sizeof(*header), sizeof(size));
		return bytes_u64(size, swap);
	}
	if (header->type == RECORD_HEADER_TRACING_DATA &&
	    header->size >= sizeof(*header) + sizeof(half)) {
		memcpy(&half, record + sizeof(*header), sizeof(half));
		return bytes_round_up(bytes_u32(half, swap));
	}
	return 0;
}

/* True if at @offset there is the beginning of what may be a record once the rest has come. */
static bool may_become_record(const struct walk *walk, size_t offset)
{
	struct perf_event_header header = get_header(walk, offset);

	return is_known(header.type) && whole_size(&header) > walk->size - offset;
}

/* Where an uneven record ends shows in what follows: has that not come yet? */
static bool must_wait(const struct walk *walk, const struct perf_event_header *header)
{
	size_t exact = walk->offset + header->size, ignored;
	size_t rounded = walk->offset + bytes_round_up(header->size);

	if (!walk->more || header->size % 8 == 0)
		return false;
	if (walk->size < rounded + sizeof(*header))
		return true;
	if (looks_like_record(walk, exact, &ignored))
		return false;
	return may_become_record(walk, exact) ||
	       (!looks_like_record(walk, rounded, &ignored) && may_become_record(walk, rounded));
}

/* What is left at the end, or cannot be told from what follows. False: the walk is over. */
static bool give_up(struct walk *walk, bool is_record)
{
	if (walk->more)
		return false;
	walk->skipped_count += is_record;
	walk->ignored_size += walk->size - walk->offset;
	walk->offset = walk->size;
	return false;
}

/* The header of the next record of a size that can be; false at the end. */
static bool next_header(struct walk *walk, struct perf_event_header *ret_header)
{
	for (;;) {
		size_t left = walk->size - walk->offset;
		uint64_t size;

		if (left < sizeof(*ret_header))
			return give_up(walk, false);
		*ret_header = get_header(walk, walk->offset);
		size = whole_size(ret_header);
		if (size >= sizeof(*ret_header) && size <= left)
			return true;
		if (walk->more && size > left)
			return false;
		if (!find_next(walk))
			return false;
	}
}

/* Of a large record its header is handed out: the rest is nothing that is read. */
static void take_large(struct walk *walk, struct perf_event_header header,
		       struct walk_record *ret_record)
{
	const uint8_t *bytes = walk->bytes + walk->offset;

	walk->uneven = true;
	walk->offset = walk->end = walk->offset + (size_t)whole_size(&header);
	header.misc = 0;
	header.size = sizeof(header);
	*ret_record = (struct walk_record){ .header = header, .bytes = bytes };
}

void walk_samples(struct walk *walk, size_t limit)
{
	struct perf_event_header header;

	if (walk->swap || walk->offset % 8)
		return;
	while (walk->offset < limit && walk->size - walk->offset >= sizeof(header)) {
		const uint8_t *bytes = walk->bytes + walk->offset;

		memcpy(&header, bytes, sizeof(header));
		if (header.type != PERF_RECORD_SAMPLE || header.size < sizeof(header) ||
		    header.size % 8 || header.size > walk->size - walk->offset)
			return;
		__builtin_prefetch((const void *)((uintptr_t)bytes + WALK_AHEAD));
		walk->offset = walk->end = walk->offset + header.size;
	}
}

bool walk_next(struct walk *walk, struct walk_record *ret_record)
{
	struct perf_event_header header;
	uint64_t payload_size;
	const uint8_t *bytes;
	size_t end;

	if (!next_header(walk, &header) || must_wait(walk, &header))
		return false;
	if (is_large(&header)) {
		take_large(walk, header, ret_record);
		return true;
	}
	bytes = walk->bytes + walk->offset;
	__builtin_prefetch((const void *)((uintptr_t)bytes + WALK_AHEAD));
	end = walk->offset + header.size;
	payload_size = walk_payload_size(bytes, &header, walk->swap);
	if (header.size % 8 && payload_size == 0)
		end = uneven_end(walk, walk->offset, header.size);
	if (payload_size > walk->size - end)
		return give_up(walk, true);
	walk->uneven |= walk->offset % 8 != 0 || (payload_size && (end % 8 || payload_size % 8));
	*ret_record =
		(struct walk_record){ header, bytes, walk->bytes + end, (size_t)payload_size };
	walk->offset = walk->end = end + (size_t)payload_size;
	return true;
}
