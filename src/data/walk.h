/*
 * walk.h - steps over records in bytes that nobody has checked yet.
 *
 * Records lie one behind the other. Recorders do not always pad them to 8 bytes (COMPRESSED,
 * FEATURE), so the next one begins where the one before ends, or at the next multiple of 8 where
 * only that looks like a record. AUXTRACE and HEADER_TRACING_DATA are followed by a payload that
 * is not part of the record. Of records of simpleperf's that are larger than 65535 bytes only
 * the header is handed out. Where a record is damaged, the walk goes on at the next
 * place from which several records follow one another.
 */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who goes through records asks for what lies so many bytes ahead: the processor's own guess ends
 * with the page. */
enum { WALK_AHEAD = 2048 };

struct walk {
	const uint8_t *bytes;
	size_t size;
	size_t offset; /* of the next record */
	bool swap;     /* headers are in the other byte order */
	bool more;     /* bytes may follow: a piece of a record at the end is left alone */
	/* What was met so far: */
	bool uneven;            /* a record cannot be used where it lies */
	uint64_t skipped_count; /* damaged records */
	uint64_t ignored_size;  /* bytes stepped over because of them, or left at the end */
	size_t end;             /* where the last whole record, with its payload, ended */
};

struct walk_record {
	struct perf_event_header header; /* in host order */
	const uint8_t *bytes;            /* the record as it lies there, not aligned */
	const uint8_t *payload;
	size_t payload_size;
};

/* True and the next whole record, or false at the end. */
bool walk_next(struct walk *walk, struct walk_record *ret_record);

/* Steps over whole SAMPLE records that walk_next() would hand out as they lie there, most of what
 * a file holds, up to another or one that begins at @limit or behind it. */
void walk_samples(struct walk *walk, size_t limit);

/*
 * Puts the walk to the first place from @offset on, a multiple of 8, from which several records
 * follow one another: most likely a record begins there. False if there is none before @limit.
 */
bool walk_find(struct walk *walk, size_t offset, size_t limit);

/* Bytes that follow a record of these types; 0 for others. @record: in host order or @swap. */
uint64_t walk_payload_size(const uint8_t *record, const struct perf_event_header *header,
			   bool swap);
