/* swapsample.c - see swapsample.h. */
#include "data/swapsample.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "data/attr.h"
#include "data/sample.h"

struct reader {
	uint64_t *next, *end;
};

static uint64_t count_words(uint64_t type, uint64_t mask)
{
	return (uint64_t)__builtin_popcountll(type & mask);
}

static bool skip(struct reader *reader, uint64_t count)
{
	if (count > (size_t)(reader->end - reader->next))
		return false;
	reader->next += count;
	return true;
}

static bool get(struct reader *reader, uint64_t *ret_value)
{
	if (reader->next == reader->end)
		return false;
	*ret_value = *reader->next++;
	return true;
}

static bool fix_pair(struct reader *reader)
{
	if (reader->next == reader->end)
		return false;
	*reader->next = *reader->next << 32 | *reader->next >> 32;
	reader->next++;
	return true;
}

/* Bytes that are not numbers: as they were. */
static bool restore(struct reader *reader, uint64_t size)
{
	uint64_t count = size / 8 + (size % 8 != 0);
	uint64_t *word = reader->next;

	if (!skip(reader, count))
		return false;
	for (; word < reader->next; word++)
		*word = __builtin_bswap64(*word);
	return true;
}

static bool fix_read(struct reader *reader, uint64_t format)
{
	uint64_t times = count_words(format, PERF_FORMAT_TOTAL_TIME_ENABLED |
						     PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t stride = 1 + count_words(format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
	uint64_t count = 1;

	if (format & PERF_FORMAT_GROUP && !get(reader, &count))
		return false;
	return count <= UINT16_MAX && skip(reader, times + count * stride);
}

static bool fix_callchain(struct reader *reader)
{
	uint64_t count;

	return get(reader, &count) && skip(reader, count);
}

/* The first word is the size in 32 bits and the first four bytes. */
static bool fix_raw(struct reader *reader)
{
	char *bytes = (char *)reader->next;
	uint32_t size;

	if (reader->next == reader->end)
		return false;
	memcpy(&size, bytes + sizeof(size), sizeof(size)); /* where swapping the word took it */
	if (!restore(reader, sizeof(size) + (uint64_t)size))
		return false;
	memcpy(bytes, &size, sizeof(size));
	return true;
}

/* Bit fields begin at the top of the word on big-endian machines, at the bottom on others. */
static uint64_t mirror_flags(uint64_t flags)
{
	static const unsigned WIDTHS[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3 };
	const bool to_low = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	uint64_t mirrored = 0;
	unsigned low = 0;

	for (size_t i = 0; i < sizeof(WIDTHS) / sizeof(*WIDTHS); i++) {
		unsigned high = 64 - low - WIDTHS[i];
		unsigned from = to_low ? high : low, to = to_low ? low : high;
		uint64_t mask = (UINT64_C(1) << WIDTHS[i]) - 1;

		mirrored |= (flags >> from & mask) << to;
		low += WIDTHS[i];
	}
	return mirrored;
}

static bool fix_branches(struct reader *reader, const struct attr *attr)
{
	enum { WORDS = 3, FLAGS = 2 };
	uint64_t count;

	if (!get(reader, &count) || count > UINT16_MAX)
		return false;
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX && !skip(reader, 1))
		return false;

	uint64_t *entry = reader->next;

	if (!skip(reader, count * WORDS))
		return false;
	for (; entry < reader->next; entry += WORDS)
		entry[FLAGS] = mirror_flags(entry[FLAGS]);
	return !(attr->branch_sample_type & ATTR_BRANCH_COUNTERS) || skip(reader, count);
}

static bool fix_regs(struct reader *reader, uint64_t mask)
{
	uint64_t abi;

	return get(reader, &abi) && (abi == PERF_SAMPLE_REGS_ABI_NONE ||
				     skip(reader, (uint64_t)__builtin_popcountll(mask)));
}

static bool fix_stack(struct reader *reader)
{
	uint64_t size;

	return get(reader, &size) && (size == 0 || (restore(reader, size) && skip(reader, 1)));
}

static bool fix_aux(struct reader *reader)
{
	uint64_t size;

	return get(reader, &size) && restore(reader, size);
}

static bool fix_identity(struct reader *reader, uint64_t type)
{
	return skip(reader, count_words(type, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP)) &&
	       (!(type & PERF_SAMPLE_TID) || fix_pair(reader)) &&
	       skip(reader, count_words(type, PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
						      PERF_SAMPLE_STREAM_ID)) &&
	       (!(type & PERF_SAMPLE_CPU) || fix_pair(reader)) &&
	       skip(reader, count_words(type, PERF_SAMPLE_PERIOD));
}

static bool fix_stacks(struct reader *reader, const struct attr *attr, uint64_t type)
{
	return (!(type & PERF_SAMPLE_READ) || fix_read(reader, attr->read_format)) &&
	       (!(type & PERF_SAMPLE_CALLCHAIN) || fix_callchain(reader)) &&
	       (!(type & PERF_SAMPLE_RAW) || fix_raw(reader)) &&
	       (!(type & PERF_SAMPLE_BRANCH_STACK) || fix_branches(reader, attr)) &&
	       (!(type & PERF_SAMPLE_REGS_USER) || fix_regs(reader, attr->sample_regs_user)) &&
	       (!(type & PERF_SAMPLE_STACK_USER) || fix_stack(reader));
}

static bool fix_memory(struct reader *reader, const struct attr *attr, uint64_t type)
{
	const uint64_t weight = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;
	uint64_t words = (type & weight ? 1 : 0) +
			 count_words(type, PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION);

	return skip(reader, words) &&
	       (!(type & PERF_SAMPLE_REGS_INTR) || fix_regs(reader, attr->sample_regs_intr)) &&
	       skip(reader, count_words(type, PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
						      PERF_SAMPLE_DATA_PAGE_SIZE |
						      PERF_SAMPLE_CODE_PAGE_SIZE)) &&
	       (!(type & PERF_SAMPLE_AUX) || fix_aux(reader));
}

int swapsample_fix(const struct attr *attr, struct perf_event_header *header)
{
	uint64_t *words = (void *)header;
	struct reader reader = { words + 1, words + header->size / 8 };
	uint64_t type = attr->sample_type;

	if (!sample_is_known(attr)) /* nobody will read its fields */
		return 0;
	return fix_identity(&reader, type) && fix_stacks(&reader, attr, type) &&
			       fix_memory(&reader, attr, type)
		       ? 0
		       : -EBADMSG;
}
