/* without/insn.c - see insn.h: a build without libcapstone. */
#include "object/insn.h"

bool insn_is_there(void)
{
	return false;
}

struct insn_reader *insn_reader_new(struct code_kind kind)
{
	return NULL;
}

void insn_reader_use_intel(struct insn_reader *reader)
{
}

void insn_reader_free(struct insn_reader *reader)
{
}

bool insn_read(struct insn_reader *reader, const uint8_t *bytes, size_t size, uint64_t addr,
	       struct insn *ret_insn, struct str *text)
{
	return false;
}
