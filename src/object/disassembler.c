/* disassembler.c - see disassembler.h. */
#include "object/disassembler.h"

#include <elf.h>

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

bool disassembler_open(struct disassembler *disassembler, struct code_kind kind, bool details)
{
	cs_mode mode;

	if (!find_mode(kind, &disassembler->arch, &mode) ||
	    cs_open(disassembler->arch, mode, &disassembler->handle) != CS_ERR_OK)
		return false;
	/* Before there is room for an instruction: with details it is more. */
	if (details && cs_option(disassembler->handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK)
		return false;
	disassembler->room = cs_malloc(disassembler->handle);
	return disassembler->room != NULL;
}

void disassembler_done(struct disassembler *disassembler)
{
	if (disassembler->room)
		cs_free(disassembler->room, 1);
	if (disassembler->handle)
		(void)cs_close(&disassembler->handle);
}
