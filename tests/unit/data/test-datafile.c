#include "../test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "../../lib/craft.h"
#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/sample.h"
#include "data/simpleperf.h"
#include "strobe/err.h"

enum { SAMPLE_TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID };

struct place {
	char folder[64], path[128], inner[160];
};

static int make_place(void **state)
{
	struct place *place = xnew(struct place);

	(void)snprintf(place->folder, sizeof(place->folder), "/tmp/strobe-file.XXXXXX");
	if (!mkdtemp(place->folder))
		return -1;
	(void)snprintf(place->path, sizeof(place->path), "%s/perf.data", place->folder);
	(void)snprintf(place->inner, sizeof(place->inner), "%s/data", place->path);
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;

	(void)unlink(place->inner);
	(void)unlink(place->path);
	(void)rmdir(place->path);
	(void)rmdir(place->folder);
	free(place);
	return 0;
}

static const struct craft_attr ATTRS[2] = {
	{ .type = PERF_TYPE_SOFTWARE,
	  .size = 64,
	  .sample_period = 1,
	  .sample_type = SAMPLE_TYPE,
	  .flag_bits = CRAFT_SAMPLE_ID_ALL },
	{ .type = PERF_TYPE_SOFTWARE,
	  .size = 64,
	  .config = 1,
	  .sample_period = 1,
	  .sample_type = SAMPLE_TYPE,
	  .flag_bits = CRAFT_SAMPLE_ID_ALL },
};

/* The ip numbers them. */
static void lay_sample(struct craft *craft, uint64_t number)
{
	craft_record(craft, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	craft_u64(craft, number);
	craft_u32(craft, 7);
	craft_u32(craft, 8);
	craft_u64(craft, 1000 + number);
	craft_u64(craft, 100 + number % 2);
	craft_end_record(craft);
}

static void lay_samples(struct craft *craft, uint64_t from, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		lay_sample(craft, from + i);
}

static struct datafile *open_path(const char *path)
{
	struct strobe_err err = { 0 };
	struct datafile *file;

	if (datafile_open(path, &file, &err) < 0)
		fail_msg("%s", err.text);
	return file;
}

static struct datafile *open_crafted(const struct place *place, struct craft *craft)
{
	struct datafile *file;

	craft_save(craft, place->path);
	craft_done(craft);
	file = open_path(place->path);
	return file;
}

/* All samples in their order, each its event's. */
static void expect_samples(const struct datafile *file, const uint64_t *numbers, size_t count)
{
	struct datafile_cursor cursor = datafile_begin(file);
	const struct event_desc *desc;
	struct record record;
	struct sample sample;
	uint64_t before = 0;
	size_t i = 0;

	while (datafile_next(&cursor, &record)) {
		assert_true(i == 0 || record.offset > before);
		assert_int_equal((uintptr_t)record.header % 8, 0);
		before = record.offset;
		if (record.header->type != PERF_RECORD_SAMPLE)
			continue;
		assert_true(i < count);
		assert_int_equal(events_decode(datafile_events(file), &record, &desc, &sample), 0);
		assert_int_equal(sample.ip, numbers[i]);
		assert_int_equal(desc->index, numbers[i] % 2);
		i++;
	}
	assert_int_equal(i, count);
}

static const uint64_t FIVE[] = { 0, 1, 2, 3, 4 };

static void an_attr_of_any_size_is_read(void **state)
{
	static const uint32_t SIZES[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200 };

	for (size_t i = 0; i < sizeof(SIZES) / sizeof(*SIZES); i++) {
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		struct craft_attr attrs[2] = { ATTRS[0], ATTRS[1] };
		struct craft craft = { 0 };

		attrs[0].size = attrs[1].size = SIZES[i];
		craft_begin(&craft, attrs, 2);
		lay_samples(&craft, 0, 5);
		craft_end_data(&craft);
		file = open_crafted(*state, &craft);
		assert_int_equal(events_count(datafile_events(file)), 2);
		assert_int_equal(events_at(datafile_events(file), 1)->attr.config, 1);
		assert_int_equal(events_at(datafile_events(file), 1)->attr.size, SIZES[i]);
		expect_samples(file, FIVE, 5);
	}
}

static void a_killed_recorders_file_is_read_to_its_end(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 };

	craft_begin(&craft, ATTRS, 2);
	craft_set_u64(&craft, 72, 0x1fff8); /* the features that it was going to write */
	lay_samples(&craft, 0, 5);
	craft_u64(&craft, 0x0028000200000009); /* a sample's header, and no more */
	file = open_crafted(*state, &craft);
	assert_true(datafile_header(file)->unfinished);
	expect_samples(file, FIVE, 5);
	assert_int_equal(datafile_damage(file)->ignored_size, 8);
	assert_int_equal(datafile_damage(file)->skipped_count, 1);
}

static void a_file_without_records_is_not_a_killed_recorders(void **state)
{
	static const unsigned NUMBERS[] = { 3 };
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 }, host = { 0 };
	size_t size;

	craft_u32(&host, 8);
	craft_bytes(&host, "box\0\0\0\0", 8);
	craft_begin(&craft, ATTRS, 2);
	craft_end_data(&craft);
	craft_features(&craft, NUMBERS, &host, 1);
	craft_done(&host);
	file = open_crafted(*state, &craft);
	assert_false(datafile_header(file)->unfinished);
	assert_non_null(datafile_feature(file, 3, &size));
	assert_int_equal(size, 12);
	expect_samples(file, NULL, 0);
}

static void a_file_that_was_cut_off_has_what_is_left(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 };

	craft_begin(&craft, ATTRS, 2);
	lay_samples(&craft, 0, 6);
	craft_end_data(&craft);
	craft.size -= 12;
	file = open_crafted(*state, &craft);
	expect_samples(file, FIVE, 5);
	assert_int_equal(datafile_damage(file)->missing_size, 12);
	assert_int_equal(datafile_damage(file)->ignored_size, 28);
}

static void what_follows_damage_is_found(void **state)
{
	static const uint64_t NUMBERS[] = { 0, 1, 2, 10, 11, 12, 13, 14, 15 };
	static const uint16_t SIZES[] = { 0, 4, 7, 65528 };

	for (size_t i = 0; i < sizeof(SIZES) / sizeof(*SIZES); i++) {
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		struct craft craft = { 0 };

		craft_begin(&craft, ATTRS, 2);
		lay_samples(&craft, 0, 3);
		craft_u32(&craft, PERF_RECORD_MMAP);
		craft_u16(&craft, 0);
		craft_u16(&craft, SIZES[i]);
		craft_u64(&craft, 0x1122334455667788);
		lay_samples(&craft, 10, 6);
		craft_end_data(&craft);
		file = open_crafted(*state, &craft);
		expect_samples(file, NUMBERS, 9);
		assert_int_equal(datafile_damage(file)->skipped_count, 1);
		assert_int_equal(datafile_damage(file)->ignored_size, 16);
	}
}

static void a_size_that_is_no_multiple_of_8_is_padded_or_not(void **state)
{
	for (size_t padding = 0; padding <= 3; padding += 3) {
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		struct craft craft = { 0 };

		craft_begin(&craft, ATTRS, 2);
		lay_samples(&craft, 0, 2);
		craft_record(&craft, RECORD_HEADER_FEATURE, 0);
		craft_u64(&craft, 77);
		craft_bytes(&craft, "five!", 5);
		craft_end_record(&craft);
		craft_bytes(&craft, "\0\0\0", padding);
		lay_samples(&craft, 2, 3);
		craft_end_data(&craft);
		file = open_crafted(*state, &craft);
		expect_samples(file, FIVE, 5);
		assert_int_equal(datafile_damage(file)->skipped_count, 0);

		size_t size;
		const void *body = datafile_feature(file, 77, &size);

		assert_non_null(body);
		assert_int_equal(size, 5);
		assert_memory_equal(body, "five!", 5);
	}
}

static void unknown_records_are_handed_out_and_counted(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 };
	struct datafile_cursor cursor;
	struct record record;
	size_t unknown_count = 0;

	craft_begin(&craft, ATTRS, 2);
	lay_samples(&craft, 0, 3);
	craft_record(&craft, 63, 0);
	craft_u64(&craft, 1);
	craft_end_record(&craft);
	craft_record(&craft, SIMPLEPERF_RECORDS + 1, 0);
	craft_end_record(&craft);
	lay_samples(&craft, 3, 2);
	craft_end_data(&craft);
	file = open_crafted(*state, &craft);
	expect_samples(file, FIVE, 5);
	assert_int_equal(datafile_damage(file)->unknown_count, 2);
	assert_int_equal(datafile_damage(file)->skipped_count, 0);
	cursor = datafile_begin(file);
	while (datafile_next(&cursor, &record))
		unknown_count += !record_type_name(record.header->type);
	assert_int_equal(unknown_count, 2);
}

static void payloads_are_stepped_over_and_handed_out(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 };
	struct datafile_cursor cursor;
	struct record record;
	const void *payload;
	size_t size;

	craft_begin(&craft, ATTRS, 2);
	lay_samples(&craft, 0, 2);
	craft_record(&craft, RECORD_AUXTRACE, 0);
	craft_u64(&craft, 16); /* size, offset, reference; index, thread, cpu */
	craft_u64(&craft, 0);
	craft_u64(&craft, 0);
	craft_u64(&craft, 0);
	craft_u64(&craft, 0);
	craft_end_record(&craft);
	craft_bytes(&craft, "0123456789abcdef", 16);
	lay_samples(&craft, 2, 1);
	craft_record(&craft, RECORD_HEADER_TRACING_DATA, 0); /* 12 bytes, so what follows is not at
								a multiple of 8 */
	craft_u32(&craft, 8);
	craft_end_record(&craft);
	craft_bytes(&craft, "formats!", 8);
	lay_samples(&craft, 3, 2);
	craft_end_data(&craft);
	file = open_crafted(*state, &craft);
	expect_samples(file, FIVE, 5);
	cursor = datafile_begin(file);
	while (datafile_next(&cursor, &record) && record.header->type != RECORD_AUXTRACE)
		assert_null(datafile_payload(file, &record, &size));
	payload = datafile_payload(file, &record, &size);
	assert_int_equal(size, 16);
	assert_memory_equal(payload, "0123456789abcdef", 16);
	payload = datafile_feature(file, 1, &size);
	assert_int_equal(size, 8);
	assert_memory_equal(payload, "formats!", 8);
	assert_int_equal(datafile_damage(file)->skipped_count, 0);
}

static void a_payload_beyond_the_end_ends_the_walk(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 };

	craft_begin(&craft, ATTRS, 2);
	lay_samples(&craft, 0, 5);
	craft_record(&craft, RECORD_AUXTRACE, 0);
	craft_u64(&craft, UINT64_MAX - 7);
	craft_end_record(&craft);
	craft_end_data(&craft);
	file = open_crafted(*state, &craft);
	expect_samples(file, FIVE, 5);
	assert_int_equal(datafile_damage(file)->skipped_count, 1);
}

static void features_outside_the_file_are_counted_and_absent(void **state)
{
	static const unsigned NUMBERS[] = { 3, 4, 200 };
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 }, bodies[3] = { 0 };
	size_t table, size = 99;

	craft_u64(&bodies[0], 1);
	craft_u64(&bodies[1], 2);
	craft_begin(&craft, ATTRS, 2);
	lay_samples(&craft, 0, 5);
	craft_end_data(&craft);
	table = craft.size;
	craft_features(&craft, NUMBERS, bodies, 3);
	craft_set_u64(&craft, table + 16 + 8, UINT64_MAX - 3);
	craft_done(&bodies[0]);
	craft_done(&bodies[1]);
	file = open_crafted(*state, &craft);
	expect_samples(file, FIVE, 5);
	assert_non_null(datafile_feature(file, 3, &size));
	assert_int_equal(size, 8);
	assert_null(datafile_feature(file, 4, &size));
	assert_non_null(datafile_feature(file, 200, &size));
	assert_int_equal(size, 0);
	assert_null(datafile_feature(file, 5, &size));
	assert_int_equal(datafile_damage(file)->feature_count, 1);
}

/* EVENT_DESC: two events, of attrs of another size than the file's. GROUP_DESC: both in one. */
static void names_and_groups_come_from_the_features(void **state)
{
	static const unsigned NUMBERS[] = { 12, 17 };

	for (int foreign = 0; foreign < 2; foreign++) {
		struct craft craft = { .foreign = foreign };
		struct craft bodies[2] = { { .foreign = foreign }, { .foreign = foreign } };
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		const struct event_desc *desc;

		craft_u32(&bodies[0], 2);
		craft_u32(&bodies[0], 80);
		for (uint64_t i = 0; i < 2; i++) {
			struct craft_attr attr = ATTRS[i];

			attr.size = 80;
			craft_attr(&bodies[0], &attr);
			craft_u32(&bodies[0], 1);
			craft_u32(&bodies[0], 8);
			craft_bytes(&bodies[0], i ? "second\0" : "first\0\0", 8);
			craft_u64(&bodies[0], 100 + i);
		}
		craft_u32(&bodies[1], 1);
		craft_u32(&bodies[1], 8);
		craft_bytes(&bodies[1], "a group", 8);
		craft_u32(&bodies[1], 0);
		craft_u32(&bodies[1], 2);
		craft_begin(&craft, ATTRS, 2);
		lay_samples(&craft, 0, 5);
		craft_end_data(&craft);
		craft_features(&craft, NUMBERS, bodies, 2);
		craft_done(&bodies[0]);
		craft_done(&bodies[1]);
		file = open_crafted(*state, &craft);
		expect_samples(file, FIVE, 5);
		desc = events_at(datafile_events(file), 1);
		assert_string_equal(desc->name, "second");
		assert_int_equal(desc->leader, 0);
		assert_int_equal(desc->attr.size, 64);
		desc = events_at(datafile_events(file), 0);
		assert_string_equal(desc->name, "first");
		assert_string_equal(desc->group_name, "a group");
		assert_int_equal(desc->group_count, 2);
		assert_int_equal(datafile_damage(file)->feature_count, 0);
	}
}

static void lay_update(struct craft *craft, uint64_t kind, uint64_t id)
{
	craft_record(craft, RECORD_EVENT_UPDATE, 0);
	craft_u64(craft, kind);
	craft_u64(craft, id);
}

static void updates_give_unit_scale_name_and_cpus(void **state)
{
	for (int foreign = 0; foreign < 2; foreign++) {
		struct craft craft = { .foreign = foreign };
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		const struct event_desc *desc;
		double scale = 0.5;
		uint64_t bits;

		memcpy(&bits, &scale, sizeof(bits));
		craft_begin_pipe(&craft, ATTRS, 2);
		lay_update(&craft, 0, 101);
		craft_string(&craft, "Joules");
		craft_end_record(&craft);
		lay_update(&craft, 1, 101);
		craft_u64(&craft, bits);
		craft_end_record(&craft);
		lay_update(&craft, 2, 101);
		craft_string(&craft, "energy");
		craft_end_record(&craft);
		lay_update(&craft, 3, 101);
		craft_u16(&craft, 1); /* a mask, of words of 8 bytes */
		craft_u16(&craft, 1);
		craft_u16(&craft, 8);
		craft_u16(&craft, 0);
		craft_u64(&craft, 0x8000000000000017);
		craft_end_record(&craft);
		lay_update(&craft, 200, 101);
		craft_string(&craft, "app/a");
		craft_end_record(&craft);
		lay_update(&craft, 2, 12345); /* of no event */
		craft_string(&craft, "nobody");
		craft_end_record(&craft);
		lay_samples(&craft, 0, 5);
		file = open_crafted(*state, &craft);
		expect_samples(file, FIVE, 5);
		desc = events_at(datafile_events(file), 1);
		assert_string_equal(desc->unit, "Joules");
		assert_true(desc->scale >= 0.5 && desc->scale <= 0.5);
		assert_string_equal(desc->name, "energy");
		assert_string_equal(desc->cpus, "0-2,4,63");
		assert_string_equal(desc->cgroup, "app/a");
		assert_null(events_at(datafile_events(file), 0)->name);
		assert_null(events_at(datafile_events(file), 0)->cpus);
	}
}

/* Records as one zstd stream, flushed in the middle of a record; @second: as COMPRESSED2. */
static void lay_compressed(struct craft *craft, const struct craft *plain, bool second)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	size_t cut = plain->size / 2 + 5, begin = 0;
	char packed[4096];

	for (int i = 0; i < 2; i++) {
		size_t end = i ? plain->size : cut;
		ZSTD_inBuffer in = { plain->bytes + begin, end - begin, 0 };
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };

		assert_int_equal(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush), 0);
		craft_record(craft, second ? RECORD_COMPRESSED2 : RECORD_COMPRESSED, 0);
		if (second)
			craft_u64(craft, out.pos);
		craft_bytes(craft, packed, out.pos);
		while (second && craft->size % 8)
			craft_u8(craft, 0);
		craft_end_record(craft);
		begin = end;
	}
	(void)ZSTD_freeCCtx(zstd);
}

static void compressed_records_are_one_stream_in_either_byte_order(void **state)
{
	for (int i = 0; i < 4; i++) {
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		struct craft craft = { .foreign = i & 1 }, plain = { .foreign = i & 1 };
		struct datafile_cursor cursor;
		struct record record;
		size_t mark_count = 0;

		lay_samples(&plain, 0, 4);
		craft_begin(&craft, ATTRS, 2);
		lay_compressed(&craft, &plain, i & 2);
		lay_samples(&craft, 4, 1);
		craft_end_data(&craft);
		craft_done(&plain);
		file = open_crafted(*state, &craft);
		assert_true(datafile_header(file)->compressed);
		expect_samples(file, FIVE, 5);
		assert_int_equal(datafile_damage(file)->skipped_count, 0);
		cursor = datafile_begin(file);
		while (datafile_next(&cursor, &record))
			mark_count += record.header->type == RECORD_COMPRESSED ||
				      record.header->type == RECORD_COMPRESSED2;
		assert_int_equal(mark_count, 2);
	}
}

static void damaged_compression_costs_what_it_holds_and_no_more(void **state)
{
	static const uint64_t NUMBERS[] = { 4 };
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 };

	craft_begin(&craft, ATTRS, 2);
	craft_record(&craft, RECORD_COMPRESSED, 0);
	craft_bytes(&craft, "this is not zstd", 16);
	craft_end_record(&craft);
	lay_sample(&craft, 4);
	craft_end_data(&craft);
	file = open_crafted(*state, &craft);
	expect_samples(file, NUMBERS, 1);
	assert_int_equal(datafile_damage(file)->skipped_count, 1);
}

/* The oldest files have another magic, and no features. */
static void version_1_is_read_in_either_byte_order(void **state)
{
	for (int foreign = 0; foreign < 2; foreign++) {
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		struct craft craft = { .foreign = foreign };

		craft_begin(&craft, ATTRS, 2);
		lay_samples(&craft, 0, 5);
		craft_end_data(&craft);
		memcpy(craft.bytes, "PERFFILE", 8);
		file = open_crafted(*state, &craft);
		assert_int_equal(datafile_header(file)->version, 1);
		assert_int_equal(datafile_header(file)->foreign, foreign);
		expect_samples(file, FIVE, 5);
	}
}

static void records_that_do_not_begin_at_8_bytes_are_moved(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 };

	craft_begin(&craft, ATTRS, 2);
	craft_bytes(&craft, "odd", 3);
	craft.data = craft.size;
	craft_set_u64(&craft, 40, craft.size);
	lay_samples(&craft, 0, 5);
	craft_end_data(&craft);
	file = open_crafted(*state, &craft);
	expect_samples(file, FIVE, 5);
	assert_int_equal(datafile_damage(file)->skipped_count, 0);
}

static void an_id_that_no_event_has_is_unknown_and_0_is_the_first(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct datafile_cursor cursor;
	const struct event_desc *desc;
	struct craft craft = { 0 };
	struct sample sample;
	struct record record;

	craft_begin(&craft, ATTRS, 2);
	lay_sample(&craft, 0);
	craft_set_u64(&craft, craft.size - 8, 555);
	lay_sample(&craft, 0);
	craft_set_u64(&craft, craft.size - 8, 0);
	craft_end_data(&craft);
	file = open_crafted(*state, &craft);
	cursor = datafile_begin(file);
	assert_true(datafile_next(&cursor, &record));
	assert_int_equal(events_decode(datafile_events(file), &record, &desc, &sample), -ENOENT);
	assert_true(datafile_next(&cursor, &record));
	assert_int_equal(events_decode(datafile_events(file), &record, &desc, &sample), 0);
	assert_int_equal(desc->index, 0);
}

static void expect_error(const char *path, int code, const char *text)
{
	struct strobe_err err = { 0 };
	struct datafile *file;

	assert_int_equal(datafile_open(path, &file, &err), code);
	if (!strstr(err.text, text))
		fail_msg("'%s' is not in '%s'", text, err.text);
	assert_true(err.hint[0] || code == -EISDIR);
}

static void what_is_no_recording_is_refused_with_a_reason(void **state)
{
	const struct place *place = *state;
	struct craft craft = { 0 };

	expect_error(place->path, -ENOENT, "No such file");
	craft_save(&craft, place->path);
	expect_error(place->path, -ENODATA, "is empty");
	craft_bytes(&craft, "\177ELF, and some more bytes of a program", 38);
	craft_save(&craft, place->path);
	expect_error(place->path, -EINVAL, "is not a perf.data file");
	craft_done(&craft);
	craft_begin(&craft, ATTRS, 2);
	craft.size = 50;
	craft_save(&craft, place->path);
	expect_error(place->path, -EINVAL, "ends within its header");
	craft_done(&craft);
	expect_error(place->folder, -EISDIR, "no recording in it");
}

static void of_a_folder_the_file_data_is_read(void **state)
{
	const struct place *place = *state;
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct craft craft = { 0 };

	assert_int_equal(mkdir(place->path, 0700), 0);
	craft_begin(&craft, ATTRS, 2);
	lay_samples(&craft, 0, 5);
	craft_end_data(&craft);
	craft_save(&craft, place->inner);
	craft_done(&craft);
	file = open_path(place->path);
	expect_samples(file, FIVE, 5);
}

static void standard_input_may_be_a_pipe(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	int ends[2], before = dup(STDIN_FILENO);
	struct craft craft = { 0 };

	craft_begin_pipe(&craft, ATTRS, 2);
	lay_samples(&craft, 0, 5);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], craft.bytes, craft.size), craft.size);
	(void)close(ends[1]);
	(void)dup2(ends[0], STDIN_FILENO);
	(void)close(ends[0]);
	file = open_path("-");
	(void)dup2(before, STDIN_FILENO);
	(void)close(before);
	assert_int_equal(datafile_header(file)->file_size, craft.size);
	assert_int_equal(datafile_header(file)->captured_on, 0);
	craft_done(&craft);
	expect_samples(file, FIVE, 5);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(an_attr_of_any_size_is_read),
		CASE(a_killed_recorders_file_is_read_to_its_end),
		CASE(a_file_without_records_is_not_a_killed_recorders),
		CASE(a_file_that_was_cut_off_has_what_is_left),
		CASE(what_follows_damage_is_found),
		CASE(a_size_that_is_no_multiple_of_8_is_padded_or_not),
		CASE(unknown_records_are_handed_out_and_counted),
		CASE(payloads_are_stepped_over_and_handed_out),
		CASE(a_payload_beyond_the_end_ends_the_walk),
		CASE(features_outside_the_file_are_counted_and_absent),
		CASE(names_and_groups_come_from_the_features),
		CASE(updates_give_unit_scale_name_and_cpus),
		CASE(compressed_records_are_one_stream_in_either_byte_order),
		CASE(damaged_compression_costs_what_it_holds_and_no_more),
		CASE(version_1_is_read_in_either_byte_order),
		CASE(records_that_do_not_begin_at_8_bytes_are_moved),
		CASE(an_id_that_no_event_has_is_unknown_and_0_is_the_first),
		CASE(what_is_no_recording_is_refused_with_a_reason),
		CASE(of_a_folder_the_file_data_is_read),
		CASE(standard_input_may_be_a_pipe),
	};

	return cmocka_run_group_tests_name("datafile", tests, NULL, NULL);
}
