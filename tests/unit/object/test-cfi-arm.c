/* test-cfi-arm.c - object/cfi-arm.h: what each instruction of .ARM.exidx and .ARM.extab does. */
#include "../test.h"

#include <elf.h>
#include <errno.h>

#include "object/cfi-arm.h"
#include "object/cfi.h"
#include "object/elf-file.h"

enum { BASE = 0x10000, CODE = 0x200, CODE_SIZE = 0x40, SP = 13, LINK = 14, PC = 15 };
enum { ITEMS_MOST = 3, WORDS_MOST = 8 };

/* A file as the linker makes it: code, index and table in one segment. */
struct image {
	Elf32_Ehdr header;
	Elf32_Phdr segments[2];
	uint32_t items[ITEMS_MOST][2];
	uint32_t table[WORDS_MOST];
};

static uint32_t vaddr_of(const struct image *image, const void *at)
{
	return (uint32_t)(BASE + ((const char *)at - (const char *)image));
}

/* The place of something, as seen from a word. */
static uint32_t place(const struct image *image, const uint32_t *word, uint32_t vaddr)
{
	return (vaddr - vaddr_of(image, word)) & 0x7fffffff;
}

static uint32_t function(size_t i)
{
	return BASE + CODE + (uint32_t)i * CODE_SIZE;
}

static void image_init(struct image *image)
{
	*image = (struct image){ .header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
							  ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
					     .e_type = ET_EXEC,
					     .e_machine = EM_ARM,
					     .e_version = EV_CURRENT,
					     .e_phoff = offsetof(struct image, segments),
					     .e_ehsize = sizeof(Elf32_Ehdr),
					     .e_phentsize = sizeof(Elf32_Phdr),
					     .e_phnum = 2 } };
	image->segments[0] = (Elf32_Phdr){ .p_type = PT_LOAD,
					   .p_vaddr = BASE,
					   .p_filesz = sizeof(*image),
					   .p_memsz = CODE + ITEMS_MOST * CODE_SIZE,
					   .p_flags = PF_R | PF_X };
	image->segments[1] = (Elf32_Phdr){ .p_type = PT_ARM_EXIDX,
					   .p_offset = offsetof(struct image, items),
					   .p_vaddr = vaddr_of(image, image->items),
					   .p_filesz = sizeof(image->items),
					   .p_memsz = sizeof(image->items) };
	for (size_t i = 0; i < ITEMS_MOST; i++) {
		image->items[i][0] = place(image, image->items[i], function(i));
		image->items[i][1] = 1; /* cannot be unwound */
	}
}

static int find(const struct image *image, uint64_t vaddr, struct cfi_row *ret_row)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	struct cfi_arm arm;

	assert_int_equal(elf_file_from_memory(image, sizeof(*image), "image", &file, NULL), 0);
	cfi_arm_init(&arm, file);
	return cfi_arm_find(&arm, vaddr, ret_row);
}

/* The second function's, by up to three instructions in the index itself. */
static int find_by(uint32_t instructions, struct cfi_row *ret_row)
{
	struct image image;

	image_init(&image);
	image.items[1][1] = 0x80000000 | instructions;
	return find(&image, function(1) + 8, ret_row);
}

/* By instructions in the table, of which the highest byte of the first word says what it is. */
static int find_by_table(const uint32_t *words, size_t count, struct cfi_row *ret_row)
{
	struct image image;

	image_init(&image);
	image.items[1][1] = place(&image, &image.items[1][1], vaddr_of(&image, image.table));
	memcpy(image.table, words, count * sizeof(*words));
	return find(&image, function(1) + 8, ret_row);
}

static void check_offset(const struct cfi_row *row, unsigned number, int64_t offset)
{
	assert_int_equal(row->registers[number].kind, CFI_OFFSET);
	assert_true(row->registers[number].offset == offset);
}

static void each_instruction_moves_the_frame(void **state)
{
	static const struct {
		uint32_t instructions;
		int64_t offset;
	} cases[] = {
		{ 0x00b0b0, 4 },
		{ 0x3fb0b0, 256 }, /* up */
		{ 0x3f41b0, 248 },
		{ 0x40b0b0, -4 },  /* and down */
		{ 0xb200b0, 516 }, /* far up */
		{ 0xb27fb0, 516 + 127 * 4 },
		{ 0xb30fb0, 16 * 8 + 4 },
		{ 0xb321b0, 2 * 8 + 4 }, /* doubles, with a word */
		{ 0xb8b0b0, 8 + 4 },
		{ 0xbfb0b0, 8 * 8 + 4 }, /* from d8 on */
		{ 0xc803b0, 4 * 8 },
		{ 0xc907b0, 8 * 8 }, /* doubles without */
		{ 0xd0b0b0, 8 },
		{ 0xd7b0b0, 8 * 8 }, /* from d8 on */
		{ 0xc0b0b0, 8 },
		{ 0xc5b0b0, 6 * 8 }, /* vectors of XScale */
		{ 0xc612b0, 3 * 8 },
		{ 0xc705b0, 2 * 4 }, /* its control registers */
		{ 0xb4b0b0, 4 },
		{ 0xb5b0b0, 0 }, /* authentication */
		{ 0xb0ffff, 0 },
		{ 0x0000b0, 8 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cfi_row row;

		assert_int_equal(find_by(cases[i].instructions, &row), 0);
		assert_int_equal(row.cfa.kind, CFI_REGISTER);
		assert_int_equal(row.cfa.reg, SP);
		assert_true(row.cfa_offset == cases[i].offset);
		assert_int_equal(row.return_column, LINK);
		assert_int_equal(row.registers[LINK].kind, CFI_SAME);
		assert_true(row.function == function(1));
	}
}

static void registers_lie_below_the_frame(void **state)
{
	struct cfi_row row;

	assert_int_equal(find_by(0x01abb0, &row), 0); /* 8 bytes, r4 to r7 and the link */
	assert_true(row.cfa_offset == 28);
	for (unsigned i = 4; i < 8; i++)
		check_offset(&row, i, -20 + 4 * (int64_t)(i - 4));
	check_offset(&row, LINK, -4);
	assert_int_equal(row.registers[8].kind, CFI_SAME);
	assert_int_equal(find_by(0xa0b0b0, &row), 0); /* r4 alone */
	check_offset(&row, 4, -4);
	assert_int_equal(row.registers[LINK].kind, CFI_SAME);
	assert_int_equal(find_by(0xb10900, &row), 0); /* r0 and r3, then 4 bytes */
	check_offset(&row, 0, -12);
	check_offset(&row, 3, -8);
	assert_int_equal(find_by(0x8480b0, &row), 0); /* r11 and the link */
	check_offset(&row, 11, -8);
	check_offset(&row, LINK, -4);
}

static void a_frame_pointer_is_what_counts(void **state)
{
	struct cfi_row row;

	assert_int_equal(find_by(0x9741a8, &row), 0);
	assert_int_equal(row.cfa.reg, 7);
	assert_true(row.cfa_offset == 0);
	check_offset(&row, 4, -8);
	check_offset(&row, LINK, -4);
}

static void a_context_that_is_restored_was_interrupted(void **state)
{
	const uint32_t words[] = { 0x81012700, 0xb10f8fff };
	struct cfi_row row;

	assert_int_equal(find_by_table(words, 2, &row), 0);
	assert_true(row.signal_frame);
	assert_int_equal(row.return_column, PC);
	assert_true(row.cfa_offset == 160 + 4 + 16 * 4);
	check_offset(&row, PC, -4);
	check_offset(&row, SP, -12);
	check_offset(&row, 0, -64);
	assert_int_equal(find_by(0x8800b0, &row), 0); /* the pc alone is no context */
	assert_int_equal(row.return_column, PC);
	assert_false(row.signal_frame);
}

static void tables_hold_what_the_index_has_no_room_for(void **state)
{
	const uint32_t compact[] = { 0x8101b27f, 0xa8b0b0b0 };
	const uint32_t longer[] = { 0x8202b281, 0x0100b1ff, 0x0000a8b0 };
	/* The function's place, then how many words follow. */
	const uint32_t with_function[] = { 0x00001000, 0x0100a9b0, 0xb0b0b0b0 };
	const uint32_t only_one[] = { 0x80a8b0b0 };
	struct cfi_row row;

	assert_int_equal(find_by_table(compact, 2, &row), 0);
	assert_true(row.cfa_offset == 516 + 127 * 4 + 8);
	assert_int_equal(find_by_table(longer, 3, &row), -EBADMSG); /* 0xb1 0xff is none */
	assert_int_equal(find_by_table(with_function, 3, &row), 0);
	assert_true(row.cfa_offset == 4 + 12);
	assert_int_equal(find_by_table(only_one, 1, &row), 0);
	assert_true(row.cfa_offset == 8);
}

static void what_is_not_sound_is_damaged(void **state)
{
	static const uint32_t cases[] = {
		0x8000b0,           /* there is no way */
		0x9b4084,           /* and the rest? */
		0x9db0b0, 0x9fb0b0, /* reserved */
		0xa89700, /* by another register, behind what was taken by the first one */
		0xb100b0, 0xb110b0, 0xb6b0b0, 0xb7b0b0, /* spare */
		0xc700b0, 0xc710b0, 0xcab0b0, 0xd8b0b0, 0xffb0b0,
	};
	const uint32_t unknown[] = { 0x83b0b0b0 }, cut[] = { 0x00001000, 0xff00a9b0 };
	struct cfi_row row;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(find_by(cases[i], &row), -EBADMSG);
	assert_int_equal(find_by_table(unknown, 1, &row), -EBADMSG);
	assert_int_equal(find_by_table(cut, 2, &row), 0); /* what follows ends it */
}

static void only_what_the_index_tells_of_is_found(void **state)
{
	struct image image;
	struct cfi_row row;

	image_init(&image);
	image.items[1][1] = 0x80a8b0b0;
	assert_int_equal(find(&image, function(0) - 1, &row), -ENOENT);
	assert_int_equal(find(&image, function(0) + 4, &row), -ENOENT);
	assert_int_equal(find(&image, function(1) + CODE_SIZE - 1, &row), 0);
	assert_int_equal(find(&image, function(2), &row), -ENOENT);
	assert_int_equal(find(&image, function(1), &row), 0);
	assert_true(row.cfa_offset == 0); /* nothing is done yet */
	assert_int_equal(row.registers[LINK].kind, CFI_SAME);
	image.segments[1].p_memsz = 12; /* half an item counts for nothing */
	assert_int_equal(find(&image, function(1), &row), -ENOENT);
	image.segments[1].p_vaddr = 0x80000000;
	assert_int_equal(find(&image, function(1), &row), -ENOENT);
	image_init(&image);
	image.items[1][1] = 0x7ffff000; /* the table is nowhere */
	assert_int_equal(find(&image, function(1) + 8, &row), -EBADMSG);
	image.header.e_machine = EM_386;
	assert_int_equal(find(&image, function(1) + 8, &row), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_instruction_moves_the_frame),
		cmocka_unit_test(registers_lie_below_the_frame),
		cmocka_unit_test(a_frame_pointer_is_what_counts),
		cmocka_unit_test(a_context_that_is_restored_was_interrupted),
		cmocka_unit_test(tables_hold_what_the_index_has_no_room_for),
		cmocka_unit_test(what_is_not_sound_is_damaged),
		cmocka_unit_test(only_what_the_index_tells_of_is_found),
	};

	return cmocka_run_group_tests_name("cfi-arm", tests, NULL, NULL);
}
