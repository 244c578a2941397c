#include "../test.h"

#include <unistd.h>

#include "base/mem.h"

static void a_list_grows_and_keeps_what_it_has(void **state)
{
	struct {
		int *items;
		size_t count, capacity;
	} list = { 0 };

	for (int i = 0; i < 1000; i++) {
		grow(&list);
		assert_true(list.count < list.capacity);
		list.items[list.count++] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(list.items[i], i);
	free(list.items);
}

static void what_is_taken_is_not_freed_by_its_scope(void **state)
{
	char *kept;

	{
		_cleanup_(freep) char *text = xstrdup("mine");

		kept = take(text);
		assert_null(text);
	}
	assert_string_equal(kept, "mine");
	free(kept);
}

static void a_file_descriptor_that_is_taken_stays_open(void **state)
{
	int kept, closed;

	{
		_cleanup_(closep) int fd = dup(STDOUT_FILENO), other = dup(STDOUT_FILENO);

		closed = other;
		kept = take_fd(fd);
		assert_int_equal(fd, -1);
	}
	assert_int_equal(close(kept), 0);
	assert_int_equal(close(closed), -1);
}

static void a_part_of_a_string_ends_at_its_size_or_its_end(void **state)
{
	_cleanup_(freep) char *part = xstrndup("cycles:u", 6), *whole = xstrndup("cycles", 100);

	assert_string_equal(part, "cycles");
	assert_string_equal(whole, "cycles");
}

static void aligned_memory_is_zero_to_its_end(void **state)
{
	for (size_t alignment = 16; alignment <= 4096; alignment *= 2) {
		unsigned char *bytes = xaligned(alignment, 3, 7);

		assert_int_equal((uintptr_t)bytes % alignment, 0);
		for (size_t i = 0; i < 21; i++)
			assert_int_equal(bytes[i], 0);
		free(bytes);
	}
}

static void zeros_are_zero_however_many_there_are(void **state)
{
	static const size_t sizes[] = {
		0, 1, 4095, 1 << 20, (2 << 20) - 1, 2 << 20, (5 << 20) + 3
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned char *bytes = xzeros(sizes[i], 1);

		for (size_t k = 0; k < sizes[i]; k += 1021)
			assert_int_equal(bytes[k], 0);
		memset(bytes, 'x', sizes[i]);
		zeros_free(bytes, sizes[i], 1);
	}
	zeros_free(NULL, 5 << 20, 1);
}

static void room_grows_and_keeps_what_it_has(void **state)
{
	struct {
		uint64_t *items;
		size_t count, capacity;
	} list = { 0 };

	for (uint64_t i = 0; i < (9 << 20) / sizeof(*list.items); i++) {
		grow_room(&list);
		list.items[list.count++] = i;
	}
	for (uint64_t i = 0; i < list.count; i++) {
		if (list.items[i] != i)
			fail_msg("the item %zu is lost", (size_t)i);
	}
	free_room(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_grows_and_keeps_what_it_has),
		cmocka_unit_test(what_is_taken_is_not_freed_by_its_scope),
		cmocka_unit_test(a_file_descriptor_that_is_taken_stays_open),
		cmocka_unit_test(a_part_of_a_string_ends_at_its_size_or_its_end),
		cmocka_unit_test(aligned_memory_is_zero_to_its_end),
		cmocka_unit_test(zeros_are_zero_however_many_there_are),
		cmocka_unit_test(room_grows_and_keeps_what_it_has),
	};

	return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
