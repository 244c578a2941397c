/* test-keptnames.c - data/keptnames.h */
#include "../test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/body.h"
#include "data/keptnames.h"

static const struct keptnames_object program = { .name = "/srv/app",
						 .ino = 77,
						 .build_id_size = 3,
						 .build_id = { 1, 2, 3 },
						 .segment_count = 2,
						 .symbol_count = 2 };
static const struct keptnames_segment segments[] = { { 0x1000, 0x200, 0x401000 },
						     { 0x3000, 0x80, 0x500000 } };
static const struct keptnames_symbol symbols[] = { { 0x401010, 32, false, "_ZN3app3runEv" },
						   { 0x401080, 8, true, "start" } };

static void what_was_written_is_read(void **state)
{
	struct keptnames_segment segment;
	struct keptnames_symbol symbol;
	struct keptnames_object object;
	struct keptnames_walk walk;
	struct body_out out = { 0 };

	keptnames_encode(&program, segments, symbols, &out);
	assert_int_equal(out.size % 8, 0);
	walk = keptnames_begin(out.bytes, out.size, false);
	assert_true(keptnames_next(&walk, &object));
	assert_string_equal(object.name, "/srv/app");
	assert_true(object.ino == 77 && object.build_id_size == 3 && !object.is_jit);
	assert_memory_equal(object.build_id, program.build_id, sizeof(program.build_id));
	for (size_t i = 0; i < 2; i++) {
		assert_true(keptnames_next_segment(&walk, &segment));
		assert_memory_equal(&segment, &segments[i], sizeof(segment));
	}
	assert_false(keptnames_next_segment(&walk, &segment));
	for (size_t i = 0; i < 2; i++) {
		assert_true(keptnames_next_symbol(&walk, &symbol));
		assert_true(symbol.start == symbols[i].start && symbol.size == symbols[i].size);
		assert_true(symbol.is_guess == symbols[i].is_guess);
		assert_string_equal(symbol.name, symbols[i].name);
	}
	assert_false(keptnames_next_symbol(&walk, &symbol));
	assert_false(keptnames_next(&walk, &object));
	assert_false(walk.damaged);
	body_done(&out);
}

static void what_is_cut_off_is_damaged(void **state)
{
	size_t objects, count;
	struct body_out out = { 0 };

	keptnames_encode(&program, segments, symbols, &out);
	for (size_t size = 1; size < out.size; size++) {
		/* In memory of its own, so that nobody reads beyond it unseen. */
		void *part = malloc(size);

		memcpy(part, out.bytes, size);
		assert_int_equal(keptnames_count(part, size, false, &objects, &count), -EBADMSG);
		assert_int_equal(objects, 0);
		free(part);
	}
	body_done(&out);
}

static void a_damaged_entry_does_not_hide_the_next(void **state)
{
	struct body_out out = { 0 };
	struct keptnames_object object;
	struct keptnames_walk walk;

	keptnames_encode(&program, segments, symbols, &out);
	out.bytes[16] = 21; /* bytes of build-id */
	keptnames_encode(&(struct keptnames_object){ .name = "/tmp/perf-7.map",
						     .is_jit = true,
						     .symbol_count = 1 },
			 NULL, symbols, &out);
	walk = keptnames_begin(out.bytes, out.size, false);
	assert_true(keptnames_next(&walk, &object));
	assert_string_equal(object.name, "/tmp/perf-7.map");
	assert_true(object.is_jit);
	assert_true(walk.damaged);
	body_done(&out);
}

static void counts_larger_than_the_entry_are_damage(void **state)
{
	static const size_t places[] = { 40, 92 }; /* of the number of segments, of symbols */
	size_t objects, count;

	for (size_t i = 0; i < 2; i++) {
		struct body_out out = { 0 };

		keptnames_encode(&program, segments, symbols, &out);
		memset(out.bytes + places[i], 0x7f, 4);
		assert_int_equal(keptnames_count(out.bytes, out.size, false, &objects, &count),
				 -EBADMSG);
		body_done(&out);
	}
}

static void many_symbols_are_several_entries_that_fit_in_records(void **state)
{
	enum { COUNT = 5000 };
	struct keptnames_object object = { .name = "/lib/x", .symbol_count = COUNT };
	struct keptnames_symbol *all = calloc(COUNT, sizeof(*all));
	struct body_out out = { 0 };
	size_t objects, count, at = 0, part, parts = 0;

	for (size_t i = 0; i < COUNT; i++)
		all[i] = (struct keptnames_symbol){ i, 1, false, "a name of some length" };
	keptnames_encode(&object, NULL, all, &out);
	assert_int_equal(keptnames_count(out.bytes, out.size, false, &objects, &count), 0);
	assert_true(objects == 1 && count == COUNT);
	for (; (part = keptnames_record(out.bytes + at, out.size - at)) > 0; parts++) {
		assert_true(part <= KEPTNAMES_RECORD && part % 8 == 0);
		at += part;
	}
	assert_int_equal(at, out.size);
	assert_true(parts > 1);
	body_done(&out);
	free(all);
}

static void a_name_that_fits_in_no_record_is_left_out(void **state)
{
	struct keptnames_object object = { .name = "/lib/x", .symbol_count = 2 };
	char *name = calloc(1, KEPTNAMES_RECORD + 1);
	const struct keptnames_symbol two[] = { { 1, 1, false, name }, { 2, 1, false, "y" } };
	size_t objects, count;
	struct body_out out = { 0 };

	memset(name, 'x', KEPTNAMES_RECORD);
	keptnames_encode(&object, NULL, two, &out);
	assert_int_equal(keptnames_count(out.bytes, out.size, false, &objects, &count), 0);
	assert_true(objects == 1 && count == 1);
	body_done(&out);
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(what_is_cut_off_is_damaged),
		cmocka_unit_test(a_damaged_entry_does_not_hide_the_next),
		cmocka_unit_test(counts_larger_than_the_entry_are_damage),
		cmocka_unit_test(many_symbols_are_several_entries_that_fit_in_records),
		cmocka_unit_test(a_name_that_fits_in_no_record_is_left_out),
	};

	return cmocka_run_group_tests_name("keptnames", tests, NULL, NULL);
}
