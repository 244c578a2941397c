#include "../test.h"

#include <elf.h>

#include "base/str.h"
#include "object/insn.h"

static const struct code_kind x86_64 = { EM_X86_64, true };
static const struct code_kind x86_32 = { EM_386, false };
static const struct code_kind arm64 = { EM_AARCH64, true };

static void must_be_there(void)
{
	if (!insn_is_there())
		skip();
}

static void instructions_have_sizes_and_texts(void **state)
{
	const struct {
		struct code_kind kind;
		uint8_t bytes[16];
		size_t size;
		const char *text;
		bool departs;
	} rows[] = {
		{ x86_64, { 0x48, 0x01, 0xc2 }, 3, "addq %rax, %rdx", false },
		{ x86_64, { 0xc3 }, 1, "retq", true },
		{ x86_64, { 0xe8, 0xfb, 0xff, 0xff, 0xff }, 5, "callq 0x1000", true },
		{ x86_64, { 0xeb, 0xfe }, 2, "jmp 0x1000", true },
		{ x86_64, { 0x75, 0xfe }, 2, "jne 0x1000", false },
		{ x86_64, { 0xff, 0xe0 }, 2, "jmpq *%rax", true },
		{ x86_64, { 0x0f, 0x05 }, 2, "syscall", true },
		{ x86_64, { 0xcc }, 1, "int3", true },
		{ x86_32, { 0x40 }, 1, "incl %eax", false },
		{ arm64, { 0xc0, 0x03, 0x5f, 0xd6 }, 4, "ret", true },
		{ arm64, { 0x00, 0x00, 0x00, 0x14 }, 4, "b #0x1000", true },
		{ arm64, { 0x00, 0x00, 0x00, 0x54 }, 4, "b.eq #0x1000", false },
		{ arm64, { 0xe8, 0x07, 0x40, 0xb9 }, 4, "ldr w8, [sp, #4]", false },
	};

	must_be_there();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		_cleanup_(insn_reader_freep) struct insn_reader *reader =
			insn_reader_new(rows[i].kind);
		_cleanup_(str_done) struct str text = { 0 };
		struct insn insn;

		assert_non_null(reader);
		assert_true(insn_read(reader, rows[i].bytes, sizeof(rows[i].bytes), 0x1000, &insn,
				      &text));
		assert_int_equal(insn.size, rows[i].size);
		assert_string_equal(str_text(&text), rows[i].text);
		assert_int_equal(insn.departs, rows[i].departs);
	}
}

static void jumps_say_where_they_go(void **state)
{
	const struct {
		struct code_kind kind;
		uint8_t bytes[16];
		uint64_t target; /* 0: does not say */
	} rows[] = {
		{ x86_64, { 0xe8, 0xfb, 0x00, 0x00, 0x00 }, 0x1100 }, /* callq */
		{ x86_64, { 0x75, 0x0e }, 0x1010 },                   /* jne */
		{ x86_64, { 0xff, 0xe0 }, 0 },                        /* jmpq *%rax */
		{ x86_64, { 0xff, 0x25, 0x10, 0, 0, 0 }, 0 },         /* jmpq *0x10(%rip) */
		{ x86_64, { 0xb8, 0x10, 0x10, 0, 0 }, 0 },            /* movl $0x1010, %eax */
		{ x86_64, { 0xc3 }, 0 },
		{ arm64, { 0x04, 0x00, 0x00, 0x14 }, 0x1010 }, /* b */
		{ arm64, { 0x80, 0x00, 0x00, 0x54 }, 0x1010 }, /* b.eq */
		{ arm64, { 0x80, 0x00, 0x00, 0xb4 }, 0x1010 }, /* cbz x0 */
		{ arm64, { 0x00, 0x02, 0x1f, 0xd6 }, 0 },      /* br x16 */
	};

	must_be_there();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		_cleanup_(insn_reader_freep) struct insn_reader *reader =
			insn_reader_new(rows[i].kind);
		struct insn insn;

		assert_true(insn_read(reader, rows[i].bytes, sizeof(rows[i].bytes), 0x1000, &insn,
				      NULL));
		assert_int_equal(insn.has_target, rows[i].target != 0);
		if (insn.has_target)
			assert_int_equal(insn.target, rows[i].target);
	}
}

static void x86_is_written_in_two_ways(void **state)
{
	static const uint8_t bytes[] = { 0x48, 0x01, 0xc2 };
	_cleanup_(str_done) struct str text = { 0 };
	struct insn insn;

	must_be_there();
	_cleanup_(insn_reader_freep) struct insn_reader *reader = insn_reader_new(x86_64);

	insn_reader_use_intel(reader);
	assert_true(insn_read(reader, bytes, sizeof(bytes), 0x1000, &insn, &text));
	assert_string_equal(str_text(&text), "add rdx, rax");
}

static void half_an_instruction_is_none(void **state)
{
	static const uint8_t bytes[] = { 0xe8, 0xfb, 0xff };
	struct insn insn;

	must_be_there();
	_cleanup_(insn_reader_freep) struct insn_reader *reader = insn_reader_new(x86_64);

	assert_false(insn_read(reader, bytes, sizeof(bytes), 0x1000, &insn, NULL));
	assert_false(insn_read(reader, bytes, 0, 0x1000, &insn, NULL));
}

static void code_of_unknown_machines_is_not_read(void **state)
{
	assert_null(insn_reader_new((struct code_kind){ EM_VAX, false }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_have_sizes_and_texts),
		cmocka_unit_test(jumps_say_where_they_go),
		cmocka_unit_test(x86_is_written_in_two_ways),
		cmocka_unit_test(half_an_instruction_is_none),
		cmocka_unit_test(code_of_unknown_machines_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
