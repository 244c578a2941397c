/* swap.c - see swap.h. */
#include "data/swap.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "data/attr.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/swapsample.h"

/*
 * Bodies: 2, 4, 8 are numbers of so many bytes; s: what follows up to the trailer is bytes; q: it
 * is 64-bit numbers; h, S: 16 and 64 bytes; others: see swap_special().
 */
static const char *const KERNEL_BODIES[] = {
	[PERF_RECORD_MMAP] = "44888s",     [PERF_RECORD_LOST] = "88q",
	[PERF_RECORD_COMM] = "44s",        [PERF_RECORD_EXIT] = "44448",
	[PERF_RECORD_THROTTLE] = "888",    [PERF_RECORD_UNTHROTTLE] = "888",
	[PERF_RECORD_FORK] = "44448",      [PERF_RECORD_READ] = "44q",
	[PERF_RECORD_MMAP2] = "44888M44s", [PERF_RECORD_AUX] = "888",
	[PERF_RECORD_ITRACE_START] = "44", [PERF_RECORD_LOST_SAMPLES] = "8",
	[PERF_RECORD_SWITCH] = "",         [PERF_RECORD_SWITCH_CPU_WIDE] = "44",
	[PERF_RECORD_NAMESPACES] = "44q",  [PERF_RECORD_KSYMBOL] = "8422s",
	[PERF_RECORD_BPF_EVENT] = "224s",  [PERF_RECORD_CGROUP] = "8s",
	[PERF_RECORD_TEXT_POKE] = "822s",  [PERF_RECORD_AUX_OUTPUT_HW_ID] = "8",
	[RECORD_CALLCHAIN_DEFERRED] = "q",
};

static const char *const RECORDER_BODIES[] = {
	[RECORD_HEADER_ATTR - 64] = "A",
	[RECORD_HEADER_EVENT_TYPE - 64] = "8s",
	[RECORD_HEADER_TRACING_DATA - 64] = "4",
	[RECORD_HEADER_BUILD_ID - 64] = "4s",
	[RECORD_ID_INDEX - 64] = "q",
	[RECORD_AUXTRACE_INFO - 64] = "44q",
	[RECORD_AUXTRACE - 64] = "8884444",
	[RECORD_AUXTRACE_ERROR - 64] = "44444488S44",
	[RECORD_THREAD_MAP - 64] = "8T",
	[RECORD_CPU_MAP - 64] = "C",
	[RECORD_STAT_CONFIG - 64] = "q",
	[RECORD_STAT - 64] = "844q",
	[RECORD_STAT_ROUND - 64] = "q",
	[RECORD_EVENT_UPDATE - 64] = "88U",
	[RECORD_TIME_CONV - 64] = "88888s",
	[RECORD_HEADER_FEATURE - 64] = "8s",
	[RECORD_BPF_METADATA - 64] = "h8s",
};

/* A part of a record that is being swapped; what is too short for a field is left alone. */
struct swap_span {
	uint8_t *next, *end;
	bool bad;
};

static size_t left(const struct swap_span *span)
{
	return (size_t)(span->end - span->next);
}

static void skip(struct swap_span *span, size_t size)
{
	span->bad |= size > left(span);
	span->next += size < left(span) ? size : left(span);
}

static uint16_t swap_16(struct swap_span *span)
{
	uint16_t value = 0;

	if (left(span) >= sizeof(value)) {
		memcpy(&value, span->next, sizeof(value));
		value = __builtin_bswap16(value);
		memcpy(span->next, &value, sizeof(value));
	}
	skip(span, sizeof(value));
	return value;
}

static uint32_t swap_32(struct swap_span *span)
{
	uint32_t value = 0;

	if (left(span) >= sizeof(value)) {
		memcpy(&value, span->next, sizeof(value));
		value = __builtin_bswap32(value);
		memcpy(span->next, &value, sizeof(value));
	}
	skip(span, sizeof(value));
	return value;
}

static uint64_t swap_64(struct swap_span *span)
{
	uint64_t value = 0;

	if (left(span) >= sizeof(value)) {
		memcpy(&value, span->next, sizeof(value));
		value = __builtin_bswap64(value);
		memcpy(span->next, &value, sizeof(value));
	}
	skip(span, sizeof(value));
	return value;
}

static void swap_words(struct swap_span *span)
{
	while (left(span) >= sizeof(uint64_t))
		(void)swap_64(span);
}

/* 32-bit halves of a word that was swapped as a whole. */
static void swap_halves(uint64_t *word)
{
	*word = *word << 32 | *word >> 32;
}

static void swap_mmap2(struct swap_span *span, uint16_t misc)
{
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		skip(span, 24);
		return;
	}
	(void)swap_32(span);
	(void)swap_32(span);
	(void)swap_64(span);
	(void)swap_64(span);
}

/* An attr of the size that it says itself, then ids. */
static void swap_attr(struct swap_span *span)
{
	uint8_t *bytes = span->next;
	struct attr attr;
	uint32_t size;

	if (left(span) < ATTR_SIZE_MIN) {
		span->bad = true;
		return;
	}
	memcpy(&size, bytes + offsetof(struct attr, size), sizeof(size));
	size = __builtin_bswap32(size);
	if (size == 0)
		size = ATTR_SIZE_MIN;
	if (size > left(span) || attr_decode(bytes, size, true, &attr) < 0) {
		span->bad = true;
		return;
	}
	memcpy(bytes, &attr, size < sizeof(attr) ? size : sizeof(attr));
	span->next += size;
	swap_words(span);
}

/* Of each thread its number and 16 bytes of name. */
static void swap_threads(struct swap_span *span)
{
	while (left(span) >= 24) {
		(void)swap_64(span);
		skip(span, 16);
	}
}

/* Kinds of a set of CPUs: 0 a list of numbers, 1 a mask, 2 a range. */
static void swap_cpus(struct swap_span *span)
{
	uint16_t kind = swap_16(span), long_size;

	if (kind == 1) {
		(void)swap_16(span);
		long_size = swap_16(span);
		if (long_size == 8)
			skip(span, 2);
		while (left(span) >= long_size && (long_size == 4 || long_size == 8)) {
			if (long_size == 8)
				(void)swap_64(span);
			else
				(void)swap_32(span);
		}
		return;
	}
	if (kind == 2)
		skip(span, 2);
	while (left(span) >= sizeof(uint16_t))
		(void)swap_16(span);
}

static void swap_update(struct swap_span *span, const struct perf_event_header *header)
{
	enum { UPDATE_SCALE = 1, UPDATE_CPUS = 3, UPDATE_STACK = 201 };
	uint64_t kind;

	memcpy(&kind, header + 1, sizeof(kind));
	if (kind == UPDATE_SCALE)
		(void)swap_64(span);
	else if (kind == UPDATE_CPUS)
		swap_cpus(span);
	else if (kind == UPDATE_STACK && swap_64(span) && swap_32(span))
		(void)swap_32(span);
}

static void swap_special(char field, struct swap_span *span, const struct perf_event_header *header)
{
	switch (field) {
	case 'M':
		swap_mmap2(span, header->misc);
		break;
	case 'A':
		swap_attr(span);
		break;
	case 'T':
		swap_threads(span);
		break;
	case 'C':
		swap_cpus(span);
		break;
	case 'U':
		swap_update(span, header);
		break;
	default:
		break;
	}
}

static void swap_field(char field, struct swap_span *span, const struct perf_event_header *header)
{
	switch (field) {
	case '2':
		(void)swap_16(span);
		break;
	case '4':
		(void)swap_32(span);
		break;
	case '8':
		(void)swap_64(span);
		break;
	case 'h':
		skip(span, 16);
		break;
	case 'S':
		skip(span, 64);
		break;
	case 's':
		span->next = span->end;
		break;
	case 'q':
		swap_words(span);
		break;
	default:
		swap_special(field, span, header);
		break;
	}
}

static const char *find_body(uint32_t type)
{
	if (type < sizeof(KERNEL_BODIES) / sizeof(*KERNEL_BODIES))
		return KERNEL_BODIES[type];
	if (type >= 64 && type - 64 < sizeof(RECORDER_BODIES) / sizeof(*RECORDER_BODIES))
		return RECORDER_BODIES[type - 64];
	return NULL;
}

static const struct attr *find_attr(const struct events *events,
				    const struct perf_event_header *header)
{
	struct record record = { header, 0 };
	const struct event_desc *desc = events_of(events, &record);

	if (!desc && events_count(events))
		desc = events_at(events, 0);
	return desc ? &desc->attr : NULL;
}

/* The trailer's words are swapped, so the id can be read, and by it the layout found. */
static void swap_trailer(const struct events *events, struct perf_event_header *header, size_t size)
{
	uint64_t *word = (uint64_t *)(void *)((char *)header + header->size - size);
	struct swap_span span = { (uint8_t *)word, (uint8_t *)header + header->size, false };
	const struct attr *attr;
	uint64_t type;

	swap_words(&span);
	attr = find_attr(events, header);
	if (!attr || sample_trailer_size(attr) != size)
		return;
	type = attr->sample_type;
	if (type & PERF_SAMPLE_TID)
		swap_halves(word);
	word += __builtin_popcountll(type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
					     PERF_SAMPLE_STREAM_ID));
	if (type & PERF_SAMPLE_CPU)
		swap_halves(word);
}

static int swap_fields(const struct events *events, struct perf_event_header *header)
{
	const char *body = find_body(header->type);
	size_t trailer = 0;

	if (!body)
		return 0;
	if (header->type < RECORD_HEADER_ATTR && events_count(events))
		trailer = sample_trailer_size(&events_at(events, 0)->attr);
	if (header->size < sizeof(*header) + trailer || (trailer && header->size % 8))
		return -EBADMSG;

	uint8_t *bytes = (uint8_t *)header;
	struct swap_span span = { bytes + sizeof(*header), bytes + header->size - trailer, false };

	for (; *body; body++)
		swap_field(*body, &span, header);
	if (trailer)
		swap_trailer(events, header, trailer);
	return span.bad ? -EBADMSG : 0;
}

int swap_record(const struct events *events, struct perf_event_header *header)
{
	if (header->type != PERF_RECORD_SAMPLE)
		return swap_fields(events, header);

	struct swap_span span = { (uint8_t *)(header + 1), (uint8_t *)header + header->size,
				  false };
	const struct attr *attr;

	swap_words(&span);
	attr = find_attr(events, header);
	return attr ? swapsample_fix(attr, header) : 0;
}
