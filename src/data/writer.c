/* writer.c - see writer.h. */
#include "data/writer.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "data/feature.h"
#include "data/keptnames.h"
#include "data/outputfile.h"
#include "data/record.h"
#include "data/sections.h"

enum { BUFFER_SIZE = 256 * 1024 };

static const char MAGIC[8] = "PERFILE2";

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct fileheader_section attrs, data, types;
	uint64_t features[SECTIONS_MOST / 64];
};
_Static_assert(sizeof(struct file_header) == 104, "what perf calls perf_file_header");

struct pipe_header {
	char magic[8];
	uint64_t size;
};

struct writer {
	writer_sink *sink;      /* NULL: the file */
	void *context;          /* of the sink */
	struct outputfile file; /* a stream gets the form of a pipe */
	bool failed;
	struct file_header header;
	uint64_t size;    /* of records, those in the buffer too */
	uint64_t whole;   /* up to the end of the last one that was not cut between two spans */
	uint64_t on_disk; /* of those, what is in the file */
	uint64_t checked; /* data size in the file's header */
	struct sections sections;
	size_t used; /* of the buffer */
	uint8_t buffer[BUFFER_SIZE];
};

static void writer_free(struct writer *writer)
{
	if (!writer)
		return;
	outputfile_done(&writer->file);
	sections_done(&writer->sections);
	free(writer);
}
CLEANUP(writer_free, struct writer)

/*
 * Of what was being written when it went wrong, the records that are whole in the file. Should that
 * have been the sections behind them: those begin with an offset, which as a record has no size.
 */
static void keep_whole(struct writer *writer)
{
	off_t end = lseek(writer->file.fd, 0, SEEK_CUR);
	uint64_t at = writer->header.data.offset + writer->on_disk;
	struct perf_event_header header;

	if (writer->file.is_stream || !writer->header.data.offset || end < 0)
		return;
	while ((uint64_t)end >= at + sizeof(header) &&
	       pread(writer->file.fd, &header, sizeof(header), (off_t)at) ==
		       (ssize_t)sizeof(header) &&
	       header.size >= sizeof(header) && header.size <= (uint64_t)end - at)
		at += header.size;
	writer->on_disk = at - writer->header.data.offset;
}

/* One sentence for all that can go wrong while writing: what file, why, what is left. */
static int write_failed(struct writer *writer, int rc, struct strobe_err *err)
{
	errno = -rc;
	(void)err_errno(err, "cannot write '%s'",
			writer->file.is_stream ? "standard output" : writer->file.path);
	if (!writer->failed)
		keep_whole(writer);
	writer->failed = true;
	if (rc == -ENOSPC && writer->on_disk == 0)
		return err_hint(err, rc, "make room, or write elsewhere with -o");
	if (rc == -EFBIG && writer->on_disk == 0)
		return err_hint(err, rc, "allow larger files: ulimit -f");
	if (writer->file.is_stream || writer->on_disk == 0)
		return rc;
	return err_hint(err, rc, "%llu bytes of records were written and can be read",
			(unsigned long long)writer->on_disk);
}

static int put(struct writer *writer, const void *bytes, size_t size, struct strobe_err *err)
{
	int rc;

	if (writer->sink)
		return writer->sink(writer->context, bytes, size, err);
	rc = writer->failed ? -EIO : outputfile_put(&writer->file, bytes, size);
	return rc < 0 ? write_failed(writer, rc, err) : 0;
}

static int put_at(struct writer *writer, const void *bytes, size_t size, uint64_t offset,
		  struct strobe_err *err)
{
	int rc = outputfile_put_at(&writer->file, bytes, size, offset);

	return rc < 0 ? write_failed(writer, rc, err) : 0;
}

static bool leads_to_features(const struct file_header *header)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < SECTIONS_MOST / 64; i++)
		bits |= header->features[i];
	return bits != 0;
}

/* Records take the place of the table of features: from then on the header does not lead there. */
static int put_behind(struct writer *writer, const void *bytes, size_t size, struct strobe_err *err)
{
	struct file_header *header = &writer->header;
	int rc = 0;

	if (size > 0 && leads_to_features(header)) {
		memset(header->features, 0, sizeof(header->features));
		rc = put_at(writer, header, sizeof(*header), 0, err);
	}
	return rc < 0 ? rc : put(writer, bytes, size, err);
}

static int flush(struct writer *writer, struct strobe_err *err)
{
	size_t used = writer->used;
	int rc;

	writer->used = 0;
	rc = put_behind(writer, writer->buffer, used, err);
	if (rc == 0)
		writer->on_disk = writer->whole;
	return rc;
}

/* Records: through the buffer where they are small, past it where they are not. */
static int put_records(struct writer *writer, const void *bytes, size_t size,
		       struct strobe_err *err)
{
	int rc;

	if (size == 0)
		return 0;
	if (size > sizeof(writer->buffer) - writer->used) {
		rc = flush(writer, err);
		if (rc < 0)
			return rc;
	}
	if (size < sizeof(writer->buffer) / 2) {
		memcpy(writer->buffer + writer->used, bytes, size);
		writer->used += size;
		writer->size += size;
		return 0;
	}
	if (writer->used) {
		rc = flush(writer, err);
		if (rc < 0)
			return rc;
	}
	rc = put_behind(writer, bytes, size, err);
	if (rc < 0)
		return rc;
	writer->size += size;
	writer->on_disk = writer->whole;
	return 0;
}

/* A record in pieces; what is missing to a multiple of 8 is put behind it. */
static int put_record(struct writer *writer, uint32_t type, uint16_t misc, const void *fixed,
		      size_t fixed_size, const void *body, size_t body_size, struct strobe_err *err)
{
	static const uint8_t ZEROS[8];
	size_t size = sizeof(struct perf_event_header) + fixed_size + body_size;
	struct perf_event_header header = { type, misc, (uint16_t)bytes_round_up(size) };
	int rc;

	if (bytes_round_up(size) > UINT16_MAX)
		return err_set(err, -E2BIG, "%zu bytes are too many for a %s record", size,
			       record_type_name(type));
	rc = put_records(writer, &header, sizeof(header), err);
	if (rc == 0)
		rc = put_records(writer, fixed, fixed_size, err);
	if (rc == 0)
		rc = put_records(writer, body, body_size, err);
	return rc < 0 ? rc : put_records(writer, ZEROS, (size_t)bytes_round_up(size) - size, err);
}

/* The size that holds every attr: readers want all attrs of a file to have one. */
static uint32_t common_size(const struct writer_event *events, size_t count)
{
	uint32_t common = ATTR_SIZE_MIN;

	for (size_t i = 0; i < count; i++) {
		uint32_t size = attr_smallest_size(&events[i].attr);

		common = size > common ? size : common;
	}
	return common;
}

static int pipe_event(struct writer *writer, const struct writer_event *event, uint32_t attr_size,
		      struct strobe_err *err)
{
	struct attr attr = event->attr;
	uint64_t update[2] = { RECORD_UPDATE_NAME, event->id_count ? event->ids[0] : 0 };
	int rc;

	attr.size = attr_size;
	rc = put_record(writer, RECORD_HEADER_ATTR, 0, &attr, attr_size, event->ids,
			event->id_count * sizeof(*event->ids), err);
	if (rc < 0 || !event->name || !event->id_count)
		return rc;
	return put_record(writer, RECORD_EVENT_UPDATE, 0, update, sizeof(update), event->name,
			  strlen(event->name) + 1, err);
}

static int pipe_events(struct writer *writer, const struct writer_event *events, size_t count,
		       struct strobe_err *err)
{
	uint32_t attr_size = common_size(events, count);

	for (size_t i = 0; i < count; i++) {
		int rc = pipe_event(writer, &events[i], attr_size, err);

		if (rc < 0)
			return rc;
	}
	return 0;
}

/* header | ids of the first event, of the second, ... | attrs, each with the place of its ids */
static int file_events(struct writer *writer, const struct writer_event *events, size_t count,
		       struct strobe_err *err)
{
	struct file_header *header = &writer->header;
	uint32_t attr_size = common_size(events, count);
	uint64_t offset = sizeof(*header);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = put(writer, events[i].ids, events[i].id_count * sizeof(*events->ids), err);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct fileheader_section ids = { offset,
						  events[i].id_count * sizeof(*events->ids) };
		struct attr attr = events[i].attr;

		attr.size = attr_size;
		offset += ids.size;
		rc = put(writer, &attr, attr_size, err);
		if (rc == 0)
			rc = put(writer, &ids, sizeof(ids), err);
	}
	if (rc < 0)
		return rc;
	header->attr_size = attr_size + sizeof(struct fileheader_section);
	header->attrs = (struct fileheader_section){ offset, count * header->attr_size };
	header->data.offset = offset + header->attrs.size;
	return put_at(writer, header, sizeof(*header), 0, err);
}

static int begin(struct writer *writer, struct strobe_err *err)
{
	struct pipe_header pipe_header = { .size = sizeof(pipe_header) };

	memcpy(pipe_header.magic, MAGIC, sizeof(MAGIC));
	memcpy(writer->header.magic, MAGIC, sizeof(MAGIC));
	writer->header.size = sizeof(writer->header);
	if (writer->file.is_stream)
		return put(writer, &pipe_header, sizeof(pipe_header), err);
	return put(writer, &writer->header, sizeof(writer->header), err);
}

/* In a pipe the formats of tracepoints follow a record of their own. */
static int pipe_tracing_data(struct writer *writer, const void *body, size_t size,
			     struct strobe_err *err)
{
	static const uint8_t ZEROS[8];
	struct {
		struct perf_event_header header;
		uint32_t size, reserved;
	} record = { .header = { RECORD_HEADER_TRACING_DATA, 0, sizeof(record) },
		     .size = (uint32_t)bytes_round_up(size) };
	int rc;

	if (bytes_round_up(size) > UINT32_MAX)
		return err_set(err, -E2BIG, "%zu bytes of tracepoint formats are too many", size);
	rc = put_records(writer, &record, sizeof(record), err);
	if (rc == 0)
		rc = put_records(writer, body, size, err);
	return rc < 0 ? rc : put_records(writer, ZEROS, (size_t)bytes_round_up(size) - size, err);
}

/* The section is a list of records without a type. */
static int pipe_build_ids(struct writer *writer, const uint8_t *body, size_t size,
			  struct strobe_err *err)
{
	struct perf_event_header header;

	while (size >= sizeof(header)) {
		memcpy(&header, body, sizeof(header));
		if (header.size < sizeof(header) || header.size > size)
			return err_set(err, -EINVAL,
				       "the list of build-ids does not hold together");

		int rc = put_record(writer, RECORD_HEADER_BUILD_ID, header.misc, NULL, 0,
				    body + sizeof(header), header.size - sizeof(header), err);

		if (rc < 0)
			return rc;
		body += header.size;
		size -= header.size;
	}
	return 0;
}

static int put_update(struct writer *writer, uint64_t kind, const void *body, size_t size,
		      struct strobe_err *err)
{
	const uint64_t update[2] = { kind, 0 };

	return put_record(writer, RECORD_EVENT_UPDATE, 0, update, sizeof(update), body, size, err);
}

/* As many records as it takes. */
static int pipe_names(struct writer *writer, const uint8_t *body, size_t size,
		      struct strobe_err *err)
{
	size_t part;
	int r = 0;

	while (r == 0 && (part = keptnames_record(body, size)) > 0) {
		r = put_update(writer, RECORD_UPDATE_NAMES, body, part, err);
		body += part;
		size -= part;
	}
	return r;
}

static int pipe_feature(struct writer *writer, unsigned feature, const void *body, size_t size,
			struct strobe_err *err)
{
	uint64_t number = feature;
	size_t record_size = sizeof(struct perf_event_header) + sizeof(number) + size;

	if (feature == FEATURE_TRACING_DATA)
		return pipe_tracing_data(writer, body, size, err);
	if (feature == FEATURE_BUILD_ID)
		return pipe_build_ids(writer, body, size, err);
	if (feature == FEATURE_STROBE_NAMES)
		return pipe_names(writer, body, size, err);
	/* A command line of many words, say: the records do not need it to be read. */
	if (bytes_round_up(record_size) > UINT16_MAX)
		return 0;
	return put_record(writer, RECORD_HEADER_FEATURE, 0, &number, sizeof(number), body, size,
			  err);
}

/* At the end of the file: those whose places begin at @offset. */
static int put_features(struct writer *writer, uint64_t offset, struct strobe_err *err)
{
	static const uint8_t ZEROS[8];
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < SECTIONS_MOST; i++) {
		const struct sections_body *body = &writer->sections.items[i];

		if (body->offset < offset)
			continue;
		rc = put(writer, body->bytes, body->size, err);
		if (rc == 0)
			rc = put(writer, ZEROS, (size_t)(bytes_round_up(body->size) - body->size),
				 err);
	}
	return rc;
}

/*
 * Behind the records that are certain, a table of the features that have a place, in the order of
 * their bits; then the header that says so. Records to come take the place of the table.
 */
static int put_header(struct writer *writer, struct strobe_err *err)
{
	struct file_header *header = &writer->header;
	struct fileheader_section table[SECTIONS_MOST];
	size_t count = sections_table(&writer->sections, table, header->features);
	int rc;

	header->data.size = writer->on_disk;
	rc = put_at(writer, table, count * sizeof(*table), header->data.offset + header->data.size,
		    err);
	return rc < 0 ? rc : put_at(writer, header, sizeof(*header), 0, err);
}

/* What is behind the records that are certain goes, so that nothing reads it; but for features in
 * front of them, if there is room to say where they are. */
static void settle(struct writer *writer)
{
	off_t end = (off_t)(writer->header.data.offset + writer->on_disk);

	if (writer->file.is_stream || !writer->header.data.offset)
		return;
	sections_displace(&writer->sections, writer->header.data.offset);
	if (ftruncate(writer->file.fd, end) == 0 && put_header(writer, NULL) == 0)
		return;
	memset(writer->header.features, 0, sizeof(writer->header.features));
	(void)put_at(writer, &writer->header, sizeof(writer->header), 0, NULL);
	if (ftruncate(writer->file.fd, end) < 0)
		return;
}

int writer_open(const char *path, struct writer **ret_writer, struct strobe_err *err)
{
	_cleanup_(writer_freep) struct writer *writer = xnew(struct writer);
	int rc;

	writer->file.fd = -1;
	rc = outputfile_open(path, &writer->file, err);
	if (rc < 0)
		return rc;
	rc = begin(writer, err);
	if (rc < 0) {
		writer_abandon(take(writer));
		return rc;
	}
	*ret_writer = take(writer);
	return 0;
}

int writer_events(struct writer *writer, const struct writer_event *events, size_t count,
		  struct strobe_err *err)
{
	if (writer->file.is_stream)
		return pipe_events(writer, events, count, err);
	return file_events(writer, events, count, err);
}

int writer_records(struct writer *writer, const struct iovec *spans, size_t count,
		   struct strobe_err *err)
{
	for (size_t i = 0; i < count; i++) {
		int rc = put_records(writer, spans[i].iov_base, spans[i].iov_len, err);

		if (rc < 0)
			return rc;
	}
	writer->whole = writer->size;
	if (writer->used == 0)
		writer->on_disk = writer->whole;
	return 0;
}

struct writer *writer_new(writer_sink *sink, void *context)
{
	struct writer *writer = xnew(struct writer);
	struct pipe_header header = { .size = sizeof(header) };

	writer->file = (struct outputfile){ .fd = -1, .is_stream = true };
	writer->sink = sink;
	writer->context = context;
	memcpy(header.magic, MAGIC, sizeof(MAGIC));
	memcpy(writer->buffer, &header, sizeof(header));
	writer->used = sizeof(header);
	return writer;
}

int writer_checkpoint(struct writer *writer, struct strobe_err *err)
{
	int rc = flush(writer, err);

	if (rc < 0 || writer->file.is_stream || writer->checked == writer->on_disk)
		return rc;
	rc = put_header(writer, err);
	if (rc == 0)
		writer->checked = writer->on_disk;
	return rc;
}

int writer_update(struct writer *writer, uint64_t kind, const void *body, size_t size,
		  struct strobe_err *err)
{
	return put_update(writer, kind, body, size, err);
}

int writer_feature(struct writer *writer, unsigned feature, const void *body, size_t size,
		   struct strobe_err *err)
{
	if (feature >= SECTIONS_MOST)
		return err_set(err, -EINVAL, "no file can have a feature %u", feature);
	if (writer->file.is_stream)
		return pipe_feature(writer, feature, body, size, err);
	sections_keep(&writer->sections, feature, body, size);
	return 0;
}

int writer_features_in_front(struct writer *writer, struct strobe_err *err)
{
	struct file_header *header = &writer->header;
	const uint64_t offset = header->data.offset;
	int rc;

	if (writer->file.is_stream)
		return 0;
	header->data.offset = sections_place(&writer->sections, offset);
	rc = put_features(writer, offset, err);
	return rc < 0 ? rc : put_at(writer, header, sizeof(*header), 0, err);
}

bool writer_is_pipe(const struct writer *writer)
{
	return writer->file.is_stream;
}

uint64_t writer_readable(const struct writer *writer)
{
	return writer->on_disk;
}

uint64_t writer_size(const struct writer *writer)
{
	return writer->size;
}

/* The table, and behind it what is not in front of the records. */
static int finish_file(struct writer *writer, struct strobe_err *err)
{
	size_t table_size = sections_table_size(&writer->sections);
	uint64_t offset = writer->header.data.offset + writer->size + table_size;
	int rc;

	(void)sections_place(&writer->sections, offset);
	if (lseek(writer->file.fd, (off_t)table_size, SEEK_CUR) < 0)
		return write_failed(writer, -errno, err);
	rc = put_features(writer, offset, err);
	return rc < 0 ? rc : put_header(writer, err);
}

int writer_finish(struct writer *writer, struct strobe_err *err)
{
	_cleanup_(writer_freep) struct writer *done = writer;
	int rc = 0;

	if (!writer->file.is_stream && !writer->header.data.offset)
		rc = file_events(writer, NULL, 0, err);
	if (rc == 0)
		rc = writer_checkpoint(writer, err);
	if (rc == 0 && !writer->file.is_stream)
		rc = finish_file(writer, err);
	if (rc < 0) {
		settle(writer);
		return rc;
	}
	rc = outputfile_close(&writer->file);
	return rc < 0 ? write_failed(done, rc, err) : 0;
}

void writer_abandon(struct writer *writer)
{
	if (!writer)
		return;
	outputfile_abandon(&writer->file);
	writer_free(writer);
}
