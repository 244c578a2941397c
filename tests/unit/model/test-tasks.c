#include "../test.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "data/record.h"
#include "model/tasks.h"
#include "model/timeline.h"

CLEANUP(timeline_free, struct timeline)

union any {
	struct perf_event_header header;
	struct record_task task;
	struct record_comm comm;
	struct record_mmap mmap;
	unsigned char bytes[512];
};

static void add(struct timeline *timeline, union any *any, uint32_t type, size_t size,
		uint64_t moment)
{
	struct record record = { &any->header, moment };

	any->header = (struct perf_event_header){ type, 0, (uint16_t)((size + 7) & ~7UL) };
	assert_int_equal(timeline_add(timeline, &record, moment), 0);
}

static void begin(struct timeline *timeline, uint32_t pid, uint32_t tid, uint32_t ppid,
		  uint32_t ptid, uint64_t moment)
{
	union any any = { .task = { .pid = pid, .ppid = ppid, .tid = tid, .ptid = ptid } };

	any.task.time = moment;
	add(timeline, &any, PERF_RECORD_FORK, sizeof(any.task), moment);
}

static void call(struct timeline *timeline, uint32_t tid, const char *name, uint64_t moment)
{
	union any any = { .comm = { .pid = tid, .tid = tid } };

	strcpy(any.comm.comm, name);
	add(timeline, &any, PERF_RECORD_COMM, sizeof(any.comm) + strlen(name) + 1, moment);
}

static void map(struct timeline *timeline, uint32_t pid, uint64_t start, uint64_t end,
		const char *name, uint64_t moment)
{
	union any any = { .mmap = { .pid = pid, .tid = pid, .start = start, .size = end - start } };

	any.mmap.pgoff = 0x10000;
	strcpy(any.mmap.filename, name);
	any.header.misc = PERF_RECORD_MISC_USER;
	add(timeline, &any, PERF_RECORD_MMAP, sizeof(any.mmap) + strlen(name) + 1, moment);
}

/* "tid depth, tid depth, ..." */
static void assert_tree(struct timeline *timeline, bool mapped, const char *expected)
{
	_cleanup_(tasks_done) struct tasks tasks;
	char text[512] = "";

	timeline_settle(timeline);
	tasks_init(&tasks, timeline, mapped);
	for (size_t i = 0; i < tasks.count; i++)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u %u",
			       i ? ", " : "", tasks.items[i].tid, tasks.items[i].depth);
	assert_string_equal(text, expected);
}

static void children_follow_their_parents_by_number(void **state)
{
	_cleanup_(timeline_freep) struct timeline *timeline = timeline_new();

	begin(timeline, 30, 30, 10, 10, 5);
	begin(timeline, 20, 20, 10, 10, 6);
	begin(timeline, 40, 40, 20, 20, 7);
	begin(timeline, 20, 25, 20, 20, 8); /* a thread */
	call(timeline, 10, "ten", 1);
	call(timeline, 7, "seven", 1);
	assert_tree(timeline, false, "0 0, 7 1, 10 1, 20 2, 25 3, 40 3, 30 2");
}

static void a_parent_that_only_its_child_tells_of_is_there_too(void **state)
{
	_cleanup_(timeline_freep) struct timeline *timeline = timeline_new();

	begin(timeline, 30, 30, 10, 10, 5);
	assert_tree(timeline, false, "0 0, 10 1, 30 2");
}

static void what_was_begun_by_nobody_known_stands_before_what_0_began(void **state)
{
	_cleanup_(timeline_freep) struct timeline *timeline = timeline_new();

	begin(timeline, 1, 1, 0, 0, 5);
	call(timeline, 9, "nine", 1);
	assert_tree(timeline, false, "0 0, 9 1, 1 1");
}

static void the_last_that_had_a_number_counts(void **state)
{
	_cleanup_(timeline_freep) struct timeline *timeline = timeline_new();
	union any gone = { .task = { .pid = 30, .ppid = 10, .tid = 30, .ptid = 10 } };

	begin(timeline, 30, 30, 10, 10, 5);
	add(timeline, &gone, PERF_RECORD_EXIT, sizeof(gone.task), 6);
	begin(timeline, 30, 30, 20, 20, 7);
	assert_tree(timeline, false, "0 0, 10 1, 20 1, 30 2");
}

static void circles_end(void **state)
{
	_cleanup_(timeline_freep) struct timeline *timeline = timeline_new();

	begin(timeline, 5, 5, 5, 5, 1);
	begin(timeline, 6, 6, 7, 7, 2);
	begin(timeline, 7, 7, 6, 6, 3);
	begin(timeline, 8, 8, 6, 6, 4);
	assert_tree(timeline, false, "0 0, 5 0, 7 0, 6 1, 8 2");
}

static void threads_that_only_map_are_shown_with_their_maps(void **state)
{
	_cleanup_(timeline_freep) struct timeline *timeline = timeline_new();

	map(timeline, 3, 0x1000, 0x2000, "/a", 1);
	assert_tree(timeline, false, "0 0");
	assert_tree(timeline, true, "0 0, 3 1");
}

static void assert_range(const struct timeline_range *range, uint64_t start, uint64_t end,
			 const char *name)
{
	assert_int_equal(range->start, start);
	assert_int_equal(range->end, end);
	assert_string_equal(range->map->dso->name, name);
}

static void ranges_are_what_is_seen_of_mappings(void **state)
{
	_cleanup_(timeline_freep) struct timeline *timeline = timeline_new();
	_cleanup_(freep) struct timeline_range *ranges = NULL, *none = NULL;

	map(timeline, 3, 0x1000, 0x6000, "/a", 1);
	begin(timeline, 4, 4, 3, 3, 2);
	map(timeline, 4, 0x3000, 0x4000, "/b", 3);
	map(timeline, 3, 0x8000, 0x9000, "/late", 4);
	map(timeline, 4, 0x6000, 0x7000, "/c", 5);
	timeline_settle(timeline);

	assert_int_equal(timeline_ranges(timeline, 4, UINT64_MAX, &ranges), 4);
	assert_range(&ranges[0], 0x1000, 0x3000, "/a");
	assert_range(&ranges[1], 0x3000, 0x4000, "/b");
	assert_range(&ranges[2], 0x4000, 0x6000, "/a");
	assert_range(&ranges[3], 0x6000, 0x7000, "/c");
	assert_int_equal(timeline_ranges(timeline, 77, UINT64_MAX, &none), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_follow_their_parents_by_number),
		cmocka_unit_test(a_parent_that_only_its_child_tells_of_is_there_too),
		cmocka_unit_test(what_was_begun_by_nobody_known_stands_before_what_0_began),
		cmocka_unit_test(the_last_that_had_a_number_counts),
		cmocka_unit_test(circles_end),
		cmocka_unit_test(threads_that_only_map_are_shown_with_their_maps),
		cmocka_unit_test(ranges_are_what_is_seen_of_mappings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
