/* insn.c - see insn.h. */
#include "object/insn.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <stdlib.h>

#include "base/str.h"

struct insn_reader {
	csh handle;
	bool is_x86;
	cs_insn *room;
};

bool insn_is_there(void)
{
	return true;
}

static bool find_mode(struct code_kind kind, cs_arch *ret_arch, cs_mode *ret_mode)
{
	switch (kind.machine) {
	case EM_X86_64:
	case EM_386:
		*ret_arch = CS_ARCH_X86;
		*ret_mode = kind.is_64bit ? CS_MODE_64 : CS_MODE_32;
		return true;
	case EM_AARCH64:
		*ret_arch = CS_ARCH_ARM64;
		*ret_mode = CS_MODE_LITTLE_ENDIAN;
		return true;
	default:
		return false;
	}
}

struct insn_reader *insn_reader_new(struct code_kind kind)
{
	_cleanup_(insn_reader_freep) struct insn_reader *reader = xnew(struct insn_reader);
	cs_arch arch;
	cs_mode mode;

	if (!find_mode(kind, &arch, &mode) || cs_open(arch, mode, &reader->handle) != CS_ERR_OK)
		return NULL;
	reader->is_x86 = arch == CS_ARCH_X86;
	if (reader->is_x86)
		(void)cs_option(reader->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	reader->room = cs_malloc(reader->handle);
	return reader->room ? take(reader) : NULL;
}

void insn_reader_free(struct insn_reader *reader)
{
	if (!reader)
		return;
	if (reader->room)
		cs_free(reader->room, 1);
	if (reader->handle)
		(void)cs_close(&reader->handle);
	free(reader);
}

static bool departs_x86(unsigned id)
{
	switch (id) {
	case X86_INS_JMP:
	case X86_INS_LJMP:
	case X86_INS_CALL:
	case X86_INS_LCALL:
	case X86_INS_RET:
	case X86_INS_RETF:
	case X86_INS_RETFQ:
	case X86_INS_INT:
	case X86_INS_INT1:
	case X86_INS_INT3:
	case X86_INS_IRET:
	case X86_INS_IRETD:
	case X86_INS_IRETQ:
	case X86_INS_SYSCALL:
	case X86_INS_SYSENTER:
	case X86_INS_SYSEXIT:
	case X86_INS_SYSRET:
		return true;
	default:
		return false;
	}
}

static bool departs_arm64(const cs_insn *insn)
{
	switch (insn->id) {
	case ARM64_INS_B: /* of "b.eq" too: that may go on */
		return insn->mnemonic[1] == '\0';
	case ARM64_INS_BL:
	case ARM64_INS_BR:
	case ARM64_INS_BLR:
	case ARM64_INS_RET:
	case ARM64_INS_ERET:
	case ARM64_INS_SVC:
	case ARM64_INS_HVC:
	case ARM64_INS_SMC:
	case ARM64_INS_BRK:
		return true;
	default:
		return false;
	}
}

bool insn_read(struct insn_reader *reader, const uint8_t *bytes, size_t size, uint64_t addr,
	       struct insn *ret_insn, struct str *text)
{
	const cs_insn *insn = reader->room;

	if (!cs_disasm_iter(reader->handle, &bytes, &size, &addr, reader->room))
		return false;
	ret_insn->size = insn->size;
	ret_insn->departs = reader->is_x86 ? departs_x86(insn->id) : departs_arm64(insn);
	if (text)
		str_addf(text, "%s%s%s", insn->mnemonic, insn->op_str[0] ? " " : "", insn->op_str);
	return true;
}
