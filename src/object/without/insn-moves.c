/* without/insn-moves.c - see insn-moves.h: a build without libcapstone. */
#include "object/insn-moves.h"

struct insn_moves_reader *insn_moves_reader_new(struct code_kind kind)
{
	return NULL;
}

void insn_moves_reader_free(struct insn_moves_reader *reader)
{
}

bool insn_moves_read(struct insn_moves_reader *reader, const uint8_t *bytes, size_t size,
		     uint64_t addr, struct insn_moves *ret_moves)
{
	return false;
}

const struct insn_convention *insn_moves_convention(const struct insn_moves_reader *reader)
{
	return NULL;
}
