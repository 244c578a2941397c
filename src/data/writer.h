/*
 * writer.h - writes a recording, as a file that can be read at any moment or as a pipe.
 *
 *   file:  header | attrs, ids | features | records ... | table of features | more features
 *
 * The header's data size follows the last whole record (writer_checkpoint), and the table of the
 * features in front of the records lies behind it, so that a file whose recorder was killed is
 * readable, by perf too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "data/attr.h"

struct writer;
struct strobe_err;

struct writer_event {
	struct attr attr;
	const char *name;
	const uint64_t *ids;
	size_t id_count;
};

/*
 * @path "-" is a pipe on standard output, and so is a FIFO or whatever else has no positions (attrs
 * and features then go out as records). An older recording of the name is renamed to NAME.old, as
 * perf does; a device stays what it is. Errors: as open(2).
 */
int writer_open(const char *path, struct writer **ret_writer, struct strobe_err *err);

/* As a pipe, whose bytes @sink gets; they need be no whole records. What it fails with, the
 * writer's functions do. */
typedef int writer_sink(void *context, const void *bytes, size_t size, struct strobe_err *err);
struct writer *writer_new(writer_sink *sink, void *context);

/* All events, once, before the first record. */
int writer_events(struct writer *writer, const struct writer_event *events, size_t count,
		  struct strobe_err *err);

/* Whole records, as they are. */
int writer_records(struct writer *writer, const struct iovec *spans, size_t count,
		   struct strobe_err *err);

/* Everything up to here is valid: data size in the header (a file), flush (a pipe). */
int writer_checkpoint(struct writer *writer, struct strobe_err *err);

/* An EVENT_UPDATE record that is of no event. */
int writer_update(struct writer *writer, uint64_t kind, const void *body, size_t size,
		  struct strobe_err *err);

/*
 * A feature (bit number, body in the file's form, see data/feature.h), in place of one with that
 * number. Kept until writer_finish() for a file, where they go behind the data in order of their
 * bits; in a pipe it becomes a HEADER_FEATURE record at once, and is left out where it is too large
 * for a record; names that are kept become EVENT_UPDATE records.
 */
int writer_feature(struct writer *writer, unsigned feature, const void *body, size_t size,
		   struct strobe_err *err);

/* Between writer_events() and the first record: the features so far go in front of the records,
 * and the file has them from the first checkpoint on. */
int writer_features_in_front(struct writer *writer, struct strobe_err *err);

/* Does it write a stream, which must say first what is needed to read the rest? */
bool writer_is_pipe(const struct writer *writer);

/* Bytes of records that can be read from the file whatever happens. */
uint64_t writer_readable(const struct writer *writer);
/* Bytes of records so far. */
uint64_t writer_size(const struct writer *writer);

/* Ends the file: features, final header, errors of late writes. The writer is gone after it. */
int writer_finish(struct writer *writer, struct strobe_err *err);

/* Gives up: closes and removes what was begun, and puts the older file back. */
void writer_abandon(struct writer *writer);
