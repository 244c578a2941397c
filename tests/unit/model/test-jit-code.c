#include "../test.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/hash.h"
#include "data/record.h"
#include "model/timeline.h"

/* What a JIT dump told of, in a process that maps and unmaps around it. */
static struct timeline *timeline;
static uint64_t place, offset; /* in the file; in the dump */

static int setup(void **state)
{
	timeline = timeline_new();
	place = offset = 0;
	return 0;
}

static int teardown(void **state)
{
	timeline_free(timeline);
	return 0;
}

static void map(uint32_t pid, uint64_t start, const char *name, uint64_t moment)
{
	union {
		struct record_mmap2 mmap2;
		unsigned char bytes[256];
	} any = { { .header = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(any) },
		    .pid = pid,
		    .start = start,
		    .size = 0x1000,
		    .prot = 5 } };
	struct record record = { &any.mmap2.header, place += 8 };

	memcpy(any.mmap2.filename, name, strlen(name) + 1);
	assert_int_equal(timeline_add(timeline, &record, moment), 0);
}

static void task(uint32_t type, uint32_t pid, uint32_t ppid, uint64_t moment)
{
	struct record_task task = { .header = { type, 0, sizeof(task) },
				    .pid = pid,
				    .tid = pid,
				    .ppid = ppid,
				    .ptid = ppid,
				    .time = moment };
	struct record record = { &task.header, place += 8 };

	assert_int_equal(timeline_add(timeline, &record, moment), 0);
}

/* Of the first dump. */
static void code(uint64_t start, const char *symbol, uint64_t moment)
{
	const struct timeline_code code = { start, 0x100, offset += 0x100, symbol };
	const struct dso *dso = timeline_add_code(timeline, timeline_dump_at(timeline, 0), &code,
						  (struct instant){ moment, 0 });

	assert_true(!dso == !symbol);
}

static const char *at(uint32_t pid, uint64_t addr, uint64_t moment)
{
	const struct map *map = timeline_map(timeline, pid, PERF_RECORD_MISC_USER, addr, moment);

	if (!map)
		return "none";
	return map->symbol ? map->symbol : map->dso->short_name;
}

static void code_has_its_name_from_when_it_was_loaded_until_other_code_is_there(void **state)
{
	map(7, 0x9000, "/tmp/jit-7.dump", 1);
	map(7, 0x1000, "//anon", 2);
	code(0x1000, "first", 10);
	code(0x1080, "second", 20);
	code(0x1000, NULL, 30);
	timeline_settle(timeline);

	assert_string_equal(at(7, 0x1000, 9), "[JIT] tid 7");
	assert_string_equal(at(7, 0x1000, 10), "first");
	assert_string_equal(at(7, 0x10ff, 19), "first");
	assert_string_equal(at(7, 0x1080, 20), "second");
	assert_string_equal(at(7, 0x117f, 20), "second");
	assert_string_equal(at(7, 0x1000, 29), "first");
	assert_string_equal(at(7, 0x1000, 30), "[JIT] tid 7");
	assert_string_equal(at(7, 0x1100, 40), "second");
	const struct map *map = timeline_map(timeline, 7, PERF_RECORD_MISC_USER, 0x1000, 15);

	assert_int_equal(map->dso->kind, DSO_JITDUMP);
	assert_string_equal(map->dso->name, "/tmp/perf-7.map");
	assert_int_equal(map->pgoff, 0x100);
	assert_int_equal(map->end, 0x1100);
}

static void code_lies_above_memory_and_other_files_above_code(void **state)
{
	map(7, 0x9000, "/tmp/jit-7.dump", 1);
	map(7, 0x1000, "//anon", 2);
	map(7, 0x2000, "/bin/jit", 2);
	map(7, 0x3000, "/memfd:doublemapper (deleted)", 30);
	map(7, 0x4000, "[anon:code]", 30);
	code(0x1000, "anonymous", 10);
	code(0x2000, "embedded", 10);
	code(0x3000, "shared", 10);
	code(0x4000, "named", 10);
	map(7, 0x1000, "//anon", 20); /* its protection changed */
	map(7, 0x2000, "/lib/other", 20);
	timeline_settle(timeline);

	assert_string_equal(at(7, 0x1000, 25), "anonymous");
	assert_string_equal(at(7, 0x1100, 25), "[JIT] tid 7");
	assert_string_equal(at(7, 0x2000, 15), "embedded");
	assert_string_equal(at(7, 0x2000, 25), "other");
	assert_string_equal(at(7, 0x3000, 40), "shared");
	assert_string_equal(at(7, 0x3100, 40), "memfd:doublemapper");
	assert_string_equal(at(7, 0x4000, 40), "named");
}

static void a_child_has_the_code_of_its_parent_until_it_runs_another_program(void **state)
{
	map(7, 0x9000, "/tmp/jit-7.dump", 1);
	code(0x1000, "inherited", 10);
	task(PERF_RECORD_FORK, 8, 7, 20);
	code(0x1000, "later", 30);
	timeline_settle(timeline);

	assert_string_equal(at(8, 0x1000, 40), "inherited");
	assert_string_equal(at(7, 0x1000, 40), "later");
	assert_string_equal(at(9, 0x1000, 40), "none");
}

static void dumps_are_told_once_and_known_by_their_names(void **state)
{
	static const char *const others[] = { "/tmp/jit-.dump", "/tmp/jit-7.dumps",
					      "/tmp/xjit-7.dump", "/tmp/jit-7",
					      "/tmp/jit-99999999999.dump" };

	map(7, 0x1000, "/tmp/jit-7.dump", 1);
	map(7, 0x2000, "/tmp/jit-7.dump", 2);
	map(8, 0x2000, "/x/.debug/jit-1.dump", 3);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		map(9, 0x1000 * (i + 1), others[i], 4);
	assert_int_equal(timeline_dump_count(timeline), 2);
	assert_int_equal(timeline_dump_at(timeline, 0)->pid, 7);
	assert_int_equal(timeline_dump_at(timeline, 0)->at.moment, 1);
	assert_int_equal(timeline_dump_at(timeline, 1)->pid, 8);
	assert_int_equal(timeline_dump_at(timeline, 1)->dso->dump_pid, 1);
	assert_int_not_equal(timeline_dump_at(timeline, 0)->number,
			     timeline_dump_at(timeline, 1)->number);
}

static void each_piece_of_code_begins_an_epoch(void **state)
{
	map(7, 0x9000, "/tmp/jit-7.dump", 5);
	map(7, 0x1000, "//anon", 12);
	code(0x1000, "first", 10);
	code(0x1000, "second", 20);
	code(0x3000, "third", 20);
	timeline_settle(timeline);
	for (uint64_t moment = 0; moment < 40; moment++) {
		struct timeline_epoch epoch =
			timeline_epoch(timeline, 7, PERF_RECORD_MISC_USER, moment);

		assert_true(epoch.from <= moment && moment < epoch.until);
		for (uint64_t other = 0; other < 40; other++) {
			uint64_t id = timeline_epoch(timeline, 7, PERF_RECORD_MISC_USER, other).id;

			assert_int_equal(id == epoch.id,
					 epoch.from <= other && other < epoch.until);
			if (id == epoch.id)
				assert_string_equal(at(7, 0x1000, other), at(7, 0x1000, moment));
		}
	}
}

static void what_is_forgotten_is_what_is_gone(void **state)
{
	struct hash dsos = { 0 };

	map(7, 0x9000, "/tmp/jit-7.dump", 1);
	map(8, 0x9000, "/tmp/jit-8.dump", 1);
	map(7, 0x1000, "//anon", 2);
	code(0x1000, "old", 10);
	code(0x1000, "new", 20);
	task(PERF_RECORD_EXIT, 8, 8, 25);
	(void)timeline_settle_until(timeline, 30);
	code(0x1080, "coming", 40);
	timeline_forget(timeline, 30, &dsos);
	hash_done(&dsos);
	assert_int_equal(timeline_dump_count(timeline), 1);
	assert_int_equal(timeline_dump_at(timeline, 0)->pid, 7);
	assert_string_equal(at(7, 0x1000, 35), "new");
	assert_string_equal(at(7, 0x1100, 35), "[JIT] tid 7");
	(void)timeline_settle_until(timeline, 50);
	assert_string_equal(at(7, 0x1000, 45), "new");
	assert_string_equal(at(7, 0x1080, 45), "coming");
	map(7, 0x9000, "/tmp/jit-7.dump", 60); /* known */
	map(9, 0x9000, "/tmp/jit-8.dump", 60);
	assert_int_equal(timeline_dump_count(timeline), 2);
}

static void code_that_makes_no_sense_is_none(void **state)
{
	const struct timeline_code empty = { 0x1000, 0, 0, "empty" };
	const struct timeline_code wraps = { UINT64_MAX - 8, 9, 0, "wraps" };
	const struct timeline_dump *dump;

	map(7, 0x9000, "/tmp/jit-7.dump", 1);
	dump = timeline_dump_at(timeline, 0);
	assert_null(timeline_add_code(timeline, dump, &empty, dump->at));
	assert_null(timeline_add_code(timeline, dump, &wraps, dump->at));
	timeline_settle(timeline);
	assert_string_equal(at(7, 0x1000, 5), "none");
	assert_string_equal(at(7, UINT64_MAX - 4, 5), "none");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(code_has_its_name_from_when_it_was_loaded_until_other_code_is_there),
		CASE(code_lies_above_memory_and_other_files_above_code),
		CASE(a_child_has_the_code_of_its_parent_until_it_runs_another_program),
		CASE(dumps_are_told_once_and_known_by_their_names),
		CASE(each_piece_of_code_begins_an_epoch),
		CASE(what_is_forgotten_is_what_is_gone),
		CASE(code_that_makes_no_sense_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
