/* insn-moves-x86.c - see insn-moves.h: of x86 with 64 bits. */
#include "object/insn-moves-kind.h"

/* DWARF's order of the registers: System V ABI, AMD64 supplement, "DWARF Register Number Mapping".
 */
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10, R11 };

#define BIT(reg) (UINT64_C(1) << (reg))

const struct insn_convention insn_moves_x86 = {
	.lost_in_calls = BIT(RAX) | BIT(RDX) | BIT(RCX) | BIT(RSI) | BIT(RDI) | BIT(R8) | BIT(R9) |
			 BIT(R10) | BIT(R11),
	.result = RAX,
	.shortest = 1,
};

enum { WORD = 8 };

int insn_moves_x86_register(unsigned reg)
{
	static const struct {
		uint16_t names[5];
	} registers[] = {
		{ { X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH } },
		{ { X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH } },
		{ { X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH } },
		{ { X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH } },
		{ { X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL } },
		{ { X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL } },
		{ { X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL } },
		{ { X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL } },
		{ { X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B } },
		{ { X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B } },
		{ { X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B } },
		{ { X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B } },
		{ { X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B } },
		{ { X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B } },
		{ { X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B } },
		{ { X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B } },
	};

	if (reg == X86_REG_INVALID)
		return INSN_REG_NONE;
	if (reg == X86_REG_RIP)
		return INSN_REG_PC;
	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
		for (size_t k = 0; k < 5; k++) {
			if (registers[i].names[k] == reg)
				return (int)i;
		}
	}
	return INSN_REG_NONE;
}

static bool is_memory_no_access(unsigned id)
{
	return id == X86_INS_LEA || id == X86_INS_NOP;
}

static struct insn_memory memory_of(const cs_insn *insn, const cs_x86_op *op)
{
	struct insn_memory memory = {
		.base = insn_moves_x86_register(op->mem.base),
		.index = insn_moves_x86_register(op->mem.index),
		.scale = (unsigned)op->mem.scale,
		.offset = op->mem.disp,
		.size = op->size,
		.reads = op->access & CS_AC_READ && !is_memory_no_access(insn->id),
		.writes = op->access & CS_AC_WRITE && !is_memory_no_access(insn->id),
		.in_segment = op->mem.segment == X86_REG_FS || op->mem.segment == X86_REG_GS,
	};

	if (memory.base == INSN_REG_PC)
		memory.offset = (int64_t)((uint64_t)memory.offset + insn->address + insn->size);
	return memory;
}

/* What is only read comes first. */
static void add_memory(const cs_insn *insn, struct insn_moves *moves)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (int writes = 0; writes < 2; writes++) {
		for (uint8_t i = 0; i < x86->op_count; i++) {
			struct insn_memory memory;

			if (x86->operands[i].type != X86_OP_MEM ||
			    moves->memory_count == INSN_MEMORY_MOST)
				continue;
			memory = memory_of(insn, &x86->operands[i]);
			if (memory.writes == writes)
				moves->memory[moves->memory_count++] = memory;
		}
	}
}

/* A whole register, or INSN_REG_NONE. */
static int whole_register(const cs_x86_op *op)
{
	return op->type == X86_OP_REG && op->size == WORD ? insn_moves_x86_register(op->reg)
							  : INSN_REG_NONE;
}

static void take_mov(const cs_x86_op *ops, struct insn_moves *moves)
{
	struct insn_move move = { INSN_MOVE_COPY, whole_register(&ops[0]), whole_register(&ops[1]),
				  INSN_REG_NONE, 0 };

	if (ops[0].type == X86_OP_MEM)
		moves->stores = move.source;
	/* "mov $0x404040, %edi" sets all of %rdi. */
	if (ops[1].type == X86_OP_IMM && ops[0].type == X86_OP_REG && ops[0].size >= WORD / 2) {
		move.kind = INSN_MOVE_NUMBER;
		move.target = insn_moves_x86_register(ops[0].reg);
		move.number = ops[0].size == WORD ? ops[1].imm : (int64_t)(uint32_t)ops[1].imm;
	} else if (ops[1].type == X86_OP_MEM) {
		move.kind = INSN_MOVE_LOAD;
	} else if (move.source == INSN_REG_NONE) {
		return;
	}
	insn_moves_add(moves, move);
}

static void take_sum(const cs_x86_op *ops, int sign, struct insn_moves *moves)
{
	int target = whole_register(&ops[0]), other = whole_register(&ops[1]);

	if (target < 0)
		return;
	if (ops[1].type == X86_OP_IMM)
		insn_moves_add(moves,
			       (struct insn_move){ INSN_MOVE_COPY, target, target, INSN_REG_NONE,
						   sign > 0 ? ops[1].imm
							    : (int64_t) - (uint64_t)ops[1].imm });
	else if (sign > 0 && other >= 0)
		insn_moves_add(moves,
			       (struct insn_move){ INSN_MOVE_INDEX, target, target, other, 0 });
}

static void take_step(const cs_x86_op *op, int number, struct insn_moves *moves)
{
	int target = whole_register(op);

	insn_moves_add(moves,
		       (struct insn_move){ INSN_MOVE_COPY, target, target, INSN_REG_NONE, number });
}

static void move_stack(int64_t by, struct insn_moves *moves)
{
	moves->of_stack = true;
	insn_moves_add(moves, (struct insn_move){ INSN_MOVE_COPY, RSP, RSP, INSN_REG_NONE, by });
}

static bool is_conditional_move(unsigned id)
{
	switch (id) {
	case X86_INS_CMOVA:
	case X86_INS_CMOVAE:
	case X86_INS_CMOVB:
	case X86_INS_CMOVBE:
	case X86_INS_CMOVE:
	case X86_INS_CMOVG:
	case X86_INS_CMOVGE:
	case X86_INS_CMOVL:
	case X86_INS_CMOVLE:
	case X86_INS_CMOVNE:
	case X86_INS_CMOVNO:
	case X86_INS_CMOVNP:
	case X86_INS_CMOVNS:
	case X86_INS_CMOVO:
	case X86_INS_CMOVP:
	case X86_INS_CMOVS:
		return true;
	default:
		return false;
	}
}

static void take_moves(const cs_insn *insn, struct insn_moves *moves)
{
	const cs_x86_op *ops = insn->detail->x86.operands;

	switch (insn->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
		take_mov(ops, moves);
		break;
	case X86_INS_LEA:
		insn_moves_add(moves,
			       (struct insn_move){ INSN_MOVE_ADDRESS, whole_register(&ops[0]),
						   INSN_REG_NONE, INSN_REG_NONE, 0 });
		break;
	case X86_INS_ADD:
		take_sum(ops, 1, moves);
		break;
	case X86_INS_SUB:
		take_sum(ops, -1, moves);
		break;
	case X86_INS_INC:
		take_step(ops, 1, moves);
		break;
	case X86_INS_DEC:
		take_step(ops, -1, moves);
		break;
	case X86_INS_PUSH:
		move_stack(-WORD, moves);
		break;
	case X86_INS_POP:
		move_stack(WORD, moves);
		break;
	default:
		if (is_conditional_move(insn->id))
			insn_moves_add(moves, (struct insn_move){ INSN_MOVE_EITHER,
								  whole_register(&ops[0]),
								  whole_register(&ops[0]),
								  whole_register(&ops[1]), 0 });
		break;
	}
}

static bool is_in_group(const cs_insn *insn, uint8_t group)
{
	for (uint8_t i = 0; i < insn->detail->groups_count; i++) {
		if (insn->detail->groups[i] == group)
			return true;
	}
	return false;
}

/* Intel's manual of optimization, "Macrofusion". */
static bool fuses(unsigned id)
{
	switch (id) {
	case X86_INS_CMP:
	case X86_INS_TEST:
	case X86_INS_ADD:
	case X86_INS_SUB:
	case X86_INS_AND:
	case X86_INS_INC:
	case X86_INS_DEC:
		return true;
	default:
		return false;
	}
}

static void take_way(const cs_insn *insn, struct insn_moves *moves)
{
	const cs_x86_op *op = &insn->detail->x86.operands[0];
	bool known = insn->detail->x86.op_count > 0 && op->type == X86_OP_IMM;

	moves->calls = is_in_group(insn, CS_GRP_CALL);
	moves->jumps = is_in_group(insn, CS_GRP_JUMP);
	if (moves->calls || is_in_group(insn, CS_GRP_RET))
		moves->of_stack = true;
	if ((moves->calls || moves->jumps) && known)
		moves->to = (uint64_t)op->imm;
	moves->goes_on = !(insn->id == X86_INS_JMP || insn->id == X86_INS_LJMP ||
			   is_in_group(insn, CS_GRP_RET) || is_in_group(insn, CS_GRP_IRET) ||
			   insn->id == X86_INS_HLT || insn->id == X86_INS_UD2);
}

void insn_moves_take_x86(csh handle, const cs_insn *insn, struct insn_moves *ret_moves)
{
	add_memory(insn, ret_moves);
	take_way(insn, ret_moves);
	take_moves(insn, ret_moves);
	ret_moves->fuses = fuses(insn->id);
	ret_moves->lost = insn_moves_written(handle, insn, insn_moves_x86_register);
	if (ret_moves->calls) /* the stack pointer is back where it was */
		ret_moves->lost &= ~BIT(RSP);
}
