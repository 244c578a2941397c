/* insn.c - see insn.h. */
#include "object/insn.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "object/disassembler.h"

struct insn_reader {
	struct disassembler disassembler;
};

bool insn_is_there(void)
{
	return true;
}

struct insn_reader *insn_reader_new(struct code_kind kind)
{
	_cleanup_(insn_reader_freep) struct insn_reader *reader = xnew(struct insn_reader);

	if (!disassembler_open(&reader->disassembler, kind, false))
		return NULL;
	if (reader->disassembler.arch == CS_ARCH_X86)
		(void)cs_option(reader->disassembler.handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return take(reader);
}

void insn_reader_use_intel(struct insn_reader *reader)
{
	if (reader->disassembler.arch == CS_ARCH_X86)
		(void)cs_option(reader->disassembler.handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_INTEL);
}

void insn_reader_free(struct insn_reader *reader)
{
	if (!reader)
		return;
	disassembler_done(&reader->disassembler);
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

static bool may_jump_x86(const char *mnemonic)
{
	return mnemonic[0] == 'j' || strncmp(mnemonic, "call", 4) == 0 ||
	       strncmp(mnemonic, "loop", 4) == 0 || strncmp(mnemonic, "bnd j", 5) == 0;
}

static bool may_jump_arm64(const char *mnemonic)
{
	return strcmp(mnemonic, "b") == 0 || strcmp(mnemonic, "bl") == 0 ||
	       strncmp(mnemonic, "b.", 2) == 0 || strncmp(mnemonic, "cb", 2) == 0 ||
	       strncmp(mnemonic, "tb", 2) == 0;
}

/* The text tells: with details, reading all instructions would take several times as long. */
static bool find_target(const cs_insn *insn, bool is_x86, uint64_t *ret_target)
{
	const char *last = strrchr(insn->op_str, ' ');
	char *end;

	if (!(is_x86 ? may_jump_x86 : may_jump_arm64)(insn->mnemonic))
		return false;
	last = last ? last + 1 : insn->op_str;
	last += *last == '#';
	if (strncmp(last, "0x", 2) != 0)
		return false;
	*ret_target = strtoull(last, &end, 16);
	return *end == '\0';
}

bool insn_read(struct insn_reader *reader, const uint8_t *bytes, size_t size, uint64_t addr,
	       struct insn *ret_insn, struct str *text)
{
	const struct disassembler *disassembler = &reader->disassembler;
	const cs_insn *insn = disassembler->room;

	if (!cs_disasm_iter(disassembler->handle, &bytes, &size, &addr, disassembler->room))
		return false;
	ret_insn->size = insn->size;
	ret_insn->departs =
		disassembler->arch == CS_ARCH_X86 ? departs_x86(insn->id) : departs_arm64(insn);
	ret_insn->has_target =
		find_target(insn, disassembler->arch == CS_ARCH_X86, &ret_insn->target);
	if (text)
		str_addf(text, "%s%s%s", insn->mnemonic, insn->op_str[0] ? " " : "", insn->op_str);
	return true;
}
