/* The files and symbols in the header of simpleperf's recordings, in both of their forms. */
#include "../test.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/body.h"
#include "data/simpleperf.h"

static void put_text(struct body_out *out, const char *text)
{
	body_put_bytes(out, text, strlen(text) + 1);
}

static void put_symbol(struct body_out *out, uint64_t vaddr, uint32_t size, const char *name)
{
	body_put_u64(out, vaddr);
	body_put_u32(out, size);
	put_text(out, name);
}

/* An entry of FILE: its size, and what @body has. */
static void put_entry(struct body_out *out, struct body_out *body)
{
	body_put_u32(out, (uint32_t)body->size);
	body_put_bytes(out, body->bytes, body->size);
	body_done(body);
}

static void put_elf(struct body_out *out)
{
	struct body_out body = { 0 };

	put_text(&body, "/bin/ant");
	body_put_u32(&body, SIMPLEPERF_ELF);
	body_put_u64(&body, 0x1000);
	body_put_u32(&body, 2);
	put_symbol(&body, 0x1010, 16, "walk");
	put_symbol(&body, 0x1040, 32, "carry");
	body_put_u64(&body, 0x800);
	put_entry(out, &body);
}

static void put_dex(struct body_out *out)
{
	struct body_out body = { 0 };

	put_text(&body, "/app/base.apk");
	body_put_u32(&body, SIMPLEPERF_DEX);
	body_put_u64(&body, 0);
	body_put_u32(&body, 1);
	put_symbol(&body, 0x50, 4, "onCreate");
	body_put_u32(&body, 1);
	body_put_u64(&body, 0x28);
	put_entry(out, &body);
}

static bool is(const char *text, size_t size, const char *expected)
{
	return size == strlen(expected) && memcmp(text, expected, size) == 0;
}

static void files_and_symbols_are_read_in_order(void **state)
{
	struct body_out out = { 0 };
	struct simpleperf_walk walk;
	struct simpleperf_file file;
	struct simpleperf_symbol symbol;

	put_elf(&out);
	put_dex(&out);
	walk = simpleperf_begin(out.bytes, out.size, false, false);
	assert_true(simpleperf_next(&walk, &file));
	assert_true(is(file.path, file.path_size, "/bin/ant"));
	assert_int_equal(file.type, SIMPLEPERF_ELF);
	assert_int_equal(file.min_vaddr, 0x1000);
	assert_true(file.has_offset);
	assert_int_equal(file.offset, 0x800);
	assert_true(simpleperf_next_symbol(&walk, &symbol));
	assert_true(simpleperf_next_symbol(&walk, &symbol));
	assert_true(is(symbol.name, symbol.name_size, "carry"));
	assert_int_equal(symbol.vaddr, 0x1040);
	assert_int_equal(symbol.size, 32);
	assert_false(simpleperf_next_symbol(&walk, &symbol));
	assert_true(simpleperf_next(&walk, &file));
	assert_int_equal(file.type, SIMPLEPERF_DEX);
	assert_false(file.has_offset);
	assert_true(simpleperf_next_symbol(&walk, &symbol));
	assert_true(is(symbol.name, symbol.name_size, "onCreate"));
	assert_false(simpleperf_next(&walk, &file));
	body_done(&out);
}

/* path, type 2, min_vaddr 0x1000; a symbol of (0x1010, 16, "walk"); ELF with offset 0x800; one
 * more field of each kind that nobody knows. */
static const char SECOND[] = "\x0a\x08/bin/ant\x10\x02\x18\x80\x20"
			     "\x22\x0b\x08\x90\x20\x10\x10\x1a\x04walk"
			     "\x32\x03\x08\x80\x10"
			     "\x40\x01\x49"
			     "12345678\x55"
			     "1234\x5a\x02hi";

static void the_second_form_is_a_protobuf_message(void **state)
{
	struct body_out out = { 0 };
	struct simpleperf_walk walk;
	struct simpleperf_file file;
	struct simpleperf_symbol symbol;

	body_put_u32(&out, sizeof(SECOND) - 1);
	body_put_bytes(&out, SECOND, sizeof(SECOND) - 1);
	walk = simpleperf_begin(out.bytes, out.size, false, true);
	assert_true(simpleperf_next(&walk, &file));
	assert_true(is(file.path, file.path_size, "/bin/ant"));
	assert_int_equal(file.type, SIMPLEPERF_ELF);
	assert_int_equal(file.min_vaddr, 0x1000);
	assert_true(file.has_offset);
	assert_int_equal(file.offset, 0x800);
	assert_true(simpleperf_next_symbol(&walk, &symbol));
	assert_int_equal(symbol.vaddr, 0x1010);
	assert_int_equal(symbol.size, 16);
	assert_true(is(symbol.name, symbol.name_size, "walk"));
	assert_false(simpleperf_next_symbol(&walk, &symbol));
	assert_false(simpleperf_next(&walk, &file));
	body_done(&out);
}

static size_t count_symbols(const void *bytes, size_t size, bool second)
{
	struct simpleperf_walk walk = simpleperf_begin(bytes, size, false, second);
	struct simpleperf_symbol symbol;
	struct simpleperf_file file;
	size_t count = 0;

	while (simpleperf_next(&walk, &file))
		while (simpleperf_next_symbol(&walk, &symbol))
			count++;
	return count;
}

static void a_section_cut_anywhere_yields_what_is_whole(void **state)
{
	struct body_out out = { 0 };

	put_elf(&out);
	put_dex(&out);
	for (size_t size = 0; size <= out.size; size++) {
		_cleanup_(freep) char *cut = xcalloc(1, size + 1); /* so that overruns are seen */

		memcpy(cut, out.bytes, size);
		assert_true(count_symbols(cut, size, false) <= 3);
		(void)count_symbols(cut, size, true);
	}
	assert_int_equal(count_symbols(out.bytes, out.size, false), 3);
	body_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_and_symbols_are_read_in_order),
		cmocka_unit_test(the_second_form_is_a_protobuf_message),
		cmocka_unit_test(a_section_cut_anywhere_yields_what_is_whole),
	};

	return cmocka_run_group_tests_name("simpleperf", tests, NULL, NULL);
}
