/* jit-lines.c - see jit-lines.h. */
#include "object/jit-lines.h"

#include <dwarf.h>
#include <string.h>

#include "base/bytes.h"
#include "base/strings.h"
#include "object/jitdump.h"

enum { VERSION = 4, OPCODE_BASE = DW_LNS_set_isa + 1 };

void jit_lines_done(struct jit_lines *lines)
{
	str_done(&lines->line);
	str_done(&lines->info);
	str_done(&lines->abbrev);
}

static void put_u8(struct str *out, unsigned value)
{
	str_add_char(out, (char)value);
}

static void put_u16(struct str *out, uint16_t value, bool foreign)
{
	value = bytes_u16(value, foreign);
	str_add_bytes(out, &value, sizeof(value));
}

static void put_u32(struct str *out, uint32_t value, bool foreign)
{
	value = bytes_u32(value, foreign);
	str_add_bytes(out, &value, sizeof(value));
}

static void put_address(struct str *out, uint64_t addr, const struct jit_lines_code *code)
{
	if (code->addr_size == sizeof(uint32_t)) {
		put_u32(out, (uint32_t)addr, code->foreign);
		return;
	}
	addr = bytes_u64(addr, code->foreign);
	str_add_bytes(out, &addr, sizeof(addr));
}

static void put_text(struct str *out, const char *text)
{
	str_add_bytes(out, text, strlen(text) + 1);
}

/* LEB128. */
static void put_unsigned(struct str *out, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		put_u8(out, (value & 0x7f) | 0x80);
	put_u8(out, (unsigned)value);
}

static void put_signed(struct str *out, int64_t value)
{
	for (; value > 0x3f || value < -0x40; value >>= 7)
		put_u8(out, ((uint64_t)value & 0x7f) | 0x80);
	put_u8(out, (uint64_t)value & 0x7f);
}

/* The length of what follows its place, which is known at last. */
static void set_length(struct str *out, size_t at, bool foreign)
{
	uint32_t length = bytes_u32((uint32_t)(out->size - at - sizeof(length)), foreign);

	memcpy(out->text + at, &length, sizeof(length));
}

static bool is_inside(const struct jit_lines_code *code, const struct jitdump_line *line)
{
	return line->addr + code->moved_by - code->addr < code->size;
}

/* Tables of folders, of which there are none, and of files. */
static void put_tables(struct str *out, const struct strings *files)
{
	static const uint8_t operands[OPCODE_BASE - 1] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };

	put_u8(out, 1); /* minimum_instruction_length */
	put_u8(out, 1); /* maximum_operations_per_instruction */
	put_u8(out, 1); /* default_is_stmt */
	put_u8(out, 0); /* line_base: of special opcodes, which are not used */
	put_u8(out, 1); /* line_range */
	put_u8(out, OPCODE_BASE);
	str_add_bytes(out, operands, sizeof(operands));
	put_u8(out, 0);
	for (uint32_t i = 0; i < files->count; i++) {
		put_text(out, strings_text(files, i));
		put_unsigned(out, 0); /* folder, time, size */
		put_unsigned(out, 0);
		put_unsigned(out, 0);
	}
	put_u8(out, 0);
}

static void advance(struct str *out, uint64_t by)
{
	if (by == 0)
		return;
	put_u8(out, DW_LNS_advance_pc);
	put_unsigned(out, by);
}

static void put_rows(struct str *out, const struct jit_lines_code *code,
		     const struct jitdump_line *items, size_t count, struct strings *files)
{
	uint64_t addr = code->addr;
	uint32_t file = 1, line = 1;

	put_u8(out, 0);
	put_unsigned(out, 1U + code->addr_size);
	put_u8(out, DW_LNE_set_address);
	put_address(out, addr, code);
	for (size_t i = 0; i < count; i++) {
		uint32_t its_file;

		if (!is_inside(code, &items[i]))
			continue;
		its_file = strings_intern(files, items[i].file) + 1;
		advance(out, items[i].addr + code->moved_by - addr);
		addr = items[i].addr + code->moved_by;
		if (its_file != file) {
			put_u8(out, DW_LNS_set_file);
			put_unsigned(out, its_file);
		}
		put_u8(out, DW_LNS_advance_line);
		put_signed(out, (int64_t)items[i].line - (int64_t)line);
		put_u8(out, DW_LNS_copy);
		file = its_file;
		line = items[i].line;
	}
	advance(out, code->addr + code->size - addr);
	put_u8(out, 0);
	put_unsigned(out, 1);
	put_u8(out, DW_LNE_end_sequence);
}

static void make_program(const struct jit_lines_code *code, const struct jitdump_line *items,
			 size_t count, struct str *out)
{
	struct strings files = { 0 };
	size_t header;

	for (size_t i = 0; i < count; i++)
		if (is_inside(code, &items[i]))
			(void)strings_intern(&files, items[i].file);
	put_u32(out, 0, code->foreign);
	put_u16(out, VERSION, code->foreign);
	header = out->size;
	put_u32(out, 0, code->foreign);
	put_tables(out, &files);
	set_length(out, header, code->foreign);
	put_rows(out, code, items, count, &files);
	set_length(out, 0, code->foreign);
	strings_done(&files);
}

static void put_attribute(struct str *out, unsigned name, unsigned form)
{
	put_unsigned(out, name);
	put_unsigned(out, form);
}

static void make_abbrev(struct str *out)
{
	put_unsigned(out, 1);
	put_unsigned(out, DW_TAG_compile_unit);
	put_u8(out, DW_CHILDREN_no);
	put_attribute(out, DW_AT_name, DW_FORM_string);
	put_attribute(out, DW_AT_stmt_list, DW_FORM_sec_offset);
	put_attribute(out, DW_AT_low_pc, DW_FORM_addr);
	put_attribute(out, DW_AT_high_pc, DW_FORM_addr);
	put_attribute(out, 0, 0);
	put_u8(out, 0);
}

static void make_info(const struct jit_lines_code *code, struct str *out)
{
	put_u32(out, 0, code->foreign);
	put_u16(out, VERSION, code->foreign);
	put_u32(out, 0, code->foreign); /* of .debug_abbrev */
	put_u8(out, code->addr_size);
	put_unsigned(out, 1);
	put_text(out, code->name);
	put_u32(out, 0, code->foreign); /* of .debug_line */
	put_address(out, code->addr, code);
	put_address(out, code->addr + code->size, code);
	set_length(out, 0, code->foreign);
}

void jit_lines_make(const struct jit_lines_code *code, const struct jitdump_line *items,
		    size_t count, struct jit_lines *ret_lines)
{
	*ret_lines = (struct jit_lines){ 0 };
	make_program(code, items, count, &ret_lines->line);
	make_abbrev(&ret_lines->abbrev);
	make_info(code, &ret_lines->info);
}
