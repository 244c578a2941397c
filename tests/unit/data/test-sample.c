#include "../test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../lib/craft.h"
#include "base/mem.h"
#include "data/attr.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/sample.h"
#include "strobe/err.h"

enum {
	ALL = (1 << 25) - 1, /* IP up to WEIGHT_STRUCT */
	REGS_USER = 0x15,    /* three registers */
	REGS_INTR = 0x80000001,
};

static struct craft_attr full_attr(void)
{
	return (struct craft_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = 112,
		.sample_period = 4000,
		.sample_type = ALL & ~PERF_SAMPLE_WEIGHT,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_ID | PERF_FORMAT_GROUP | PERF_FORMAT_LOST,
		.flag_bits = CRAFT_SAMPLE_ID_ALL | CRAFT_FREQ | CRAFT_PRECISE_1,
		.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | ATTR_BRANCH_COUNTERS,
		.regs_user = REGS_USER,
		.regs_intr = REGS_INTR,
		.stack_user = 16,
	};
}

static void lay_identity(struct craft *craft)
{
	craft_u64(craft, 100);    /* identifier */
	craft_u64(craft, 0x1001); /* ip */
	craft_u32(craft, 11);     /* pid, tid */
	craft_u32(craft, 12);
	craft_u64(craft, 0x1002); /* time */
	craft_u64(craft, 0x1003); /* addr */
	craft_u64(craft, 100);    /* id */
	craft_u64(craft, 0x1004); /* stream id */
	craft_u32(craft, 3);      /* cpu */
	craft_u32(craft, 0);
	craft_u64(craft, 0x1005); /* period */
}

static void lay_branch(struct craft *craft, uint64_t number)
{
	craft_u64(craft, 0x5000 + number);
	craft_u64(craft, 0x6000 + number);
	if (craft->foreign) /* predicted, 17 cycles, type 5: counted from the top */
		craft_u64(craft, UINT64_C(1) << 62 | UINT64_C(17) << 44 | UINT64_C(5) << 40);
	else
		craft_u64(craft, 1 << 1 | 17 << 4 | 5 << 20);
}

static void lay_stacks(struct craft *craft)
{
	craft_u64(craft, 2); /* read: a group of two */
	craft_u64(craft, 501);
	craft_u64(craft, 502);
	for (uint64_t i = 0; i < 2; i++) {
		craft_u64(craft, 1000 + i);
		craft_u64(craft, 100 + i);
		craft_u64(craft, 7 + i);
	}
	craft_u64(craft, 3); /* callchain */
	craft_u64(craft, (uint64_t)-512);
	craft_u64(craft, 0x2001);
	craft_u64(craft, 0x2002);
	craft_u32(craft, 12); /* raw */
	craft_bytes(craft, "raw bytes !!", 12);
	craft_u64(craft, 2); /* branches */
	craft_u64(craft, 0x77);
	lay_branch(craft, 0);
	lay_branch(craft, 1);
	craft_u64(craft, 31); /* counters */
	craft_u64(craft, 32);
	craft_u64(craft, PERF_SAMPLE_REGS_ABI_64);
	for (uint64_t i = 0; i < 3; i++)
		craft_u64(craft, 0x7000 + i);
	craft_u64(craft, 16); /* stack */
	craft_bytes(craft, "0123456789abcdef", 16);
	craft_u64(craft, 9);
}

static void lay_memory(struct craft *craft)
{
	craft_u64(craft, 0x0009000800000007); /* weights 7, 8, 9 */
	craft_u64(craft, 0x68100142);         /* data source */
	craft_u64(craft, 0x3001);             /* transaction */
	craft_u64(craft, PERF_SAMPLE_REGS_ABI_32);
	craft_u64(craft, 0x8000);
	craft_u64(craft, 0x8001);
	craft_u64(craft, 0x3002); /* physical address */
	craft_u64(craft, 0x3003); /* cgroup */
	craft_u64(craft, 4096);   /* pages of data, of code */
	craft_u64(craft, 2097152);
	craft_u64(craft, 8); /* aux */
	craft_bytes(craft, "aux area", 8);
}

static void lay_sample(struct craft *craft)
{
	craft_record(craft, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	lay_identity(craft);
	lay_stacks(craft);
	lay_memory(craft);
	craft_end_record(craft);
}

/* A trailer as lay_sample()'s attr makes it. */
static void lay_trailer(struct craft *craft)
{
	craft_u32(craft, 21);
	craft_u32(craft, 22);
	craft_u64(craft, 2001);
	craft_u64(craft, 101);
	craft_u64(craft, 2002);
	craft_u32(craft, 5);
	craft_u32(craft, 0);
	craft_u64(craft, 101);
}

static void check_identity(const struct sample *sample)
{
	assert_int_equal(sample->misc, PERF_RECORD_MISC_USER);
	assert_int_equal(sample->id, 100);
	assert_int_equal(sample->ip, 0x1001);
	assert_int_equal(sample->pid, 11);
	assert_int_equal(sample->tid, 12);
	assert_int_equal(sample->time, 0x1002);
	assert_int_equal(sample->addr, 0x1003);
	assert_int_equal(sample->stream_id, 0x1004);
	assert_int_equal(sample->cpu, 3);
	assert_int_equal(sample->period, 0x1005);
}

static void check_stacks(const struct sample *sample)
{
	struct sample_read read = sample_read_at(sample, 1);

	assert_int_equal(sample->read.count, 2);
	assert_int_equal(sample->read.time_enabled, 501);
	assert_int_equal(sample->read.time_running, 502);
	assert_int_equal(read.value, 1001);
	assert_int_equal(read.id, 101);
	assert_int_equal(read.lost, 8);
	assert_int_equal(sample->callchain_count, 3);
	assert_int_equal(sample->callchain[2], 0x2002);
	assert_int_equal(sample->raw_size, 12);
	assert_memory_equal(sample->raw, "raw bytes !!", 12);
	assert_int_equal(sample->branch_count, 2);
	assert_int_equal(sample->branch_hw_index, 0x77);
	assert_int_equal(sample->branches[1].from, 0x5001);
	assert_int_equal(sample->branches[1].to, 0x6001);
	assert_int_equal(sample->branches[1].flags, 1 << 1 | 17 << 4 | 5 << 20);
	assert_int_equal(sample->branch_counters[1], 32);
	assert_int_equal(sample->regs_user.abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(sample->regs_user.count, 3);
	assert_int_equal(sample->regs_user.values[2], 0x7002);
	assert_int_equal(sample->stack_size, 9);
	assert_memory_equal(sample->stack, "012345678", 9);
}

static void check_memory(const struct sample *sample)
{
	assert_int_equal(sample->weight, 7);
	assert_int_equal(sample->weight_2, 8);
	assert_int_equal(sample->weight_3, 9);
	assert_int_equal(sample->data_src, 0x68100142);
	assert_int_equal(sample->transaction, 0x3001);
	assert_int_equal(sample->regs_intr.abi, PERF_SAMPLE_REGS_ABI_32);
	assert_int_equal(sample->regs_intr.values[1], 0x8001);
	assert_int_equal(sample->phys_addr, 0x3002);
	assert_int_equal(sample->cgroup, 0x3003);
	assert_int_equal(sample->data_page_size, 4096);
	assert_int_equal(sample->code_page_size, 2097152);
	assert_int_equal(sample->aux_size, 8);
	assert_memory_equal(sample->aux, "aux area", 8);
}

static void check_trailer(const struct sample *sample)
{
	assert_int_equal(sample->pid, 21);
	assert_int_equal(sample->tid, 22);
	assert_int_equal(sample->time, 2001);
	assert_int_equal(sample->id, 101);
	assert_int_equal(sample->stream_id, 2002);
	assert_int_equal(sample->cpu, 5);
	assert_int_equal(sample->ip, 0);
}

static struct datafile *open_crafted(const struct craft *craft)
{
	char path[] = "/tmp/strobe-sample.XXXXXX";
	struct strobe_err err = { 0 };
	struct datafile *file;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	(void)close(fd);
	craft_save(craft, path);
	if (datafile_open(path, &file, &err) < 0)
		fail_msg("%s", err.text);
	(void)unlink(path);
	return file;
}

static void check_records(const struct datafile *file)
{
	struct datafile_cursor cursor = datafile_begin(file);
	const struct event_desc *desc;
	struct record record;
	struct sample sample;

	do {
		assert_true(datafile_next(&cursor, &record));
	} while (record.header->type != PERF_RECORD_SAMPLE);
	assert_int_equal(events_decode(datafile_events(file), &record, &desc, &sample), 0);
	assert_int_equal(desc->index, 0);
	assert_int_equal(desc->attr.precise_ip, 1);
	assert_int_equal(desc->attr.freq, 1);
	check_identity(&sample);
	check_stacks(&sample);
	check_memory(&sample);

	assert_true(datafile_next(&cursor, &record));
	assert_int_equal(record.header->type, PERF_RECORD_COMM);
	assert_int_equal(((const struct record_comm *)(const void *)record.header)->pid, 21);
	assert_string_equal(((const struct record_comm *)(const void *)record.header)->comm,
			    "victim");
	assert_int_equal(events_decode(datafile_events(file), &record, &desc, &sample), 0);
	assert_int_equal(desc->index, 1);
	check_trailer(&sample);

	assert_true(datafile_next(&cursor, &record));
	assert_int_equal(record.header->type, RECORD_FINISHED_ROUND);
	assert_int_equal(events_decode(datafile_events(file), &record, &desc, &sample), 0);
	assert_int_equal(sample.has, 0);
	assert_int_equal(sample.cpu, UINT32_MAX);
	assert_false(datafile_next(&cursor, &record));
	assert_int_equal(datafile_damage(file)->skipped_count, 0);
}

static void lay_records(struct craft *craft)
{
	lay_sample(craft);
	craft_record(craft, PERF_RECORD_COMM, 0);
	craft_u32(craft, 21);
	craft_u32(craft, 22);
	craft_string(craft, "victim");
	lay_trailer(craft);
	craft_end_record(craft);
	craft_record(craft, RECORD_FINISHED_ROUND, 0);
	craft_end_record(craft);
}

static void every_field_is_decoded_in_either_byte_order(void **state)
{
	struct craft_attr attrs[] = { full_attr(), full_attr() };

	for (int foreign = 0; foreign < 2; foreign++) {
		struct craft craft = { .foreign = foreign };
		_cleanup_(datafile_closep) struct datafile *file = NULL;

		craft_begin(&craft, attrs, 2);
		lay_records(&craft);
		craft_end_data(&craft);
		file = open_crafted(&craft);
		assert_int_equal(datafile_header(file)->foreign, foreign);
		check_records(file);
		craft_done(&craft);
	}
}

static void a_pipe_tells_its_attrs_by_records_in_either_byte_order(void **state)
{
	struct craft_attr attrs[] = { full_attr(), full_attr() };

	for (int foreign = 0; foreign < 2; foreign++) {
		struct craft craft = { .foreign = foreign };
		_cleanup_(datafile_closep) struct datafile *file = NULL;

		craft_begin_pipe(&craft, attrs, 2);
		lay_records(&craft);
		file = open_crafted(&craft);
		assert_true(datafile_header(file)->pipe);
		assert_int_equal(events_count(datafile_events(file)), 2);
		check_records(file);
		craft_done(&craft);
	}
}

static const struct perf_event_header *header_of(const struct craft *craft)
{
	return (const void *)craft->bytes;
}

/* Each shorter record lacks something; nothing behind its end is looked at (ASan sees to it). */
static void a_sample_that_is_too_short_is_damaged(void **state)
{
	struct craft_attr crafted = full_attr();
	struct craft craft = { 0 }, attr_bytes = { 0 };
	struct sample sample;
	uint64_t time_ns;
	struct attr attr;

	craft_attr(&attr_bytes, &crafted);
	assert_int_equal(attr_decode(attr_bytes.bytes, attr_bytes.size, false, &attr), 0);
	lay_sample(&craft);
	assert_int_equal(sample_decode(&attr, header_of(&craft), &sample), 0);
	assert_true(sample_time(&attr, header_of(&craft), &time_ns));
	assert_int_equal(time_ns, sample.time);
	for (size_t size = sizeof(struct perf_event_header); size < craft.size; size += 8) {
		_cleanup_(freep) char *copy = xcalloc(1, size);
		struct perf_event_header *header = (void *)copy;

		memcpy(copy, craft.bytes, size);
		header->size = (uint16_t)size;
		assert_int_equal(sample_decode(&attr, header, &sample), -EBADMSG);
	}
	craft_done(&craft);
	craft_done(&attr_bytes);
}

/* Counts that would overflow when they are multiplied are compared with what is there first. */
static void a_count_that_is_too_large_is_damaged(void **state)
{
	static const uint64_t COUNTS[] = { 5, UINT32_MAX, UINT64_MAX / 24 + 1, UINT64_MAX / 8 + 2,
					   UINT64_MAX };
	static const uint64_t TYPES[] = { PERF_SAMPLE_READ,       PERF_SAMPLE_CALLCHAIN,
					  PERF_SAMPLE_RAW,        PERF_SAMPLE_BRANCH_STACK,
					  PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX };
	struct sample sample;

	for (size_t i = 0; i < sizeof(TYPES) / sizeof(*TYPES); i++) {
		for (size_t j = 0; j < sizeof(COUNTS) / sizeof(*COUNTS); j++) {
			struct attr attr = { .sample_type = TYPES[i],
					     .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
							    PERF_FORMAT_LOST };
			struct craft craft = { 0 };

			if (TYPES[i] == PERF_SAMPLE_RAW && (uint32_t)COUNTS[j] < 5)
				continue; /* its size has 32 bits only */
			craft_record(&craft, PERF_RECORD_SAMPLE, 0);
			craft_u64(&craft, TYPES[i] == PERF_SAMPLE_AUX && j == 0 ? 25 : COUNTS[j]);
			for (int k = 0; k < (TYPES[i] == PERF_SAMPLE_RAW ? 0 : 3); k++)
				craft_u64(&craft, 1);
			craft_end_record(&craft);
			assert_int_equal(sample_decode(&attr, header_of(&craft), &sample),
					 -EBADMSG);
			craft_done(&craft);
		}
	}
}

static void a_single_read_has_its_id_behind_the_times(void **state)
{
	struct attr attr = { .sample_type = PERF_SAMPLE_READ,
			     .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
					    PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
					    PERF_FORMAT_LOST };
	struct craft craft = { 0 };
	struct sample sample;
	struct sample_read read;

	craft_record(&craft, PERF_RECORD_SAMPLE, 0);
	for (uint64_t i = 1; i <= 5; i++)
		craft_u64(&craft, i);
	craft_end_record(&craft);
	assert_int_equal(sample_decode(&attr, header_of(&craft), &sample), 0);
	read = sample_read_at(&sample, 0);
	assert_int_equal(sample.read.count, 1);
	assert_int_equal(sample.read.time_enabled, 2);
	assert_int_equal(sample.read.time_running, 3);
	assert_int_equal(read.value, 1);
	assert_int_equal(read.id, 4);
	assert_int_equal(read.lost, 5);
	craft_done(&craft);
}

static void a_period_that_is_not_recorded_is_the_attrs_or_1(void **state)
{
	struct attr attr = { .sample_period = 4000 };
	struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, sizeof(header) };
	struct sample sample;

	assert_int_equal(sample_decode(&attr, &header, &sample), 0);
	assert_int_equal(sample.period, 4000);
	assert_int_equal(sample.pid, UINT32_MAX);
	assert_int_equal(sample.tid, UINT32_MAX);
	assert_int_equal(sample.cpu, UINT32_MAX);
	assert_false(sample_time(&attr, &header, &sample.time));
	attr.sample_type = PERF_SAMPLE_TIME;
	assert_false(sample_time(&attr, &header, &sample.time));
	attr.sample_type = 0;
	attr.freq = 1;
	assert_int_equal(sample_decode(&attr, &header, &sample), 0);
	assert_int_equal(sample.period, 1);
	attr.sample_period = 0;
	attr.freq = 0;
	assert_int_equal(sample_decode(&attr, &header, &sample), 0);
	assert_int_equal(sample.period, 1);
}

static void the_ids_place_follows_from_the_fields_around_it(void **state)
{
	struct attr attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR |
					    PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
			     .sample_id_all = 1 };

	assert_int_equal(sample_id_offset(&attr), 8 + 24);
	assert_int_equal(sample_trailer_id_offset(&attr), 16);
	assert_int_equal(sample_trailer_size(&attr), 24);
	attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	assert_int_equal(sample_id_offset(&attr), 8);
	assert_int_equal(sample_trailer_id_offset(&attr), 8);
	attr.sample_id_all = 0;
	assert_int_equal(sample_trailer_id_offset(&attr), 0);
	attr.sample_type = PERF_SAMPLE_IP;
	assert_int_equal(sample_id_offset(&attr), 0);
}

static void bits_of_the_future_make_a_layout_unknown(void **state)
{
	const struct attr unknown[] = {
		{ .sample_type = PERF_SAMPLE_IP | UINT64_C(1) << 25 },
		{ .sample_type = UINT64_C(1) << 63 },
		{ .sample_type = PERF_SAMPLE_READ, .read_format = 1 << 5 },
		{ .sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = 1 << 20 },
	};
	const struct attr known[] = {
		{ .sample_type = (UINT64_C(1) << 25) - 1 },
		{ .sample_type = PERF_SAMPLE_IP, .read_format = 1 << 5 },
		{ .sample_type = PERF_SAMPLE_IP, .branch_sample_type = 1 << 20 },
	};
	struct craft craft = { 0 };
	struct sample sample;

	craft_record(&craft, PERF_RECORD_SAMPLE, 0);
	for (int i = 0; i < 8; i++)
		craft_u64(&craft, 0);
	craft_end_record(&craft);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		assert_false(sample_is_known(&unknown[i]));
		assert_int_equal(sample_decode(&unknown[i], header_of(&craft), &sample), -ENOTSUP);
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		assert_true(sample_is_known(&known[i]));
	craft_done(&craft);
}

/* Every set of fields that has a layout: what lies there is what is decoded. */
static void a_layout_tells_where_fields_are_decoded_from(void **state)
{
	enum { WORDS = 12 };
	uint64_t words[WORDS];
	struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, sizeof(words) };
	size_t count = 0;

	for (size_t i = 0; i < WORDS; i++)
		words[i] = i;
	memcpy(words, &header, sizeof(header));
	for (uint64_t type = 0; type <= ALL; type++) {
		struct attr attr = { .sample_type = type };
		struct sample_layout layout;
		struct sample sample;

		if (!sample_layout(&attr, &layout))
			continue;
		count++;
		words[layout.chain] = layout.chain ? 0 : words[layout.chain];
		assert_int_equal(sample_decode(&attr, (const void *)words, &sample), 0);
		assert_int_equal(sample.ip, layout.ip);
		assert_int_equal(sample.pid, layout.thread);
		assert_int_equal(sample.time, layout.time);
		assert_int_equal(sample.period, layout.period ? layout.period : 1);
		if (layout.chain) {
			assert_ptr_equal(sample.callchain, &words[layout.size]);
			words[layout.chain] = layout.chain;
		}
		header.size = (uint16_t)((layout.size - 1) * 8);
		memcpy(words, &header, sizeof(header));
		assert_int_equal(sample_decode(&attr, (const void *)words, &sample), -EBADMSG);
		header.size = sizeof(words);
		memcpy(words, &header, sizeof(header));
	}
	assert_int_equal(count, 256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_decoded_in_either_byte_order),
		cmocka_unit_test(a_pipe_tells_its_attrs_by_records_in_either_byte_order),
		cmocka_unit_test(a_sample_that_is_too_short_is_damaged),
		cmocka_unit_test(a_count_that_is_too_large_is_damaged),
		cmocka_unit_test(a_single_read_has_its_id_behind_the_times),
		cmocka_unit_test(a_period_that_is_not_recorded_is_the_attrs_or_1),
		cmocka_unit_test(bits_of_the_future_make_a_layout_unknown),
		cmocka_unit_test(a_layout_tells_where_fields_are_decoded_from),
		cmocka_unit_test(the_ids_place_follows_from_the_fields_around_it),
	};

	return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}
