#include "../test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/record.h"
#include "model/timeline.h"

enum { USER = PERF_RECORD_MISC_USER, KERNEL = PERF_RECORD_MISC_KERNEL, EXEC = 4 };
#define LATE UINT64_MAX

/* A timeline that is filled record by record; each lies behind the one before in the file. */
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
	struct record_mmap mmap;
	struct record_mmap2 mmap2;
	struct record_comm comm;
	struct record_task task;
	struct record_ksymbol ksymbol;
	struct record_cgroup cgroup;
	unsigned char bytes[4352];
};

static int add(union any *any, uint32_t type, uint16_t misc, size_t size, uint64_t moment)
{
	struct record record = { &any->header, place += 8 };

	any->header = (struct perf_event_header){ type, misc, (uint16_t)((size + 7) & ~7UL) };
	return timeline_add(timeline, &record, moment);
}

static void mmap2_at(uint32_t pid, uint64_t start, uint64_t end, uint64_t pgoff, uint32_t prot,
		     const char *name, uint64_t moment)
{
	union any any = { .mmap2 = {
				  .pid = pid, .tid = pid, .start = start, .size = end - start } };

	any.mmap2.pgoff = pgoff;
	any.mmap2.prot = prot;
	strcpy(any.mmap2.filename, name);
	assert_int_equal(
		add(&any, PERF_RECORD_MMAP2, USER, sizeof(any.mmap2) + strlen(name) + 1, moment),
		0);
}

static void mmap2(uint32_t pid, uint64_t start, uint64_t end, const char *name, uint64_t moment)
{
	mmap2_at(pid, start, end, 0, 5, name, moment);
}

static void kernel_mmap(uint64_t start, uint64_t end, const char *name)
{
	union any any = { .mmap = { .pid = UINT32_MAX, .start = start, .size = end - start } };

	strcpy(any.mmap.filename, name);
	assert_int_equal(
		add(&any, PERF_RECORD_MMAP, KERNEL, sizeof(any.mmap) + strlen(name) + 1, 0), 0);
}

static void comm(uint32_t pid, uint32_t tid, const char *name, bool exec, uint64_t moment)
{
	union any any = { .comm = { .pid = pid, .tid = tid } };

	strcpy(any.comm.comm, name);
	assert_int_equal(add(&any, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0,
			     sizeof(any.comm) + strlen(name) + 1, moment),
			 0);
}

static void task(uint32_t type, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid,
		 uint64_t moment)
{
	union any any = { .task = { .pid = pid, .ppid = ppid, .tid = tid, .ptid = ptid } };

	any.task.time = moment;
	assert_int_equal(add(&any, type, 0, sizeof(any.task), moment), 0);
}

static void fork_at(uint32_t pid, uint32_t ppid, uint64_t moment)
{
	task(PERF_RECORD_FORK, pid, pid, ppid, ppid, moment);
}

static void ksymbol(uint64_t addr, uint32_t size, uint16_t flags, const char *name, uint64_t moment)
{
	union any any = { .ksymbol = { .addr = addr, .size = size, .ksym_type = 1 } };

	any.ksymbol.flags = flags;
	strcpy(any.ksymbol.name, name);
	assert_int_equal(add(&any, PERF_RECORD_KSYMBOL, KERNEL,
			     sizeof(any.ksymbol) + strlen(name) + 1, moment),
			 0);
}

static const char *name_at(uint32_t pid, uint64_t addr, uint64_t moment)
{
	const struct map *map = timeline_map(timeline, pid, USER, addr, moment);

	return map ? map->dso->name : "none";
}

static const char *kernel_at(uint64_t addr, uint64_t moment)
{
	const struct map *map = timeline_map(timeline, 1, KERNEL, addr, moment);

	if (map && addr >= map->end) /* only a symbol can tell */
		return "behind the text";
	return map ? map->dso->short_name : "none";
}

static void the_youngest_mapping_of_an_address_wins(void **state)
{
	mmap2(1, 0x1000, 0x5000, "/a", 10);
	mmap2(1, 0x2000, 0x3000, "/b", 20);
	timeline_settle(timeline);

	assert_string_equal(name_at(1, 0x2800, 9), "none");
	assert_string_equal(name_at(1, 0x2800, 10), "/a");
	assert_string_equal(name_at(1, 0x2800, 20), "/b");
	assert_string_equal(name_at(1, 0x1fff, 20), "/a");
	assert_string_equal(name_at(1, 0x3000, 20), "/a");
	assert_string_equal(name_at(1, 0x4fff, LATE), "/a");
	assert_string_equal(name_at(1, 0x5000, LATE), "none");
	assert_string_equal(name_at(2, 0x2800, LATE), "none");
}

/* "/a", "/a remapped", ...: what a map is, and the offset in the file. */
static void expect_at(uint32_t pid, uint64_t addr, uint64_t moment, const char *what,
		      uint64_t offset)
{
	const struct map *map = timeline_map(timeline, pid, USER, addr, moment);
	char text[64];

	assert_non_null(map);
	(void)snprintf(text, sizeof(text), "%s%s", map->dso->name, map_suffix(map));
	assert_string_equal(text, what);
	assert_int_equal(addr - map->start + map->pgoff, offset);
}

static void code_of_the_executable_that_was_moved_to_memory_is_still_its_code(void **state)
{
	mmap2_at(1, 0x10000, 0x20000, 0x1000, 5, "/program", 10);
	mmap2_at(1, 0x70000, 0x80000, 0x4000, 5, "/library", 11);
	mmap2_at(1, 0x12000, 0x14000, 0x12000, 3, "//anon", 20); /* writable, while it is copied */
	mmap2_at(1, 0x12000, 0x14000, 0x12000, 5, "//anon", 30);
	mmap2_at(1, 0x16000, 0x18000, 0, 7, "/anon_hugepage (deleted)", 31);
	mmap2_at(1, 0x1f000, 0x21000, 0x1f000, 5, "//anon", 32); /* not of it alone */
	mmap2_at(1, 0x72000, 0x74000, 0x72000, 5, "//anon", 33); /* the library may be gone */
	mmap2_at(1, 0x90000, 0x91000, 0x90000, 5, "//anon", 34);
	fork_at(2, 1, 40);
	mmap2_at(2, 0x1a000, 0x1b000, 0x1a000, 5, "//anon", 50);
	timeline_settle(timeline);

	expect_at(1, 0x12345, 19, "/program", 0x3345);
	expect_at(1, 0x12345, 25, "//anon", 0x12345);
	expect_at(1, 0x12345, 30, "/program (remapped)", 0x3345);
	expect_at(1, 0x14000, LATE, "/program", 0x5000);
	expect_at(1, 0x16001, 31, "/program (remapped)", 0x7001);
	expect_at(1, 0x1f000, LATE, "/tmp/perf-1.map", 0x1f000);
	expect_at(1, 0x72000, LATE, "/tmp/perf-1.map", 0x72000);
	expect_at(1, 0x90000, LATE, "/tmp/perf-1.map", 0x90000);
	expect_at(2, 0x12345, LATE, "/program (remapped)", 0x3345);
	expect_at(2, 0x1a000, LATE, "/program (remapped)", 0xb000);
	expect_at(1, 0x1a000, LATE, "/program", 0xb000);
	timeline_settle(timeline);
	expect_at(1, 0x12345, 30, "/program (remapped)", 0x3345);
}

static void order_in_time_counts_and_not_order_in_the_file(void **state)
{
	mmap2(1, 0x1000, 0x2000, "/new", 20);
	mmap2(1, 0x1000, 0x2000, "/old", 10);
	timeline_settle(timeline);

	assert_string_equal(name_at(1, 0x1000, 15), "/old");
	assert_string_equal(name_at(1, 0x1000, 25), "/new");
}

static void exec_ends_maps_and_name(void **state)
{
	comm(7, 7, "first", false, 10);
	mmap2(7, 0x1000, 0x2000, "/first", 11);
	comm(7, 7, "second", true, 20);
	mmap2(7, 0x5000, 0x6000, "/second", 20); /* the same tick, but behind it in the file */
	timeline_settle(timeline);

	assert_string_equal(name_at(7, 0x1000, 19), "/first");
	assert_string_equal(name_at(7, 0x1000, 20), "none");
	assert_string_equal(name_at(7, 0x5000, 20), "/second");
	assert_string_equal(timeline_comm(timeline, 7, 19), "first");
	assert_string_equal(timeline_comm(timeline, 7, 20), "second");
	assert_null(timeline_comm(timeline, 7, 9));
}

static void until_exec_is_done_old_registers_are_seen(void **state)
{
	comm(7, 7, "first", false, 10);
	mmap2(7, 0x1000, 0x2000, "/first", 11);
	comm(7, 7, "second", true, 20);
	mmap2(7, 0x1000, 0x2000, "/second", 21);
	mmap2(7, 0x9000, 0xa000, "[vdso]", 23);
	mmap2(7, 0x5000, 0x6000, "/lib", 30);
	timeline_settle(timeline);

	assert_string_equal(name_at(7, 0x1000, 22), "/first");
	assert_string_equal(name_at(7, 0x1000, 23), "/second");
	assert_string_equal(name_at(7, 0x5000, 30), "/lib");
	assert_string_equal(timeline_comm(timeline, 7, 20), "second");
}

/* Between the vdso's mapping and the new registers the kernel still runs for a while. */
static void what_exec_has_not_mapped_is_the_old_programs_until_the_new_one_runs(void **state)
{
	const uint64_t vdso = UINT64_C(5000000000), ms = 1000000;

	mmap2(7, 0x1000, 0x2000, "/first", 11);
	comm(7, 7, "second", true, vdso - 2);
	mmap2(7, 0x5000, 0x6000, "/second", vdso - 1);
	mmap2(7, 0x9000, 0xa000, "[vdso]", vdso);
	mmap2(7, 0x7000, 0x8000, "/lib", vdso + ms / 2);
	mmap2(8, 0x1000, 0x2000, "/first", 11);
	comm(8, 8, "second", true, vdso - 2);
	mmap2(8, 0x9000, 0xa000, "[vdso]", vdso);
	timeline_settle(timeline);

	assert_string_equal(name_at(7, 0x1000, vdso + 1), "/first");
	assert_string_equal(name_at(7, 0x5000, vdso + 1), "/second");
	assert_string_equal(name_at(7, 0x1000, vdso + ms / 2 - 1), "/first");
	assert_string_equal(name_at(7, 0x1000, vdso + ms / 2), "none");
	assert_string_equal(name_at(8, 0x1000, vdso + ms - 1), "/first");
	assert_string_equal(name_at(8, 0x1000, vdso + ms), "none");
}

static void a_child_sees_what_its_parent_had_at_the_fork(void **state)
{
	comm(1, 1, "parent", false, 1);
	mmap2(1, 0x1000, 0x2000, "/a", 10);
	fork_at(2, 1, 20);
	mmap2(1, 0x3000, 0x4000, "/late", 30);
	mmap2(2, 0x8000, 0x9000, "/own", 35);
	fork_at(3, 2, 40);
	comm(1, 1, "other", true, 50);
	comm(3, 3, "grandchild", true, 60);
	timeline_settle(timeline);

	assert_string_equal(name_at(2, 0x1000, 100), "/a");
	assert_string_equal(name_at(2, 0x3000, 100), "none");
	assert_string_equal(name_at(3, 0x1000, 59), "/a");
	assert_string_equal(name_at(3, 0x8000, 59), "/own");
	assert_string_equal(name_at(3, 0x8000, 60), "none");
	assert_string_equal(timeline_comm(timeline, 2, 100), "parent");
	assert_string_equal(timeline_comm(timeline, 3, 59), "parent");
	assert_string_equal(timeline_comm(timeline, 3, 60), "grandchild");
}

static void a_number_that_is_used_again_has_no_old_maps_or_names(void **state)
{
	fork_at(5, 1, 10);
	comm(5, 5, "old", true, 11);
	mmap2(5, 0x1000, 0x2000, "/old", 12);
	task(PERF_RECORD_EXIT, 5, 5, 1, 1, 20);
	fork_at(5, 2, 30);
	timeline_settle(timeline);

	assert_string_equal(name_at(5, 0x1000, 15), "/old");
	assert_string_equal(name_at(5, 0x1000, 25), "/old"); /* a late sample */
	assert_string_equal(name_at(5, 0x1000, 30), "none");
	assert_string_equal(timeline_comm(timeline, 5, 25), "old");
	assert_null(timeline_comm(timeline, 5, 30));
}

static void the_last_name_is_that_of_the_thread_that_had_the_number_then(void **state)
{
	comm(7, 7, "first", false, 10);
	comm(7, 7, "first-late", false, 12);
	task(PERF_RECORD_EXIT, 7, 7, 1, 1, 15);
	comm(1, 1, "first-late", false, 16);
	fork_at(7, 1, 20); /* begins with the name that the number had before */
	comm(7, 7, "second", true, 22);
	timeline_settle(timeline);

	assert_string_equal(timeline_last_comm(timeline, 7, 9), "first-late");
	assert_string_equal(timeline_last_comm(timeline, 7, 10), "first-late");
	assert_string_equal(timeline_last_comm(timeline, 7, 19), "first-late");
	assert_string_equal(timeline_last_comm(timeline, 7, 20), "second");
	assert_string_equal(timeline_last_comm(timeline, 7, LATE), "second");
	assert_null(timeline_last_comm(timeline, 8, LATE));
}

static void threads_share_maps_and_have_names_of_their_own(void **state)
{
	comm(1, 1, "main", false, 1);
	mmap2(1, 0x1000, 0x2000, "/a", 10);
	task(PERF_RECORD_FORK, 1, 2, 1, 1, 20);
	comm(1, 2, "worker", false, 30);
	timeline_settle(timeline);

	assert_string_equal(timeline_comm(timeline, 2, 25), "main");
	assert_string_equal(timeline_comm(timeline, 2, 30), "worker");
	assert_string_equal(timeline_comm(timeline, 1, 30), "main");
	assert_string_equal(name_at(1, 0x1000, 30), "/a");
	assert_string_equal(timeline_comm(timeline, 0, 5), "swapper");
	assert_null(timeline_comm(timeline, 9, 5));
}

static void threads_that_are_only_seen_to_end_are_threads(void **state)
{
	for (uint32_t tid = 1; tid <= 1000; tid++)
		task(PERF_RECORD_EXIT, tid, tid, 1, 1, tid);
	timeline_settle(timeline);

	assert_int_equal(timeline_thread_count(timeline), 1001); /* and swapper */
	for (size_t i = 1; i <= 1000; i++)
		assert_int_equal(timeline_thread_at(timeline, i).gone, i);
}

static void names_of_one_moment_follow_each_other_in_the_file(void **state)
{
	comm(7, 7, "first", false, 0);
	comm(7, 7, "second", false, 0);
	timeline_settle(timeline);

	assert_null(timeline_comm_at(timeline, 7, (struct instant){ 0, 7 }));
	assert_string_equal(timeline_comm_at(timeline, 7, (struct instant){ 0, 8 }), "first");
	assert_string_equal(timeline_comm_at(timeline, 7, (struct instant){ 0, 16 }), "second");
	assert_string_equal(timeline_comm(timeline, 7, 0), "second");
}

static void a_mapping_that_is_told_again_is_one_map(void **state)
{
	for (int i = 0; i < 3; i++) {
		mmap2(1, 0x1000, 0x2000, "/a", 10);
		mmap2(1, 0x3000, 0x4000, "/b", 10);
	}
	for (int i = 0; i < 2; i++) /* a tree, since they overlap */
		mmap2(2, 0x1000, 0x2000, "/a", 10);
	mmap2(2, 0x1400, 0x1800, "/b", 11);
	mmap2(2, 0x1000, 0x2000, "/a", 12); /* not a repetition: it covers /b */
	timeline_settle(timeline);

	assert_string_equal(timeline_map_at(timeline, 1, 0)->dso->name, "/a");
	assert_string_equal(timeline_map_at(timeline, 1, 1)->dso->name, "/b");
	assert_null(timeline_map_at(timeline, 1, 2));
	assert_string_equal(name_at(1, 0x3000, 10), "/b");
	assert_non_null(timeline_map_at(timeline, 2, 2));
	assert_null(timeline_map_at(timeline, 2, 3));
	assert_string_equal(name_at(2, 0x1400, 11), "/b");
	assert_string_equal(name_at(2, 0x1400, 12), "/a");
}

static void a_fork_told_for_each_event_is_one_process(void **state)
{
	fork_at(2, 1, 10);
	fork_at(2, 1, 11);
	timeline_settle(timeline);

	assert_int_equal(timeline_thread_count(timeline), 2); /* and the idle one */
	assert_int_equal(timeline_thread_at(timeline, 1).born, 10);
	assert_int_equal(timeline_thread_at(timeline, 1).ppid, 1);
	assert_int_equal(timeline_thread_at(timeline, 1).gone, UINT64_MAX);
}

static void a_process_that_was_there_before_has_nothing_of_its_parent(void **state)
{
	mmap2(1, 0x400000, 0x500000, "/shell", 0);
	task(PERF_RECORD_FORK, 2, 2, 1, 1, 0); /* without a time: read from /proc */
	comm(2, 2, "tool", false, 0);
	mmap2(2, 0x400000, 0x410000, "/tool", 0);
	timeline_settle(timeline);

	assert_string_equal(name_at(2, 0x400000, 5), "/tool");
	assert_string_equal(name_at(2, 0x480000, 5), "none");
}

static void file_names_become_dsos_as_perf_calls_them(void **state)
{
	static const struct {
		const char *mapped, *name, *short_name;
		enum dso_kind kind;
		bool deleted;
	} cases[] = {
		{ "/usr/bin/xz", "/usr/bin/xz", "xz", DSO_USER, false },
		{ "/tmp/x (deleted)", "/tmp/x", "x", DSO_USER, true },
		{ "/memfd:m (deleted)", "/memfd:m", "memfd:m", DSO_USER, true },
		{ "[vdso]", "[vdso]", "[vdso]", DSO_VDSO, false },
		{ "//anon", "/tmp/perf-1.map", "[JIT] tid 1", DSO_ANON, false },
		{ "/dev/zero (deleted)", "/tmp/perf-1.map", "[JIT] tid 1", DSO_ANON, false },
		{ "[heap]", "/tmp/perf-1.map", "[JIT] tid 1", DSO_ANON, false },
	};
	size_t count = sizeof(cases) / sizeof(*cases);

	for (size_t i = 0; i < count; i++)
		mmap2(1, i << 12, (i + 1) << 12, cases[i].mapped, 0);
	timeline_settle(timeline);
	for (size_t i = 0; i < count; i++) {
		const struct dso *dso = timeline_map(timeline, 1, USER, i << 12, 0)->dso;

		assert_string_equal(dso->name, cases[i].name);
		assert_string_equal(dso->short_name, cases[i].short_name);
		assert_int_equal(dso->kind, cases[i].kind);
		assert_int_equal(dso->deleted, cases[i].deleted);
		assert_ptr_equal(timeline_dso(timeline, dso->id), dso);
	}
	assert_int_equal(timeline_dso_count(timeline), 5);
	assert_null(timeline_dso(timeline, 0));
	assert_null(timeline_dso(timeline, 6));
}

static void the_kernel_has_text_and_modules_and_symbols_that_come_and_go(void **state)
{
	kernel_mmap(0xffffffff81000000, 0xffffffff82000000, "[kernel.kallsyms]_text");
	kernel_mmap(0xffffffffa0000000, 0xffffffffa0001000, "/lib/modules/6.1/net/xt-mark.ko.xz");
	ksymbol(0xffffffffb0000000, 0x100, 0, "bpf_prog_1", 10);
	ksymbol(0xffffffffb0000000, 0, 1, "bpf_prog_1", 20);
	ksymbol(0xffffffffb0000000, 0x80, 0, "bpf_prog_2", 30);
	timeline_settle(timeline);

	assert_string_equal(kernel_at(0xffffffff81234567, 0), "[kernel.kallsyms]");
	assert_string_equal(kernel_at(0xffffffffa0000800, 0), "[xt_mark]");
	assert_string_equal(kernel_at(0xffffffffb0000050, 9), "behind the text");
	assert_string_equal(kernel_at(0xffffffffb0000050, 10), "bpf_prog_1");
	assert_string_equal(kernel_at(0xffffffffb0000050, 20), "behind the text");
	assert_string_equal(kernel_at(0xffffffffb0000050, 30), "bpf_prog_2");
	assert_string_equal(kernel_at(0xffffffffb00000f0, 30), "behind the text");
	assert_string_equal(kernel_at(0xffffffff80000000, 30), "none");
	assert_string_equal(name_at(1, 0xffffffff81234567, LATE), "none");
}

static void build_ids_of_the_file_go_to_dsos_without_one(void **state)
{
	union any any = { .mmap2 = { .pid = 1, .start = 0x1000, .size = 0x1000 } };
	uint8_t told[20] = { 1, 2, 3 }, own[20] = { 9, 9 };

	any.mmap2.build_id_size = 20;
	memcpy(any.mmap2.build_id, own, 20);
	strcpy(any.mmap2.filename, "/own");
	assert_int_equal(add(&any, PERF_RECORD_MMAP2, USER | PERF_RECORD_MISC_MMAP_BUILD_ID,
			     sizeof(any.mmap2) + 8, 0),
			 0);
	mmap2(1, 0x2000, 0x3000, "/lib", 0);
	kernel_mmap(0xffffffffa0000000, 0xffffffffa0001000, "/lib/modules/6.1/net/xt-mark.ko");
	timeline_add_build_id(timeline, "/lib", false, told, 20);
	timeline_add_build_id(timeline, "/own", false, told, 20);
	timeline_add_build_id(timeline, "[xt_mark]", true, told, 16);
	timeline_settle(timeline);

	const struct dso *lib = timeline_map(timeline, 1, USER, 0x2000, 0)->dso;
	const struct dso *first = timeline_map(timeline, 1, USER, 0x1000, 0)->dso;
	const struct dso *module = timeline_map(timeline, 1, KERNEL, 0xffffffffa0000000, 0)->dso;

	assert_int_equal(lib->build_id_size, 20);
	assert_memory_equal(lib->build_id, told, 20);
	assert_memory_equal(first->build_id, own, 20);
	assert_int_equal(module->build_id_size, 16);
}

static void damaged_records_are_refused(void **state)
{
	union any any;

	memset(&any, 'x', sizeof(any)); /* names without an end */
	assert_int_equal(add(&any, PERF_RECORD_MMAP2, USER, 4096, 0), -EBADMSG);
	assert_int_equal(add(&any, PERF_RECORD_MMAP, USER, 4096, 0), -EBADMSG);
	assert_int_equal(add(&any, PERF_RECORD_COMM, 0, 64, 0), -EBADMSG);
	assert_int_equal(add(&any, PERF_RECORD_CGROUP, 0, 64, 0), -EBADMSG);
	assert_int_equal(add(&any, PERF_RECORD_KSYMBOL, 0, 64, 0), -EBADMSG);
	assert_int_equal(add(&any, PERF_RECORD_FORK, 0, 16, 0), -EBADMSG);
	assert_int_equal(add(&any, PERF_RECORD_LOST, 0, 8, 0), 0);
	timeline_settle(timeline);
}

/* What a search through all mappings says. */
struct told {
	uint64_t start, end, moment;
	char name[16];
};

static const char *search(const struct told *all, size_t count, uint64_t addr, uint64_t moment)
{
	const char *found = "none";
	uint64_t youngest = 0;

	for (size_t i = 0; i < count; i++) {
		if (all[i].start <= addr && addr < all[i].end && all[i].moment <= moment &&
		    all[i].moment >= youngest) {
			youngest = all[i].moment;
			found = all[i].name;
		}
	}
	return found;
}

static void any_overlap_is_found_as_a_search_through_all_finds_it(void **state)
{
	static struct told all[300];
	unsigned seed = 42;

	for (unsigned i = 0; i < 300; i++) {
		all[i].start = (uint64_t)(rand_r(&seed) % 500);
		all[i].end = all[i].start + 1 + (uint64_t)(rand_r(&seed) % 80);
		all[i].moment = (uint64_t)(rand_r(&seed) % 1000);
		(void)snprintf(all[i].name, sizeof(all[i].name), "/m%u", i % 7);
		mmap2(1, all[i].start, all[i].end, all[i].name, all[i].moment);
	}
	timeline_settle(timeline);
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t addr = (uint64_t)(rand_r(&seed) % 600);
		uint64_t moment = (uint64_t)(rand_r(&seed) % 1100);

		assert_string_equal(name_at(1, addr, moment), search(all, 300, addr, moment));
	}
}

static void more_records_may_follow_a_settled_time(void **state)
{
	mmap2(1, 0x1000, 0x2000, "/a", 10);
	timeline_settle(timeline);
	mmap2(1, 0x1000, 0x2000, "/b", 20);
	fork_at(2, 1, 30);
	timeline_settle(timeline);

	assert_string_equal(name_at(1, 0x1000, 15), "/a");
	assert_string_equal(name_at(2, 0x1000, 40), "/b");
}

static void cgroups_are_known_by_id(void **state)
{
	union any any = { .cgroup = { .id = 77 } };

	strcpy(any.cgroup.path, "/system.slice");
	assert_int_equal(add(&any, PERF_RECORD_CGROUP, 0, sizeof(any.cgroup) + 14, 0), 0);
	assert_string_equal(timeline_cgroup(timeline, 77), "/system.slice");
	assert_null(timeline_cgroup(timeline, 78));
}

static void endless_generations_and_layers_are_found_at_once(void **state)
{
	enum { MANY = 20000 };

	for (unsigned i = 0; i < MANY; i++) {
		mmap2(1, 0x1000 - i % 0x800, 0x2000 + i % 0x800, i % 2 ? "/a" : "/b", i);
		fork_at(2, 1, i);
		mmap2(2, 0x1000, 0x2000, "/c", i);
		fork_at(10 + i, 9 + i, i);
		mmap2(10 + i, 0x5000, 0x6000, "/d", i);
	}
	timeline_settle(timeline);
	for (unsigned i = 0; i < MANY; i++) {
		assert_string_equal(name_at(1, 0x1800, i), i % 2 ? "/a" : "/b");
		assert_string_equal(name_at(2, 0x1800, i), "/c");
		assert_string_equal(name_at(9 + MANY, 0x7000, i), "none");
	}
}

static struct timeline_epoch epoch_at(uint32_t pid, uint16_t mode, uint64_t moment)
{
	struct timeline_epoch epoch = timeline_epoch(timeline, pid, mode, moment);

	assert_true(epoch.from == epoch.until || (epoch.from <= moment && moment < epoch.until));
	return epoch;
}

static void an_epoch_lasts_until_something_is_mapped(void **state)
{
	mmap2(1, 0x1000, 0x2000, "/bin/a", 10);
	mmap2(1, 0x3000, 0x4000, "/bin/b", 20);
	comm(1, 1, "c", true, 30);
	kernel_mmap(0xffff0000, 0xffff1000, "[kernel.kallsyms]_text");
	ksymbol(0xffff8000, 0x100, 0, "bpf_prog_1", 15);
	timeline_settle(timeline);

	assert_int_equal(epoch_at(1, USER, 10).id, epoch_at(1, USER, 19).id);
	assert_int_equal(epoch_at(1, USER, 12).from, 10);
	assert_int_equal(epoch_at(1, USER, 12).until, 20);
	assert_int_not_equal(epoch_at(1, USER, 9).id, epoch_at(1, USER, 10).id);
	assert_int_not_equal(epoch_at(1, USER, 19).id, epoch_at(1, USER, 20).id);
	assert_int_equal(epoch_at(1, USER, 25).until, 30);
	assert_int_not_equal(epoch_at(1, USER, 25).id, epoch_at(1, USER, 30).id);
	assert_int_equal(epoch_at(1, USER, 31).until, LATE);
	assert_int_not_equal(epoch_at(1, KERNEL, 14).id, epoch_at(1, KERNEL, 15).id);
	assert_int_equal(epoch_at(1, KERNEL, 15).id, epoch_at(2, KERNEL, 99).id);
	assert_int_not_equal(epoch_at(1, KERNEL, 15).id, epoch_at(1, USER, 15).id);
	assert_int_equal(epoch_at(4711, USER, 15).id, 0);
}

/* Whatever happens, two moments of one epoch have the same answers. */
static void in_an_epoch_every_address_has_one_answer(void **state)
{
	mmap2(1, 0x1000, 0x2000, "/bin/a", 5);
	mmap2(1, 0x1800, 0x3000, "/bin/b", 15);
	fork_at(2, 1, 20);
	mmap2(1, 0x5000, 0x6000, "/bin/late", 25);
	mmap2(2, 0x1000, 0x1400, "/bin/c", 30);
	fork_at(3, 2, 35);
	comm(2, 2, "c", true, 40);
	mmap2(2, 0x1000, 0x2000, "/bin/d", 42);
	mmap2(2, 0x9000, 0xa000, "[vdso]", 45);
	timeline_settle(timeline);

	for (uint32_t pid = 1; pid <= 3; pid++) {
		for (uint64_t moment = 0; moment < 60; moment++) {
			struct timeline_epoch epoch = epoch_at(pid, USER, moment);

			for (uint64_t other = epoch.from; other < epoch.until && other < 60;
			     other++) {
				assert_int_equal(epoch_at(pid, USER, other).id, epoch.id);
				for (uint64_t addr = 0; addr < 0xb000; addr += 0x200)
					assert_ptr_equal(
						timeline_map(timeline, pid, USER, addr, moment),
						timeline_map(timeline, pid, USER, addr, other));
			}
		}
	}
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(an_epoch_lasts_until_something_is_mapped),
		CASE(in_an_epoch_every_address_has_one_answer),
		CASE(the_youngest_mapping_of_an_address_wins),
		CASE(code_of_the_executable_that_was_moved_to_memory_is_still_its_code),
		CASE(order_in_time_counts_and_not_order_in_the_file),
		CASE(exec_ends_maps_and_name),
		CASE(until_exec_is_done_old_registers_are_seen),
		CASE(what_exec_has_not_mapped_is_the_old_programs_until_the_new_one_runs),
		CASE(a_child_sees_what_its_parent_had_at_the_fork),
		CASE(a_number_that_is_used_again_has_no_old_maps_or_names),
		CASE(the_last_name_is_that_of_the_thread_that_had_the_number_then),
		CASE(threads_share_maps_and_have_names_of_their_own),
		CASE(threads_that_are_only_seen_to_end_are_threads),
		CASE(names_of_one_moment_follow_each_other_in_the_file),
		CASE(a_mapping_that_is_told_again_is_one_map),
		CASE(a_fork_told_for_each_event_is_one_process),
		CASE(a_process_that_was_there_before_has_nothing_of_its_parent),
		CASE(file_names_become_dsos_as_perf_calls_them),
		CASE(the_kernel_has_text_and_modules_and_symbols_that_come_and_go),
		CASE(build_ids_of_the_file_go_to_dsos_without_one),
		CASE(damaged_records_are_refused),
		CASE(any_overlap_is_found_as_a_search_through_all_finds_it),
		CASE(more_records_may_follow_a_settled_time),
		CASE(cgroups_are_known_by_id),
		CASE(endless_generations_and_layers_are_found_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
