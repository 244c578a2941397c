/* insn-moves-arm64.c - see insn-moves.h: of arm64. */
#include "object/insn-moves-kind.h"

/* x0 to x30 have these numbers, the stack pointer has 31: DWARF for the Arm 64-bit Architecture. */
enum { X0 = 0, X18 = 18, X29 = 29, X30 = 30, SP = 31, WORD = 8 };

const struct insn_convention insn_moves_arm64 = {
	.lost_in_calls = (UINT64_C(1) << (X18 + 1)) - 1, /* and x30, which the call writes */
	.result = X0,
	.shortest = 4,
};

int insn_moves_arm64_register(unsigned reg)
{
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (int)(reg - ARM64_REG_X0);
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (int)(reg - ARM64_REG_W0);
	switch (reg) {
	case ARM64_REG_X29:
		return X29;
	case ARM64_REG_X30:
		return X30;
	case ARM64_REG_SP:
	case ARM64_REG_WSP:
		return SP;
	default:
		return INSN_REG_NONE;
	}
}

/* A whole register, or INSN_REG_NONE. */
static int whole_register(const cs_arm64_op *op)
{
	bool is_half =
		op->type == ARM64_OP_REG && op->reg >= ARM64_REG_W0 && op->reg <= ARM64_REG_W30;

	if (op->type != ARM64_OP_REG || is_half || op->reg == ARM64_REG_WSP)
		return INSN_REG_NONE;
	return insn_moves_arm64_register(op->reg);
}

static bool is_store(unsigned id)
{
	switch (id) {
	case ARM64_INS_STR:
	case ARM64_INS_STRB:
	case ARM64_INS_STRH:
	case ARM64_INS_STUR:
	case ARM64_INS_STURB:
	case ARM64_INS_STURH:
	case ARM64_INS_STP:
	case ARM64_INS_STNP:
	case ARM64_INS_STLR:
	case ARM64_INS_STLRB:
	case ARM64_INS_STLRH:
	case ARM64_INS_STXR:
	case ARM64_INS_STLXR:
		return true;
	default:
		return false;
	}
}

static unsigned size_of(const cs_insn *insn)
{
	const cs_arm64_op *op = &insn->detail->arm64.operands[0];

	switch (insn->id) {
	case ARM64_INS_LDRB:
	case ARM64_INS_LDRSB:
	case ARM64_INS_LDURB:
	case ARM64_INS_STRB:
	case ARM64_INS_STURB:
		return 1;
	case ARM64_INS_LDRH:
	case ARM64_INS_LDRSH:
	case ARM64_INS_LDURH:
	case ARM64_INS_STRH:
	case ARM64_INS_STURH:
		return 2;
	case ARM64_INS_LDRSW:
		return 4;
	default:
		break;
	}
	if (op->type != ARM64_OP_REG || insn_moves_arm64_register(op->reg) < 0)
		return 0;
	return whole_register(op) >= 0 ? WORD : WORD / 2;
}

/* The operand that is memory, or -1. */
static int memory_at(const cs_arm64 *arm64)
{
	for (uint8_t i = 0; i < arm64->op_count; i++) {
		if (arm64->operands[i].type == ARM64_OP_MEM)
			return i;
	}
	return -1;
}

static void add_memory(const cs_insn *insn, const cs_arm64_op *op, struct insn_moves *moves)
{
	bool writes = is_store(insn->id);

	moves->memory[moves->memory_count++] = (struct insn_memory){
		.base = insn_moves_arm64_register(op->mem.base),
		.index = insn_moves_arm64_register(op->mem.index),
		.scale = 1U << (op->shift.value & 15),
		.offset = op->mem.disp,
		.size = size_of(insn),
		.reads = !writes,
		.writes = writes,
	};
}

/* "ldr x0, [x1, #8]!" and "ldr x0, [x1], #8" move x1. */
static void move_base(const cs_arm64 *arm64, int at, struct insn_moves *moves)
{
	const cs_arm64_op *op = &arm64->operands[at];
	int base = insn_moves_arm64_register(op->mem.base);
	const cs_arm64_op *behind = at + 1 < arm64->op_count ? op + 1 : NULL;
	int64_t by = op->mem.disp;

	if (!arm64->writeback || base < 0)
		return;
	moves->lost |= UINT64_C(1) << base; /* libcapstone does not say so */
	if (behind && behind->type != ARM64_OP_IMM)
		return;
	if (behind)
		by = behind->imm;
	insn_moves_add(moves, (struct insn_move){ INSN_MOVE_COPY, base, base, INSN_REG_NONE, by });
}

static void take_memory(const cs_insn *insn, struct insn_moves *moves)
{
	const cs_arm64 *arm64 = &insn->detail->arm64;
	int at = memory_at(arm64);

	if (at < 0)
		return;
	add_memory(insn, &arm64->operands[at], moves);
	if (insn->id == ARM64_INS_STR || insn->id == ARM64_INS_STUR)
		moves->stores = whole_register(&arm64->operands[0]);
	for (int i = 0; i < at && !is_store(insn->id) && size_of(insn) == WORD; i++)
		insn_moves_add(moves, (struct insn_move){
					      INSN_MOVE_LOAD, whole_register(&arm64->operands[i]),
					      INSN_REG_NONE, INSN_REG_NONE, (int64_t)i * WORD });
	move_base(arm64, at, moves);
}

/* "add x0, x1, #8", "add x0, x1, x2, lsl #3" */
static void take_sum(const cs_arm64 *arm64, int sign, struct insn_moves *moves)
{
	const cs_arm64_op *ops = arm64->operands;
	struct insn_move move = { INSN_MOVE_COPY, whole_register(&ops[0]), whole_register(&ops[1]),
				  INSN_REG_NONE, 0 };

	if (arm64->op_count < 3 || move.source < 0)
		return;
	if (ops[2].type == ARM64_OP_IMM) {
		uint64_t number = (uint64_t)ops[2].imm << (ops[2].shift.value & 63);

		move.number = (int64_t)(sign > 0 ? number : -number);
	} else if (sign > 0 && ops[2].type == ARM64_OP_REG) {
		move.kind = INSN_MOVE_INDEX;
		move.other = ops[2].shift.value == 0 ? whole_register(&ops[2]) : INSN_REG_NONE;
	} else {
		return;
	}
	insn_moves_add(moves, move);
}

static void take_moves(const cs_insn *insn, struct insn_moves *moves)
{
	const cs_arm64 *arm64 = &insn->detail->arm64;
	const cs_arm64_op *ops = arm64->operands;

	switch (insn->id) {
	case ARM64_INS_MOV:
		if (ops[1].type == ARM64_OP_IMM)
			insn_moves_add(moves, (struct insn_move){
						      INSN_MOVE_NUMBER, whole_register(&ops[0]),
						      INSN_REG_NONE, INSN_REG_NONE, ops[1].imm });
		else if (whole_register(&ops[1]) >= 0)
			insn_moves_add(moves, (struct insn_move){
						      INSN_MOVE_COPY, whole_register(&ops[0]),
						      whole_register(&ops[1]), INSN_REG_NONE, 0 });
		break;
	case ARM64_INS_ADR:
	case ARM64_INS_ADRP:
		insn_moves_add(moves,
			       (struct insn_move){ INSN_MOVE_NUMBER, whole_register(&ops[0]),
						   INSN_REG_NONE, INSN_REG_NONE, ops[1].imm });
		break;
	case ARM64_INS_ADD:
		take_sum(arm64, 1, moves);
		break;
	case ARM64_INS_SUB:
		take_sum(arm64, -1, moves);
		break;
	case ARM64_INS_CSEL:
		insn_moves_add(moves, (struct insn_move){ INSN_MOVE_EITHER, whole_register(&ops[0]),
							  whole_register(&ops[1]),
							  whole_register(&ops[2]), 0 });
		break;
	default:
		take_memory(insn, moves);
		break;
	}
}

static void take_way(const cs_insn *insn, struct insn_moves *moves)
{
	const cs_arm64 *arm64 = &insn->detail->arm64;

	switch (insn->id) {
	case ARM64_INS_BL:
	case ARM64_INS_BLR:
		moves->calls = true;
		break;
	case ARM64_INS_B:
		moves->jumps = true;
		moves->goes_on = arm64->cc != ARM64_CC_INVALID && arm64->cc != ARM64_CC_AL &&
				 arm64->cc != ARM64_CC_NV;
		break;
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
		moves->jumps = true;
		break;
	case ARM64_INS_BR:
		moves->jumps = true;
		moves->goes_on = false;
		break;
	case ARM64_INS_RET:
	case ARM64_INS_ERET:
	case ARM64_INS_BRK:
		moves->goes_on = false;
		break;
	default:
		return;
	}
	/* The place is the last operand. */
	if (arm64->op_count > 0 && arm64->operands[arm64->op_count - 1].type == ARM64_OP_IMM)
		moves->to = (uint64_t)arm64->operands[arm64->op_count - 1].imm;
}

/* libcapstone has it that they write what they compare. */
static bool is_comparison(unsigned id)
{
	return id == ARM64_INS_CMP || id == ARM64_INS_CMN || id == ARM64_INS_TST;
}

void insn_moves_take_arm64(csh handle, const cs_insn *insn, struct insn_moves *ret_moves)
{
	if (!is_comparison(insn->id))
		ret_moves->lost = insn_moves_written(handle, insn, insn_moves_arm64_register);
	take_moves(insn, ret_moves);
	take_way(insn, ret_moves);
}
