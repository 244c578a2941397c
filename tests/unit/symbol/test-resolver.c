#include "../test.h"

#include <elf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "data/record.h"
#include "model/timeline.h"
#include "object/elf-file.h"
#include "object/insn.h"
#include "object/lines.h"
#include "symbol/resolve.h"

enum { USER = PERF_RECORD_MISC_USER, KERNEL = PERF_RECORD_MISC_KERNEL };

#define TEXT UINT64_C(0xffffffff81000000)

static struct timeline *timeline;
static char folder[64]; /* of the test's files; also the build-id cache, which is empty */
static char self[4096]; /* this program */

static int setup(void **state)
{
	ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);

	strcpy(folder, "/tmp/test-resolver-XXXXXX");
	timeline = timeline_new();
	if (size > 0)
		self[size] = '\0';
	return size > 0 && mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	timeline_free(timeline);
	return rmdir(folder);
}

static const char *write_file(const char *name, const char *text)
{
	static char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	return path;
}

static const struct map *add_map(uint16_t mode, uint32_t pid, uint64_t start, uint64_t size,
				 uint64_t pgoff, const char *name, const uint8_t *build_id)
{
	union {
		struct perf_event_header header;
		struct record_mmap2 mmap2;
		unsigned char bytes[8192];
	} any = { .mmap2 = { .pid = pid, .start = start, .size = size, .pgoff = pgoff } };
	struct record record = { &any.header, 8 };

	any.header.type = PERF_RECORD_MMAP2;
	any.header.misc = mode;
	any.header.size = (uint16_t)((sizeof(any.mmap2) + strlen(name) + 8) & ~7UL);
	any.mmap2.prot = 5;
	strcpy(any.mmap2.filename, name);
	if (build_id) {
		any.header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
		any.mmap2.build_id_size = 20;
		memcpy(any.mmap2.build_id, build_id, 20);
	}
	assert_int_equal(timeline_add(timeline, &record, 0), 0);
	timeline_settle(timeline);
	return timeline_map(timeline, pid, mode, start, 0);
}

static struct resolver *resolver_with(struct resolver_options options)
{
	assert_int_equal(setenv("PERF_BUILDID_DIR", folder, 1), 0);
	return resolver_new(&options, timeline);
}

static const char *name_of(struct resolver *resolver, const struct map *map, uint64_t addr)
{
	struct place place = resolver_find(resolver, map, addr);

	return place.function ? place.function->name : "none";
}

extern char __executable_start; /* the linker's: where the first segment is */

/* Where write_file() would be if its file were mapped as a whole. */
static uint64_t offset_of_write_file(void)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	uint64_t offset = 0;

	assert_int_equal(elf_file_open(self, &file, NULL), 0);
	uint64_t vaddr = (uint64_t)((char *)(uintptr_t)write_file - &__executable_start) +
			 elf_file_segment(file, 0)->vaddr;

	assert_true(elf_file_vaddr_to_offset(file, vaddr, &offset));
	return offset;
}

static void a_function_of_a_file_has_its_name(void **state)
{
	const struct map *map = add_map(USER, 1, 0x10000000, 0x10000000, 0, self, NULL);
	struct resolver *resolver = resolver_with((struct resolver_options){ 0 });
	uint64_t addr = map->start + offset_of_write_file();
	struct place place = resolver_find(resolver, map, addr);

	assert_non_null(place.function);
	assert_string_equal(place.function->name, "write_file");
	assert_int_equal(place.function->start, place.object_addr);
	assert_ptr_equal(resolver_find(resolver, map, addr + 1).function, place.function);
	assert_int_equal(resolver_reason(resolver, map->dso), REASON_NONE);
	assert_null(resolver_find(resolver, NULL, addr).map);
	assert_string_equal(name_of(resolver, NULL, addr), "none");
	resolver_free(resolver);
}

static void functions_outlive_the_tables_of_files_that_nobody_maps(void **state)
{
	const struct map *map = add_map(USER, 1, 0x10000000, 0x10000000, 0, self, NULL);
	struct resolver *resolver = resolver_with((struct resolver_options){ 0 });
	uint64_t addr = map->start + offset_of_write_file();
	const struct function *function = resolver_find(resolver, map, addr).function;
	struct hash dsos = { 0 };

	assert_string_equal(function->name, "write_file");
	hash_add(&dsos, map->dso->id, NULL)->number = DSO_MAPPED;
	for (int i = 0; i < 10; i++)
		resolver_forget(resolver, &dsos);
	assert_ptr_equal(resolver_find(resolver, map, addr).function, function);
	hash_add(&dsos, map->dso->id, NULL)->number = 0;
	for (int i = 0; i < 10; i++)
		resolver_forget(resolver, &dsos);
	assert_string_equal(function->name, "write_file");
	assert_int_equal(resolver_reason(resolver, map->dso), REASON_NONE);
	/* Read again, the file has the same function. */
	assert_ptr_equal(resolver_find(resolver, map, addr).function, function);
	resolver_free(resolver);
	hash_done(&dsos);
}

/* A place of sample-inlines.c where three functions are within each other; resolver_find() has been
 * asked for it. */
static struct place deepest_place(struct resolver *resolver, struct frames *frames)
{
	const char *samples = getenv("STROBE_SAMPLES");
	struct place place = { 0 };
	char path[4096];

	assert_non_null(samples);
	(void)snprintf(path, sizeof(path), "%s/sample-inlines-dwarf5", samples);
	const struct map *map = add_map(USER, 1, 0x10000000, 0x100000, 0, path, NULL);

	for (uint64_t offset = 0x1000; offset < 0x3000; offset++) {
		place = resolver_find(resolver, map, map->start + offset);
		if (resolver_frames(resolver, &place, true, frames) && frames->count == 3)
			return place;
	}
	fail();
	return place;
}

static void assert_frames(const struct frames *frames)
{
	assert_int_equal(frames->count, 3);
	assert_string_equal(frames->items[0].function->name, "innermost");
	assert_string_equal(frames->items[1].function->name, "middle");
	assert_string_equal(frames->items[2].function->name, "sample_outer");
	assert_true(frames->items[0].function->inlined && frames->items[1].function->inlined);
	assert_false(frames->items[2].function->inlined);
}

static void functions_within_each_other_outlive_their_file(void **state)
{
	struct resolver *resolver = resolver_with((struct resolver_options){ .inlines = true });
	struct frames frames = { 0 };
	struct hash dsos = { 0 };
	struct place place = deepest_place(resolver, &frames), begin = place;

	assert_frames(&frames);
	assert_int_not_equal(frames.items[0].line, 0);
	begin.object_addr = resolver_frames_begin(resolver, &place);
	assert_true(begin.object_addr >= place.function->start &&
		    begin.object_addr <= place.object_addr);
	for (int i = 0; i < 10; i++)
		resolver_forget(resolver, &dsos);
	assert_int_equal(resolver_frames_begin(resolver, &begin), begin.object_addr);
	/* Of what was not kept nothing is known any more, and no file is opened for it. */
	begin.object_addr++;
	assert_false(resolver_frames(resolver, &begin, false, &frames));
	begin.object_addr--;
	assert_true(resolver_frames(resolver, &begin, false, &frames));
	assert_frames(&frames);
	/* Whoever wants lines has the file read again. */
	assert_true(resolver_frames(resolver, &begin, true, &frames));
	assert_frames(&frames);
	assert_int_not_equal(frames.items[0].line, 0);
	resolver_frames_done(&frames);
	resolver_free(resolver);
	hash_done(&dsos);
}

static void a_place_has_the_source_line_of_its_file(void **state)
{
	const struct map *map = add_map(USER, 1, 0x10000000, 0x10000000, 0, self, NULL);
	struct resolver *resolver = resolver_with((struct resolver_options){ 0 });
	struct place place = resolver_find(resolver, map, map->start + offset_of_write_file());
	struct place nowhere = { .addr = 1 };
	struct source_line line;

	assert_false(resolver_line(resolver, &nowhere, &line));
	if (!resolver_line(resolver, &place, &line)) {
		resolver_free(resolver);
		skip(); /* the tests were built without debug information */
	}
	assert_non_null(strstr(line.file, "test-resolver.c"));
	assert_in_range(line.line, 1, 120);
	resolver_free(resolver);
}

static void the_code_of_a_place_is_that_of_its_file(void **state)
{
	const struct map *map = add_map(USER, 1, 0x10000000, 0x10000000, 0, self, NULL);
	struct resolver *resolver = resolver_with((struct resolver_options){ 0 });
	struct place place = resolver_find(resolver, map, map->start + offset_of_write_file());
	struct place nowhere = { .addr = 1 };
	struct code_kind kind = { 0 };
	uint8_t code[8], expected[8];

	memcpy(expected, (const void *)(uintptr_t)write_file, sizeof(expected));
	assert_int_equal(resolver_code(resolver, &place, code, sizeof(code), &kind), sizeof(code));
	assert_memory_equal(code, expected, sizeof(code));
	assert_int_not_equal(kind.machine, EM_NONE);
	assert_int_equal(kind.is_64bit, sizeof(void *) == 8);
	assert_int_equal(resolver_code(resolver, &nowhere, code, sizeof(code), &kind), 0);
	resolver_free(resolver);
}

static void a_file_of_another_build_gives_no_names(void **state)
{
	static const uint8_t other[20] = { 1, 2, 3 };
	const struct map *map = add_map(USER, 1, 0x10000000, 0x10000000, 0, self, other);
	struct resolver *resolver = resolver_with((struct resolver_options){ 0 });
	uint64_t addr = map->start + offset_of_write_file();
	struct place place = resolver_find(resolver, map, addr);
	struct code_kind kind;
	uint8_t code[8];

	assert_string_equal(name_of(resolver, map, addr), "none");
	assert_string_equal(reason_text(resolver_reason(resolver, map->dso)), "build-id mismatch");
	assert_int_equal(resolver_code(resolver, &place, code, sizeof(code), &kind), 0);
	resolver_free(resolver);
}

static void the_build_id_cache_has_files_that_are_gone(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	char path[256], link_path[300];
	const uint8_t *id = NULL;

	assert_int_equal(elf_file_open(self, &file, NULL), 0);
	if (elf_file_build_id(file, &id) != 20)
		skip(); /* the linker makes none */
	(void)snprintf(path, sizeof(path), "%s/.build-id", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path + strlen(path), 8, "/%02x", id[0]);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)strcat(path, "/");
	for (int i = 1; i < 20; i++)
		(void)snprintf(path + strlen(path), 3, "%02x", id[i]);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(link_path, sizeof(link_path), "%s/elf", path);
	assert_int_equal(symlink(self, link_path), 0);

	const struct map *map = add_map(USER, 1, 0x10000000, 0x10000000, 0, "/gone", id);
	struct resolver *resolver = resolver_with((struct resolver_options){ 0 });

	assert_string_equal(name_of(resolver, map, map->start + offset_of_write_file()),
			    "write_file");
	resolver_free(resolver);
	assert_int_equal(unlink(link_path), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(rmdir(path), 0);
		*strrchr(path, '/') = '\0';
	}
}

static void a_file_may_be_called_as_if_it_were_deleted(void **state)
{
	char path[128];
	const char *other = write_file("x", "what another file of that name is now");

	(void)snprintf(path, sizeof(path), "%s (deleted)", other);
	assert_int_equal(symlink(self, path), 0);
	const struct map *map = add_map(USER, 1, 0x10000000, 0x10000000, 0, path, NULL);
	struct resolver *resolver = resolver_with((struct resolver_options){ 0 });

	assert_string_equal(name_of(resolver, map, map->start + offset_of_write_file()),
			    "write_file");
	resolver_free(resolver);
	assert_int_equal(unlink(path), 0);
	path[strlen(path) - strlen(" (deleted)")] = '\0';
	assert_int_equal(unlink(path), 0);
}

static void what_cannot_be_read_has_a_reason(void **state)
{
	static const struct {
		const char *name, *reason;
	} cases[] = {
		{ "/nonexistent/file", "no such file" },
		{ "/dev/tty", "not a file" },
		{ "/etc/passwd", "not an ELF file" },
		{ "/proc/self/exe", "no such file" },
		{ "/bin/sh (deleted)", "deleted, and no build-id to know it by" },
		{ "[vdso]", "no image of the vdso of that kernel" },
		{ "//anon", "no perf map of its JIT compiler" },
	};
	size_t count = sizeof(cases) / sizeof(*cases);
	struct resolver *resolver = resolver_with((struct resolver_options){ .symfs = NULL });

	for (size_t i = 0; i < count; i++) {
		const struct map *map = add_map(USER, 1 + (uint32_t)getpid(), (i + 1) << 16,
						1 << 16, 0, cases[i].name, NULL);

		assert_string_equal(name_of(resolver, map, map->start + 8), "none");
		assert_string_equal(reason_text(resolver_reason(resolver, map->dso)),
				    cases[i].reason);
	}
	resolver_free(resolver);
}

static void jit_code_has_the_names_of_its_perf_map(void **state)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/tmp", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	const char *written = write_file("tmp/perf-99.map", "7000 20 jitted one\n");
	const struct map *map = add_map(USER, 99, 0x7000, 0x1000, 0x7000, "//anon", NULL);
	struct resolver *resolver = resolver_with((struct resolver_options){ .symfs = folder });

	assert_string_equal(name_of(resolver, map, 0x7010), "jitted one");
	assert_string_equal(name_of(resolver, map, 0x7020), "none");
	assert_int_equal(resolver_find(resolver, map, 0x7010).object_addr, 0x7010);
	resolver_free(resolver);
	assert_int_equal(unlink(written), 0);
	assert_int_equal(rmdir(path), 0);
}

static const uint8_t OURS[20] = { 0xaa, 0xbb }, THEIRS[20] = { 0xcc };
static const char KALLSYMS[] = "ffffffff81000000 T _text\nffffffff81001000 T schedule\n"
			       "ffffffff81002000 T _etext\n"
			       "ffffffffa0000000 t ext4_init\t[ext4]\n";

static struct resolver_options running(const char *kallsyms)
{
	return (struct resolver_options){
		.running_kallsyms = kallsyms,
		.running_build_id = OURS,
		.running_build_id_size = sizeof(OURS),
	};
}

static void the_running_kernel_names_its_own_recordings(void **state)
{
	const char *path = write_file("kallsyms", KALLSYMS);
	const struct map *map =
		add_map(KERNEL, UINT32_MAX, TEXT, 0x10000, TEXT, "[kernel.kallsyms]_text", OURS);
	const struct map *module = add_map(KERNEL, UINT32_MAX, 0xffffffffa0000000, 0x1000, 0,
					   "/lib/modules/6.1/kernel/ext4.ko", NULL);
	struct resolver *resolver = resolver_with(running(path));

	assert_string_equal(name_of(resolver, map, TEXT + 0x1080), "schedule");
	assert_string_equal(name_of(resolver, module, 0xffffffffa0000010), "ext4_init");
	assert_int_equal(resolver_find(resolver, map, TEXT + 0x1080).function->start,
			 TEXT + 0x1000);
	resolver_free(resolver);
	assert_int_equal(unlink(path), 0);
}

static void another_boot_of_the_kernel_is_elsewhere(void **state)
{
	const char *path = write_file("kallsyms", KALLSYMS);
	uint64_t text = TEXT + 0x2000000;
	const struct map *map =
		add_map(KERNEL, UINT32_MAX, text, 0x10000, text, "[kernel.kallsyms]_text", OURS);
	const struct map *module = add_map(KERNEL, UINT32_MAX, 0xffffffffa0000000, 0x1000, 0,
					   "/lib/modules/6.1/kernel/ext4.ko", NULL);
	struct resolver *resolver = resolver_with(running(path));
	struct place place = resolver_find(resolver, map, text + 0x1080);

	assert_non_null(place.function);
	assert_string_equal(place.function->name, "schedule");
	assert_int_equal(place.function->start, text + 0x1000);
	assert_string_equal(name_of(resolver, module, 0xffffffffa0000010), "none");
	resolver_free(resolver);
	assert_int_equal(unlink(path), 0);
}

static void another_kernel_gives_no_names(void **state)
{
	const char *path = write_file("kallsyms", KALLSYMS);
	const struct map *map =
		add_map(KERNEL, UINT32_MAX, TEXT, 0x10000, TEXT, "[kernel.kallsyms]_text", THEIRS);
	struct resolver *resolver = resolver_with(running(path));
	struct resolver_options given = running(NULL);

	assert_string_equal(name_of(resolver, map, TEXT + 0x1080), "none");
	assert_string_equal(reason_text(resolver_reason(resolver, map->dso)),
			    "recorded under another kernel");
	resolver_free(resolver);

	given.kallsyms = path; /* who gives it must know */
	resolver = resolver_with(given);
	assert_string_equal(name_of(resolver, map, TEXT + 0x1080), "schedule");
	resolver_free(resolver);
	assert_int_equal(unlink(path), 0);
}

static void without_a_build_id_the_kernel_must_be_where_it_was(void **state)
{
	const char *path = write_file("kallsyms", KALLSYMS);
	const struct map *map =
		add_map(KERNEL, UINT32_MAX, TEXT, 0x10000, TEXT, "[kernel.kallsyms]_text", NULL);
	struct resolver_options options = running(path);
	struct resolver *resolver = resolver_with(options);

	assert_string_equal(name_of(resolver, map, TEXT + 0x1080), "schedule");
	resolver_free(resolver);
	options.foreign = true;
	resolver = resolver_with(options);
	assert_string_equal(name_of(resolver, map, TEXT + 0x1080), "none");
	resolver_free(resolver);
	assert_int_equal(unlink(path), 0);
	path = write_file("kallsyms", "ffffffff85000000 T _text\nffffffff85001000 T schedule\n");
	resolver = resolver_with(running(path));
	assert_string_equal(name_of(resolver, map, TEXT + 0x1080), "none");
	resolver_free(resolver);
	assert_int_equal(unlink(path), 0);
}

static void hidden_kernel_addresses_are_a_reason(void **state)
{
	const char *path = write_file("kallsyms", "0 T _text\n0 T schedule\n");
	const struct map *map =
		add_map(KERNEL, UINT32_MAX, TEXT, 0x10000, TEXT, "[kernel.kallsyms]_text", OURS);
	struct resolver *resolver = resolver_with(running(path));

	assert_string_equal(name_of(resolver, map, TEXT + 0x1080), "none");
	assert_string_equal(reason_text(resolver_reason(resolver, map->dso)),
			    "the kernel hides its addresses");
	resolver_free(resolver);
	assert_int_equal(unlink(path), 0);
}

struct asked {
	struct resolver *resolver;
	const struct map *map;
	uint64_t offset;
	const struct function *found[4096];
};

static void *ask(void *context)
{
	struct asked *asked = context;

	for (size_t i = 0; i < 4096; i++)
		asked->found[i] = resolver_find(asked->resolver, asked->map,
						asked->map->start + asked->offset + i)
					  .function;
	return NULL;
}

static void many_threads_find_the_same_functions(void **state)
{
	static struct asked asked[4];
	const struct map *map = add_map(USER, 1, 0x10000000, 0x10000000, 0, self, NULL);
	struct resolver *resolver = resolver_with((struct resolver_options){ .demangle = true });
	pthread_t threads[4];
	size_t named = 0;

	for (size_t i = 0; i < 4; i++) {
		asked[i] = (struct asked){ .resolver = resolver, .map = map };
		asked[i].offset = offset_of_write_file();
		assert_int_equal(pthread_create(&threads[i], NULL, ask, &asked[i]), 0);
	}
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	for (size_t i = 0; i < 4096; i++) {
		named += asked[0].found[i] != NULL;
		for (size_t k = 1; k < 4; k++)
			assert_ptr_equal(asked[k].found[i], asked[0].found[i]);
	}
	assert_true(named > 0);
	resolver_free(resolver);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(a_function_of_a_file_has_its_name),
		CASE(functions_outlive_the_tables_of_files_that_nobody_maps),
		CASE(functions_within_each_other_outlive_their_file),
		CASE(a_place_has_the_source_line_of_its_file),
		CASE(the_code_of_a_place_is_that_of_its_file),
		CASE(a_file_of_another_build_gives_no_names),
		CASE(the_build_id_cache_has_files_that_are_gone),
		CASE(a_file_may_be_called_as_if_it_were_deleted),
		CASE(what_cannot_be_read_has_a_reason),
		CASE(jit_code_has_the_names_of_its_perf_map),
		CASE(the_running_kernel_names_its_own_recordings),
		CASE(another_boot_of_the_kernel_is_elsewhere),
		CASE(another_kernel_gives_no_names),
		CASE(without_a_build_id_the_kernel_must_be_where_it_was),
		CASE(hidden_kernel_addresses_are_a_reason),
		CASE(many_threads_find_the_same_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
