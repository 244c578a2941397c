/* insn-moves-kind.h - what insn-moves.c is made of, for the files of its machines. */
#pragma once

#include <capstone/capstone.h>

#include "object/insn-moves.h"

/* What an instruction of one machine does; ret_moves has its size, and is 0 else. */
typedef void insn_moves_take(csh handle, const cs_insn *insn, struct insn_moves *ret_moves);

insn_moves_take insn_moves_take_x86;
insn_moves_take insn_moves_take_arm64;

extern const struct insn_convention insn_moves_x86, insn_moves_arm64;

/* DWARF's number of one of capstone's registers; INSN_REG_NONE of others. */
int insn_moves_x86_register(unsigned reg);
int insn_moves_arm64_register(unsigned reg);

/* All that the instruction writes, as libcapstone knows. */
uint64_t insn_moves_written(csh handle, const cs_insn *insn, int (*number_of)(unsigned reg));

static inline void insn_moves_add(struct insn_moves *moves, struct insn_move move)
{
	if (moves->count < INSN_MOVES_MOST && move.target >= 0)
		moves->items[moves->count++] = move;
}
