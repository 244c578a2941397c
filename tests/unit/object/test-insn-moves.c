/* test-insn-moves.c - what instructions do with registers and memory. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "object/insn-moves.h"

static struct insn_moves read_one(uint16_t machine, const uint8_t *bytes, size_t size)
{
	_cleanup_(insn_moves_reader_freep) struct insn_moves_reader *reader =
		insn_moves_reader_new((struct code_kind){ machine, true });
	struct insn_moves moves;

	if (!insn_is_there())
		skip();
	assert_non_null(reader);
	assert_true(insn_moves_read(reader, bytes, size, 0x1000, &moves));
	assert_int_equal(moves.size, size);
	return moves;
}

#define READ(machine, ...)                                                                         \
	read_one(machine, (const uint8_t[]){ __VA_ARGS__ },                                        \
		 sizeof((const uint8_t[]){ __VA_ARGS__ }))

enum { RAX = 0, RBX = 3, RDI = 5, RSP = 7 };

static void a_load_has_its_memory_and_its_register(void **state)
{
	struct insn_moves moves = READ(EM_X86_64, 0x48, 0x8b, 0x47, 0x18); /* mov 24(%rdi), %rax */

	assert_int_equal(moves.memory_count, 1);
	assert_int_equal(moves.memory[0].base, RDI);
	assert_int_equal(moves.memory[0].index, INSN_REG_NONE);
	assert_int_equal(moves.memory[0].offset, 24);
	assert_int_equal(moves.memory[0].size, 8);
	assert_true(moves.memory[0].reads && !moves.memory[0].writes);
	assert_int_equal(moves.count, 1);
	assert_int_equal(moves.items[0].kind, INSN_MOVE_LOAD);
	assert_int_equal(moves.items[0].target, RAX);
	assert_int_equal(moves.lost, 1 << RAX);
	assert_int_equal(moves.stores, INSN_REG_NONE);
}

static void a_store_has_what_it_stores(void **state)
{
	struct insn_moves moves =
		READ(EM_X86_64, 0x48, 0x89, 0x5c, 0x24, 0x10); /* mov %rbx, 16(%rsp) */

	assert_int_equal(moves.stores, RBX);
	assert_int_equal(moves.memory[0].base, RSP);
	assert_true(moves.memory[0].writes);
	assert_int_equal(moves.lost, 0);
}

static void an_address_from_the_pc_is_the_address_itself(void **state)
{
	struct insn_moves moves =
		READ(EM_X86_64, 0x48, 0x8d, 0x05, 0x10, 0, 0, 0); /* lea 16(%rip), %rax */

	assert_int_equal(moves.items[0].kind, INSN_MOVE_ADDRESS);
	assert_int_equal(moves.memory[0].base, INSN_REG_PC);
	assert_int_equal(moves.memory[0].offset, 0x1000 + 7 + 16);
	assert_false(moves.memory[0].reads || moves.memory[0].writes);
}

static void a_call_comes_back_and_a_jump_goes_where_it_says(void **state)
{
	struct insn_moves call = READ(EM_X86_64, 0xe8, 0x10, 0, 0, 0);
	struct insn_moves jump = READ(EM_X86_64, 0xeb, 0x02), either = READ(EM_X86_64, 0x74, 0x02);

	assert_true(call.calls && call.goes_on && call.of_stack && !call.jumps);
	assert_int_equal(call.to, 0x1000 + 5 + 16);
	assert_int_equal(call.lost & 1 << RSP, 0);
	assert_true(jump.jumps && !jump.goes_on);
	assert_int_equal(jump.to, 0x1004);
	assert_true(either.jumps && either.goes_on);
	assert_true(READ(EM_X86_64, 0xc3).of_stack);
	assert_false(READ(EM_X86_64, 0xc3).goes_on);
	assert_true(READ(EM_X86_64, 0x53).of_stack); /* push %rbx */
}

static void sums_are_copies_or_go_through_an_array(void **state)
{
	struct insn_moves by_number = READ(EM_X86_64, 0x48, 0x83, 0xc0, 0x08); /* add $8, %rax */
	struct insn_moves by_register = READ(EM_X86_64, 0x48, 0x01, 0xd8);     /* add %rbx, %rax */

	assert_int_equal(by_number.items[0].kind, INSN_MOVE_COPY);
	assert_int_equal(by_number.items[0].number, 8);
	assert_true(by_number.fuses);
	assert_int_equal(by_register.items[0].kind, INSN_MOVE_INDEX);
	assert_int_equal(by_register.items[0].other, RBX);
}

static void pairs_and_moving_bases_of_arm64_are_read(void **state)
{
	/* ldp x0, x1, [x2, #16]; ldr x3, [x4], #8; bl .+4; adrp x5, .+4096 */
	struct insn_moves pair = READ(EM_AARCH64, 0x40, 0x04, 0x41, 0xa9),
			  post = READ(EM_AARCH64, 0x83, 0x84, 0x40, 0xf8),
			  call = READ(EM_AARCH64, 0x01, 0x00, 0x00, 0x94),
			  page = READ(EM_AARCH64, 0x05, 0x00, 0x00, 0xb0);

	assert_int_equal(pair.memory[0].base, 2);
	assert_int_equal(pair.memory[0].offset, 16);
	assert_int_equal(pair.count, 2);
	assert_int_equal(pair.items[1].target, 1);
	assert_int_equal(pair.items[1].number, 8);
	assert_int_equal(post.items[0].kind, INSN_MOVE_LOAD);
	assert_int_equal(post.items[1].kind, INSN_MOVE_COPY);
	assert_int_equal(post.items[1].target, 4);
	assert_int_equal(post.items[1].number, 8);
	assert_true(call.calls && call.goes_on);
	assert_int_equal(call.to, 0x1004);
	assert_int_equal(page.items[0].kind, INSN_MOVE_NUMBER);
	assert_int_equal(page.items[0].number, 0x2000);
}

static void comparisons_of_arm64_change_nothing(void **state)
{
	/* cmp x0, x1; subs x0, x1, #1 */
	assert_int_equal(READ(EM_AARCH64, 0x1f, 0x00, 0x01, 0xeb).lost, 0);
	assert_int_equal(READ(EM_AARCH64, 0x20, 0x04, 0x00, 0xf1).lost, 1);
}

static void indexes_of_arm64_have_their_scale(void **state)
{
	/* ldr x0, [x0, x1, lsl #3]; ld1 {v0.16b}, [x1], x2 */
	struct insn_moves indexed = READ(EM_AARCH64, 0x00, 0x78, 0x61, 0xf8),
			  by_register = READ(EM_AARCH64, 0x20, 0x70, 0xc2, 0x4c);

	assert_int_equal(indexed.memory[0].index, 1);
	assert_int_equal(indexed.memory[0].scale, 8);
	assert_int_equal(by_register.count, 0);
	assert_int_equal(by_register.lost, 1 << 1);
}

static void other_machines_have_no_reader(void **state)
{
	assert_null(insn_moves_reader_new((struct code_kind){ EM_PPC64, true }));
	assert_null(insn_moves_reader_new((struct code_kind){ EM_386, false }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_load_has_its_memory_and_its_register),
		cmocka_unit_test(a_store_has_what_it_stores),
		cmocka_unit_test(an_address_from_the_pc_is_the_address_itself),
		cmocka_unit_test(a_call_comes_back_and_a_jump_goes_where_it_says),
		cmocka_unit_test(sums_are_copies_or_go_through_an_array),
		cmocka_unit_test(pairs_and_moving_bases_of_arm64_are_read),
		cmocka_unit_test(comparisons_of_arm64_change_nothing),
		cmocka_unit_test(indexes_of_arm64_have_their_scale),
		cmocka_unit_test(other_machines_have_no_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
