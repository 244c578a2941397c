/* insn-moves.c - see insn-moves.h. */
#include "object/insn-moves.h"

#include <elf.h>
#include <stdlib.h>

#include "object/disassembler.h"
#include "object/insn-moves-kind.h"

struct insn_moves_reader {
	struct disassembler disassembler;
	insn_moves_take *machine;
	const struct insn_convention *convention;
};

/* Which machine it is; false of others. */
static bool find_machine(struct code_kind kind, struct insn_moves_reader *reader)
{
	if (kind.machine == EM_X86_64 && kind.is_64bit) {
		reader->machine = insn_moves_take_x86;
		reader->convention = &insn_moves_x86;
		return true;
	}
	if (kind.machine != EM_AARCH64)
		return false;
	reader->machine = insn_moves_take_arm64;
	reader->convention = &insn_moves_arm64;
	return true;
}

struct insn_moves_reader *insn_moves_reader_new(struct code_kind kind)
{
	_cleanup_(insn_moves_reader_freep) struct insn_moves_reader *reader =
		xnew(struct insn_moves_reader);

	if (!find_machine(kind, reader) || !disassembler_open(&reader->disassembler, kind, true))
		return NULL;
	return take(reader);
}

void insn_moves_reader_free(struct insn_moves_reader *reader)
{
	if (!reader)
		return;
	disassembler_done(&reader->disassembler);
	free(reader);
}

const struct insn_convention *insn_moves_convention(const struct insn_moves_reader *reader)
{
	return reader->convention;
}

bool insn_moves_read(struct insn_moves_reader *reader, const uint8_t *bytes, size_t size,
		     uint64_t addr, struct insn_moves *ret_moves)
{
	const struct disassembler *disassembler = &reader->disassembler;

	*ret_moves = (struct insn_moves){ .stores = INSN_REG_NONE };
	if (!cs_disasm_iter(disassembler->handle, &bytes, &size, &addr, disassembler->room))
		return false;
	ret_moves->size = disassembler->room->size;
	ret_moves->goes_on = true;
	reader->machine(disassembler->handle, disassembler->room, ret_moves);
	return true;
}

uint64_t insn_moves_written(csh handle, const cs_insn *insn, int (*number_of)(unsigned reg))
{
	cs_regs read, written;
	uint8_t read_count = 0, written_count = 0;
	uint64_t bits = 0;

	if (cs_regs_access(handle, insn, read, &read_count, written, &written_count) != CS_ERR_OK)
		return UINT64_MAX;
	for (uint8_t i = 0; i < written_count; i++) {
		int number = number_of(written[i]);

		if (number >= 0)
			bits |= UINT64_C(1) << number;
	}
	return bits;
}
