/* cfi-program.c - see cfi-program.h. */
#include "object/cfi-program.h"

#include <dwarf.h>
#include <elf.h>
#include <errno.h>

#include "object/cfi-section.h"
#include "object/cfi.h"

enum {
	REMEMBERED_MAX = 8,         /* states; compilers nest one or two */
	INSTRUCTIONS_MAX = 1 << 20, /* of a function; more are not run */
	OPCODE_MASK = 0xc0,
	OPERAND_MASK = 0x3f,
	DW_CFA_RA_STATE = DW_CFA_GNU_window_save, /* arm64's meaning: negate_ra_state */
};

struct program {
	const struct cfi_fde *fde;
	struct dwarf_reader reader;
	uint16_t machine;
	uint64_t location, wanted;
	struct cfi_row row;
	const struct cfi_row *initial; /* behind the CIE's instructions; NULL while these run */
	struct cfi_row remembered[REMEMBERED_MAX];
	size_t remembered_count;
};

/* What an instruction says of registers that are not known is read and dropped. */
static void set_rule(struct program *program, uint64_t reg, struct cfi_rule rule)
{
	if (reg < CFI_REGISTERS)
		program->row.registers[reg] = rule;
}

static void set_offset(struct program *program, enum cfi_kind kind, uint64_t reg, int64_t factor)
{
	int64_t offset;

	if (__builtin_mul_overflow(factor, program->fde->cie.data_factor, &offset))
		program->reader.failed = true;
	else
		set_rule(program, reg,
			 (struct cfi_rule){ .kind = (uint8_t)kind, .offset = offset });
}

static struct cfi_rule expression(struct program *program, enum cfi_kind kind)
{
	uint64_t size = dwarf_uleb(&program->reader);
	struct cfi_rule rule = { .kind = (uint8_t)kind,
				 .size = (uint32_t)size,
				 .bytes = program->reader.at };

	if (size > UINT16_MAX)
		program->reader.failed = true;
	dwarf_skip(&program->reader, size);
	return rule;
}

static void set_cfa_register(struct program *program, uint64_t reg)
{
	if (reg >= CFI_REGISTERS)
		program->reader.failed = true;
	else
		program->row.cfa = (struct cfi_rule){ .kind = CFI_REGISTER, .reg = (uint8_t)reg };
}

static void set_register(struct program *program, uint64_t reg, uint64_t from)
{
	struct cfi_rule rule = { .kind = CFI_UNDEFINED };

	if (from < CFI_REGISTERS)
		rule = (struct cfi_rule){ .kind = CFI_REGISTER, .reg = (uint8_t)from };
	set_rule(program, reg, rule);
}

static void restore(struct program *program, uint64_t reg)
{
	if (reg < CFI_REGISTERS && program->initial)
		program->row.registers[reg] = program->initial->registers[reg];
}

/* The flag of signal frames is the CIE's, and does not change. */
static void remember(struct program *program)
{
	if (program->remembered_count == REMEMBERED_MAX)
		program->reader.failed = true;
	else
		program->remembered[program->remembered_count++] = program->row;
}

static void recall(struct program *program)
{
	if (program->remembered_count == 0)
		program->reader.failed = true;
	else
		program->row = program->remembered[--program->remembered_count];
}

/* In the CIE nothing advances. */
static void advance(struct program *program, uint64_t delta)
{
	program->location += delta * program->fde->cie.code_factor;
}

static void set_location(struct program *program)
{
	/* Nobody writes it in .eh_frame, where it would need the section's address. */
	program->location = dwarf_number(&program->reader, program->fde->cie.address_size);
}

/* Instructions about the CFA. False if it is none of them. */
static bool run_cfa(struct program *program, uint8_t opcode)
{
	struct dwarf_reader *reader = &program->reader;
	const int64_t factor = program->fde->cie.data_factor;

	switch (opcode) {
	case DW_CFA_def_cfa:
		set_cfa_register(program, dwarf_uleb(reader));
		program->row.cfa_offset = (int64_t)dwarf_uleb(reader);
		return true;
	case DW_CFA_def_cfa_sf:
		set_cfa_register(program, dwarf_uleb(reader));
		program->row.cfa_offset =
			(int64_t)((uint64_t)dwarf_sleb(reader) * (uint64_t)factor);
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa_register(program, dwarf_uleb(reader));
		return true;
	case DW_CFA_def_cfa_offset:
		program->row.cfa_offset = (int64_t)dwarf_uleb(reader);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		program->row.cfa_offset =
			(int64_t)((uint64_t)dwarf_sleb(reader) * (uint64_t)factor);
		return true;
	case DW_CFA_def_cfa_expression:
		program->row.cfa = expression(program, CFI_VALUE_EXPRESSION);
		return true;
	default:
		return false;
	}
}

/* Instructions about a register, whose number comes first. */
static bool run_register(struct program *program, uint8_t opcode)
{
	struct dwarf_reader *reader = &program->reader;
	uint64_t reg;

	if (opcode == DW_CFA_remember_state || opcode == DW_CFA_restore_state ||
	    (opcode != DW_CFA_GNU_negative_offset_extended &&
	     (opcode < DW_CFA_offset_extended || opcode > DW_CFA_val_expression)))
		return false;
	reg = dwarf_uleb(reader);
	switch (opcode) {
	case DW_CFA_offset_extended:
		set_offset(program, CFI_OFFSET, reg, (int64_t)dwarf_uleb(reader));
		return true;
	case DW_CFA_offset_extended_sf:
		set_offset(program, CFI_OFFSET, reg, dwarf_sleb(reader));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		set_offset(program, CFI_OFFSET, reg, -(int64_t)dwarf_uleb(reader));
		return true;
	case DW_CFA_val_offset:
		set_offset(program, CFI_VALUE_OFFSET, reg, (int64_t)dwarf_uleb(reader));
		return true;
	case DW_CFA_val_offset_sf:
		set_offset(program, CFI_VALUE_OFFSET, reg, dwarf_sleb(reader));
		return true;
	case DW_CFA_restore_extended:
		restore(program, reg);
		return true;
	case DW_CFA_undefined:
		set_rule(program, reg, (struct cfi_rule){ .kind = CFI_UNDEFINED });
		return true;
	case DW_CFA_same_value:
		set_rule(program, reg, (struct cfi_rule){ .kind = CFI_SAME });
		return true;
	case DW_CFA_register:
		set_register(program, reg, dwarf_uleb(reader));
		return true;
	case DW_CFA_expression:
		set_rule(program, reg, expression(program, CFI_EXPRESSION));
		return true;
	case DW_CFA_val_expression:
		set_rule(program, reg, expression(program, CFI_VALUE_EXPRESSION));
		return true;
	default:
		return false;
	}
}

static void run_extended(struct program *program, uint8_t opcode)
{
	struct dwarf_reader *reader = &program->reader;

	switch (opcode) {
	case DW_CFA_nop:
		return;
	case DW_CFA_set_loc:
		set_location(program);
		return;
	case DW_CFA_advance_loc1:
		advance(program, dwarf_number(reader, 1));
		return;
	case DW_CFA_advance_loc2:
		advance(program, dwarf_number(reader, 2));
		return;
	case DW_CFA_advance_loc4:
		advance(program, dwarf_number(reader, 4));
		return;
	case DW_CFA_remember_state:
		remember(program);
		return;
	case DW_CFA_restore_state:
		recall(program);
		return;
	case DW_CFA_GNU_args_size:
		(void)dwarf_uleb(reader);
		return;
	case DW_CFA_RA_STATE:
		if (program->machine == EM_AARCH64)
			program->row.return_is_signed = !program->row.return_is_signed;
		else
			reader->failed = true;
		return;
	default:
		reader->failed = true;
	}
}

static void run_one(struct program *program)
{
	uint8_t opcode = dwarf_u8(&program->reader), operand = opcode & OPERAND_MASK;

	switch (opcode & OPCODE_MASK) {
	case DW_CFA_advance_loc:
		advance(program, operand);
		return;
	case DW_CFA_offset:
		set_offset(program, CFI_OFFSET, operand, (int64_t)dwarf_uleb(&program->reader));
		return;
	case DW_CFA_restore:
		restore(program, operand);
		return;
	default:
		if (!run_cfa(program, opcode) && !run_register(program, opcode))
			run_extended(program, opcode);
	}
}

/* To the end, or up to what moves the location past the wanted one: it changes nothing else. */
static int run(struct program *program, const uint8_t *begin, const uint8_t *end)
{
	size_t left = INSTRUCTIONS_MAX;

	program->location = program->fde->start;
	program->reader = (struct dwarf_reader){ .at = begin, .end = end };
	while (program->reader.at < end && program->location <= program->wanted) {
		run_one(program);
		if (program->reader.failed || --left == 0)
			return -EBADMSG;
	}
	return 0;
}

int cfi_program_run(const struct cfi_fde *fde, uint16_t machine, uint64_t vaddr,
		    struct cfi_row *ret_row)
{
	struct program program;
	struct cfi_row initial;
	int r;

	program.fde = fde;
	program.machine = machine;
	program.initial = NULL;
	program.remembered_count = 0;
	program.wanted = vaddr;
	program.row = (struct cfi_row){ .return_column = fde->cie.return_column,
					.signal_frame = fde->cie.signal_frame };
	r = run(&program, fde->cie.begin, fde->cie.end);
	if (r < 0)
		return r;
	initial = program.row;
	program.initial = &initial;
	r = run(&program, fde->begin, fde->end_bytes);
	*ret_row = program.row;
	return r;
}
