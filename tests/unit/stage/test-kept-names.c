/* test-kept-names.c - stage/kept-names.h, bytes to bytes. What processes have mapped is this test's
 * own program, wherever it is said to lie. */
#include "../test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/body.h"
#include "data/keptnames.h"
#include "data/record.h"
#include "data/stage.h"
#include "data/writer.h"
#include "model/timeline.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"
#include "object/symtab.h"
#include "stage/kept-names.h"
#include "stage/stages.h"
#include "stage/told.h"

enum { PID = 42, ID = 5, INNER_PID = 3 };
#define CODE UINT64_C(0x7f0000000000)
#define JIT UINT64_C(0x7e0000000000)
#define SIZE UINT64_C(0x1000000) /* this program is in it, with all of sanitizers */

static const uint64_t types = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			      PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;

/* One whose name no compiler changes. */
__attribute__((noinline, used)) static void sampled_other(void)
{
	__asm__ volatile("");
}

/* What the stage does to processes. */
static struct {
	unsigned open_count, folder_count;
	bool is_gone; /* the process */
	uid_t owner;
	char folder[64];
} world;

static int open_own(uint32_t pid, const struct map *map)
{
	if (world.is_gone)
		return -ENOENT;
	world.open_count++;
	return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static int stat_own(uint32_t pid, const struct map *map, struct stat *ret_status)
{
	return world.is_gone || stat("/proc/self/exe", ret_status) < 0 ? -ENOENT : 0;
}

static int open_folder(uint32_t pid, struct kept_folder *ret_folder)
{
	if (world.is_gone)
		return -ENOENT;
	world.folder_count++;
	ret_folder->pid = INNER_PID;
	ret_folder->owner = world.owner;
	return open(world.folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* A recorder's way to the file. */
struct way {
	struct told *told;
	struct kept_names *kept;
	struct stages *stages;
	struct stage *stage;
	struct str bytes; /* records of a round */
	uint64_t time_ns;
};

static struct way start(size_t file_count)
{
	const uint64_t ids[] = { ID };
	const struct writer_event event = { .attr = { .sample_type = types, .sample_id_all = 1 },
					    .ids = ids,
					    .id_count = 1 };
	struct way way = { .told = told_new(), .stages = stages_new(), .time_ns = 100 };
	const struct kept_names_options options = { .told = way.told,
						    .open_file = open_own,
						    .stat_file = stat_own,
						    .open_folder = open_folder };

	world.open_count = world.folder_count = 0;
	world.is_gone = false;
	world.owner = geteuid();
	way.kept = kept_names_new(&options);
	kept_names_allow(way.kept, file_count);
	stages_add(way.stages, told_stage(way.told));
	stages_add(way.stages, kept_names_stage(way.kept));
	way.stage = stages_stage(way.stages);
	way.stage->begin(way.stage, &event, 1);
	return way;
}

static void end_way(struct way *way)
{
	stages_free(way->stages);
	kept_names_free(way->kept);
	told_free(way->told);
	str_done(&way->bytes);
}

static void add(struct str *out, uint64_t value)
{
	str_add_bytes(out, &value, sizeof(value));
}

static size_t begin_record(struct way *way, uint32_t type, uint16_t misc)
{
	const struct perf_event_header header = { .type = type, .misc = misc };
	size_t at = way->bytes.size;

	str_add_bytes(&way->bytes, &header, sizeof(header));
	return at;
}

/* With the trailer of what is no sample. */
static void end_record(struct way *way, size_t at, bool is_sample)
{
	struct perf_event_header header;

	if (!is_sample) {
		add(&way->bytes, (uint64_t)PID << 32 | PID);
		add(&way->bytes, ++way->time_ns);
		add(&way->bytes, ID);
	}
	memcpy(&header, way->bytes.text + at, sizeof(header));
	header.size = (uint16_t)(way->bytes.size - at);
	memcpy(way->bytes.text + at, &header, sizeof(header));
}

static void map(struct way *way, uint64_t start, const char *name, uint64_t ino)
{
	size_t at = begin_record(way, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	char padded[PATH_MAX] = { 0 };

	add(&way->bytes, (uint64_t)PID << 32 | PID);
	add(&way->bytes, start);
	add(&way->bytes, SIZE);
	add(&way->bytes, 0);
	add(&way->bytes, 1);
	add(&way->bytes, ino);
	add(&way->bytes, 0);
	add(&way->bytes, UINT64_C(2) << 32 | 5);
	(void)snprintf(padded, sizeof(padded), "%s", name);
	str_add_bytes(&way->bytes, padded, (strlen(name) + 8) & ~(size_t)7);
	end_record(way, at, false);
}

static void sample(struct way *way, uint64_t ip, uint64_t caller)
{
	size_t at = begin_record(way, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	add(&way->bytes, ID);
	add(&way->bytes, ip);
	add(&way->bytes, (uint64_t)PID << 32 | PID);
	add(&way->bytes, ++way->time_ns);
	add(&way->bytes, caller ? 3 : 0);
	if (caller) {
		add(&way->bytes, (uint64_t)PERF_CONTEXT_USER);
		add(&way->bytes, ip);
		add(&way->bytes, caller);
	}
	end_record(way, at, true);
}

static void late_chain(struct way *way, uint64_t caller)
{
	size_t at = begin_record(way, RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);

	add(&way->bytes, 1);
	add(&way->bytes, 2);
	add(&way->bytes, (uint64_t)PERF_CONTEXT_USER);
	add(&way->bytes, caller);
	end_record(way, at, false);
}

static void process_ends(struct way *way)
{
	size_t at = begin_record(way, PERF_RECORD_EXIT, 0);

	add(&way->bytes, PID | UINT64_C(1) << 32);
	add(&way->bytes, PID | UINT64_C(1) << 32);
	add(&way->bytes, way->time_ns);
	end_record(way, at, false);
}

/* What came so far. */
static void pass_round(struct way *way)
{
	size_t at;

	for (at = 0; at < way->bytes.size;) {
		const struct perf_event_header *header = (const void *)(way->bytes.text + at);

		way->stage->look(way->stage, header);
		at += header->size;
	}
	way->stage->settle(way->stage);
	for (at = 0; at < way->bytes.size;) {
		const struct perf_event_header *header = (const void *)(way->bytes.text + at);

		way->stage->note(way->stage, header);
		at += header->size;
	}
	str_clear(&way->bytes);
}

/* Where a function of this program lies in its file, and so in a mapping of all of it. */
static uint64_t offset_of(const char *name)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(symtab_freep) struct symtab *table = NULL;
	const struct symbol *symbol;
	uint64_t offset = 0;

	assert_int_equal(elf_file_open("/proc/self/exe", &file, NULL), 0);
	table = elf_symbols_load(file, NULL, NULL);
	symbol = symtab_find_name(table, name);
	assert_non_null(symbol);
	assert_true(elf_file_vaddr_to_offset(file, symbol->start, &offset));
	return offset;
}

/* "OBJECT: NAME NAME", a line each. */
static char *kept_text(struct way *way)
{
	struct body_out body = { 0 };
	struct keptnames_object object;
	struct keptnames_symbol symbol;
	struct keptnames_walk walk;
	struct str text = { 0 };

	str_add(&text, "");
	pass_round(way);
	kept_names_encode(way->kept, &body);
	walk = keptnames_begin(body.bytes, body.size, false);
	while (body.size > 0 && keptnames_next(&walk, &object)) {
		str_addf(&text, "%s:", object.name);
		while (keptnames_next_symbol(&walk, &symbol))
			str_addf(&text, " %s", symbol.name);
		str_add(&text, "\n");
	}
	body_done(&body);
	return str_take(&text);
}

static void check_kept(struct way *way, const char *expected)
{
	_cleanup_(freep) char *text = kept_text(way);

	assert_string_equal(text, expected);
}

static void what_was_sampled_of_a_file_that_is_elsewhere_is_kept(void **state)
{
	struct way way = start(8);
	_cleanup_(freep) char *text = NULL;

	map(&way, CODE, "/nowhere/app", 77);
	map(&way, CODE + 2 * SIZE, "/nowhere/lib", 78);
	pass_round(&way);
	assert_int_equal(world.open_count, 2);
	world.is_gone = true;
	sample(&way, CODE + offset_of("main"), CODE + offset_of("sampled_other"));
	text = kept_text(&way); /* by address, which is the linker's choice */
	if (strcmp(text, "/nowhere/app: sampled_other main\n") != 0)
		assert_string_equal(text, "/nowhere/app: main sampled_other\n");
	end_way(&way);
}

static void chains_that_come_late_count_too(void **state)
{
	struct way way = start(8);

	map(&way, CODE, "/nowhere/app", 77);
	late_chain(&way, CODE + offset_of("sampled_other"));
	check_kept(&way, "/nowhere/app: sampled_other\n");
	end_way(&way);
}

static void a_file_that_is_where_it_was_is_opened_when_sampled_and_not_kept(void **state)
{
	char path[PATH_MAX] = { 0 };
	struct way way = start(8);
	struct stat status;

	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	assert_int_equal(stat(path, &status), 0);
	map(&way, CODE, path, status.st_ino);
	pass_round(&way);
	assert_int_equal(world.open_count, 0);
	sample(&way, CODE + offset_of("main"), 0);
	sample(&way, CODE + offset_of("main") + 2, 0);
	pass_round(&way);
	assert_int_equal(world.open_count, 1);
	check_kept(&way, "");
	end_way(&way);
}

static void a_deleted_file_is_held_though_its_name_leads_to_another(void **state)
{
	struct way way = start(8);

	map(&way, CODE, "/bin/sh (deleted)", 77);
	sample(&way, CODE + offset_of("main"), 0);
	check_kept(&way, "/bin/sh: main\n");
	end_way(&way);
}

static void what_was_not_sampled_makes_room_first(void **state)
{
	struct way way = start(2);

	map(&way, CODE, "/nowhere/a", 1);
	map(&way, CODE + 2 * SIZE, "/nowhere/b", 2);
	sample(&way, CODE + 2 * SIZE + offset_of("main"), 0);
	pass_round(&way);
	/* b was sampled, a not: c takes the place of a, and d has to wait for its sample. */
	map(&way, CODE + 4 * SIZE, "/nowhere/c", 3);
	sample(&way, CODE + 4 * SIZE + offset_of("main"), 0);
	pass_round(&way);
	map(&way, CODE + 6 * SIZE, "/nowhere/d", 4);
	pass_round(&way);
	assert_int_equal(world.open_count, 3);
	sample(&way, CODE + 6 * SIZE + offset_of("main"), 0);
	check_kept(&way, "/nowhere/b: main\n/nowhere/c: main\n/nowhere/d: main\n");
	assert_int_equal(world.open_count, 4);
	end_way(&way);
}

static void without_room_for_files_nothing_is_opened(void **state)
{
	struct way way = start(0);

	map(&way, CODE, "/nowhere/app", 77);
	sample(&way, CODE + offset_of("main"), 0);
	check_kept(&way, "");
	assert_int_equal(world.open_count, 0);
	end_way(&way);
}

static void write_map(const char *text)
{
	char path[96];
	int fd;

	if (!world.folder[0]) {
		(void)strcpy(world.folder, "/tmp/strobe-test-XXXXXX");
		assert_non_null(mkdtemp(world.folder));
	}
	(void)snprintf(path, sizeof(path), "%s/perf-%d.map", world.folder, INNER_PID);
	(void)unlink(path);
	if (!text) {
		(void)rmdir(world.folder);
		world.folder[0] = '\0';
		return;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
}

static void a_perf_map_is_read_when_its_process_ends(void **state)
{
	struct way way = start(8);

	write_map("7e0000000100 40 old\n7e0000000200 40 never\n");
	map(&way, JIT, "//anon", 0);
	sample(&way, JIT + 0x110, 0);
	pass_round(&way);
	assert_int_equal(world.folder_count, 1);
	write_map("7e0000000100 40 old\n7e0000000200 40 never\n7e0000000300 40 new\n"
		  "7e0000000120 10 over\n");
	sample(&way, JIT + 0x310, JIT + 0x128);
	process_ends(&way);
	pass_round(&way);
	world.is_gone = true;
	pass_round(&way);
	write_map(NULL);
	check_kept(&way, "/tmp/perf-42.map: old new over\n");
	end_way(&way);
}

static void a_perf_map_of_somebody_else_is_not_read(void **state)
{
	struct way way = start(8);

	if (geteuid() != 0)
		skip();
	write_map("7e0000000100 40 wrong\n");
	{
		char path[96];

		(void)snprintf(path, sizeof(path), "%s/perf-%d.map", world.folder, INNER_PID);
		assert_int_equal(chown(path, 4711, 4711), 0);
	}
	map(&way, JIT, "//anon", 0);
	sample(&way, JIT + 0x110, 0);
	check_kept(&way, "");
	write_map(NULL);
	end_way(&way);
}

static void count_id(void *context, const char *name, const uint8_t *id, size_t size)
{
	struct str *text = context;

	str_addf(text, "%s %s\n", name, size ? "has one" : "has none");
}

static void build_ids_are_told_of_what_was_opened_or_is_elsewhere(void **state)
{
	struct way way = start(1);
	struct str text = { 0 };

	map(&way, CODE, "/nowhere/a", 1);
	map(&way, CODE + 2 * SIZE, "/nowhere/b", 2);
	sample(&way, CODE + 2 * SIZE + offset_of("main"), 0);
	pass_round(&way);
	kept_names_each_build_id(way.kept, count_id, &text);
	assert_string_equal(str_text(&text), "/nowhere/a has none\n/nowhere/b has one\n");
	str_done(&text);
	end_way(&way);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_sampled_of_a_file_that_is_elsewhere_is_kept),
		cmocka_unit_test(chains_that_come_late_count_too),
		cmocka_unit_test(a_file_that_is_where_it_was_is_opened_when_sampled_and_not_kept),
		cmocka_unit_test(a_deleted_file_is_held_though_its_name_leads_to_another),
		cmocka_unit_test(what_was_not_sampled_makes_room_first),
		cmocka_unit_test(without_room_for_files_nothing_is_opened),
		cmocka_unit_test(a_perf_map_is_read_when_its_process_ends),
		cmocka_unit_test(a_perf_map_of_somebody_else_is_not_read),
		cmocka_unit_test(build_ids_are_told_of_what_was_opened_or_is_elsewhere),
	};

	return cmocka_run_group_tests_name("kept-names", tests, NULL, NULL);
}
