#include "../test.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "data/record.h"
#include "model/timeline.h"

enum { USER = PERF_RECORD_MISC_USER, KERNEL = PERF_RECORD_MISC_KERNEL, EXEC = 1 << 13 };
#define LATE (UINT64_MAX - 1)

static struct timeline *timeline;
static uint64_t place;

static int setup(void **state)
{
	timeline = timeline_new();
	place = 0;
	return 0;
}

static int teardown(void **state)
{
	timeline_free(timeline);
	return 0;
}

union any {
	struct perf_event_header header;
	struct record_mmap2 mmap2;
	struct record_comm comm;
	struct record_task task;
	struct record_ksymbol ksymbol;
	struct record_cgroup cgroup;
	unsigned char bytes[512];
};

static void add(union any *any, uint32_t type, uint16_t misc, uint64_t moment)
{
	struct record record = { &any->header, place += 8 };

	any->header = (struct perf_event_header){ type, misc, sizeof(*any) };
	assert_int_equal(timeline_add(timeline, &record, moment), 0);
}

static void map(uint32_t pid, uint64_t start, uint64_t end, const char *name, uint64_t moment)
{
	union any any = { .mmap2 = { .pid = pid, .start = start, .size = end - start, .prot = 5 } };

	strcpy(any.mmap2.filename, name);
	add(&any, PERF_RECORD_MMAP2, USER, moment);
}

static void name(uint32_t pid, uint32_t tid, const char *comm, uint16_t misc, uint64_t moment)
{
	union any any = { .comm = { .pid = pid, .tid = tid } };

	strcpy(any.comm.comm, comm);
	add(&any, PERF_RECORD_COMM, misc, moment);
}

static void task(uint32_t type, uint32_t pid, uint32_t tid, uint64_t moment)
{
	union any any = { .task = { .pid = pid,
				    .tid = tid,
				    .ppid = pid == tid ? 1 : pid,
				    .ptid = pid == tid ? 1 : pid,
				    .time = moment } };

	add(&any, type, 0, moment);
}

static void ksymbol(uint64_t addr, bool gone, const char *text, uint64_t moment)
{
	union any any = { .ksymbol = {
				  .addr = addr, .size = 0x100, .ksym_type = 1, .flags = gone } };

	strcpy(any.ksymbol.name, text);
	add(&any, PERF_RECORD_KSYMBOL, KERNEL, moment);
}

static const char *name_at(uint32_t pid, uint64_t addr)
{
	const struct map *found = timeline_map(timeline, pid, USER, addr, LATE);

	return found ? found->dso->name : "none";
}

static void forget(uint64_t gone_before)
{
	struct hash dsos = { 0 };

	timeline_forget(timeline, gone_before, &dsos);
	hash_done(&dsos);
}

static size_t dsos_left(void)
{
	size_t count = 0;

	for (uint32_t id = 1; id <= timeline_dso_count(timeline); id++)
		count += timeline_dso(timeline, id) != NULL;
	return count;
}

static void what_has_ended_is_gone_and_what_lives_stays(void **state)
{
	map(1, 0x1000, 0x2000, "/init", 1);
	name(1, 1, "init", 0, 1);
	task(PERF_RECORD_FORK, 2, 2, 10);
	task(PERF_RECORD_FORK, 3, 3, 11);
	map(2, 0x5000, 0x6000, "/gone", 12);
	map(3, 0x5000, 0x6000, "/here", 12);
	name(2, 2, "two", 0, 13);
	name(3, 3, "three", 0, 13);
	task(PERF_RECORD_EXIT, 2, 2, 20);
	task(PERF_RECORD_EXIT, 1, 1, 30);
	timeline_settle_until(timeline, 100);
	forget(25);

	assert_null(timeline_comm(timeline, 2, LATE));
	assert_string_equal(name_at(2, 0x5000), "none");
	assert_string_equal(timeline_comm(timeline, 3, LATE), "three");
	assert_string_equal(name_at(3, 0x5000), "/here");
	assert_string_equal(name_at(3, 0x1000), "/init");              /* inherited */
	assert_string_equal(timeline_comm(timeline, 1, LATE), "init"); /* not long enough gone */
	assert_int_equal(dsos_left(), 2);
	forget(50);
	assert_null(timeline_comm(timeline, 1, LATE));
	assert_string_equal(name_at(3, 0x1000), "/init");
}

static void a_process_lives_as_long_as_one_of_its_threads(void **state)
{
	name(5, 5, "main", 0, 1);
	map(5, 0x1000, 0x2000, "/five", 1);
	task(PERF_RECORD_FORK, 5, 6, 2);
	task(PERF_RECORD_EXIT, 5, 5, 3);
	timeline_settle_until(timeline, 100);
	forget(50);

	assert_string_equal(name_at(5, 0x1000), "/five");
	assert_string_equal(timeline_last_comm(timeline, 5, LATE), "main");
	assert_string_equal(timeline_comm(timeline, 6, LATE), "main");
}

static void what_is_covered_or_ended_by_exec_is_gone(void **state)
{
	map(4, 0x8000, 0x9000, "/program", 1);
	map(4, 0x1000, 0x4000, "/covered", 1);
	map(4, 0x1000, 0x3000, "/upper", 2);
	map(4, 0x3000, 0x4000, "/lower", 3);
	map(5, 0x1000, 0x4000, "/half", 1);
	map(5, 0x2000, 0x3000, "/inside", 2);
	map(6, 0x1000, 0x4000, "/before", 1);
	name(6, 6, "next", EXEC, 5);
	map(6, 0x8000, 0x9000, "/after", 6);
	map(6, 0x7000, 0x8000, "[vdso]", 7);
	map(6, 0xa000, 0xb000, "/last", 8);
	timeline_settle_until(timeline, 100);
	forget(0);

	assert_string_equal(name_at(4, 0x2fff), "/upper");
	assert_string_equal(name_at(4, 0x3000), "/lower");
	assert_string_equal(name_at(5, 0x1000), "/half");
	assert_string_equal(name_at(5, 0x2000), "/inside");
	assert_string_equal(name_at(5, 0x3000), "/half");
	assert_string_equal(name_at(6, 0x1000), "none");
	assert_string_equal(name_at(6, 0x8000), "/after");
	assert_int_equal(dsos_left(), 8); /* all but /covered and /before */
}

static void dsos_in_use_stay_where_they_are_and_others_get_free_numbers(void **state)
{
	struct hash dsos = { 0 };
	const struct dso *used, *kept;

	map(2, 0x1000, 0x2000, "/used", 1);
	map(2, 0x3000, 0x4000, "/unused", 1);
	map(3, 0x1000, 0x2000, "/kept", 1);
	task(PERF_RECORD_EXIT, 2, 2, 5);
	timeline_settle_until(timeline, 100);
	used = timeline_map(timeline, 2, USER, 0x1000, LATE)->dso;
	kept = timeline_map(timeline, 3, USER, 0x1000, LATE)->dso;
	(void)hash_add(&dsos, used->id, NULL);
	timeline_forget(timeline, 50, &dsos);
	hash_done(&dsos);

	assert_ptr_equal(timeline_dso(timeline, used->id), used);
	assert_string_equal(used->name, "/used");
	assert_ptr_equal(timeline_map(timeline, 3, USER, 0x1000, LATE)->dso, kept);
	assert_null(timeline_dso(timeline, 2));
	map(3, 0x5000, 0x6000, "/new", 200);
	map(3, 0x7000, 0x8000, "/used", 200);
	timeline_settle_until(timeline, 300);
	assert_int_equal(timeline_map(timeline, 3, USER, 0x5000, LATE)->dso->id, 2);
	assert_ptr_equal(timeline_map(timeline, 3, USER, 0x7000, LATE)->dso, used);
}

static void what_has_not_settled_is_not_forgotten(void **state)
{
	map(3, 0x1000, 0x2000, "/early", 10);
	map(3, 0x5000, 0x6000, "/later", 200);
	name(3, 3, "soon", 0, 210);
	assert_int_equal(timeline_settle_until(timeline, 100), 1);
	assert_string_equal(name_at(3, 0x5000), "none");
	forget(50);
	assert_string_equal(name_at(3, 0x1000), "/early");
	assert_int_equal(timeline_settle_until(timeline, 300), 2);
	assert_string_equal(name_at(3, 0x5000), "/later");
	assert_string_equal(timeline_comm(timeline, 3, LATE), "soon");
	/* What is told too late happens now. */
	map(3, 0x8000, 0x9000, "/late", 20);
	timeline_settle_until(timeline, 400);
	assert_string_equal(name_at(3, 0x8000), "/late");
	assert_null(timeline_map(timeline, 3, USER, 0x8000, 30));
}

static void symbols_of_the_kernel_that_were_unloaded_are_gone(void **state)
{
	for (uint64_t i = 0; i < 100; i++) {
		ksymbol(0x1000, false, i % 2 ? "odd" : "even", 10 * i);
		ksymbol(0x1000, true, "", 10 * i + 5);
	}
	ksymbol(0x2000, false, "loaded", 2000);
	timeline_settle_until(timeline, 3000);
	forget(2500);

	assert_null(timeline_map(timeline, 1, KERNEL, 0x1000, LATE));
	assert_string_equal(timeline_map(timeline, 1, KERNEL, 0x2000, LATE)->dso->name, "loaded");
	assert_int_equal(dsos_left(), 1);
	ksymbol(0x2000, true, "", 4000);
	timeline_settle_until(timeline, 5000);
	assert_null(timeline_map(timeline, 1, KERNEL, 0x2000, LATE));
}

static void numbers_that_are_used_again_and_again_do_not_pile_up(void **state)
{
	size_t size = 0;

	for (uint64_t i = 0; i < 3000; i++) {
		uint64_t now = 1000 + 100 * i;

		task(PERF_RECORD_FORK, 2, 2, now);
		name(2, 2, i % 2 ? "odd" : "even", EXEC, now + 10);
		map(2, 0x1000 * (i % 50 + 1), 0x1000 * (i % 50 + 2), "/prog", now + 20);
		task(PERF_RECORD_EXIT, 2, 2, now + 30);
		if (i % 100)
			continue;
		timeline_settle_until(timeline, now + 50);
		forget(now);
		if (i == 1000)
			size = timeline_size(timeline);
	}
	assert_int_equal(timeline_size(timeline), size);
}

static void cgroup(uint64_t id)
{
	union any any = { .cgroup = { .id = id } };

	strcpy(any.cgroup.path, "/a");
	add(&any, PERF_RECORD_CGROUP, 0, 0);
}

static void forget_once(void)
{
	struct hash dsos = { 0 };

	timeline_forget(timeline, 0, &dsos);
	hash_done(&dsos);
}

static void of_thousands_of_cgroups_those_that_were_asked_for_stay(void **state)
{
	for (uint64_t id = 1; id <= 4000; id++)
		cgroup(id);
	forget_once();
	forget_once();
	assert_non_null(timeline_cgroup(timeline, 5)); /* as long as they are few */
	for (uint64_t id = 4001; id <= 6000; id++)
		cgroup(id);
	forget_once();
	assert_non_null(timeline_cgroup(timeline, 7)); /* all were new */
	forget_once();
	assert_string_equal(timeline_cgroup(timeline, 7), "/a");
	assert_null(timeline_cgroup(timeline, 8));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(what_has_ended_is_gone_and_what_lives_stays),
		CASE(a_process_lives_as_long_as_one_of_its_threads),
		CASE(what_is_covered_or_ended_by_exec_is_gone),
		CASE(dsos_in_use_stay_where_they_are_and_others_get_free_numbers),
		CASE(what_has_not_settled_is_not_forgotten),
		CASE(symbols_of_the_kernel_that_were_unloaded_are_gone),
		CASE(numbers_that_are_used_again_and_again_do_not_pile_up),
		CASE(of_thousands_of_cgroups_those_that_were_asked_for_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
