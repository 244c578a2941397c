/* test-unwinder.c - unwind/unwinder.h on stacks that no compiler made: each chain ends, and says
 * why. */
#include "../test.h"

#include "unwind/unwinder.h"

enum { WORDS = 64, CODE = 0x400000, CODE_END = 0x401000 };
#define STACK UINT64_C(0x7ffe0000)

/* Code without call frame information, so that frame pointers lead. */
static bool find(void *context, uint64_t addr, struct unwind_module *ret_module)
{
	*ret_module = (struct unwind_module){ .owner = context };
	return addr >= CODE && addr < CODE_END;
}

static char module_name[] = "module";

struct stack {
	uint64_t words[WORDS];
	bool is_short;
	size_t max;
	uint64_t fp;
	const uint64_t *chain; /* the kernel's */
	size_t chain_count;
};

/* Frames are stood upon each other: each has its caller's frame pointer and its return address. */
static void add_frame(struct stack *stack, size_t word, size_t next_word, uint64_t pc)
{
	stack->words[word] = STACK + 8 * next_word;
	stack->words[word + 1] = pc;
}

static struct unwind_result walk(struct unwinder *unwinder, const struct stack *stack)
{
	const struct unwind_machine *machine = unwind_registers_machine("x86_64", 2);
	struct unwind_registers registers = { .pc = CODE + 8 };
	struct unwind_request request = {
		.machine = machine,
		.registers = &registers,
		.memory = { .stack_addr = STACK,
			    .stack = (const uint8_t *)stack->words,
			    .stack_size = sizeof(stack->words) },
		.is_short = stack->is_short,
		.max = stack->max ? stack->max : 100,
		.chain = stack->chain,
		.chain_count = stack->chain_count,
		.space = 7,
		.find = find,
		.context = module_name,
	};

	unwind_registers_set(&registers, machine->sp, STACK);
	unwind_registers_set(&registers, machine->fp, stack->fp ? stack->fp : STACK + 16);
	return unwinder_walk(unwinder, &request);
}

static void frame_pointers_lead_where_nothing_else_does(void **state)
{
	_cleanup_(unwinder_freep) struct unwinder *unwinder = unwinder_new();
	struct stack stack = { 0 };
	struct unwind_result result;

	add_frame(&stack, 2, 6, CODE + 0x20);
	add_frame(&stack, 6, 9, CODE + 0x30);
	add_frame(&stack, 9, 0, 0);
	for (int again = 0; again < 2; again++) {
		result = walk(unwinder, &stack);
		assert_int_equal(result.count, 3);
		assert_int_equal(result.verdict, UNWIND_NO_CFI);
		assert_ptr_equal(result.owner, module_name);
		assert_true(result.frames[0].pc == CODE + 8 && result.frames[0].exact);
		assert_true(result.frames[1].pc == CODE + 0x20 && !result.frames[1].exact);
		assert_true(result.frames[2].pc == CODE + 0x30);
		assert_true(result.frames[2].cfa == STACK + 64);
	}
}

/* Two frames are in the copy; what the second's frame pointer leads to is not. */
static void the_kernels_chain_goes_on_where_the_copy_ends(void **state)
{
	_cleanup_(unwinder_freep) struct unwinder *unwinder = unwinder_new();
	const uint64_t chain[] = { CODE + 8,    CODE + 0x10, CODE + 0x20,
				   CODE + 0x30, CODE + 0x40, 0x1234 };
	struct stack stack = { .chain = chain, .chain_count = 6 };
	struct unwind_result result;

	add_frame(&stack, 2, 40, CODE + 0x10);
	add_frame(&stack, 40, WORDS + 10, CODE + 0x20);
	result = walk(unwinder, &stack);
	assert_int_equal(result.verdict, UNWIND_NO_CFI);
	assert_int_equal(result.placed, 3);
	assert_int_equal(result.count, 5); /* what is no code is no frame */
	for (size_t i = 0; i < 5; i++)
		assert_true(result.frames[i].pc == chain[i]);
	assert_true(result.frames[2].cfa != 0 && result.frames[3].cfa == 0);
	stack.max = 4;
	result = walk(unwinder, &stack);
	assert_int_equal(result.verdict, UNWIND_CUT);
	assert_int_equal(result.count, 4);
}

static void a_chain_that_went_another_way_is_not_followed(void **state)
{
	_cleanup_(unwinder_freep) struct unwinder *unwinder = unwinder_new();
	uint64_t chain[] = { CODE + 8, CODE + 0x18, CODE + 0x20, CODE + 0x30 };
	struct stack stack = { .chain = chain, .chain_count = 4 };

	add_frame(&stack, 2, 40, CODE + 0x10);
	add_frame(&stack, 40, WORDS + 10, CODE + 0x20);
	assert_int_equal(walk(unwinder, &stack).count, 3);
	stack.chain_count = 1;
	assert_int_equal(walk(unwinder, &stack).count, 3);
}

static void a_loop_ends(void **state)
{
	_cleanup_(unwinder_freep) struct unwinder *unwinder = unwinder_new();
	struct stack stack = { 0 };

	add_frame(&stack, 2, 2, CODE + 0x20);
	assert_int_equal(walk(unwinder, &stack).count, 2);
	add_frame(&stack, 2, 8, CODE + 0x20);
	add_frame(&stack, 8, 2, CODE + 0x30);
	assert_int_equal(walk(unwinder, &stack).count, 3);
}

static void what_is_no_code_is_no_frame(void **state)
{
	_cleanup_(unwinder_freep) struct unwinder *unwinder = unwinder_new();
	struct stack stack = { 0 };
	struct unwind_result result;

	add_frame(&stack, 2, 6, CODE + 0x20);
	add_frame(&stack, 6, 9, CODE_END + 9);
	result = walk(unwinder, &stack);
	assert_int_equal(result.count, 2);
	assert_int_equal(result.verdict, UNWIND_NO_CFI);
}

static void a_chain_is_cut_where_it_was_asked_for(void **state)
{
	_cleanup_(unwinder_freep) struct unwinder *unwinder = unwinder_new();
	struct stack stack = { .max = 2 };
	struct unwind_result result;

	add_frame(&stack, 2, 6, CODE + 0x20);
	add_frame(&stack, 6, 9, CODE + 0x30);
	result = walk(unwinder, &stack);
	assert_int_equal(result.count, 2);
	assert_int_equal(result.verdict, UNWIND_CUT);
}

static void a_frame_pointer_that_leads_nowhere_ends_the_chain(void **state)
{
	_cleanup_(unwinder_freep) struct unwinder *unwinder = unwinder_new();
	const uint64_t nowhere[] = { STACK - 8, STACK + sizeof(uint64_t) * WORDS, STACK + 9, 8 };

	for (size_t i = 0; i < 4; i++) {
		struct stack stack = { .fp = nowhere[i] };

		assert_int_equal(walk(unwinder, &stack).count, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_pointers_lead_where_nothing_else_does),
		cmocka_unit_test(the_kernels_chain_goes_on_where_the_copy_ends),
		cmocka_unit_test(a_chain_that_went_another_way_is_not_followed),
		cmocka_unit_test(a_loop_ends),
		cmocka_unit_test(what_is_no_code_is_no_frame),
		cmocka_unit_test(a_chain_is_cut_where_it_was_asked_for),
		cmocka_unit_test(a_frame_pointer_that_leads_nowhere_ends_the_chain),
	};

	return cmocka_run_group_tests_name("unwinder", tests, NULL, NULL);
}
