/* test-stack-verdicts.c - analyze/stack-verdicts.h */
#include "../test.h"

#include <errno.h>

#include "analyze/stack-verdicts.h"
#include "data/record.h"
#include "unwind/unwinder.h"

static struct record_stack_update update_of(uint32_t tid, uint64_t time_ns, uint32_t verdict)
{
	return (struct record_stack_update){
		.header = { .type = RECORD_EVENT_UPDATE,
			    .size = sizeof(struct record_stack_update) },
		.kind = RECORD_UPDATE_STACK,
		.time_ns = time_ns,
		.tid = tid,
		.verdict = verdict,
	};
}

static int add(struct stack_verdicts *verdicts, const struct record_stack_update *update)
{
	const struct record record = { .header = &update->header };

	return stack_verdicts_add(verdicts, &record, false);
}

static void a_sample_is_known_by_thread_and_time(void **state)
{
	const struct record_stack_update one = update_of(1, 100, UNWIND_GAP);
	const struct record_stack_update two = update_of(2, 100, UNWIND_DAMAGED);
	struct stack_verdicts verdicts = { 0 };

	assert_int_equal(stack_verdicts_find(&verdicts, 1, 100), UNWIND_COMPLETE);
	assert_int_equal(add(&verdicts, &one), 0);
	assert_int_equal(add(&verdicts, &two), 0);
	assert_int_equal(stack_verdicts_find(&verdicts, 1, 100), UNWIND_GAP);
	assert_int_equal(stack_verdicts_find(&verdicts, 2, 100), UNWIND_DAMAGED);
	assert_int_equal(stack_verdicts_find(&verdicts, 2, 101), UNWIND_COMPLETE);
	stack_verdicts_done(&verdicts);
}

static void other_records_are_none(void **state)
{
	struct record_stack_update update = update_of(1, 100, UNWIND_GAP);
	struct stack_verdicts verdicts = { 0 };

	update.header.size -= 8;
	assert_int_equal(add(&verdicts, &update), -EBADMSG);
	update.header.size = 16;
	assert_int_equal(add(&verdicts, &update), -ENOENT);
	update = update_of(1, 100, UNWIND_GAP);
	update.kind = RECORD_UPDATE_NAME;
	assert_int_equal(add(&verdicts, &update), -ENOENT);
	update.kind = RECORD_UPDATE_STACK;
	update.header.type = PERF_RECORD_SAMPLE;
	assert_int_equal(add(&verdicts, &update), -ENOENT);
	assert_int_equal(verdicts.count, 0);
	stack_verdicts_done(&verdicts);
}

static void what_is_long_ago_is_forgotten(void **state)
{
	struct stack_verdicts verdicts = { 0 };

	for (uint64_t time_ns = 1; time_ns <= 100; time_ns++) {
		const struct record_stack_update update = update_of(1, time_ns, UNWIND_GAP);

		assert_int_equal(add(&verdicts, &update), 0);
	}
	stack_verdicts_forget(&verdicts, 51);
	assert_int_equal(verdicts.count, 50);
	assert_int_equal(stack_verdicts_find(&verdicts, 1, 50), UNWIND_COMPLETE);
	assert_int_equal(stack_verdicts_find(&verdicts, 1, 51), UNWIND_GAP);
	stack_verdicts_done(&verdicts);
}

static void numbers_have_names(void **state)
{
	assert_null(stack_verdicts_name(UNWIND_COMPLETE));
	assert_string_equal(stack_verdicts_name(UNWIND_NO_CFI), "no_cfi");
	assert_string_equal(stack_verdicts_name(UNWIND_CUT), "cut");
	assert_null(stack_verdicts_name(UNWIND_VERDICTS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_is_known_by_thread_and_time),
		cmocka_unit_test(other_records_are_none),
		cmocka_unit_test(what_is_long_ago_is_forgotten),
		cmocka_unit_test(numbers_have_names),
	};

	return cmocka_run_group_tests_name("stack-verdicts", tests, NULL, NULL);
}
