/* test-survey.c - threads that begin somewhere find the records that one finds from the beginning.
 */
#include "../test.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/record.h"
#include "data/survey.h"

enum { SIZE = 12 << 20, LARGE = 4096 };

struct file {
	uint8_t *bytes;
	size_t size;
};

static void put(struct file *file, uint32_t type, size_t size)
{
	struct perf_event_header header = { type, 0, (uint16_t)size };

	memcpy(file->bytes + file->size, &header, sizeof(header));
	file->size += size;
}

/* Samples of many sizes. With @disguised, what they hold looks like records that end elsewhere. */
static struct file file_of(bool disguised)
{
	struct file file = { xcalloc(1, SIZE + LARGE), 0 };
	const struct perf_event_header inner = { PERF_RECORD_SAMPLE, 0, 24 };

	while (file.size < SIZE) {
		size_t begin = file.size, size = disguised ? LARGE : 24 + file.size % 1024 / 8 * 8;

		put(&file, PERF_RECORD_SAMPLE, size);
		for (size_t i = 8; disguised && i + 24 <= size; i += 24)
			memcpy(file.bytes + begin + i, &inner, sizeof(inner));
	}
	put(&file, RECORD_FINISHED_ROUND, 8);
	return file;
}

static void stretches_begin_with_records(void **state)
{
	for (int disguised = 0; disguised < 2; disguised++) {
		struct file file = file_of(disguised);
		struct survey survey;
		size_t next = 0;

		survey_take(file.bytes, 0, file.size, &survey);
		assert_true(survey.is_normal);
		assert_int_equal(survey.end, file.size);
		assert_int_equal(survey.unknown_count + survey.skipped_count, 0);
		assert_int_equal(survey.stretches[0], 0);
		for (size_t offset = 0; offset < file.size;) {
			struct perf_event_header header;

			if (next < survey.stretch_count && survey.stretches[next] == offset)
				next++;
			memcpy(&header, file.bytes + offset, sizeof(header));
			offset += header.size;
		}
		assert_int_equal(next, survey.stretch_count);
		free(survey.stretches);
		free(file.bytes);
	}
}

static void what_tells_of_the_file_is_found_wherever_it_is(void **state)
{
	struct file file = file_of(false);
	struct survey survey;
	size_t told;

	put(&file, RECORD_HEADER_FEATURE, 16);
	told = file.size;
	put(&file, 77777, 16); /* of a type that nobody knows */
	survey_take(file.bytes, 0, file.size, &survey);
	assert_true(survey.is_normal);
	assert_int_equal(survey.telling_end, told);
	assert_int_equal(survey.unknown_count, 1);
	free(survey.stretches);
	free(file.bytes);
}

static void damage_anywhere_is_seen(void **state)
{
	for (size_t part = 0; part < 10; part++) {
		struct file file = file_of(false);
		struct survey survey;
		size_t offset = 0;

		while (offset < file.size / 10 * part) {
			struct perf_event_header header;

			memcpy(&header, file.bytes + offset, sizeof(header));
			offset += header.size;
		}
		memset(file.bytes + offset, 0, 8);
		survey_take(file.bytes, 0, file.size, &survey);
		assert_false(survey.is_normal);
		free(survey.stretches);
		free(file.bytes);
	}
}

/* Also of samples, which are stepped over without much of a look. */
static void samples_of_sizes_that_cannot_be_are_seen(void **state)
{
	const uint16_t sizes[] = { 0, 4, 7, 40, 4096 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct file file = { xcalloc(1, LARGE), 0 };
		struct survey survey;

		put(&file, PERF_RECORD_SAMPLE, 24);
		put(&file, PERF_RECORD_SAMPLE, sizes[i]);
		survey_take(file.bytes, 0, 24 + 32, &survey);
		assert_int_equal(survey.skipped_count, 1);
		assert_int_equal(survey.end, 24);
		free(survey.stretches);
		free(file.bytes);
	}
}

static void nothing_is_normal(void **state)
{
	struct survey survey;

	survey_take((const uint8_t *)"", 0, 0, &survey);
	assert_true(survey.is_normal);
	assert_int_equal(survey.end, 0);
	free(survey.stretches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stretches_begin_with_records),
		cmocka_unit_test(what_tells_of_the_file_is_found_wherever_it_is),
		cmocka_unit_test(damage_anywhere_is_seen),
		cmocka_unit_test(samples_of_sizes_that_cannot_be_are_seen),
		cmocka_unit_test(nothing_is_normal),
	};

	return cmocka_run_group_tests_name("survey", tests, NULL, NULL);
}
