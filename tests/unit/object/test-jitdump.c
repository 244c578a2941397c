#include "../test.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "object/jitdump.h"

/* A dump as it is written, in the one or the other byte order. */
static struct {
	int fd;
	bool foreign;
} dump;

static int setup(void **state)
{
	dump.fd = memfd_create("dump", MFD_CLOEXEC);
	dump.foreign = false;
	return dump.fd < 0;
}

static int teardown(void **state)
{
	return close(dump.fd);
}

static void put(const void *bytes, size_t size)
{
	assert_int_equal(write(dump.fd, bytes, size), size);
}

static void put_32(uint32_t value)
{
	value = bytes_u32(value, dump.foreign);
	put(&value, sizeof(value));
}

static void put_64(uint64_t value)
{
	value = bytes_u64(value, dump.foreign);
	put(&value, sizeof(value));
}

static void put_header(uint32_t version, uint64_t flags)
{
	put_32(0x4A695444);
	put_32(version);
	put_32(40);
	put_32(EM_AARCH64);
	put_32(0);
	put_32(7);
	put_64(5);
	put_64(flags);
}

static void put_prefix(uint32_t type, size_t size, uint64_t time)
{
	put_32(type);
	put_32((uint32_t)size);
	put_64(time);
}

static void put_load(const char *name, uint64_t addr, uint64_t size, uint64_t index, uint64_t time)
{
	_cleanup_(freep) char *code = xcalloc(1, size + 1);

	put_prefix(0, 56 + strlen(name) + 1 + size, time);
	put_32(7);
	put_32(8);
	put_64(addr);
	put_64(addr);
	put_64(size);
	put_64(index);
	put(name, strlen(name) + 1);
	put(code, size);
}

static void put_move(uint64_t from, uint64_t to, uint64_t size, uint64_t index, uint64_t time)
{
	put_prefix(1, 64, time);
	put_32(7);
	put_32(8);
	put_64(to);
	put_64(from);
	put_64(to);
	put_64(size);
	put_64(index);
}

struct line {
	uint64_t addr;
	uint32_t line;
	const char *file;
};

static void put_lines(uint64_t addr, const struct line *lines, size_t count)
{
	size_t size = 32;

	for (size_t i = 0; i < count; i++)
		size += 16 + strlen(lines[i].file) + 1;
	put_prefix(2, size, 1);
	put_64(addr);
	put_64(count);
	for (size_t i = 0; i < count; i++) {
		put_64(lines[i].addr);
		put_32(lines[i].line);
		put_32(0);
		put(lines[i].file, strlen(lines[i].file) + 1);
	}
}

static struct jitdump *open_dump(void)
{
	struct jitdump *opened = NULL;
	struct strobe_err err = { 0 };

	if (jitdump_new(dump.fd, "F", &opened, &err) < 0)
		fail_msg("%s", err.text);
	return opened;
}

static void code_is_loaded_and_moved_in_both_byte_orders(void **state)
{
	for (int foreign = 0; foreign < 2; foreign++) {
		struct jitdump_record record;

		assert_int_equal(ftruncate(dump.fd, 0), 0);
		assert_int_equal(lseek(dump.fd, 0, SEEK_SET), 0);
		dump.foreign = foreign;
		put_header(1, 0);
		put_load("first", 0x1000, 16, 1, 10);
		put_prefix(77, 20, 11); /* of a later version */
		put_32(0);
		put_move(0x1000, 0x2000, 16, 1, 20);
		_cleanup_(jitdump_freep) struct jitdump *opened = open_dump();

		assert_int_equal(jitdump_header(opened)->foreign, foreign);
		assert_int_equal(jitdump_header(opened)->machine, EM_AARCH64);
		assert_int_equal(jitdump_header(opened)->pid, 7);
		assert_false(jitdump_header(opened)->has_ticks);
		assert_true(jitdump_next(opened, dump.fd, &record));
		assert_int_equal(record.type, JITDUMP_LOAD);
		assert_string_equal(record.name, "first");
		assert_int_equal(record.addr, 0x1000);
		assert_int_equal(record.size, 16);
		assert_int_equal(record.time_ns, 10);
		assert_int_equal(record.code_offset, 40 + 56 + 6);
		assert_true(jitdump_next(opened, dump.fd, &record));
		assert_int_equal(record.type, JITDUMP_MOVE);
		assert_int_equal(record.old_addr, 0x1000);
		assert_int_equal(record.addr, 0x2000);
		assert_int_equal(record.index, 1);
		assert_false(jitdump_next(opened, dump.fd, &record));
		assert_int_equal(jitdump_damaged(opened) + jitdump_rest(opened), 0);
	}
}

static void a_dump_that_grows_is_read_on(void **state)
{
	struct jitdump_record record;

	put_header(1, 1);
	_cleanup_(jitdump_freep) struct jitdump *opened = open_dump();

	assert_true(jitdump_header(opened)->has_ticks);
	assert_false(jitdump_next(opened, dump.fd, &record));
	put_prefix(0, 56 + 4 + 8, 10);
	assert_false(jitdump_next(opened, dump.fd, &record));
	assert_int_equal(jitdump_rest(opened), 16);
	for (int i = 0; i < 5; i++)
		put_64(i == 3 ? 8 : 0x1000); /* ids, addresses, size, index */
	put("one", 4);
	assert_false(jitdump_next(opened, dump.fd, &record));
	put_64(0);
	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_string_equal(record.name, "one");
	put_load("two", 0x2000, 300000, 2, 20); /* more than is looked at at once */
	put_load("three", 0x3000, 8, 3, 30);
	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_string_equal(record.name, "two");
	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_string_equal(record.name, "three");
	assert_false(jitdump_next(opened, dump.fd, &record));
}

static void lines_are_those_of_the_code_that_is_loaded_next(void **state)
{
	static const struct line lines[] = { { 0x1008, 4, "b.js" },
					     { 0x1000, 3, "a.js" },
					     { 0x1004, 4, "\xff" } };
	struct jitdump_record record;
	struct jitdump_line *found = NULL;
	struct arena arena = { 0 };

	put_header(1, 0);
	put_lines(0x1000, lines, 3);
	put_load("with", 0x1000, 16, 1, 10);
	put_load("without", 0x2000, 16, 2, 20);
	_cleanup_(jitdump_freep) struct jitdump *opened = open_dump();

	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_int_equal(jitdump_lines(opened, dump.fd, &record, &arena, &found), 3);
	assert_int_equal(found[0].line, 3);
	assert_string_equal(found[0].file, "a.js");
	assert_int_equal(found[1].addr, 0x1004);
	assert_string_equal(found[1].file, "a.js");
	assert_string_equal(found[2].file, "b.js");
	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_int_equal(record.debug_offset, 0);
	arena_done(&arena);
}

static void what_a_compiler_adds_to_all_lines_is_taken_off(void **state)
{
	static const struct line lines[] = { { 0x1040, 3, "a.js" }, { 0x1050, 4, "a.js" } };
	struct jitdump_record record;
	struct jitdump_line *found = NULL;
	struct arena arena = { 0 };

	put_header(1, 0);
	put_lines(0x1000, lines, 2);
	put_load("shifted", 0x1000, 16, 1, 10);
	_cleanup_(jitdump_freep) struct jitdump *opened = open_dump();

	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_int_equal(jitdump_lines(opened, dump.fd, &record, &arena, &found), 2);
	assert_int_equal(found[0].addr, 0x1000);
	assert_int_equal(found[1].addr, 0x1010);
	arena_done(&arena);
}

static void lines_of_other_code_are_none(void **state)
{
	static const struct line lines[] = { { 0x1000, 3, "a.js" }, { 0x1011, 4, "a.js" } };
	struct jitdump_record record;
	struct jitdump_line *found = NULL;
	struct arena arena = { 0 };

	put_header(1, 0);
	put_lines(0x1000, lines, 2);
	put_load("damaged", 0x1000, 16, 1, 10);
	_cleanup_(jitdump_freep) struct jitdump *opened = open_dump();

	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_int_equal(jitdump_lines(opened, dump.fd, &record, &arena, &found), 0);
	record.debug_offset = record.code_offset;
	assert_int_equal(jitdump_lines(opened, dump.fd, &record, &arena, &found), 0);
	arena_done(&arena);
}

static void unwinding_information_is_read_whole(void **state)
{
	struct jitdump_record record;
	struct jitdump_unwind unwind;
	struct arena arena = { 0 };

	put_header(1, 0);
	put_prefix(4, 40 + 8, 1);
	put_64(8);
	put_64(4);
	put_64(8);
	put("abcdefgh", 8);
	put_load("with", 0x1000, 16, 1, 10);
	put_prefix(4, 40, 1);
	put_64(9); /* more than there is */
	put_64(0);
	put_64(0);
	put_load("damaged", 0x2000, 16, 1, 10);
	_cleanup_(jitdump_freep) struct jitdump *opened = open_dump();

	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_true(jitdump_unwind(opened, dump.fd, record.unwind_offset, &arena, &unwind));
	assert_int_equal(unwind.size, 8);
	assert_int_equal(unwind.header_size, 4);
	assert_memory_equal(unwind.bytes, "abcdefgh", 8);
	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_false(jitdump_unwind(opened, dump.fd, record.unwind_offset, &arena, &unwind));
	arena_done(&arena);
}

static void damage_is_counted_and_passed_over(void **state)
{
	struct jitdump_record record;

	put_header(1, 0);
	put_prefix(0, 56, 1); /* no name, and no code of that size */
	for (int i = 0; i < 5; i++)
		put_64(0x1000);
	put_prefix(1, 16, 1); /* moves nothing */
	put_load("good", 0x1000, 16, 1, 10);
	put_prefix(0, 8, 1); /* less than its own beginning */
	put_load("behind", 0x2000, 16, 1, 20);
	_cleanup_(jitdump_freep) struct jitdump *opened = open_dump();

	assert_true(jitdump_next(opened, dump.fd, &record));
	assert_string_equal(record.name, "good");
	assert_false(jitdump_next(opened, dump.fd, &record));
	assert_int_equal(jitdump_damaged(opened), 3);
	assert_true(jitdump_rest(opened) > 16);
}

static void what_is_no_dump_is_refused(void **state)
{
	struct jitdump *opened = NULL;
	struct strobe_err err = { 0 };

	assert_int_equal(jitdump_new(dump.fd, "F", &opened, &err), -EINVAL);
	assert_string_equal(err.text, "'F' is no JIT dump");
	put_header(2, 0);
	assert_int_equal(jitdump_new(dump.fd, "F", &opened, &err), -EINVAL);
	assert_string_equal(err.text, "'F' is a JIT dump of version 2, which is not known");
	assert_null(opened);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(code_is_loaded_and_moved_in_both_byte_orders),
		CASE(a_dump_that_grows_is_read_on),
		CASE(lines_are_those_of_the_code_that_is_loaded_next),
		CASE(what_a_compiler_adds_to_all_lines_is_taken_off),
		CASE(lines_of_other_code_are_none),
		CASE(unwinding_information_is_read_whole),
		CASE(damage_is_counted_and_passed_over),
		CASE(what_is_no_dump_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
