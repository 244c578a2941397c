/*
 * datafile.h - a recording opened for reading: its header, events, features, and records one by
 * one.
 *
 * What is behind the interface is always the same: plain records in host byte order, in memory that
 * is mapped. A file of this machine's order is mapped as it is; a pipe, a compressed or a foreign
 * one, or one in several parts, is turned into that once, in an unlinked temporary file. So a
 * record's bytes may be borrowed as long as the datafile lives, and it may be walked as often as
 * wanted.
 *
 *   file:  header | attrs, ids | data: records ... | feature sections
 *   folder: such a file, and others with more records: data/parts.h
 *   pipe:  header | records, among them HEADER_ATTR, HEADER_FEATURE, HEADER_TRACING_DATA
 *
 * What is damaged is skipped and counted (struct datafile_damage), never fatal: only a file
 * without any header is refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "data/record.h"

struct datafile;
struct events;
struct strobe_err;

enum { DATAFILE_FEATURES = 256 };

struct datafile_header {
	bool pipe;
	bool foreign; /* byte order is not ours */
	bool compressed;
	bool unfinished;  /* the recorder did not close it: data size 0 */
	uint32_t version; /* 1 is PERFFILE, 2 PERFILE2; "header version : 1" is what perf prints */
	uint32_t attr_size;
	uint64_t data_offset, data_size, feature_offset;
	uint64_t file_size;  /* bytes; of a pipe, what came */
	int64_t captured_on; /* file's change time as perf prints it, seconds since 1970; 0 for a
				pipe */
};

struct datafile_damage {
	uint64_t skipped_count; /* records that could not be read */
	uint64_t ignored_size;  /* bytes at the end, or behind a damaged record */
	uint64_t unknown_count; /* records of unknown type (they are handed out all the same) */
	uint64_t feature_count; /* sections that lie outside the file, or do not hold together */
	uint64_t missing_size;  /* bytes that the header promises and the file has not */
};

/* @path may be "-" for standard input, or a folder. *ret_file is the caller's, to datafile_close().
 */
int datafile_open(const char *path, struct datafile **ret_file, struct strobe_err *err);
/* The same of a descriptor, which stays the caller's; @name is for messages. */
int datafile_open_fd(int fd, const char *name, struct datafile **ret_file, struct strobe_err *err);
/* And of a pipe from which @begun_size bytes, @begun, were read. */
int datafile_open_rest(int fd, const char *name, const void *begun, size_t begun_size,
		       struct datafile **ret_file, struct strobe_err *err);
void datafile_close(struct datafile *file);
CLEANUP(datafile_close, struct datafile)

const struct datafile_header *datafile_header(const struct datafile *file);
const struct events *datafile_events(const struct datafile *file);
const struct datafile_damage *datafile_damage(const struct datafile *file);

/* The bytes of a feature section (a pipe's HEADER_FEATURE body), NULL if it has none. An empty
 * section is there: *ret_size 0, pointer not NULL. Bytes are as in the file, so foreign order is
 * the decoder's matter: data/feature.h. Borrowed. */
const void *datafile_feature(const struct datafile *file, unsigned feature, size_t *ret_size);
/* What a record of a pipe has of FEATURE_STROBE_NAMES, which comes in several, at the end of a
 * stream; NULL if it has nothing. */
const void *datafile_names(const struct record *record, size_t *ret_size);

/* A walk over the records from the beginning; many may be under way at once, in many threads. */
struct datafile_cursor {
	const struct datafile *file;
	uint64_t offset;
};

struct datafile_cursor datafile_begin(const struct datafile *file);

/*
 * Records in stretches that follow one another, so that several threads may walk: the i-th is from
 * one of these offsets to the next. At the count, the end.
 */
size_t datafile_stretch_count(const struct datafile *file);
uint64_t datafile_stretch(const struct datafile *file, size_t i);

/* True and the next record, or false at the end. Never stops at a damaged record where what
 * follows can be found. Payload behind AUXTRACE and TRACING_DATA records is stepped over. */
bool datafile_next(struct datafile_cursor *cursor, struct record *ret_record);

/* What lies behind an AUXTRACE or HEADER_TRACING_DATA record; NULL behind others. */
const void *datafile_payload(const struct datafile *file, const struct record *record,
			     size_t *ret_size);

/* The record at an offset that datafile_next() gave. */
struct record datafile_record(const struct datafile *file, uint64_t offset);

/*
 * A window: of records that come and go, those that are there. It has no header but what records
 * tell: the events, features and tracepoint formats that stand before the first sample or round.
 * For stream.h, which has the bytes.
 */
struct datafile *datafile_new_window(bool foreign);
/* The records with offsets from @begin to @end are there, at @bytes; those from the former end on
 * are new. Whatever was borrowed of records is gone. */
void datafile_slide(struct datafile *file, const uint8_t *bytes, uint64_t begin, uint64_t end);
/* Nothing is going to be told any more. */
void datafile_end_telling(struct datafile *file);
/* Events and features are all there, and change no more; of a file, always. */
bool datafile_is_told(const struct datafile *file);
struct datafile_damage *datafile_window_damage(struct datafile *file);
