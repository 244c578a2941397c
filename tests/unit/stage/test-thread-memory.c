/* test-thread-memory.c - stage/thread-memory.h */
#include "../test.h"

#include "stage/thread-memory.h"

enum { PID = 9 };
#define BASE UINT64_C(0x7000)

/* Words from BASE on: word N has the value N + 1. */
static uint64_t words[4096];
static unsigned reads;

static size_t read_words(void *context, uint32_t pid, uint64_t addr, void *bytes, size_t size)
{
	uint64_t offset = addr - BASE;

	reads++;
	if (pid != PID || offset >= sizeof(words))
		return 0;
	if (size > sizeof(words) - offset)
		size = sizeof(words) - offset;
	memcpy(bytes, (const char *)words + offset, size);
	return size;
}

static struct thread_memory memory_of(uint32_t pid)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = i + 1;
	reads = 0;
	return (struct thread_memory){ .read = read_words, .pid = pid };
}

static void what_lies_above_is_read_once(void **state)
{
	struct thread_memory memory = memory_of(PID);
	uint64_t value;

	for (uint64_t i = 10; i < 500; i++) {
		assert_true(thread_memory_get(&memory, BASE + 8 * i, &value, 8));
		assert_true(value == i + 1);
	}
	assert_int_equal(reads, 1);
	thread_memory_forget(&memory);
	assert_true(thread_memory_get(&memory, BASE + 8 * 10, &value, 8));
	assert_int_equal(reads, 2);
}

static void the_window_follows(void **state)
{
	struct thread_memory memory = memory_of(PID);
	uint64_t value;

	assert_true(thread_memory_get(&memory, BASE, &value, 8));
	assert_true(thread_memory_get(&memory, BASE + THREAD_MEMORY_WINDOW - 4, &value, 8));
	assert_true((uint32_t)value == 0 && value >> 32 == THREAD_MEMORY_WINDOW / 8 + 1);
	assert_int_equal(reads, 2);
}

static void what_is_not_there_cannot_be_read(void **state)
{
	struct thread_memory memory = memory_of(PID);
	uint64_t value;

	assert_false(thread_memory_get(&memory, BASE - 16, &value, 8));
	assert_false(thread_memory_get(&memory, BASE + sizeof(words) - 4, &value, 8));
	memory.pid = PID + 1;
	assert_false(thread_memory_get(&memory, BASE, &value, 8));
	memory.read = NULL;
	memory.pid = PID;
	assert_false(thread_memory_get(&memory, BASE + 64, &value, 8));
}

static void numbers_may_be_shorter(void **state)
{
	struct thread_memory memory = memory_of(PID);
	uint64_t value;

	words[3] = UINT64_C(0xab00000000001234);
	assert_true(thread_memory_word(&memory, BASE + 24, 8, &value));
	assert_true(value == words[3]);
	assert_true(thread_memory_word(&memory, BASE + 24, 4, &value));
	assert_true(value == 0x1234);
	assert_false(thread_memory_word(&memory, BASE - 24, 8, &value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lies_above_is_read_once),
		cmocka_unit_test(the_window_follows),
		cmocka_unit_test(what_is_not_there_cannot_be_read),
		cmocka_unit_test(numbers_may_be_shorter),
	};

	return cmocka_run_group_tests_name("thread-memory", tests, NULL, NULL);
}
