/*
 * insn-moves.h - what an instruction does with registers and memory, as far as it matters to who
 * follows where pointers go: 64-bit x86 and arm64, by libcapstone.
 *
 * Registers have the numbers that DWARF gives them, so that they can be compared with where
 * variables are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "object/insn.h"

struct insn_moves_reader;

enum {
	INSN_REGISTERS = 32, /* general ones, and the stack pointer */
	INSN_REG_NONE = -1,
	INSN_REG_PC = -2,
};

/* Memory that an instruction names: what base + index * scale + offset points at. */
struct insn_memory {
	int base, index; /* INSN_REG_*; with INSN_REG_PC, @offset is the address itself */
	unsigned scale;
	int64_t offset;
	unsigned size; /* bytes; 0: not known */
	bool reads, writes;
	bool in_segment; /* x86: beyond what fs or gs points at */
};

enum insn_move_kind {
	INSN_MOVE_COPY,    /* @source + @number */
	INSN_MOVE_EITHER,  /* @source or @other */
	INSN_MOVE_INDEX,   /* @source and @other added up: one of them may be a pointer */
	INSN_MOVE_NUMBER,  /* @number */
	INSN_MOVE_LOAD,    /* all 64 bits from memory[0], @number bytes further on */
	INSN_MOVE_ADDRESS, /* where memory[0] is */
};

struct insn_move {
	enum insn_move_kind kind;
	int target, source, other;
	int64_t number;
};

enum { INSN_MEMORY_MOST = 2, INSN_MOVES_MOST = 8 };

struct insn_moves {
	size_t size; /* bytes of the instruction */
	struct insn_memory memory[INSN_MEMORY_MOST];
	size_t memory_count; /* what is read stands before what is written */
	/* In one step: sources are what they were before. */
	struct insn_move items[INSN_MOVES_MOST];
	size_t count;
	int stores; /* the register of which memory[memory_count - 1] gets all; or INSN_REG_NONE */
	uint64_t lost; /* registers that are something else afterwards, but for the above: bits;
	all: nobody knows what it does */
	bool of_stack; /* it is there to push or to pop: calls and returns, too */
	bool calls;    /* a function, which comes back */
	bool jumps;    /* perhaps: to @to, or where @to is 0 to nobody knows where */
	bool goes_on;  /* may be followed by the next one */
	bool fuses;    /* runs as one with a conditional jump behind it */
	uint64_t to;   /* of a jump or call; 0: not known */
};

/* NULL: such code is not known. Serves one thread at a time. */
struct insn_moves_reader *insn_moves_reader_new(struct code_kind kind);
void insn_moves_reader_free(struct insn_moves_reader *reader);
CLEANUP(insn_moves_reader_free, struct insn_moves_reader)

/* Reads the instruction at the begin of @bytes, which lies at @addr. False if there is none. */
bool insn_moves_read(struct insn_moves_reader *reader, const uint8_t *bytes, size_t size,
		     uint64_t addr, struct insn_moves *ret_moves);

/* What instructions of a machine have in common, and what its calling conventions say. */
struct insn_convention {
	uint64_t lost_in_calls; /* registers that a function may change: bits */
	int result;             /* the one where it puts what it returns */
	size_t shortest; /* bytes of the shortest instruction: where the next one may begin */
};
const struct insn_convention *insn_moves_convention(const struct insn_moves_reader *reader);
