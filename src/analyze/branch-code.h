/*
 * branch-code.h - the instructions that led to a sample, by its branch stack: between two branches
 * code ran straight from where the older one went to where the younger one came from.
 *
 *   branch 2   A -> B          A          the jump alone: where it was entered is not known
 *   branch 1   C -> D          B ... C
 *   branch 0   E -> F          D ... E
 *   sample at  G               F ... G
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/insn.h"
#include "symbol/resolve.h"

struct code;
struct profile;
struct profile_sample;
struct sample_branch;

enum branch_code_kind {
	BRANCH_CODE_FUNCTION,    /* another one begins here, or goes on: @place */
	BRANCH_CODE_INSN,        /* @place, @bytes, @insn; one that cannot be read has no size */
	BRANCH_CODE_JUMP,        /* the same, and @branch that it made */
	BRANCH_CODE_MISMATCH,    /* no instruction ends where the branch was: other code ran */
	BRANCH_CODE_NOT_REACHED, /* a jump before the sample, that is in no branch */
};

struct branch_code_line {
	enum branch_code_kind kind;
	struct place place;
	const uint8_t *bytes; /* as many as @insn has; borrowed until the next line */
	struct insn insn;
	const char *text; /* of the instruction */
	const struct sample_branch *branch;
	size_t number;        /* of the branch in the sample's stack */
	unsigned insn_count;  /* of a jump: in its stretch, with itself; 0 if not known */
	uint64_t cycle_count; /* of a jump: since the first */
};

typedef void branch_code_each(void *context, const struct branch_code_line *line);

/*
 * Hands out the lines in the order in which they ran. @max_blocks: of the stretches between two
 * branches at most so many, the youngest; 0: all. Code that is not there is left out.
 */
void branch_code_walk(struct profile *profile, struct code *code,
		      const struct profile_sample *sample, size_t max_blocks,
		      branch_code_each *each, void *context);
