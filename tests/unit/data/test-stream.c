#include "../test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../lib/craft.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "data/stream.h"
#include "data/writer.h"
#include "strobe/err.h"

enum { SAMPLE_TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID };

static const struct craft_attr ATTRS[2] = {
	{ .type = 1, .size = 64, .sample_period = 1, .sample_type = SAMPLE_TYPE },
	{ .type = 1, .size = 64, .config = 1, .sample_period = 1, .sample_type = SAMPLE_TYPE },
};

/* The second half of what one craft has is @uneven: its records do not end at multiples of 8. */
static void lay(struct craft *craft, int count, bool uneven)
{
	for (int i = 0; i < count; i++) {
		craft_record(craft, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		craft_u64(craft, 0x1000 + (uint64_t)i);
		craft_u32(craft, 10);
		craft_u32(craft, 11);
		craft_u64(craft, 1000 + (uint64_t)i);
		craft_u64(craft, 100 + (uint64_t)i % 2);
		craft_end_record(craft);
		craft_record(craft, RECORD_FINISHED_ROUND, 0);
		craft_end_record(craft);
		if (!uneven)
			continue;
		craft_record(craft, RECORD_HEADER_FEATURE, 0);
		craft_u64(craft, 200);
		craft_bytes(craft, "abc", 3);
		craft_end_record(craft);
	}
}

static struct datafile *whole(const struct craft *craft)
{
	struct datafile *file = NULL;
	int fd = memfd_create("stream", 0);

	assert_int_equal(write(fd, craft->bytes, craft->size), craft->size);
	assert_int_equal(datafile_open_fd(fd, "x", &file, NULL), 0);
	(void)close(fd);
	return file;
}

/* Compares what is in the window with what comes next in the file. */
static void expect_same(struct stream *stream, struct datafile_cursor *expected)
{
	struct datafile_cursor cursor = datafile_begin(stream_file(stream));
	struct record ours, theirs;

	while (datafile_next(&cursor, &ours)) {
		assert_true(datafile_next(expected, &theirs));
		assert_int_equal(ours.header->size, theirs.header->size);
		assert_memory_equal(ours.header, theirs.header, ours.header->size);
		assert_ptr_equal(datafile_record(stream_file(stream), ours.offset).header,
				 ours.header);
	}
	stream_forget(stream, cursor.offset);
}

static void pieces_have_the_records_of_the_whole(void **state)
{
	static const size_t sizes[] = { 1, 5, 16, 100, 100000 };

	for (size_t i = 0; i < 4 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct craft craft = { .foreign = i % 2 };
		size_t step = sizes[i / 4];

		craft_begin_pipe(&craft, ATTRS, 2);
		lay(&craft, 50, i & 2);

		_cleanup_(datafile_closep) struct datafile *file = whole(&craft);
		_cleanup_(stream_freep) struct stream *stream = stream_new("x");
		struct datafile_cursor expected = datafile_begin(file);
		struct record ignored;

		for (size_t at = 0; at < craft.size; at += step) {
			size_t size = craft.size - at < step ? craft.size - at : step;

			assert_int_equal(stream_feed(stream, craft.bytes + at, size, NULL), 0);
			if (stream_file(stream))
				expect_same(stream, &expected);
		}
		assert_int_equal(stream_end(stream, NULL), 0);
		expect_same(stream, &expected);
		assert_false(datafile_next(&expected, &ignored));
		assert_int_equal(events_count(datafile_events(stream_file(stream))), 2);
		assert_int_equal(datafile_damage(stream_file(stream))->skipped_count, 0);
		craft_done(&craft);
	}
}

static void what_tells_of_the_events_ends_with_the_first_sample(void **state)
{
	_cleanup_(stream_freep) struct stream *stream = stream_new("x");
	struct craft craft = { 0 };
	size_t told;

	craft_begin_pipe(&craft, ATTRS, 2);
	told = craft.size;
	lay(&craft, 1, false);
	assert_int_equal(stream_feed(stream, craft.bytes, told, NULL), 0);
	assert_false(datafile_is_told(stream_file(stream)));
	assert_int_equal(stream_feed(stream, craft.bytes + told, craft.size - told, NULL), 0);
	assert_true(datafile_is_told(stream_file(stream)));
	/* Who counts by events relies on their number. */
	assert_int_equal(stream_feed(stream, craft.bytes + 16, told - 16, NULL), 0);
	assert_int_equal(events_count(datafile_events(stream_file(stream))), 2);
	craft_done(&craft);
}

static void an_uneven_record_at_the_end_is_whole_after_a_pause(void **state)
{
	_cleanup_(stream_freep) struct stream *stream = stream_new("x");
	struct craft craft = { 0 };
	struct datafile_cursor cursor;
	struct record record;
	size_t count = 0;

	craft_begin_pipe(&craft, ATTRS, 1);
	lay(&craft, 1, true);
	assert_int_equal(stream_feed(stream, craft.bytes, craft.size, NULL), 0);
	assert_int_equal(stream_pause(stream, NULL), 0);
	cursor = datafile_begin(stream_file(stream));
	while (datafile_next(&cursor, &record))
		count++;
	assert_int_equal(count, 4); /* HEADER_ATTR, SAMPLE, FINISHED_ROUND, HEADER_FEATURE */
	craft_done(&craft);
}

static void what_is_no_stream_is_refused(void **state)
{
	_cleanup_(stream_freep) struct stream *stream = stream_new("x"), *empty = stream_new("y");
	struct strobe_err err = { 0 };
	struct craft craft = { 0 };

	craft_begin(&craft, ATTRS, 1);
	assert_false(stream_may_begin(craft.bytes, craft.size));
	assert_int_equal(stream_feed(stream, craft.bytes, craft.size, &err), -EINVAL);
	assert_string_equal(err.text, "'x' is a file that is no stream");
	assert_int_equal(stream_end(empty, &err), -ENODATA);
	craft_done(&craft);
}

static int feed(void *context, const void *bytes, size_t size, struct strobe_err *err)
{
	return stream_feed(context, bytes, size, err);
}

static int refuse(void *context, const void *bytes, size_t size, struct strobe_err *err)
{
	return -ENOBUFS;
}

static void what_a_writer_writes_may_go_straight_into_a_stream(void **state)
{
	_cleanup_(stream_freep) struct stream *stream = stream_new("x");
	struct perf_event_header round = { .type = RECORD_FINISHED_ROUND, .size = sizeof(round) };
	struct iovec span = { &round, sizeof(round) };
	uint64_t ids[] = { 7, 8 };
	struct writer_event event = { .name = "ticks", .ids = ids, .id_count = 2 };
	struct writer *writer = writer_new(feed, stream);

	event.attr.size = 64;
	assert_int_equal(writer_events(writer, &event, 1, NULL), 0);
	assert_int_equal(writer_records(writer, &span, 1, NULL), 0);
	assert_null(stream_file(stream));
	assert_int_equal(writer_checkpoint(writer, NULL), 0);
	assert_true(datafile_is_told(stream_file(stream)));
	assert_string_equal(events_find_id(datafile_events(stream_file(stream)), 8)->name, "ticks");
	assert_int_equal(writer_finish(writer, NULL), 0);

	writer = writer_new(refuse, NULL);
	assert_int_equal(writer_checkpoint(writer, NULL), -ENOBUFS);
	writer_abandon(writer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_have_the_records_of_the_whole),
		cmocka_unit_test(what_tells_of_the_events_ends_with_the_first_sample),
		cmocka_unit_test(an_uneven_record_at_the_end_is_whole_after_a_pause),
		cmocka_unit_test(what_is_no_stream_is_refused),
		cmocka_unit_test(what_a_writer_writes_may_go_straight_into_a_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
