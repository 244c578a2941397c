/* test-callcopier.c - collect/callcopier.h */
#include "../test.h"

#include <string.h>
#include <sys/uio.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/callcopier.h"

enum { BASE = 0x1000, SIZE = 0x2000 };

/* A program's memory, from BASE on; nothing else is there. */
static uint8_t memory[SIZE];

static size_t read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	if (addr < BASE || addr >= BASE + SIZE)
		return 0;
	if (size > BASE + SIZE - addr)
		size = BASE + SIZE - addr;
	memcpy(bytes, memory + (addr - BASE), size);
	return size;
}

static const struct callcopier copier = { .read = read_memory, .word = 8 };

static void put(uint64_t addr, const void *bytes, size_t size)
{
	memcpy(memory + (addr - BASE), bytes, size);
}

static bool take_one(const struct callcopy_step *step, const uint64_t *args, struct str *out)
{
	struct callcopy_plan plan = { .step_count = 1, .steps = { *step } };

	str_clear(out);
	return callcopier_enter(&copier, &plan, args, out);
}

/* The item at *at, which goes behind it. */
static struct callcopy_item next_item(const struct str *out, size_t *at, const char **ret_bytes)
{
	struct callcopy_item head;

	assert_true(out->size >= *at + sizeof(head));
	memcpy(&head, out->text + *at, sizeof(head));
	*ret_bytes = out->text + *at + sizeof(head);
	*at += sizeof(head) + (head.size + 7U) / 8 * 8;
	assert_true(*at <= out->size);
	return head;
}

static void a_text_ends_where_its_nul_is_or_where_it_is_cut(void **state)
{
	static const struct {
		uint64_t at;
		uint16_t limit;
		const char *text; /* NULL: none */
		size_t size;
	} cases[] = {
		{ BASE, 100, "hello", 6 },
		{ BASE, 6, "hello", 6 },
		{ BASE, 5, "hell", 4 },
		{ BASE + 5, 100, "", 1 },
		{ BASE + SIZE - 4, 100, "een", 4 },
		{ BASE + SIZE - 8, 3, "no", 2 },
		{ BASE + SIZE, 100, NULL, 0 },
		{ 8, 100, NULL, 0 },
		{ 0, 100, NULL, 0 },
		{ UINT64_MAX, 100, NULL, 0 },
	};
	_cleanup_(str_done) struct str out = { 0 };

	put(BASE, "hello", 6);
	put(BASE + SIZE - 8, "notheend", 8);
	put(BASE + SIZE - 1, "", 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct callcopy_step step = { .what = CALLCOPY_DO_STRING,
					      .arg = 2,
					      .limit = cases[i].limit };
		const uint64_t args[CALLCOPY_ARGS] = { 0, 0, cases[i].at };
		struct callcopy_item head;
		const char *bytes;
		size_t at = 0;

		assert_true(take_one(&step, args, &out));
		if (!cases[i].text) {
			assert_int_equal(out.size, 0);
			continue;
		}
		head = next_item(&out, &at, &bytes);
		assert_int_equal(head.what, CALLCOPY_STRING);
		assert_int_equal(head.arg, 2);
		assert_int_equal(head.size, cases[i].size);
		assert_memory_equal(bytes, cases[i].text, cases[i].size);
		assert_int_equal(at, out.size);
	}
	/* The last byte that there is is no NUL. */
	put(BASE + SIZE - 1, "x", 1);
	assert_true(take_one(&(struct callcopy_step){ .what = CALLCOPY_DO_STRING, .limit = 100 },
			     (const uint64_t[CALLCOPY_ARGS]){ BASE + SIZE - 4 }, &out));
	assert_int_equal(out.size, 0);
}

static void bytes_are_as_many_as_an_argument_says_and_as_there_are(void **state)
{
	static const struct {
		uint64_t at, count;
		uint32_t size;
		size_t copied, more;
	} cases[] = {
		{ BASE, 5, 1, 5, 5 },
		{ BASE, 3, 4, 12, 12 },
		{ BASE, 1000, 1, 64, 1000 },
		{ BASE, UINT64_MAX / 2, 8, 64, UINT32_MAX },
		{ BASE + SIZE - 4, 16, 1, 4, 16 },
		{ BASE, 0, 1, 0, 0 },
	};
	_cleanup_(str_done) struct str out = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct callcopy_step step = { .what = CALLCOPY_DO_BYTES,
					      .counted = CALLCOPY_BY_ARGUMENT,
					      .count_arg = 1,
					      .limit = 64,
					      .size = cases[i].size };
		const uint64_t args[CALLCOPY_ARGS] = { cases[i].at, cases[i].count };
		struct callcopy_item head;
		const char *bytes;
		size_t at = 0;

		assert_true(take_one(&step, args, &out));
		head = next_item(&out, &at, &bytes);
		assert_int_equal(head.what, CALLCOPY_BYTES);
		assert_int_equal(head.size, cases[i].copied);
		assert_int_equal(head.more, cases[i].more);
	}
	/* An int that was -1, what is told at the exit alone, and an array of texts. */
	assert_true(take_one(&(struct callcopy_step){ .what = CALLCOPY_DO_BYTES,
						      .counted = CALLCOPY_BY_ARGUMENT,
						      .count_arg = 1,
						      .limit = 8,
						      .size = 1 },
			     (const uint64_t[CALLCOPY_ARGS]){ BASE, UINT64_MAX }, &out));
	assert_true(take_one(
		&(struct callcopy_step){ .what = CALLCOPY_DO_STRING, .limit = 8, .at_exit = 1 },
		(const uint64_t[CALLCOPY_ARGS]){ BASE }, &out));
	assert_true(take_one(&(struct callcopy_step){ .what = CALLCOPY_DO_STRINGS, .limit = 8 },
			     (const uint64_t[CALLCOPY_ARGS]){ BASE }, &out));
	assert_int_equal(out.size, 0);
}

static void iovecs_and_messages_have_what_they_point_at(void **state)
{
	const struct iovec vectors[] = { { (void *)(BASE + 0x100), 3 }, /* NOLINT */
					 { NULL, 5 },
					 { (void *)(BASE + 0x200), 400 } }; /* NOLINT */
	const uint64_t message[7] = { BASE + 0x300, 2, BASE + 0x400, 3 };
	struct callcopy_step step = { .what = CALLCOPY_DO_PARTS,
				      .counted = CALLCOPY_BY_ARGUMENT,
				      .count_arg = 1,
				      .limit = 32,
				      .size = sizeof(struct iovec) };
	uint64_t args[CALLCOPY_ARGS] = { BASE + 0x400, 3 };
	_cleanup_(str_done) struct str out = { 0 };
	struct callcopy_item head;
	const char *bytes;
	size_t at = 0;

	put(BASE + 0x100, "abc", 3);
	put(BASE + 0x300, "\x02", 2);
	put(BASE + 0x400, vectors, sizeof(vectors));
	put(BASE + 0x500, message, sizeof(message));
	assert_true(take_one(&step, args, &out));
	assert_int_equal(next_item(&out, &at, &bytes).size, sizeof(vectors));
	head = next_item(&out, &at, &bytes);
	assert_int_equal(head.more, 0);
	assert_memory_equal(bytes, "abc", 3);
	head = next_item(&out, &at, &bytes);
	assert_int_equal(head.more, 2);
	assert_int_equal(head.size, 32);
	assert_int_equal(at, out.size);

	/* As many as nobody has are as many as there is room for. */
	args[1] = UINT64_MAX / 2;
	assert_true(take_one(&step, args, &out));
	at = 0;
	assert_int_equal(next_item(&out, &at, &bytes).size, CALLCOPY_PARTS * sizeof(struct iovec));

	step = (struct callcopy_step){ .what = CALLCOPY_DO_MESSAGE, .limit = 32, .size = 56 };
	args[0] = BASE + 0x500;
	assert_true(take_one(&step, args, &out));
	at = 0;
	assert_int_equal(next_item(&out, &at, &bytes).size, 56);
	for (uint32_t part = 0; part < 3; part++) {
		head = next_item(&out, &at, &bytes);
		assert_int_equal(head.what, CALLCOPY_PART);
		assert_int_equal(head.more, part);
	}
}

static void what_finds_no_room_is_left_out(void **state)
{
	struct callcopy_plan plan = { .step_count = CALLCOPY_STEPS };
	const uint64_t args[CALLCOPY_ARGS] = { BASE, BASE, BASE, BASE, BASE, BASE };
	_cleanup_(str_done) struct str out = { 0 };

	for (uint8_t i = 0; i < CALLCOPY_STEPS; i++)
		plan.steps[i] = (struct callcopy_step){
			.what = CALLCOPY_DO_BYTES, .arg = i, .limit = 4096, .size = 4096
		};
	assert_false(callcopier_enter(&copier, &plan, args, &out));
	assert_true(out.size <= 16384);
	assert_true(out.size >= 12288);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_ends_where_its_nul_is_or_where_it_is_cut),
		cmocka_unit_test(bytes_are_as_many_as_an_argument_says_and_as_there_are),
		cmocka_unit_test(iovecs_and_messages_have_what_they_point_at),
		cmocka_unit_test(what_finds_no_room_is_left_out),
	};

	return cmocka_run_group_tests_name("callcopier", tests, NULL, NULL);
}
