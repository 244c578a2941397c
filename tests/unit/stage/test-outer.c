/* test-outer.c - stage/outer.h */
#include "../test.h"

#include "stage/outer.h"
#include "stage/thread-memory.h"
#include "unwind/unwind-registers.h"

enum { TID = 7, MOST = 100, WORDS = 512 };
#define TOP UINT64_C(0x9000)

static uint64_t stack_words[WORDS]; /* of which the last ends at TOP */

static size_t read_stack(void *context, uint32_t pid, uint64_t addr, void *bytes, size_t size)
{
	uint64_t offset = addr - (TOP - sizeof(stack_words));

	if (offset >= sizeof(stack_words))
		return 0;
	if (size > sizeof(stack_words) - offset)
		size = sizeof(stack_words) - offset;
	memcpy(bytes, (const char *)stack_words + offset, size);
	return size;
}

static uint64_t *word_at(uint64_t addr)
{
	return &stack_words[(addr - (TOP - sizeof(stack_words))) / 8];
}

/* Frames numbered from the outermost on: number 1 is the thread's first function. */
static struct unwind_frame frame(unsigned number)
{
	uint64_t cfa = TOP - UINT64_C(16) * number;

	return (struct unwind_frame){ .pc = UINT64_C(0x10000) * number,
				      .cfa = cfa,
				      .home = cfa - 8 };
}

static struct unwind_frame frames[256];

/* A stack of the frames from @inner out to @outer. */
static struct unwind_result stack(unsigned inner, unsigned outer)
{
	struct unwind_result result = { .verdict = outer == 1 ? UNWIND_COMPLETE : UNWIND_TRUNCATED,
					.missing = outer == 1 ? 0 : frame(outer - 1).home,
					.frames = frames };

	for (unsigned i = inner; i >= outer; i--)
		frames[result.count++] = frame(i);
	result.placed = result.count;
	return result;
}

static struct thread_memory memory_of_whole_stack(void)
{
	for (unsigned i = 1; i < WORDS / 2 - 1; i++)
		*word_at(frame(i).home) = frame(i).pc;
	return (struct thread_memory){ .read = read_stack };
}

/* A function has 0x100 bytes at 0x10000 times its frame's number. */
static bool find_function(void *context, uint64_t pc, uint64_t *ret_start)
{
	*ret_start = pc & ~UINT64_C(0xffff);
	return (pc & 0xffff) < 0x100;
}

static struct outer_place place_of(struct thread_memory *memory, size_t most)
{
	return (struct outer_place){
		.tid = TID,
		.is_first_thread = true,
		.machine = unwind_registers_machine("x86_64", 2),
		.memory = memory,
		.most = most,
		.find_function = find_function,
	};
}

static struct unwind_result bridge(struct outer *outer, struct thread_memory *memory, size_t most,
				   unsigned inner, unsigned outermost)
{
	const struct outer_place place = place_of(memory, most);
	struct unwind_result result = stack(inner, outermost);

	outer_bridge(outer, &place, &result);
	return result;
}

static void remember(struct outer *outer, unsigned inner)
{
	const struct outer_place place = place_of(NULL, MOST);
	const struct unwind_result result = stack(inner, 1);

	outer_remember(outer, &place, false, &result);
}

static void what_is_still_there_stands_behind_a_gap(void **state)
{
	struct thread_memory memory = memory_of_whole_stack();
	struct outer outer = { 0 };
	struct unwind_result result;

	remember(&outer, 18);
	*word_at(frame(5).home) = 0xdead0000;
	result = bridge(&outer, &memory, MOST, 40, 30);
	assert_int_equal(result.verdict, UNWIND_GAP);
	assert_int_equal(result.count, 11 + 1 + 4);
	assert_true(result.frames[0].pc == frame(40).pc && result.frames[10].pc == frame(30).pc);
	assert_true(result.frames[11].pc == 0 && result.frames[11].exact);
	for (unsigned i = 1; i <= 4; i++)
		assert_true(result.frames[16 - i].pc == frame(i).pc);
	outer_forget(&outer);
}

static void what_has_called_something_else_meanwhile_is_still_there(void **state)
{
	struct thread_memory memory = memory_of_whole_stack();
	struct outer outer = { 0 };
	struct unwind_result result;

	remember(&outer, 18);
	*word_at(frame(5).home) += 0x20;
	result = bridge(&outer, &memory, MOST, 40, 30);
	assert_int_equal(result.verdict, UNWIND_GAP);
	assert_int_equal(result.count, 11 + 1 + 5);
	/* What it called is not known. */
	assert_true(result.frames[12].pc == frame(5).pc && result.frames[12].exact);
	assert_true(result.frames[13].pc == frame(4).pc);
	outer_forget(&outer);
}

/* What was there before, and is there a moment later, need not have been there in between. */
static void the_innermost_frames_of_a_whole_stack_are_not_trusted(void **state)
{
	struct thread_memory memory = memory_of_whole_stack();
	struct outer outer = { 0 };
	struct unwind_result result;

	remember(&outer, 18);
	result = bridge(&outer, &memory, MOST, 40, 30);
	assert_int_equal(result.count, 11 + 1 + 10);
	assert_true(result.frames[12].pc == frame(10).pc);
	/* The program's first function is always there. */
	remember(&outer, 6);
	result = bridge(&outer, &memory, MOST, 40, 30);
	assert_int_equal(result.count, 11 + 1 + 4);
	assert_true(result.frames[12].pc == frame(4).pc);
	outer_forget(&outer);
}

static void only_what_all_of_the_last_whole_stacks_had_is_trusted(void **state)
{
	struct thread_memory memory = memory_of_whole_stack();
	const struct outer_place place = place_of(&memory, MOST);
	struct outer outer = { 0 };
	struct unwind_result result = stack(30, 1);

	/* The sixth function calls from elsewhere, so what it calls is something else. */
	frames[30 - 6].pc += 0x10;
	outer_remember(&outer, &place, false, &result);
	remember(&outer, 30);
	result = bridge(&outer, &memory, MOST, 60, 50);
	assert_int_equal(result.verdict, UNWIND_GAP);
	assert_int_equal(result.count, 11 + 1 + 6);
	/* But for the program's first function: before it ran, it was not there. */
	result = stack(6, 1);
	for (size_t i = 0; i < 3; i++)
		frames[i].home -= 8;
	frames[3].pc += 0x10;
	outer_remember(&outer, &place, false, &result);
	remember(&outer, 30);
	result = bridge(&outer, &memory, MOST, 60, 50);
	assert_int_equal(result.count, 11 + 1 + 4);
	/* After some time it is what the thread does. */
	for (int i = 0; i < 8; i++)
		remember(&outer, 30);
	result = bridge(&outer, &memory, MOST, 60, 50);
	assert_int_equal(result.count, 11 + 1 + 22);
	/* Where nothing is as it was, another program is running. */
	result = stack(30, 1);
	frames[29].home -= 8;
	outer_remember(&outer, &place, false, &result);
	remember(&outer, 30);
	result = bridge(&outer, &memory, MOST, 60, 50);
	assert_int_equal(result.count, 11 + 1 + 22);
	outer_forget(&outer);
}

static void of_what_was_read_later_the_first_functions_count(void **state)
{
	struct thread_memory memory = memory_of_whole_stack();
	const struct outer_place place = place_of(&memory, MOST);
	struct outer outer = { 0 };
	struct unwind_result result = stack(30, 1);

	outer_remember(&outer, &place, true, &result);
	result = bridge(&outer, &memory, MOST, 60, 50);
	assert_int_equal(result.count, 11 + 1 + 4);
	remember(&outer, 30);
	result = stack(40, 1);
	frames[40 - 7].home -= 8;
	outer_remember(&outer, &place, true, &result);
	result = bridge(&outer, &memory, MOST, 60, 50);
	assert_int_equal(result.count, 11 + 1 + 22);
	outer_forget(&outer);
}

static void what_the_kernels_chain_had_leads_on(void **state)
{
	struct thread_memory memory = memory_of_whole_stack();
	const struct outer_place place = place_of(&memory, MOST);
	struct outer outer = { 0 };
	struct unwind_result result;

	remember(&outer, 10);
	result = stack(40, 30);
	/* Of these it is not known where they are. */
	frames[result.count++].pc = frame(4).pc;
	frames[result.count++].pc = frame(3).pc;
	result.placed = result.count - 2;
	outer_bridge(&outer, &place, &result);
	assert_int_equal(result.verdict, UNWIND_STITCHED);
	assert_int_equal(result.count, 11 + 2 + 2);
	assert_true(result.frames[13].pc == frame(2).pc && result.frames[14].pc == frame(1).pc);
	outer_forget(&outer);
}

static void frames_that_the_copy_has_are_not_taken_twice(void **state)
{
	struct thread_memory memory = memory_of_whole_stack();
	struct outer outer = { 0 };
	struct unwind_result result;

	remember(&outer, 20);
	result = bridge(&outer, &memory, MOST, 20, 8);
	assert_int_equal(result.count, 13 + 1 + 7);
	assert_true(result.frames[14].pc == frame(7).pc);
	outer_forget(&outer);
}

static void nothing_is_made_up(void **state)
{
	struct thread_memory memory = memory_of_whole_stack();
	struct outer outer = { 0 };
	struct unwind_result result;

	result = bridge(&outer, &memory, MOST, 40, 30); /* no stack was ever whole */
	assert_int_equal(result.verdict, UNWIND_TRUNCATED);
	remember(&outer, 10);
	result = bridge(&outer, &memory, 11 + 4, 40, 30); /* no room */
	assert_int_equal(result.verdict, UNWIND_TRUNCATED);
	*word_at(frame(1).home) = 0xdead0000;
	thread_memory_forget(&memory);
	result = bridge(&outer, &memory, MOST, 40, 30); /* another program's by now */
	assert_int_equal(result.verdict, UNWIND_TRUNCATED);
	assert_int_equal(result.count, 11);
	memory = (struct thread_memory){ 0 };
	result = bridge(&outer, &memory, MOST, 40, 30); /* memory cannot be read */
	assert_int_equal(result.verdict, UNWIND_TRUNCATED);
	outer_forget(&outer);
}

static void of_long_stacks_both_ends_stay(void **state)
{
	struct outer outer = { 0 };
	struct unwind_result result = stack(90, 1);

	outer_cut(&outer, 90, &result);
	assert_int_equal(result.verdict, UNWIND_COMPLETE);
	outer_cut(&outer, 80, &result);
	assert_int_equal(result.verdict, UNWIND_GAP);
	assert_int_equal(result.count, 80);
	assert_true(result.frames[68].pc == frame(90 - 68).pc && result.frames[69].pc == 0);
	assert_true(result.frames[70].pc == frame(10).pc && result.frames[79].pc == frame(1).pc);
	outer_forget(&outer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_still_there_stands_behind_a_gap),
		cmocka_unit_test(what_has_called_something_else_meanwhile_is_still_there),
		cmocka_unit_test(the_innermost_frames_of_a_whole_stack_are_not_trusted),
		cmocka_unit_test(only_what_all_of_the_last_whole_stacks_had_is_trusted),
		cmocka_unit_test(of_what_was_read_later_the_first_functions_count),
		cmocka_unit_test(what_the_kernels_chain_had_leads_on),
		cmocka_unit_test(frames_that_the_copy_has_are_not_taken_twice),
		cmocka_unit_test(nothing_is_made_up),
		cmocka_unit_test(of_long_stacks_both_ends_stay),
	};

	return cmocka_run_group_tests_name("outer", tests, NULL, NULL);
}
